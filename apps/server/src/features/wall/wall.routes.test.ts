import * as api from '@causeway/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testServer, type TestServer } from '../../../test/server.ts'
import { makeUser } from '../../../test/users.ts'

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
const UUID = '00000000-0000-4000-8000-000000000001'
let server: TestServer
let token: string
let uuid: string

beforeAll(async () => {
  server = await testServer()
  const made = await server.call(api.createLimitedApiToken, {
    tokenName: 'hall',
    permissions: ['wall.read'],
    isShownOnce: true,
  })
  ;({ token, uuid } = made)
  const { db } = server.ctx
  const nodes = await db
    .insertInto('nodes')
    .values([
      { name: 'busy', address: 'busy.example', countryCode: 'DE', note: 'a note' },
      { name: 'dead', address: 'dead.example', countryCode: 'NL' },
    ])
    .returning('id')
    .execute()
  await db
    .insertInto('nodeStates')
    .values(
      nodes.map(({ id }, at) => ({
        nodeId: id,
        isConnected: at === 0,
        lastStatusMessage: at === 0 ? null : 'dead.example:2222 refused the connection',
      })),
    )
    .execute()
  // Beside those that are counted stand some that are not.
  const user = (username: string, expireAt: string, status: 'ACTIVE' | 'DISABLED' = 'ACTIVE') =>
    makeUser(server, { username, expireAt, status })
  await user('anna_soon', inDays(2))
  await user('bert_later', inDays(4))
  await user('carl_off', inDays(2), 'DISABLED')
})
afterAll(() => server.close())

const bearer = (text: string) => ({ authorization: `Bearer ${text}` })
const wall = (text = token) => server.send('GET', '/api/x/wall', undefined, bearer(text))

test('the token of a wall reads the state of the service, without names of users and addresses of nodes', async () => {
  const { status, body } = await wall()
  expect(status).toBe(200)
  expect(api.getWall.response.parse((body as { response: unknown }).response)).toMatchObject({
    nodes: [
      { name: 'busy', countryCode: 'DE', isConnected: true, usersOnline: 0 },
      { name: 'dead', countryCode: 'NL', isConnected: false },
    ],
    needs: { usersExpiring: 1, usersNearLimit: 0, billsDue: 0, failedRollouts: 0, isBackupFailed: false },
    onlineNow: 0,
  })
  const text = JSON.stringify(body)
  for (const secret of ['anna_soon', 'busy.example', 'dead.example', 'a note']) expect(text).not.toContain(secret)
})

test('the token of a wall opens the wall and is refused by every other endpoint', async () => {
  const declared: unknown[] = Object.values(api)
  const closed = declared.filter(api.isEndpoint).filter(({ access, name }) => access !== 'public' && name !== api.getWall.name)
  expect(closed.length).toBeGreaterThan(200)
  const answers = await Promise.all(
    closed.map(async ({ name, method, path }) => {
      const url = path.replaceAll(/:\w+/g, UUID)
      const { status } = await server.send(method, url, method === 'GET' ? undefined : {}, bearer(token))
      return [name, status] as const
    }),
  )
  expect(answers.filter(([, status]) => status !== 403)).toEqual([])
})

test('a wall is closed to tokens without its permission, and a viewer opens it by the session', async () => {
  const other = await server.call(api.createLimitedApiToken, { tokenName: 'reader', permissions: ['system.read', 'nodes.read'] })
  expect(await wall(other.token)).toMatchObject({ status: 403, body: { message: expect.stringContaining('wall.read') } })
  expect(api.permissionsOfRole('viewer').has('wall.read')).toBe(true)
  expect(await server.call(api.getWall, {})).toMatchObject({ nodes: [{ name: 'busy' }, { name: 'dead' }] })
})

test('a wall that is withdrawn or over is closed at its next reading', async () => {
  await server.call(api.updateApiToken, { uuid, expiresAt: new Date(Date.now() + 60_000).toISOString() })
  expect(await wall()).toMatchObject({ status: 200 })
  server.clock.now = new Date(Date.now() + 120_000)
  expect(await wall()).toMatchObject({ status: 401 })
  server.clock.now = undefined
  await server.call(api.deleteApiToken, { uuid })
  expect(await wall()).toMatchObject({ status: 403 })
})
