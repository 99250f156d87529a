import * as api from '@causeway/contract'
import { TRAFFIC_SORTS, type TrafficSortId } from '@causeway/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { everyone } from '../../lib/scope.ts'
import { listedTexts } from '../../../test/listed-users.ts'
import { testServer, type TestServer } from '../../../test/server.ts'
import { makeUser } from '../../../test/users.ts'
import { connect } from '../../db/driver/connect.ts'
import { chargeUsers } from '../traffic/charges.queries.ts'
import { findTrafficOrder } from '../traffic/order.queries.ts'
import { isPassDue } from '../traffic/order.rules.ts'
import { orderTraffic, turnTrafficSums } from '../traffic/traffic.jobs.ts'
import { listPageIds } from './list.queries.ts'
import { toUsersView } from './list.rules.ts'

// Pages of a kept order are held against those that look at everyone.

const NOW = new Date('2026-03-10T12:00:00Z')
const PEOPLE = 40
const PERIODS = Object.keys(TRAFFIC_SORTS) as TrafficSortId[] // keys of that very table
const SORTS = [...PERIODS, 'usedTrafficBytes', 'lifetimeUsedTrafficBytes'] as const

let server: TestServer
beforeAll(async () => {
  server = await testServer()
  await server.call(api.updateInstallation, { timeZone: 'UTC' })
  server.clock.now = NOW
  for (let number = 0; number < PEOPLE; number++) {
    const status = number % 4 === 0 ? 'DISABLED' : 'ACTIVE'
    await makeUser(server, { username: `user_${number}`, status, ...(number % 7 === 0 && { tag: 'SEVEN' }) })
    // Several move the same, and who is disabled nothing.
    if (number % 4 > 0)
      for (const daysAgo of [0, 3, 20]) await book(`user_${number}`, daysAgo, ((number * 7) % 11) * (daysAgo + 1))
  }
  await turnTrafficSums(server.ctx)
})
afterAll(() => server.close())
beforeEach(async () => {
  server.clock.now = NOW
  await orderTraffic(server.ctx, Infinity)
})

const keep = () => orderTraffic(server.ctx, 0, 7)
const later = (ms: number) => (server.clock.now = new Date(server.ctx.now().getTime() + ms))

async function book(username: string, daysAgo: number, bytes: number): Promise<void> {
  const { db } = server.ctx
  const { id } = await db.selectFrom('users').select('id').where('username', '=', username).executeTakeFirstOrThrow()
  const at = new Date(server.ctx.now().getTime() - daysAgo * 86_400_000)
  const [day, today] = [at, server.ctx.now()].map((date) => date.toISOString().slice(0, 10)) as [string, string] // of two
  const charge = { userId: id, uplink: bytes, downlink: 0, charged: bytes }
  await db.transaction().execute((tx) => chargeUsers(tx, 1, [charge], { at, day, today }))
}

function viewOf(query: Parameters<typeof toUsersView>[0]) {
  const view = toUsersView(query, everyone, server.ctx.now())
  if ('refusal' in view) throw new Error(view.refusal.message)
  return view
}

async function shown(query: Parameters<typeof toUsersView>[0]): Promise<string[]> {
  return (await listedTexts(server.ctx, viewOf(query), 'username')).texts
}

const byDay = [{ id: 'trafficToday', desc: true }] as const

test('every page, first to last, of every period and by usage, with every kind of filter, is what a look at everyone gives', async () => {
  await keep()
  const { db } = server.ctx
  const filters = [
    [],
    [{ id: 'search', value: 'user_1' }],
    [{ id: 'status', value: 'DISABLED' }],
    [{ id: 'status', value: 'ACTIVE' }],
    [{ id: 'tag', value: 'SEVEN' }],
    [{ id: 'among', value: 'onlineLastDay' }],
    [{ id: 'subLastUserAgent', value: 'nobody' }],
  ] as const
  for (const id of SORTS)
    for (const desc of [true, false])
      for (const filter of filters)
        for (const start of [0, 10, 39]) {
          const view = viewOf({ start, size: 10, sorting: [{ id, desc }], filters: [...filter] })
          const page = await listedTexts(server.ctx, view, 'id')
          const bare = await listPageIds(db, view)
          expect([id, desc, filter, start, page.texts.map(Number), page.total]).toEqual([
            id,
            desc,
            filter,
            start,
            bare.ids,
            bare.total,
          ])
        }
})

test('a page shows what was booked since; the next pass brings it to its place', async () => {
  await keep()
  const first = () => shown({ size: 10, sorting: [...byDay] })
  const before = await first()
  expect(before).not.toContain('user_4')
  await book(before[9]!, 0, 1_000_000) // of ten
  expect((await first())[0]).toBe(before[9])
  await book('user_4', 0, 2_000_000)
  later(20_000)
  await keep()
  expect((await first()).slice(0, 2)).toEqual(['user_4', before[9]])
  const top = await server.call(api.listTopUsers, { period: 'today', size: 2 })
  expect(top.users.map(({ username, bytes }) => `${username} ${bytes}`)[0]).toBe('user_4 2000000')
})

