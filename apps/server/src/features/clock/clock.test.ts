import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { runJobs } from '../../../test/jobs.ts'
import { testServer, type TestServer } from '../../../test/server.ts'
import { makeUser } from '../../../test/users.ts'
import { startTrafficResets } from '../bulk-users/resets.jobs.ts'
import { resetNodesTraffic } from '../nodes/node-traffic.jobs.ts'
import { forgetByAge } from '../retention/retention.jobs.ts'
import { keepUsagePartitions } from '../traffic/traffic.jobs.ts'
import { reviewClock } from './clock.actions.ts'
import { findClockDoubt } from './clock.queries.ts'

// A server whose clock is 366 days ahead for a moment, and right again: it drops nothing, and goes on as before.

const DAY_MS = 86_400_000
const NOW = new Date('2026-11-22T12:00:00Z')
const AHEAD = new Date(NOW.getTime() + 366 * DAY_MS)
const BACK = new Date(NOW.getTime() + 45_000)

let server: TestServer
beforeEach(async () => {
  server = await testServer({ env: { TZ: 'UTC', USAGE_RETENTION_DAYS: '300' } })
  server.clock.now = NOW
  await reviewClock(server.ctx)
})
afterEach(() => server.close())

async function setClock(now: Date): Promise<boolean> {
  server.clock.now = now
  return reviewClock(server.ctx)
}

const count = async (table: 'auditLog' | 'userNodeUsage') => {
  const { rows } = await sql<{ found: number }>`select count(*)::int as "found" from ${sql.table(table)}`.execute(server.ctx.db)
  return rows[0]?.found
}

it('drops nothing that is old by a clock that jumped, says since when it is doubted, and believes it after a day', async () => {
  const { db } = server.ctx
  const { uuid } = await makeUser(server)
  const user = await db.selectFrom('users').select('id').where('uuid', '=', uuid).executeTakeFirstOrThrow()
  const node = await db.insertInto('nodes').values({ name: 'node', address: 'node' }).returning('id').executeTakeFirstOrThrow()
  await db
    .insertInto('userNodeUsage')
    .values({ day: '2026-10-21', nodeId: node.id, userId: user.id, uploadBytes: 1, downloadBytes: 2 })
    .execute()
  server.clock.now = new Date('2026-10-20')
  await keepUsagePartitions(server.ctx)
  await setClock(NOW)
  const before = [await count('auditLog'), await count('userNodeUsage')]
  const doubt = async () => (await findClockDoubt(db))?.toISOString()
  expect(await doubt()).toBeUndefined()
  for (let ahead = 0; ahead < DAY_MS; ahead += 6 * 3_600_000) {
    server.clock.now = new Date(AHEAD.getTime() + ahead)
    await forgetByAge(server.ctx)
    await keepUsagePartitions(server.ctx)
    expect([await count('auditLog'), await count('userNodeUsage')]).toEqual(before)
    expect(await doubt()).toBe(AHEAD.toISOString())
  }
  // A server that was off for a year looks the same. It goes on a day later.
  server.clock.now = new Date(AHEAD.getTime() + DAY_MS)
  await keepUsagePartitions(server.ctx)
  expect(await count('userNodeUsage')).toBe(0)
  expect(await doubt()).toBeUndefined()
})

