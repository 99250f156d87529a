import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as api from '@causeway/contract'
import { makeFleet, takeDeliveries } from '../../../test/fleet.ts'
import { runJobs } from '../../../test/jobs.ts'
import { testServer, type TestServer } from '../../../test/server.ts'
import { makeUser, setStatus, spend } from '../../../test/users.ts'
import { listHeads } from '../../jobs/jobs.queries.ts'
import { forgetByAge } from '../retention/retention.jobs.ts'
import { startTrafficResets } from './resets.jobs.ts'

let server: TestServer

beforeAll(async () => {
  server = await testServer()
  await makeFleet(server)
})
beforeEach(async () => {
  server.clock.now = undefined
  await server.ctx.db.deleteFrom('users').execute()
  await server.ctx.db.deleteFrom('jobs').execute()
  await takeDeliveries(server)
})
afterAll(() => server.close())

async function statusOf(uuid: string) {
  const { rows } = await server.ctx.pool.query<{ status: string }>('select "status" from "users" where "uuid" = $1', [uuid])
  return rows[0]?.status
}

describe('resets by strategy', () => {
  // 21 November 2026 is a Saturday.
  const at = (day: number, hour = 12) => new Date(2026, 10, day, hour)

  async function tick(now: Date) {
    server.clock.now = now
    await startTrafficResets(server.ctx)
    await runJobs(server.ctx)
  }

  async function usedOf(uuid: string) {
    const { rows } = await server.ctx.pool.query<{ used: number }>(
      'select "usedTrafficBytes" as used from "userUsage" join "users" on "id" = "userId" where "uuid" = $1',
      [uuid],
    )
    return rows[0]?.used
  }

  test('come once per day, week from Monday, and month; limited users come back', async () => {
    await tick(at(21)) // the server's first periods, which are not caught up
    const users = await Promise.all(
      (['DAY', 'WEEK', 'MONTH', 'NO_RESET'] as const).map((trafficLimitStrategy) =>
        makeUser(server, { trafficLimitStrategy, trafficLimitBytes: 5, createdAt: '2020-01-01T00:00:00Z' }),
      ),
    )
    const spendAll = async () => {
      for (const { uuid } of users) {
        await spend(server, uuid, 5)
        await setStatus(server, uuid, 'LIMITED')
      }
    }
    const used = () => Promise.all(users.map(({ uuid }) => usedOf(uuid)))
    await spendAll()
    await tick(at(21, 23))
    expect(await used()).toEqual([5, 5, 5, 5])
    await takeDeliveries(server)
    await tick(at(22, 0))
    expect(await used()).toEqual([0, 5, 5, 5])
    expect(await statusOf(users[0]?.uuid ?? '')).toBe('ACTIVE')
    expect(await takeDeliveries(server)).toEqual([users[0]?.username])
    await spendAll()
    await tick(at(22, 23))
    expect(await used()).toEqual([5, 5, 5, 5])
    await tick(at(23, 0))
    expect(await used()).toEqual([0, 0, 5, 5])
    await tick(new Date(2026, 11, 1))
    expect(await used()).toEqual([0, 0, 0, 5])
  })

  test('missed while the server was down are caught up once, not once per period', async () => {
    await tick(at(1))
    const { uuid } = await makeUser(server, { trafficLimitStrategy: 'DAY', createdAt: '2020-01-01T00:00:00Z' })
    await spend(server, uuid, 5)
    await tick(at(10))
    expect(await usedOf(uuid)).toBe(0)
    await tick(at(10, 13))
    const { rows } = await server.ctx.pool.query('select 1 from "userTrafficResets"')
    expect(rows).toHaveLength(1)
  })

  test('spare users who were reset by hand since the period began, and who change their strategy within it', async () => {
    await tick(at(1))
    const byHand = await makeUser(server, { trafficLimitStrategy: 'DAY', createdAt: '2020-01-01T00:00:00Z' })
    const changing = await makeUser(server, { createdAt: '2020-01-01T00:00:00Z' })
    server.clock.now = at(2, 0)
    await server.call(api.resetUserTraffic, { uuid: byHand.uuid })
    await spend(server, byHand.uuid, 5)
    await spend(server, changing.uuid, 5)
    await tick(at(2, 1))
    expect(await usedOf(byHand.uuid)).toBe(5)
    await server.ctx.db.updateTable('users').set({ trafficLimitStrategy: 'DAY' }).where('uuid', '=', changing.uuid).execute()
    await tick(at(2, 5))
    expect(await usedOf(changing.uuid)).toBe(5)
    await tick(at(3, 0))
    expect(await usedOf(changing.uuid)).toBe(0)
  })

  test('of two servers at once happen once', async () => {
    await tick(at(1))
    server.clock.now = at(2)
    await Promise.all([startTrafficResets(server.ctx), startTrafficResets(server.ctx)])
    const { rows } = await server.ctx.pool.query(
      `select 1 from "jobs" where "finishedAt" is null and "payload"->>'strategy' = 'DAY'`,
    )
    expect(rows).toHaveLength(1)
  })

  test('keep no job of an administrator waiting', async () => {
    await tick(at(1))
    const { uuid } = await makeUser(server, { trafficLimitStrategy: 'DAY', createdAt: '2020-01-01T00:00:00Z' })
    server.clock.now = at(2)
    await startTrafficResets(server.ctx)
    const { jobId } = await server.call(api.bulkResetUsersTraffic, { uuids: [uuid] })
    const heads = await listHeads(server.ctx.db, ['resetByStrategy', 'resetUsers'])
    expect(heads.map(({ group }) => group)).toEqual(['traffic resets', 'users'])
    expect(heads[1]).toMatchObject({ id: jobId })
  })

  test('are remembered when other jobs are forgotten', async () => {
    await tick(at(1))
    server.clock.now = undefined
    const { jobId } = await server.call(api.bulkResetAllUsersTraffic, {})
    await runJobs(server.ctx)
    server.clock.now = new Date('2030-01-01T00:00:00Z')
    await forgetByAge(server.ctx)
    const { rows } = await server.ctx.pool.query<{ id: string; kind: string }>('select "id", "kind" from "jobs"')
    expect(rows.map((job) => job.kind)).toEqual(['resetByStrategy', 'resetByStrategy', 'resetByStrategy'])
    expect(rows.map((job) => job.id)).not.toContain(jobId)
  })
})
