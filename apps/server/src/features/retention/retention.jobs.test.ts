import { afterAll, beforeAll, expect, test } from 'vitest'
import { testServer, type TestServer } from '../../../test/server.ts'
import { makeUser } from '../../../test/users.ts'
import { forgetByAge } from './retention.jobs.ts'

const DAYS = { AUDIT_RETENTION_DAYS: 10, TRAFFIC_RESET_RETENTION_DAYS: 20, METRICS_RETENTION_DAYS: 40, JOB_RETENTION_DAYS: 5 }
const NOW = new Date('2026-11-22T12:00:00Z')
const daysAgo = (days: number, hours = 0) => new Date(NOW.getTime() - (days * 24 + hours) * 3_600_000)

let server: TestServer
beforeAll(async () => {
  server = await testServer({ env: Object.fromEntries(Object.entries(DAYS).map(([name, days]) => [name, String(days)])) })
  server.clock.now = NOW
})
afterAll(() => server.close())

/** One row on each side of the border, of which only the younger stays. */
test('what only grows goes by the age that the configuration says, and what is younger stays', async () => {
  const { db } = server.ctx
  const { uuid } = await makeUser(server)
  const { id: userId } = await db.selectFrom('users').select('id').where('uuid', '=', uuid).executeTakeFirstOrThrow()
  const node = await db.insertInto('nodes').values({ name: 'node', address: 'node' }).returning('id').executeTakeFirstOrThrow()
  const ages = (days: number) => [daysAgo(days, 1), daysAgo(days, -1)]
  await db.deleteFrom('auditLog').execute()
  for (const at of ages(DAYS.AUDIT_RETENTION_DAYS))
    await db.insertInto('auditLog').values({ at, actorKind: 'system', action: 'test' }).execute()
  for (const resetAt of ages(DAYS.TRAFFIC_RESET_RETENTION_DAYS)) {
    await db.insertInto('userTrafficResets').values({ userId, usedBytes: 1, resetAt }).execute()
    await db.insertInto('nodeTrafficResets').values({ nodeId: node.id, trafficBytes: 1, resetAt }).execute()
  }
  for (const quarter of ages(DAYS.METRICS_RETENTION_DAYS))
    await db.insertInto('nodeUsageQuarters').values({ nodeId: node.id, quarter }).execute()
  for (const quarter of ages(35)) await db.insertInto('onlineQuarters').values({ quarter, usersOnline: 1 }).execute()
  for (const beganAt of [daysAgo(32), ...ages(30)])
    await db.insertInto('nodePhases').values({ nodeId: node.id, beganAt, phase: 'connected' }).execute()
  for (const finishedAt of ages(DAYS.JOB_RETENTION_DAYS))
    await db
      .insertInto('jobs')
      .values({ kind: 'test', group: 'test', payload: '{}', createdAt: daysAgo(99), finishedAt })
      .execute()
  await db
    .insertInto('jobs')
    .values({ kind: 'open', group: 'test', payload: '{}', createdAt: daysAgo(99) })
    .execute()

  await forgetByAge(server.ctx)

  const [audit, userResets, nodeResets, quarters, online, phases, jobs] = await Promise.all([
    db.selectFrom('auditLog').select('at').execute(),
    db.selectFrom('userTrafficResets').select('resetAt').execute(),
    db.selectFrom('nodeTrafficResets').select('resetAt').execute(),
    db.selectFrom('nodeUsageQuarters').select('quarter').execute(),
    db.selectFrom('onlineQuarters').select('quarter').execute(),
    db.selectFrom('nodePhases').select('beganAt').orderBy('beganAt').execute(),
    db.selectFrom('jobs').select(['kind', 'finishedAt']).orderBy('kind').execute(),
  ])
  expect(audit).toEqual([{ at: daysAgo(10, -1) }])
  expect(userResets).toEqual([{ resetAt: daysAgo(20, -1) }])
  expect(nodeResets).toEqual([{ resetAt: daysAgo(20, -1) }])
  expect(quarters).toEqual([{ quarter: daysAgo(40, -1) }])
  expect(online).toEqual([{ quarter: daysAgo(35, -1) }])
  // What was under way thirty days ago stays.
  expect(phases).toEqual([{ beganAt: daysAgo(30, 1) }, { beganAt: daysAgo(30, -1) }])
  expect(jobs).toEqual([
    { kind: 'open', finishedAt: null },
    { kind: 'test', finishedAt: daysAgo(5, -1) },
  ])
})

test('more than fits into one go is forgotten all the same', async () => {
  const { db } = server.ctx
  const rows = Array.from({ length: 6000 }, () => ({ at: daysAgo(11), actorKind: 'system', action: 'many' }))
  await db.insertInto('auditLog').values(rows).execute()
  await forgetByAge(server.ctx)
  expect(await db.selectFrom('auditLog').select('id').where('action', '=', 'many').execute()).toEqual([])
})
