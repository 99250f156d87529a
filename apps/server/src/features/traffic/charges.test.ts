import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testServer, type TestServer } from '../../../test/server.ts'
import { idOf, makeUser } from '../../../test/users.ts'
import { bigints } from '../../db/driver/bigints.ts'
import { chargeUsers } from './charges.queries.ts'
import { chargeNode } from './ledger.queries.ts'
import { counterName } from './ledger.rules.ts'

let server: TestServer
const ids: number[] = []
beforeAll(async () => {
  server = await testServer()
  for (let person = 0; person < 5; person++) {
    const { uuid } = await makeUser(server, { trafficLimitBytes: 2000 })
    ids.push(await idOf(server, uuid))
  }
})
afterAll(() => server.close())

const TODAY = '2026-03-10'
const [ONE_BY_ONE, ALL_TOGETHER] = [
  { node: 1, many: Infinity },
  { node: 2, many: 1 },
] as const

test('many users are charged as few are: the same totals, days and cut-offs, whoever of them is new on the day or gone', async () => {
  const charge = fc.record({ who: fc.nat(5), uplink: fc.nat(900), downlink: fc.nat(900) })
  const poll = fc.record({
    day: fc.constantFrom('2026-03-08', '2026-03-09', TODAY),
    charges: fc.uniqueArray(charge, { selector: ({ who }) => who, minLength: 1 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(poll, { minLength: 1, maxLength: 5 }), async (polls) => {
      expect(await booked(polls, ALL_TOGETHER)).toEqual(await booked(polls, ONE_BY_ONE))
    }),
    { numRuns: 25 },
  )
})

interface Poll {
  day: string
  charges: { who: number; uplink: number; downlink: number }[]
}

/** What the database holds when these polls have been booked. The sixth user does not exist. */
async function booked(polls: Poll[], { node, many }: { node: number; many: number }) {
  const exceeded: number[][] = []
  const rows = await server.ctx.db
    .transaction()
    .execute(async (tx) => {
      for (const { day, charges } of polls) {
        const given = charges.map(({ who, uplink, downlink }) => {
          return { userId: ids[who] ?? 999_999, uplink, downlink, charged: 2 * (uplink + downlink) }
        })
        const at = new Date(`${day}T12:00:00Z`)
        exceeded.push((await chargeUsers(tx, node, given, { at, day, today: TODAY }, many)).toSorted((a, b) => a - b))
      }
      const usage = await sql<{ row: unknown }>`
        select to_jsonb(usage) - 'lastConnectedNodeId' as "row" from "userUsage" usage order by "userId"
      `.execute(tx)
      const days = await sql<{ row: unknown }>`
        select to_jsonb(kept) - 'nodeId' as "row" from "userNodeUsage" kept order by "day", "userId"
      `.execute(tx)
      throw new Rollback({ usage: usage.rows, days: days.rows })
    })
    .catch((error: unknown) => (error instanceof Rollback ? error.found : Promise.reject(error)))
  return { exceeded, rows }
}

class Rollback extends Error {
  readonly found: unknown

  constructor(found: unknown) {
    super('Nothing of it is kept.')
    this.found = found
  }
}

test('whole numbers reach the database as they are, up to the largest', async () => {
  const numbers = [0, 1, 255, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 10 ** 15 + 7, Number.MAX_SAFE_INTEGER]
  const { rows } = await sql<{ number: number }>`select unnest(${bigints(numbers)}::bigint[]) as "number"`.execute(server.ctx.db)
  expect(rows.map(({ number }) => number)).toEqual(numbers)
  expect((await sql`select unnest(${bigints([])}::bigint[])`.execute(server.ctx.db)).rows).toEqual([])
})

test('what a node names is kept up to a thousand characters, for the node that named it', async () => {
  const { db } = server.ctx
  const nodes = await db
    .insertInto('nodes')
    .values(['one', 'two'].map((name) => ({ name, address: name })))
    .returning('id')
    .execute()
  await db
    .insertInto('nodeStates')
    .values(nodes.map(({ id }) => ({ nodeId: id })))
    .execute()
  const named = (length: number, uplink: number) => ({
    counter: counterName('outbound', 'x'.repeat(length)),
    uplink,
    downlink: 1,
  })
  const at = new Date(`${TODAY}T12:00:00Z`)
  for (const [place, { id }] of nodes.entries())
    await db.transaction().execute((tx) => {
      const deltas = [named(999, 2 + place), named(1000, 4 + place), named(1001, 8 + place)]
      return chargeNode(tx, id, deltas, { at, most: Number.MAX_SAFE_INTEGER })
    })
  const kept = await db
    .selectFrom('nodeTagUsage')
    .select(['nodeId', sql<number>`length("tag")`.as('length'), 'uploadBytes'])
    .orderBy('nodeId')
    .orderBy('uploadBytes')
    .execute()
  const [one = 0, two = 0] = nodes.map(({ id }) => id)
  expect(kept).toEqual([
    { nodeId: one, length: 999, uploadBytes: 2 },
    { nodeId: one, length: 1000, uploadBytes: 4 },
    { nodeId: two, length: 999, uploadBytes: 3 },
    { nodeId: two, length: 1000, uploadBytes: 5 },
  ])
})
