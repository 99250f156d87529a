import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { testServer, type TestServer } from '../../../test/server.ts'
import { listPartitions } from './partitions.queries.ts'
import { keepUsagePartitions } from './traffic.jobs.ts'

let server: TestServer

beforeAll(async () => {
  server = await testServer({ env: { USAGE_RETENTION_DAYS: '40' } })
})
afterAll(() => server.close())

it('months get a partition ahead, rows that came before it move in, and old ones go', async () => {
  const { db } = server.ctx
  const days = ['2026-01-31', '2026-03-01', '2026-03-31', '2026-04-01', '2026-07-15']
  const add = (day: string) => db.insertInto('userNodeUsage').values({ day, nodeId: 1, userId: 1, uploadBytes: 1 }).execute()
  for (const day of days) await add(day)

  server.clock.now = new Date('2026-03-05T00:00:00Z')
  await keepUsagePartitions(server.ctx)
  await keepUsagePartitions(server.ctx)
  expect(await listPartitions(db)).toEqual(['2026-03', '2026-04', '2026-05'])
  const where = await sql<{
    day: string
    table: string
  }>`select "day", tableoid::regclass::text as "table" from "userNodeUsage" order by 1`.execute(db)
  expect(where.rows).toEqual([
    { day: '2026-01-31', table: '"userNodeUsageDefault"' },
    { day: '2026-03-01', table: '"userNodeUsage202603"' },
    { day: '2026-03-31', table: '"userNodeUsage202603"' },
    { day: '2026-04-01', table: '"userNodeUsage202604"' },
    { day: '2026-07-15', table: '"userNodeUsageDefault"' },
  ])

  server.clock.now = new Date('2026-05-11T00:00:00Z')
  await db
    .updateTable('clock')
    .set({ trustedAt: new Date('2026-05-10T00:00:00Z') })
    .execute()
  await keepUsagePartitions(server.ctx)
  expect(await listPartitions(db)).toEqual(['2026-04', '2026-05', '2026-06', '2026-07'])
  await add('2026-05-11')
  const left = await db.selectFrom('userNodeUsage').select('day').orderBy('day').execute()
  expect(left.map((row) => row.day)).toEqual(['2026-04-01', '2026-05-11', '2026-07-15'])
})
