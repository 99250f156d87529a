import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { everyone } from '../../lib/scope.ts'
import { makeFleet, takeDeliveries } from '../../../test/fleet.ts'
import { testServer, type TestServer } from '../../../test/server.ts'
import { makeUser, spend } from '../../../test/users.ts'
import { cutOffExceeded } from '../traffic/ledger.actions.ts'
import { countByStatus } from './list.queries.ts'
import { correctCounts, expireUsers, foldCounts, limitUsers } from './users.jobs.ts'

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

const GIB = 1024 ** 3

async function statusOf(uuid: string) {
  const { rows } = await server.ctx.pool.query<{ status: string }>('select "status" from "users" where "uuid" = $1', [uuid])
  return rows[0]?.status
}

describe('time', () => {
  test('users expire once their date has passed, limited ones too, disabled ones not', async () => {
    const past = { expireAt: '2026-01-01T00:00:00Z' }
    const active = await makeUser(server, past)
    const limited = await makeUser(server, { ...past, status: 'LIMITED' })
    const disabled = await makeUser(server, { ...past, status: 'DISABLED' })
    const later = await makeUser(server)
    await takeDeliveries(server)
    await expireUsers(server.ctx)
    const statuses = await Promise.all([active, limited, disabled, later].map(async ({ uuid }) => statusOf(uuid)))
    expect(statuses).toEqual(['EXPIRED', 'EXPIRED', 'DISABLED', 'ACTIVE'])
    expect(await takeDeliveries(server)).toEqual([active.username])
    await expireUsers(server.ctx)
    expect(await takeDeliveries(server)).toEqual([])
    const entry = await server.ctx.db.selectFrom('auditLog').selectAll().where('action', '=', 'expireUsers').executeTakeFirst()
    expect(entry).toMatchObject({ actorKind: 'system', target: '2 users' })
  })

  test('a date is crossed with the clock of the server', async () => {
    const { uuid } = await makeUser(server, { expireAt: '2030-06-01T12:00:00Z' })
    server.clock.now = new Date('2030-06-01T12:00:00Z')
    await expireUsers(server.ctx)
    expect(await statusOf(uuid)).toBe('ACTIVE')
    server.clock.now = new Date('2030-06-01T12:00:00.001Z')
    await expireUsers(server.ctx)
    expect(await statusOf(uuid)).toBe('EXPIRED')
  })
})

describe('a clock that was ahead', () => {
  test('takes access from users only until it is set right; who expires in truth or was made so stays', async () => {
    const DAY_MS = 86_400_000
    const at = (days: number) => ({ expireAt: new Date(Date.now() + days * DAY_MS).toISOString() })
    const [soon, over, made] = [
      await makeUser(server, at(0.5)),
      await makeUser(server, at(-1)),
      await makeUser(server, { ...at(0.5), status: 'EXPIRED' }),
    ]
    const full = await makeUser(server, { ...at(0.5), trafficLimitBytes: GIB, status: 'LIMITED' })
    await spend(server, full.uuid, GIB)
    const statuses = () => Promise.all([soon, over, made, full].map(async ({ uuid }) => statusOf(uuid)))
    server.clock.now = new Date(Date.now() + DAY_MS)
    await expireUsers(server.ctx)
    expect(await statuses()).toEqual(['EXPIRED', 'EXPIRED', 'EXPIRED', 'EXPIRED'])
    await takeDeliveries(server)
    server.clock.now = undefined
    await expireUsers(server.ctx)
    expect((await statuses()).filter((_, index) => index !== 1)).toEqual(['ACTIVE', 'EXPIRED', 'LIMITED'])
    expect(await statusOf(over.uuid)).toBe('EXPIRED')
    expect(await takeDeliveries(server)).toEqual([soon.username])
    await expireUsers(server.ctx)
    expect(await takeDeliveries(server)).toEqual([])
  })
})

describe('traffic', () => {
  test('users who have used what they may are limited, and nodes are told', async () => {
    const spent = await makeUser(server, { trafficLimitBytes: GIB })
    const nearly = await makeUser(server, { trafficLimitBytes: GIB })
    const unlimited = await makeUser(server)
    await spend(server, spent.uuid, GIB)
    await spend(server, nearly.uuid, GIB - 1)
    await spend(server, unlimited.uuid, GIB)
    await takeDeliveries(server)
    await limitUsers(server.ctx)
    const statuses = await Promise.all([spent, nearly, unlimited].map(async ({ uuid }) => statusOf(uuid)))
    expect(statuses).toEqual(['LIMITED', 'ACTIVE', 'ACTIVE'])
    expect(await takeDeliveries(server)).toEqual([spent.username])
  })
})

describe('a reset at the moment of limiting', () => {
  // Somebody holds the user while the reset is being made, so that both meet at its row.
  async function limitedDuringReset(limit: (id: number) => Promise<unknown>) {
    const { uuid } = await makeUser(server, { trafficLimitBytes: GIB })
    await spend(server, uuid, GIB)
    const { rows } = await server.ctx.pool.query<{ id: number }>('select "id" from "users" where "uuid" = $1', [uuid])
    const id = rows[0]?.id ?? 0
    const client = await server.ctx.pool.connect()
    try {
      await client.query('begin')
      await client.query('select 1 from "userUsage" where "userId" = $1 for update', [id])
      await client.query('select 1 from "users" where "id" = $1 for update', [id])
      const limiting = limit(id)
      await vi.waitFor(async () => {
        const waiting = await server.ctx.pool.query(
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )
        expect(waiting.rows).toHaveLength(1)
      })
      await client.query('update "userUsage" set "usedTrafficBytes" = 0 where "userId" = $1', [id])
      await client.query('update "users" set "updatedAt" = now() where "id" = $1', [id])
      await client.query('commit')
      await limiting
    } finally {
      client.release()
    }
    return statusOf(uuid)
  }

  test('leaves nobody limited who has used nothing: the net under the ledger', async () => {
    expect(await limitedDuringReset(() => limitUsers(server.ctx))).toBe('ACTIVE')
  })

  test('leaves nobody limited who has used nothing: the ledger', async () => {
    expect(await limitedDuringReset((id) => cutOffExceeded(server.ctx, [id]))).toBe('ACTIVE')
  })
})

test('kept counts are folded without changing their sums', async () => {
  const { db } = server.ctx
  for (let index = 0; index < 120; index++)
    await db
      .insertInto('userCounts')
      .values({ status: 'ACTIVE', delta: index % 2 ? 1 : -1 })
      .execute()
  await makeUser(server)
  await foldCounts(server.ctx)
  expect(await countByStatus(db, everyone, ['ACTIVE'])).toBe(1)
  const rows = await db.selectFrom('userCounts').selectAll().execute()
  expect(rows.length).toBeLessThanOrEqual(4)
})

test('kept counts that are off are corrected', async () => {
  const { db } = server.ctx
  await makeUser(server)
  await makeUser(server, { status: 'LIMITED' })
  await db.deleteFrom('userCounts').execute()
  await db.insertInto('userCounts').values({ status: 'EXPIRED', delta: 7 }).execute()
  await correctCounts(server.ctx)
  expect(await countByStatus(db, everyone, ['ACTIVE', 'LIMITED', 'EXPIRED', 'DISABLED'])).toBe(2)
  expect(await countByStatus(db, everyone, ['EXPIRED'])).toBe(0)
  await correctCounts(server.ctx)
  expect(await db.selectFrom('userCounts').selectAll().execute()).toHaveLength(4)
})
