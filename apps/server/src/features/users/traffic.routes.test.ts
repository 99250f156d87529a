import * as api from '@causeway/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testServer, type TestServer } from '../../../test/server.ts'
import { makeUser, refused } from '../../../test/users.ts'
import { chargeUsers } from '../traffic/charges.queries.ts'
import { turnTrafficSums } from '../traffic/traffic.jobs.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer()
  await server.call(api.updateInstallation, { timeZone: 'UTC' })
  const { db } = server.ctx
  const book = async (username: string, day: string, bytes: number) => {
    const { id } = await db.selectFrom('users').select('id').where('username', '=', username).executeTakeFirstOrThrow()
    server.clock.now = new Date(`${day}T12:00:00Z`)
    const charge = { userId: id, uplink: bytes, downlink: 0, charged: bytes }
    await db.transaction().execute((tx) => chargeUsers(tx, 1, [charge], { at: server.ctx.now(), day, today: day }))
  }
  for (const username of ['quiet', 'heavy', 'steady', 'recent']) await makeUser(server, { username })
  await book('heavy', '2026-02-20', 5000)
  await book('steady', '2026-03-01', 300)
  await book('steady', '2026-03-08', 200)
  await book('recent', '2026-03-10', 100)
  await turnTrafficSums(server.ctx)
})
afterAll(() => server.close())

test.each([
  ['today', '2026-03-10', 'recent 100'],
  ['week', '2026-03-04', 'steady 200, recent 100'],
  ['thirtyDays', '2026-02-09', 'heavy 5000, steady 500, recent 100'],
  ['month', '2026-03-01', 'steady 500, recent 100'],
] as const)('who moved most %s, since %s', async (period, from, expected) => {
  const top = await server.call(api.listTopUsers, { period })
  expect(top.users.map(({ username, bytes }) => `${username} ${bytes}`).join(', ')).toBe(expected)
  expect(top.from).toBe(from)
  expect((await server.call(api.listTopUsers, { period, size: 1 })).users).toHaveLength(1)
})

test('the list is sorted by a period, with what each user moved in all of them', async () => {
  const list = (id: api.UserSortId, more: object = {}) =>
    server.call(api.listUsers, { start: 0, size: 25, sorting: [{ id, desc: true }], ...more })
  const names = async (id: api.UserSortId, more?: object) => (await list(id, more)).users.map(({ username }) => username)
  expect(await names('trafficThirtyDays')).toEqual(['heavy', 'steady', 'recent', 'quiet'])
  expect(await names('trafficWeek')).toEqual(['steady', 'recent', 'heavy', 'quiet'])
  expect(await names('trafficToday')).toEqual(['recent', 'steady', 'heavy', 'quiet'])
  // From behind, and together with a filter of another table.
  expect(await names('trafficMonth', { start: 3, size: 1 })).toEqual(['quiet'])
  expect(await names('trafficMonth', { filters: [{ id: 'username', value: 'ea' }] })).toEqual(['steady', 'heavy'])
  const steady = (await list('trafficWeek')).users[0]
  expect(steady?.traffic).toEqual({ today: 0, week: 200, thirtyDays: 500, month: 500 })
})

test.each(['period=year', 'period=week&size=0', 'period=week&size=101', 'period=week&size=1.5', ''])(
  '%s is refused',
  async (query) => {
    const [status] = await refused(server, 'GET', `/api/x/users/top-traffic?${query}`)
    expect(status).toBe(400)
  },
)