test('users come and go with their place', async () => {
  await keep()
  await makeUser(server, { username: 'newcomer' })
  const all = () => shown({ size: 100, sorting: [...byDay] })
  expect(await all()).toHaveLength(PEOPLE + 1)
  expect((await all()).find((name) => name === 'newcomer' || name === 'user_0')).toBe('newcomer')
  await server.ctx.db.deleteFrom('users').where('username', '=', 'newcomer').execute()
  expect(await all()).toHaveLength(PEOPLE)
  const { rows } = await sql<{ places: number }>`select count(*) as "places" from "userTraffic"`.execute(server.ctx.db)
  expect(rows[0]?.places).toBe(PEOPLE)
})

test('an order of yesterday, or one that a crash has emptied, is not gone by', async () => {
  await keep()
  const all = () => shown({ size: 100, sorting: [...byDay] })
  later(86_400_000)
  await book('user_9', 0, 77)
  expect((await all())[0]).toBe('user_9')
  // The sums are still those of the day before.
  await keep()
  expect((await findTrafficOrder(server.ctx.db))?.day).toBe('2026-03-10')
  await turnTrafficSums(server.ctx)
  await keep()
  expect((await findTrafficOrder(server.ctx.db))?.day).toBe('2026-03-11')
  expect((await all())[0]).toBe('user_9')
  await sql`truncate "userTraffic", "trafficOrder"`.execute(server.ctx.db)
  expect(await all()).toHaveLength(PEOPLE)
  await keep()
  expect((await all())[0]).toBe('user_9')
  server.clock.now = NOW
  await turnTrafficSums(server.ctx)
})

test('an order that no server brings in step is not gone by', async () => {
  await keep()
  await book('user_8', 0, 3_000_000)
  const first = async () => (await shown({ size: 10, sorting: [...byDay] }))[0]
  later(1_799_000)
  expect(await first()).not.toBe('user_8')
  later(1000)
  expect(await first()).toBe('user_8')
})

test('a database that takes no changes, as with a full disk, answers all the same', async () => {
  await keep()
  const full = connect(server.ctx.config.DATABASE_URL ?? '', { max: 1 })
  try {
    await full.pool.query('set default_transaction_read_only = on')
    const { texts } = await listedTexts({ ...server.ctx, ...full }, viewOf({ size: 10, sorting: [...byDay] }), 'id')
    expect(texts).toHaveLength(10)
    const order = await findTrafficOrder(server.ctx.db)
    expect(order?.askedAt).toBeNull()
  } finally {
    await full.close()
  }
})

test('few users have no kept order, and what is left of one goes', async () => {
  await keep()
  await orderTraffic(server.ctx)
  expect(await findTrafficOrder(server.ctx.db)).toBeUndefined()
  const { rows } = await sql`select from "userTraffic"`.execute(server.ctx.db)
  expect(rows).toEqual([])
})

test.each([
  ['nobody asks', { tookMs: 10, askedAt: null }, 600],
  ['somebody asked lately', { tookMs: 10, askedAt: NOW }, 20],
  ['somebody asked lately, of very many users', { tookMs: 2000, askedAt: NOW }, 40],
  ['somebody asked long ago', { tookMs: 10, askedAt: new Date(NOW.getTime() - 3_600_000) }, 600],
] as const)('it is brought in step in time where %s', (_, order, seconds) => {
  const isDue = (after: number) =>
    isPassDue({ day: '2026-03-10', madeAt: NOW, ...order }, '2026-03-10', new Date(NOW.getTime() + after * 1000))
  expect([isDue(seconds - 1), isDue(seconds)]).toEqual([false, true])
})

test('whoever pages through everyone by usage meets each once while usage is booked and set back, and sees it as it is', async () => {
  await keep()
  const { db } = server.ctx
  const page = async (start: number) => {
    const view = viewOf({ start, size: 8, sorting: [{ id: 'usedTrafficBytes', desc: false }] })
    const names = await listedTexts(server.ctx, view, 'username')
    expect(names.total).toBe(PEOPLE)
    const used = (await listedTexts(server.ctx, view, 'usedTrafficBytes')).texts.map(Number)
    expect(used).toEqual(used.toSorted((one, other) => one - other))
    return { names: names.texts, used }
  }
  const met: string[] = []
  for (let start = 0; start < PEOPLE; start += 8) {
    const { names } = await page(start)
    met.push(...names)
    // Who has been met goes to the end, and who stands there to the beginning.
    await book(names[0]!, 0, 5_000_000) // of eight
    await sql`update "userUsage" set "usedTrafficBytes" = 0 where "userId" = (
      select "userId" from "userTraffic" order by "usedTrafficBytes" desc, "userId" desc offset ${start} limit 1)`.execute(db)
  }
  expect(new Set(met).size).toBe(PEOPLE)
  expect(met).toHaveLength(PEOPLE)

  // It is of no day: what is kept of yesterday is gone by after midnight, too, until the next pass.
  const most = async () => (await page(PEOPLE - 8)).used.filter((bytes) => bytes >= 5_000_000)
  expect(await most()).toHaveLength(1)
  later(86_400_000)
  await db.updateTable('trafficOrder').set({ madeAt: server.ctx.now() }).execute()
  expect(await most()).toHaveLength(1)
  await turnTrafficSums(server.ctx)
  await keep()
  expect(await most()).toHaveLength(5)
})
