import pg from 'pg'
import { expect, test } from 'vitest'
import { databaseBefore, testDatabase } from '../../test/postgres.ts'
import { query } from '../../test/query.ts'
import { migrate, type MigrationProgress } from './migrate.ts'

// What migrations make of rows that were there before.

test('a payment or bill from before days were kept gets the day that was typed in whatever browser', async () => {
  const typed = [
    ['2026-10-31T21:00:00Z', '2026-11-01'], // midnight of Moscow
    ['2026-10-31T18:15:00Z', '2026-11-01'], // of Kathmandu
    ['2026-11-01T00:00:00Z', '2026-11-01'],
    ['2026-11-01T08:00:00Z', '2026-11-01'], // of Los Angeles
    ['2026-11-01T12:00:00Z', '2026-11-01'], // a program's noon
    ['2026-11-01T21:00:07.123Z', '2026-11-01'], // no midnight anywhere: a program's own instant
  ] as const
  const rows = await afterMigration('2026-11-23T2222-billed-days', async (query) => {
    await query(`insert into "installation" ("timeZone") values ('UTC')`)
    await query(`insert into "infraProviders" ("name") values ('Hoster')`)
    await query(`insert into "nodes" ("name", "address", "viewPosition") values ('one', 'one.example', 1)`)
    for (const [at] of typed)
      await query(`insert into "infraBillingRecords" ("providerId", "amount", "billedAt") values (1, 1, '${at}')`)
    await query(`insert into "infraBillingNodes" ("nodeId", "providerId", "nextBillingAt") values (1, 1, '2027-01-30T20:30:00Z')`)
    return async () => ({
      paid: await query(`select "billedOn"::text "day" from "infraBillingRecords" order by "id"`),
      due: await query(`select "nextBillingOn"::text "day", "billingDay" from "infraBillingNodes"`),
    })
  })
  expect(rows.paid).toEqual(typed.map(([, day]) => ({ day })))
  expect(rows.due).toEqual([{ day: '2027-01-31', billingDay: '31' }])
})

test('an hour that belonged to two days in Tehran is told apart: its part after midnight counts for the day that began', async () => {
  const rows = await afterMigration('2026-11-23T2317-quarter-hours', async (query) => {
    await query(`insert into "installation" ("timeZone") values ('Asia/Tehran')`)
    await query(
      `insert into "nodes" ("name", "address", "viewPosition") values ('one', 'one.example', 1), ('two', 'two.example', 2)`,
    )
    // Midnight is at 20:30 UTC. The second node was booked for the last time before it.
    await query(`insert into "nodeUsageHours" ("nodeId", "hour", "uploadBytes", "downloadBytes", "updatedAt") values
      (1, '2026-11-20T19:00:00Z', 0, 5, '2026-11-20T19:59:50Z'), (1, '2026-11-20T20:00:00Z', 1, 800, '2026-11-20T20:59:50Z'),
      (2, '2026-11-20T20:00:00Z', 0, 300, '2026-11-20T20:29:50Z')`)
    return async () => ({
      days: await query(`select "day"::text, "nodeId"::int, "uploadBytes"::int "up", "downloadBytes"::int "down" from "nodeUsageDays"
        order by 2, 1`),
      quarters: await query(`select to_char("quarter", 'HH24:MI') "at", "downloadBytes"::int "down" from "nodeUsageQuarters"
        where "nodeId" = 2 order by 1`),
    })
  })
  expect(rows.days).toEqual([
    { day: '2026-11-20', nodeId: 1, up: 0, down: 405 },
    { day: '2026-11-21', nodeId: 1, up: 1, down: 400 },
    { day: '2026-11-20', nodeId: 2, up: 0, down: 300 },
  ])
  expect(rows.quarters).toEqual([
    { at: '20:00', down: 150 },
    { at: '20:15', down: 150 },
  ])
})

type Query = (text: string) => Promise<unknown[]>

async function afterMigration<T>(migration: string, fill: (query: Query) => Promise<() => Promise<T>>): Promise<T> {
  const database = await databaseBefore(migration)
  const client = new pg.Client({ connectionString: database.url, options: '-c timezone=UTC' })
  await client.connect()
  try {
    const read = await fill(async (text) => (await client.query<object>(text)).rows)
    await migrate(database.url)
    return await read()
  } finally {
    await client.end()
    await database.drop()
  }
}

test('SHIP-011 a database of a newer version is refused by name, before anything is written', async () => {
  const database = await testDatabase()
  try {
    await query(
      database.url,
      `insert into "kysely_migration" ("name", "timestamp") values ('2999-01-01T0000-later', '2999-01-01')`,
    )
    await query(database.url, `delete from "kysely_migration" where "name" = (select min("name") from "kysely_migration")`)
    const before = await query(database.url, 'select * from "kysely_migration" order by "name"')
    await expect(migrate(database.url)).rejects.toThrow('belongs to a newer version of Causeway: it has 2999-01-01T0000-later')
    expect(await query(database.url, 'select * from "kysely_migration" order by "name"')).toEqual(before)
  } finally {
    await database.drop()
  }
})

test('a migration that takes long is told again and again, with its place among those to come', async () => {
  const database = await databaseBefore('2026-11-26T2030-host-and-node-tags')
  const reader = new pg.Client({ connectionString: database.url })
  await reader.connect()
  try {
    await reader.query('begin; lock table "hosts", "nodes" in access share mode')
    const told: MigrationProgress[] = []
    await migrate(database.url, undefined, (progress) => {
      told.push(progress)
      if (progress.seconds > 1) void reader.query('commit')
    })
    const count = new Set(told.map(({ migration }) => migration)).size
    const waits = told.filter(({ seconds }) => seconds > 1)
    expect(count).toBeGreaterThan(1)
    expect(waits[0]).toMatchObject({ migration: '2026-11-26T2030-host-and-node-tags', number: 1, count, percent: null })
    expect(told.at(-1)).toMatchObject({ number: count, count })
  } finally {
    await reader.end()
    await database.drop()
  }
})
