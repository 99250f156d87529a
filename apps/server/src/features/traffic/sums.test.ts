import { trafficPeriod, type TrafficPeriod } from '@causeway/contract'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { everyone } from '../../lib/scope.ts'
import { testServer, type TestServer } from '../../../test/server.ts'
import { makeUser } from '../../../test/users.ts'
import { DAY_MS } from '../../lib/days.ts'
import { resetUsage } from '../../ground/user-writes.queries.ts'
import { chargeUsers } from './charges.queries.ts'
import { passOver } from './order.actions.ts'
import { beginTrafficOrder, listTopInOrder } from './order.queries.ts'
import { findTurn, listTopIds, repeatTurn, turnBatch } from './sums.queries.ts'
import { turnTrafficSums } from './traffic.jobs.ts'

// The kept sums are held against a plain look at every day that was booked.

const BEGIN = new Date('2026-01-20T12:00:00Z')
const PEOPLE = 4
let server: TestServer
let ids: number[]
beforeAll(async () => {
  server = await testServer()
  await server.ctx.db
    .insertInto('installation')
    .values({ timeZone: 'UTC' })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
})
afterAll(() => server.close())

const now = () => server.ctx.now()
const today = () => now().toISOString().slice(0, 10)
const at = (daysAgo: number) => new Date(now().getTime() - daysAgo * DAY_MS)

async function startAnew(): Promise<void> {
  const { db } = server.ctx
  server.clock.now = BEGIN
  for (const table of ['users', 'userNodeUsage', 'trafficTurns'] as const) await db.deleteFrom(table).execute()
  for (let person = 0; person < PEOPLE; person++) await makeUser(server)
  ids = (await db.selectFrom('users').select('id').orderBy('id').execute()).map(({ id }) => id)
}

function book(who: number, daysAgo: number, bytes: number, nodeId = 1): Promise<unknown> {
  const charge = { userId: ids[who] ?? 0, uplink: bytes, downlink: 1, charged: 3 * bytes }
  const day = at(daysAgo).toISOString().slice(0, 10)
  return server.ctx.db.transaction().execute((tx) => chargeUsers(tx, nodeId, [charge], { at: at(daysAgo), day, today: today() }))
}

function firstDay(period: TrafficPeriod): string {
  const days = { today: 0, week: 6, thirtyDays: 29, month: now().getUTCDate() - 1 }
  return at(days[period]).toISOString().slice(0, 10)
}

/** Every user's bytes by looking at every booked day, the most first. */
async function scanned(period: TrafficPeriod) {
  const { rows } = await sql<{ id: number; bytes: number }>`
    select "userId" as "id", sum("uploadBytes" + "downloadBytes")::bigint as "bytes" from "userNodeUsage"
    where "day" between ${firstDay(period)}::date and ${today()}::date group by 1 order by 2 desc, 1
  `.execute(server.ctx.db)
  return rows
}

async function expectExact(): Promise<void> {
  const { db } = server.ctx
  await beginTrafficOrder(db)
  await passOver(db, today(), now(), 3)
  for (const period of trafficPeriod.options) {
    const expected = [period, await scanned(period)]
    expect([period, await listTopIds(db, everyone, period, today(), 100)]).toEqual(expected)
    expect([period, await listTopInOrder(db, period, today(), 100)]).toEqual(expected)
  }
}

const someone = fc.nat(PEOPLE - 1)
const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('book' as const), who: someone, bytes: fc.nat(1000), node: fc.nat(2) }) },
  // A node was asked before midnight, or before a long time away, and its answer is booked now.
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('bookLate' as const),
      who: someone,
      bytes: fc.nat(1000),
      daysAgo: fc.constantFrom(1, 1, 1, 5, 6, 7, 19, 20, 28, 29, 30, 31, 40),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('pass' as const), days: fc.constantFrom(1, 1, 1, 2, 6, 11, 24, 30, 45) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('turn' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('turnSome' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reset' as const), who: someone }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('deleteUser' as const), who: someone }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('deleteNode' as const), node: fc.nat(2) }) },
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

async function take(one: Step): Promise<void> {
  const { db } = server.ctx
  switch (one.do) {
    case 'book':
      await book(one.who, 0, one.bytes, one.node)
      break
    case 'bookLate':
      await book(one.who, one.daysAgo, one.bytes)
      break
    case 'pass':
      server.clock.now = new Date(now().getTime() + one.days * DAY_MS)
      break
    case 'turn':
      await turnTrafficSums(server.ctx)
      break
    case 'turnSome':
      // A server that dies after its first users; whatever is booked next finds the rest as they were.
      await db.transaction().execute((tx) => turnBatch(tx, 2))
      break
    case 'reset':
      await db.transaction().execute((tx) => resetUsage(tx, [ids[one.who] ?? 0], now()))
      break
    case 'deleteUser':
      await db
        .deleteFrom('userNodeUsage')
        .where('userId', '=', ids[one.who] ?? 0)
        .execute()
      await db
        .deleteFrom('users')
        .where('id', '=', ids[one.who] ?? 0)
        .execute()
      break
    case 'deleteNode':
      await db.transaction().execute(async (tx) => {
        await tx.deleteFrom('userNodeUsage').where('nodeId', '=', one.node).execute()
        await repeatTurn(tx)
      })
      break
  }
}

async function isTurned(): Promise<boolean> {
  const turn = await findTurn(server.ctx.db)
  return turn?.day === today() && turn.throughUserId === null
}

test('over any days, late bookings, resets, deletions and servers that die, the sums and the order kept of them are what a look at every day gives', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      await startAnew()
      await turnTrafficSums(server.ctx)
      for (const one of steps) {
        await take(one)
        if (await isTurned()) await expectExact()
      }
      await turnTrafficSums(server.ctx, 2)
      await expectExact()
      expect(await isTurned()).toBe(true)
    }),
    { numRuns: 25 },
  )
})

test('a day that closes stays in its week and goes after it, without anything being booked', async () => {
  await startAnew()
  await turnTrafficSums(server.ctx)
  await book(0, 0, 99)
  await book(1, 0, 49)
  const week = () => listTopIds(server.ctx.db, everyone, 'week', today(), 10)
  expect(await week()).toEqual([
    { id: ids[0], bytes: 100 },
    { id: ids[1], bytes: 50 },
  ])
  server.clock.now = new Date(BEGIN.getTime() + 6 * DAY_MS)
  await turnTrafficSums(server.ctx)
  expect((await week()).map(({ bytes }) => bytes)).toEqual([100, 50])
  expect(await listTopIds(server.ctx.db, everyone, 'today', today(), 10)).toEqual([])
  server.clock.now = new Date(BEGIN.getTime() + 7 * DAY_MS)
  await turnTrafficSums(server.ctx)
  expect(await week()).toEqual([])
  expect((await listTopIds(server.ctx.db, everyone, 'thirtyDays', today(), 1)).map(({ bytes }) => bytes)).toEqual([100])
})

test('usage that was there before the sums were kept is counted with the first turn', async () => {
  await startAnew()
  const rows = [0, 3, 10].map((days) => ({
    day: at(days).toISOString().slice(0, 10),
    nodeId: 1,
    userId: ids[0] ?? 0,
    uploadBytes: 7,
  }))
  await server.ctx.db.insertInto('userNodeUsage').values(rows).execute()
  await turnTrafficSums(server.ctx)
  await expectExact()
  expect((await listTopIds(server.ctx.db, everyone, 'week', today(), 1)).map(({ bytes }) => bytes)).toEqual([14])
})
