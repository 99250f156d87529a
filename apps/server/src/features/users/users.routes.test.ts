import { afterAll, beforeAll, expect, test } from 'vitest'
import * as api from '@causeway/contract'
import { testServer, type TestServer } from '../../../test/server.ts'

let server: TestServer

beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())

const NEVER = '2099-01-01T00:00:00.000Z'
const UNKNOWN = '00000000-0000-4000-8000-000000000000'

let count = 0
function makeUser(fields: Partial<Parameters<typeof server.call<typeof api.createUser>>[1]> = {}) {
  return server.call(api.createUser, { username: `user_${count++}`, expireAt: NEVER, ...fields })
}

test('a user is created with generated credentials and counted', async () => {
  const user = await makeUser({ telegramId: 0 })
  expect(user).toMatchObject({ status: 'ACTIVE', telegramId: null, usedTrafficBytes: 0, activeInternalSquads: [] })
  expect(user.shortUuid).toMatch(/^[0-9A-Za-z_-]{22}$/)
  const list = await server.call(api.listUsers, {})
  expect(list.total).toBe(1)
  expect(list.users[0]).toMatchObject({ uuid: user.uuid, subscriptionUrl: `http://localhost:80/api/sub/${user.shortUuid}` })
  expect(await server.send('GET', `/api/users/${UNKNOWN}`)).toMatchObject({ status: 404, body: { errorCode: 'A063' } })
})
