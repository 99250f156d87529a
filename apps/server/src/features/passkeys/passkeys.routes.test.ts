import * as api from '@causeway/contract'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { softPasskey } from '../../../test/authenticator.ts'
import { testServer, type TestServer } from '../../../test/server.ts'

const CREDENTIALS = { username: 'admin', password: 'Correct4horse' }
let server: TestServer
beforeEach(async () => {
  server = await testServer()
})
afterEach(() => server.close())

type Passkey = ReturnType<typeof softPasskey>
const post = (path: string, body: unknown, headers: Record<string, string> = {}) => server.send('POST', path, body, headers)
const challengeOf = (options: unknown) => (options as { challenge: string }).challenge
const statusOf = async (headers: Record<string, string>) => (await server.send('GET', '/api/hosts', undefined, headers)).status

async function register(passkey: Passkey, name?: string) {
  const challenge = challengeOf(await server.call(api.getPasskeyRegistrationOptions, {}))
  return server.call(api.verifyPasskeyRegistration, { response: passkey.register({ challenge }), ...(name ? { name } : {}) })
}

const signInChallenge = async () => challengeOf(await server.call(api.getPasskeySignInOptions, {}))
const signIn = (response: unknown) => post('/api/auth/passkey/authentication/verify', { response })

test('SIGN-005 SIGN-003 several passkeys are added with names, renamed and removed; a change ends other sessions', async () => {
  const { accessToken } = await server.call(api.login, CREDENTIALS)
  const phone = { ...server.admin, authorization: `Bearer ${accessToken}` }
  const [first, second] = [softPasskey(), softPasskey()]
  expect(await register(first, 'Laptop')).toEqual({ verified: true, endedSessions: 1 })
  expect([await statusOf(phone), await statusOf(server.admin)]).toEqual([401, 200])
  await register(second)
  const { passkeys } = await server.call(api.listPasskeys, {})
  expect(passkeys.map(({ id, name }) => ({ id, name }))).toEqual([
    { id: first.id, name: 'Laptop' },
    { id: second.id, name: 'Passkey 2' },
  ])
  const renamed = await server.call(api.renamePasskey, { id: second.id, name: 'Key ring' })
  expect(renamed.passkeys.map(({ name }) => name)).toEqual(['Laptop', 'Key ring'])
  expect((await server.call(api.deletePasskey, { id: first.id })).passkeys.map(({ name }) => name)).toEqual(['Key ring'])
  expect((await server.send('DELETE', '/api/passkeys', { id: first.id })).status).toBe(404)
})

test('SIGN-005 a passkey signs in by itself, and the sign-in page offers it once there is one', async () => {
  const offered = async () => (await server.call(api.getAuthStatus, {})).authentication?.passkey.enabled
  expect(await offered()).toBe(false)
  const passkey = softPasskey()
  await register(passkey)
  expect(await offered()).toBe(true)
  const reply = await signIn(passkey.prove({ challenge: await signInChallenge() }))
  const { accessToken } = (reply.body as { response: { accessToken: string } }).response
  expect(await statusOf({ ...server.admin, authorization: `Bearer ${accessToken}` })).toBe(200)
})

test('SIGN-005 with a passkey the password alone does not sign in; both together do', async () => {
  const [passkey, foreign] = [softPasskey(), softPasskey()]
  await register(passkey)
  expect((await post('/api/auth/login', CREDENTIALS)).status).toBe(428)
  const { ticket, passkey: options, hasAuthenticator } = await server.call(api.startSecondStep, CREDENTIALS)
  expect(hasAuthenticator).toBe(false)
  const challenge = challengeOf(options)
  const finish = (response: unknown) => post('/api/x/auth/second-step/passkey', { ticket, response })
  expect((await finish(foreign.prove({ challenge }))).status).toBe(403)
  // Neither is a challenge of the sign-in without password good for it.
  expect((await finish(passkey.prove({ challenge: await signInChallenge() }))).status).toBe(403)
  expect((await finish(passkey.prove({ challenge }))).status).toBe(200)
})

test.each([
  ['of another origin', { origin: 'https://evil.example' }],
  ['of another name', { rpId: 'evil.example' }],
  ['without PIN or body', { isVerified: false }],
  ['for a challenge that is not ours', { challenge: 'bm90IG91cnM' }],
])('SIGN-005 a passkey %s signs nobody in', async (_, wrong) => {
  const passkey = softPasskey()
  await register(passkey)
  const challenge = await signInChallenge()
  expect((await signIn(passkey.prove({ challenge, ...wrong }))).status).toBe(403)
  expect((await signIn(passkey.prove({ challenge: await signInChallenge() }))).status).toBe(200)
})