it('resets users and nodes by the right clock again, after a clock ahead has reset them for a year to come', async () => {
  const { db } = server.ctx
  const asked = async () => {
    await startTrafficResets(server.ctx)
    await runJobs(server.ctx)
    const { rows } = await sql<{ day: string }>`
      select "payload"->>'day' as "day" from "jobs" where "payload"->>'strategy' = 'DAY' order by "number"
    `.execute(db)
    return rows.map(({ day }) => day)
  }
  const { id: nodeId } = await db
    .insertInto('nodes')
    .values({ name: 'tracked', address: 'node', isTrafficTrackingActive: true, trafficResetDay: 23, createdAt: new Date(0) })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.insertInto('nodeStates').values({ nodeId, trafficUsedBytes: 600 }).execute()
  await asked()
  await setClock(AHEAD)
  expect(await asked()).toContain('2027-11-23')
  await resetNodesTraffic(server.ctx)
  const { number } = await db.selectFrom('nodeTrafficResets').select('id as number').executeTakeFirstOrThrow()
  // Set back before the next look at the clock: the resets of a year to come do not count all the same.
  server.clock.now = new Date('2026-11-23T12:00:00Z')
  expect(await asked()).toContain('2026-11-23')
  await resetNodesTraffic(server.ctx)
  const resets = await db.selectFrom('nodeTrafficResets').select(['id', 'day', 'resetAt']).orderBy('id').execute()
  expect(resets.map(({ day }) => day)).toEqual(['2027-11-23', '2026-11-23'])
  // Afterwards no trace is left that would keep out the reset of that day, a year later.
  await setClock(new Date('2026-11-23T12:00:30Z'))
  expect(await asked()).toEqual(['2026-11-22', '2026-11-23'])
  const mended = await db.selectFrom('nodeTrafficResets').selectAll().where('id', '=', number).executeTakeFirstOrThrow()
  expect(mended).toMatchObject({ day: null, resetAt: new Date('2026-11-23T12:00:30Z') })
})

it('mends what users got from a clock ahead, and nothing else', async () => {
  const { db } = server.ctx
  const [ahead, bystander] = [await makeUser(server), await makeUser(server)]
  const idOf = async (uuid: string) =>
    (await db.selectFrom('users').select('id').where('uuid', '=', uuid).executeTakeFirstOrThrow()).id
  const usageOf = async (uuid: string) =>
    db
      .selectFrom('userUsage')
      .select(['onlineAt', 'trafficDay', 'dayBytes', 'usedTrafficBytes'])
      .where('userId', '=', await idOf(uuid))
      .executeTakeFirstOrThrow()
  const seen = { onlineAt: new Date('2026-11-22T11:00:00Z'), trafficDay: '2026-11-22', dayBytes: 5, usedTrafficBytes: 9 }
  await db.updateTable('userUsage').set(seen).execute()
  await setClock(AHEAD)
  await db
    .updateTable('userUsage')
    .set({ onlineAt: AHEAD, trafficDay: '2027-11-23' })
    .where('userId', '=', await idOf(ahead.uuid))
    .execute()
  await db.insertInto('onlineQuarters').values({ quarter: AHEAD, usersOnline: 1 }).execute()
  expect(await setClock(BACK)).toBe(true)
  expect(await usageOf(ahead.uuid)).toEqual({ onlineAt: BACK, trafficDay: null, dayBytes: 0, usedTrafficBytes: 9 })
  expect(await usageOf(bystander.uuid)).toEqual(seen)
  expect(await db.selectFrom('onlineQuarters').selectAll().execute()).toEqual([])
})

it('mends nothing where most was written later: the clock is behind now', async () => {
  const { db } = server.ctx
  await makeUser(server)
  await db.updateTable('userUsage').set({ onlineAt: NOW }).execute()
  const quarters = Array.from({ length: 97 }, (_, index) => ({
    quarter: new Date(NOW.getTime() - index * 900_000),
    usersOnline: 1,
  }))
  await db.insertInto('onlineQuarters').values(quarters).execute()
  const past = new Date(NOW.getTime() - 100 * DAY_MS)
  expect(await setClock(past)).toBe(false)
  expect(await setClock(new Date(past.getTime() + DAY_MS))).toBe(true)
  expect((await db.selectFrom('userUsage').select('onlineAt').executeTakeFirstOrThrow()).onlineAt).toEqual(NOW)
  expect(await db.selectFrom('onlineQuarters').selectAll().execute()).toHaveLength(97)
})
