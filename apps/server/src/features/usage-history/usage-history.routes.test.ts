import { afterAll, beforeAll, expect, test } from 'vitest'
import * as api from '@causeway/contract'
import { testServer, type TestServer } from '../../../test/server.ts'
import { makeUser, spend } from '../../../test/users.ts'
import { noteOnline } from './usage-history.queries.ts'

const NOW = new Date('2026-03-05T10:30:00Z')
let server: TestServer
let nodeId: number

beforeAll(async () => {
  server = await testServer()
  server.clock.now = NOW
  const { db } = server.ctx
  const made = await db
    .insertInto('nodes')
    .values([
      { name: 'busy', address: 'busy.example', countryCode: 'DE' },
      { name: 'idle', address: 'idle.example' },
    ])
    .returning('id')
    .execute()
  nodeId = made[0]?.id ?? 0
  await db
    .insertInto('nodeStates')
    .values(made.map(({ id }) => ({ nodeId: id, isConnected: true })))
    .execute()
  const moved = (quarter: string, bytes: number) => ({ nodeId, quarter, uploadBytes: 1, downloadBytes: bytes - 1 })
  await db
    .insertInto('nodeUsageQuarters')
    .values([
      moved('2026-03-05T10:00:00Z', 10),
      moved('2026-03-05T00:00:00Z', 20),
      moved('2026-03-04T21:00:00Z', 40),
      moved('2026-03-04T10:00:00Z', 80),
      moved('2026-02-04T00:00:00Z', 160),
      moved('2026-02-03T23:00:00Z', 320),
    ])
    .execute()
})
afterAll(() => server.close())

/** The steps with something in them, by when they begin. */
async function traffic(period: api.UsageHistoryPeriod, tz?: string) {
  const { starts, nodes } = await server.call(api.getUsageHistory, { period, ...(tz === undefined ? {} : { tz }) })
  expect(nodes.map(({ name, countryCode }) => [name, countryCode])).toEqual([['busy', 'DE']])
  const figures = starts.map((start, i) => [start.slice(0, 16), nodes[0]?.bytes[i]] as const)
  return { count: starts.length, figures: figures.filter(([, bytes]) => bytes !== 0) }
}

test('a day by the hour: 24 hours up to the running one, of each node that moved anything', async () => {
  const { count, figures } = await traffic('day')
  expect(count).toBe(24)
  expect(figures).toEqual([
    ['2026-03-04T21:00', 40],
    ['2026-03-05T00:00', 20],
    ['2026-03-05T10:00', 10],
  ])
})

test('a week and a month by days of the asked-for zone', async () => {
  expect(await traffic('week')).toEqual({
    count: 7,
    figures: [
      ['2026-03-04T00:00', 120],
      ['2026-03-05T00:00', 30],
    ],
  })
  expect(await traffic('month')).toMatchObject({
    count: 30,
    figures: [['2026-02-04T00:00', 160], expect.anything(), expect.anything()],
  })
  // In Tehran it already was the fifth at half past eight in the evening of the fourth.
  expect((await traffic('week', 'Asia/Tehran')).figures).toEqual([
    ['2026-03-03T20:30', 80],
    ['2026-03-04T20:30', 70],
  ])
  expect(await server.send('GET', '/api/x/usage-history?period=day&tz=Mars/Base')).toMatchObject({
    status: 400,
    body: { errorCode: 'A001', message: expect.stringContaining('Mars/Base') },
  })
})

test('of users online an hour keeps the most that were counted at once, and a day the most of its hours', async () => {
  const { db } = server.ctx
  const users = await Promise.all(Array.from({ length: 9 }, () => makeUser(server)))
  const tell = async (count: number, onlineAt = NOW) => {
    await db.updateTable('userUsage').set({ onlineAt: null }).execute()
    for (const { uuid } of users.slice(0, count)) await spend(server, uuid, 1, { onlineAt })
  }
  await noteOnline(db, new Date('2026-03-05T08:00:00Z'))
  for (const count of [3, 9, 5]) {
    await tell(count)
    await noteOnline(db, NOW)
  }
  const online = async (period: api.UsageHistoryPeriod) =>
    (await server.call(api.getUsageHistory, { period })).usersOnline.slice(-3)
  expect(await online('day')).toEqual([0, null, 9])
  expect(await online('week')).toEqual([null, null, 9])
  // A minute later they are not online any more.
  await tell(9, new Date(NOW.getTime() - 61_000))
  await noteOnline(db, NOW)
  expect(await online('day')).toEqual([0, null, 9])
})

test('a period is compared with the one before, where figures go back that far', async () => {
  const { db } = server.ctx
  const moved = (quarter: string, bytes: number) => ({ nodeId, quarter, uploadBytes: 0, downloadBytes: bytes })
  await db
    .insertInto('nodeUsageQuarters')
    .values([
      moved('2026-02-25T10:45:00Z', 1), // an hour too early for both
      moved('2026-02-25T12:00:00Z', 2),
      moved('2026-02-26T10:45:00Z', 4), // later in the hour that is running now
      moved('2026-02-26T11:00:00Z', 8), // after it
    ])
    .execute()
  await db
    .insertInto('onlineQuarters')
    .values([
      { quarter: '2026-02-26T10:15:00Z', usersOnline: 7 },
      { quarter: '2026-02-26T10:30:00Z', usersOnline: 5 },
    ])
    .execute()
  const before = async (period: api.UsageHistoryPeriod) => (await server.call(api.getUsageHistory, { period })).before
  const day = await before('day')
  expect(day?.bytes).toEqual([0, 2, ...Array.from({ length: 21 }, () => 0), 4])
  expect(day?.usersOnline).toEqual([...Array.from({ length: 23 }, () => null), 7])
  expect((await before('week'))?.bytes).toEqual([0, 0, 0, 0, 0, 3, 12])
  expect(await before('month')).toBeUndefined()
  expect((await server.call(api.getUsageHistory, { period: 'week' })).onlineWeekAgo).toBe(5)
})