test('SIGN-005 a counter that went back, an answer sent twice and one that came too late are refused', async () => {
  const passkey = softPasskey()
  await register(passkey)
  const answer = passkey.prove({ challenge: await signInChallenge(), counter: 7 })
  expect([(await signIn(answer)).status, (await signIn(answer)).status]).toEqual([200, 403])
  expect((await signIn(passkey.prove({ challenge: await signInChallenge(), counter: 7 }))).status).toBe(403)
  expect((await signIn(passkey.prove({ challenge: await signInChallenge(), counter: 8 }))).status).toBe(200)
  const late = passkey.prove({ challenge: await signInChallenge(), counter: 9 })
  server.clock.now = new Date(Date.now() + 5 * 60_000 + 1000)
  expect((await signIn(late)).status).toBe(403)
})

test('SIGN-005 a registration of another origin, of another account’s challenge or of a known passkey adds nothing', async () => {
  const passkey = softPasskey()
  const add = (response: unknown) => server.send('POST', '/api/passkeys/registration/verify', { response })
  const challenge = async () => challengeOf(await server.call(api.getPasskeyRegistrationOptions, {}))
  expect((await add(passkey.register({ challenge: await challenge(), origin: 'https://evil.example' }))).status).toBe(400)
  expect((await add(passkey.register({ challenge: await signInChallenge() }))).status).toBe(400)
  expect((await add({})).status).toBe(400)
  expect((await server.call(api.listPasskeys, {})).passkeys).toEqual([])
  await register(passkey)
  expect((await add(passkey.register({ challenge: await challenge() }))).status).toBe(409)
})

test('asking for a challenge stores nothing, and a challenge that was changed or prolonged is refused', async () => {
  const passkey = softPasskey()
  await register(passkey)
  const challenge = await signInChallenge()
  const rows = () => server.ctx.db.selectFrom('passkeyChallenges').select('purpose').execute()
  expect(await rows()).toEqual([])
  const bytes = Buffer.from(challenge, 'base64url')
  bytes[16 + 7] = (bytes[16 + 7] ?? 0) ^ 1 // a later end
  expect((await signIn(passkey.prove({ challenge: bytes.toString('base64url') }))).status).toBe(403)
  // Two at once: the challenge serves one.
  const replies = await Promise.all([3, 4].map((counter) => signIn(passkey.prove({ challenge, counter }))))
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 403])
  expect(await rows()).toHaveLength(1)
})

test('the last passkey of an account without a password stays, and a removed administrator’s signs nobody in', async () => {
  const { path, uuid } = await server.call(api.inviteAdmin, { note: '', role: 'support' })
  const token = path.split('/').at(-1) ?? ''
  const passkey = softPasskey()
  const options = (await server.call(api.getInvitationPasskeyOptions, { token, username: 'pia' })).options
  const { accessToken } = await server.call(api.acceptInvitation, {
    token,
    username: 'pia',
    response: passkey.register({ challenge: challengeOf(options) }),
  })
  const pia = { ...server.admin, authorization: `Bearer ${accessToken}` }
  expect((await server.send('DELETE', '/api/passkeys', { id: passkey.id }, pia)).body).toMatchObject({
    message: api.errors.lastWayIn.message,
  })
  expect((await signIn(passkey.prove({ challenge: await signInChallenge() }))).status).toBe(200)
  const { admins } = await server.call(api.listAdmins, {})
  const account = admins.find(({ username }) => username === 'pia')?.uuid ?? uuid
  const challenge = await signInChallenge()
  await server.call(api.removeAdmin, { uuid: account, tokens: 'delete' })
  expect((await signIn(passkey.prove({ challenge, counter: 2 }))).status).toBe(403)
})

test('ADMIN-002 the invited may make a passkey in the place of a password; one of another origin leaves the invitation open', async () => {
  const { path } = await server.call(api.inviteAdmin, { note: '', role: 'support' })
  const token = path.split('/').at(-1) ?? ''
  const passkey = softPasskey()
  const invited = { token, username: 'pia' }
  const challenge = async () => challengeOf((await server.call(api.getInvitationPasskeyOptions, invited)).options)
  const accept = (body: object) => post(`/api/x/auth/invitations/${token}`, { username: 'pia', ...body })
  expect((await accept({})).status).toBe(400)
  const elsewhere = { challenge: await challenge(), origin: 'https://evil.example' }
  expect((await accept({ response: passkey.register(elsewhere) })).status).toBe(400)
  const response = passkey.register({ challenge: await challenge() })
  expect((await accept({ response })).status).toBe(201)
  expect((await accept({ response })).status).toBe(409)
  expect((await signIn(passkey.prove({ challenge: await signInChallenge() }))).status).toBe(200)
  const { admins } = await server.call(api.listAdmins, {})
  expect(admins.map(({ username, passkeys }) => [username, passkeys])).toEqual([
    ['admin', 0],
    ['pia', 1],
  ])
  for (const password of ['', 'Another4horse'])
    expect((await post(api.login.path, { username: 'pia', password })).status).toBe(403)
})
