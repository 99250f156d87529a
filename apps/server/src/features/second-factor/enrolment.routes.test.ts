import { randomUUID } from 'node:crypto'
import * as api from '@causeway/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { codeAt } from '../../../test/authenticator.ts'
import { testServer, type TestServer } from '../../../test/server.ts'

const NEWCOMER = { username: 'newcomer', password: 'Another4horse' }
const dashboard = { 'x-remnawave-client-type': 'browser', [api.DASHBOARD_HEADER]: '1' }
const browser = (token: string) => ({ ...dashboard, authorization: `Bearer ${token}` })
let server: TestServer
/** A colleague without a second factor. The owner has one. */
let newcomer: Record<string, string>
let secret: string
beforeAll(async () => {
  server = await testServer()
  ;({ secret } = await server.call(api.startAuthenticator, {}))
  await server.call(api.confirmAuthenticator, { code: codeAt(secret, new Date()) })
  const { path } = await server.call(api.inviteAdmin, { note: '', role: 'administrator' })
  const { accessToken } = await server.call(api.acceptInvitation, { token: path.split('/').at(-1) ?? '', ...NEWCOMER })
  newcomer = browser(accessToken)
})
afterAll(() => server.close())

const exported: unknown[] = Object.values(api)
const endpoints = exported.filter(api.isEndpoint)
const ask = ({ method, path }: api.Endpoint, headers = newcomer) =>
  server.send(
    method,
    path.replaceAll(/:\w+/g, () => randomUUID()),
    method === 'GET' ? undefined : {},
    headers,
  )
const accountOf = async (headers: Record<string, string>) =>
  (await server.send('GET', api.getAccount.path, undefined, headers)).body as { response: { isSecondFactorDue: boolean } }

test('SIGN-007 once a second factor is required, a session without one can only set one up, and sign out', async () => {
  expect((await ask(api.listNodes)).status).toBe(200)
  const { token } = await server.call(api.createApiToken, { tokenName: 'bot' })
  await server.call(api.updateInstallation, { isSecondFactorRequired: true })
  expect(await accountOf(newcomer)).toMatchObject({ response: { isSecondFactorDue: true } })
  expect(await accountOf(server.admin)).toMatchObject({ response: { isSecondFactorDue: false } })
  const open: string[] = []
  for (const endpoint of endpoints) {
    if (endpoint.access === 'public' || endpoint === api.logout) continue
    const { body } = await ask(endpoint)
    const { message } = body as { message?: string } // every answer is an object
    if (message !== api.errors.secondFactorDue.message) open.push(endpoint.name)
  }
  expect(open.toSorted()).toEqual([
    'confirmAuthenticator',
    'getAccount',
    'getPasskeyRegistrationOptions',
    'getProofOptions',
    'getSecondFactor',
    'listPasskeys',
    'proveIdentity',
    'startAuthenticator',
    'verifyPasskeyRegistration',
  ])
  // Others go on.
  expect((await ask(api.listNodes, server.admin)).status).toBe(200)
  expect((await ask(api.listNodes, { authorization: `Bearer ${token}` })).status).toBe(200)
})

test('SIGN-007 the sign-in of programs is refused with the reason, that of the dashboard leads to setting one up', async () => {
  const signIn = (headers: Record<string, string>, password = NEWCOMER.password) =>
    server.send('POST', api.login.path, { ...NEWCOMER, password }, headers)
  expect(await signIn({})).toMatchObject({ status: 428, body: { message: api.errors.secondFactorDue.message } })
  expect((await signIn({}, 'Wrong4horses')).status).toBe(403)
  const { status, body } = await signIn(dashboard)
  expect(status).toBe(200)
  const { response } = body as { response: { accessToken: string } } // the contract's reply of login
  const session = browser(response.accessToken)
  expect((await ask(api.listNodes, session)).status).toBe(428)

  const started = await server.send('POST', api.startAuthenticator.path, {}, session)
  const { response: made } = started.body as { response: { secret: string } } // the contract's reply of startAuthenticator
  const code = codeAt(made.secret, new Date())
  expect((await server.send('POST', api.confirmAuthenticator.path, { code }, session)).status).toBe(200)
  expect((await ask(api.listNodes, session)).status).toBe(200)
  // Removing it brings back the former state.
  expect((await server.send('DELETE', api.removeAuthenticator.path, undefined, session)).status).toBe(200)
  expect((await ask(api.listNodes, session)).status).toBe(428)
  expect((await ask(api.logout, session)).status).toBe(200)
  expect((await ask(api.getAccount, session)).status).toBe(401)
})

test('SIGN-007 pages outside the dashboard are closed to it too, and all is open once it is not required any more', async () => {
  const { headers } = await server.send('POST', api.login.path, NEWCOMER, dashboard)
  const cookie = String(headers['set-cookie']).match(/causeway_page=[^;]+/)?.[0] ?? ''
  const metrics = async () => (await server.send('GET', '/metrics', undefined, { cookie })).status
  expect(await metrics()).toBe(401)
  await server.call(api.updateInstallation, { isSecondFactorRequired: false })
  expect(await metrics()).toBe(200)
  // Nor does a role open them that does not open the figures of the system.
  const { ref } = await server.call(api.createRole, { name: 'Users only', permissions: ['users.read'] })
  const { admins } = await server.call(api.listAdmins, {})
  const { uuid = '' } = admins.find(({ username }) => username === NEWCOMER.username) ?? {}
  await server.call(api.updateAdmin, { uuid, role: ref })
  expect(await metrics()).toBe(401)
})
