import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as api from '@causeway/contract'
import { makeFleet } from '../../../test/fleet.ts'
import { runJobs } from '../../../test/jobs.ts'
import { testServer, type TestServer } from '../../../test/server.ts'
import { makeUser, spend } from '../../../test/users.ts'
import { holdTimeZone } from '../../ground/installation.queries.ts'
import { startTrafficResets } from '../bulk-users/resets.jobs.ts'
import { resetNodesTraffic } from '../nodes/node-traffic.jobs.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer()
  await makeFleet(server)
})
beforeEach(async () => {
  server.clock.now = undefined
  for (const table of ['users', 'jobs', 'installation'] as const) await server.ctx.db.deleteFrom(table).execute()
})
afterAll(() => server.close())

const setZone = (timeZone: string) => server.call(api.updateInstallation, { timeZone })

test('a new installation goes by the zone of the server that asks first; two that ask at once agree', async () => {
  const zones = await Promise.all([holdTimeZone(server.ctx.db), holdTimeZone(server.ctx.db)])
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone
  expect(zones).toEqual([own, own])
  expect(await server.ctx.db.selectFrom('installation').select('timeZone').execute()).toEqual([{ timeZone: own }])
})

test('it tells which contacts any user has', async () => {
  const contacts = async () => (await server.call(api.getInstallation, {})).contacts
  await makeUser(server)
  expect(await contacts()).toEqual({ email: false, telegramId: false })
  await makeUser(server, { telegramId: 42 })
  expect(await contacts()).toEqual({ email: false, telegramId: true })
  await makeUser(server, { email: 'ann@example.com' })
  expect(await contacts()).toEqual({ email: true, telegramId: true })
})

test('the zone is set by any way of writing it and noted; an edit of nothing keeps it', async () => {
  expect(await setZone('asia/TOKYO')).toMatchObject({ timeZone: 'Asia/Tokyo' })
  expect(await server.call(api.updateInstallation, {})).toMatchObject({ timeZone: 'Asia/Tokyo' })
  expect(await server.call(api.getInstallation, {})).toMatchObject({ timeZone: 'Asia/Tokyo' })
  const audit = await server.ctx.db.selectFrom('auditLog').select(['actorName', 'after']).orderBy('id', 'desc').limit(2).execute()
  expect(audit[1]).toMatchObject({ actorName: 'admin', after: { installation: [{ timeZone: 'Asia/Tokyo' }] } })
})

test.each(['Europe/Atlantis', '+03:00', '', 'x'.repeat(101), 5, null, 'UTC\u0000'])('%j is refused by name', async (timeZone) => {
  await setZone('UTC')
  const { status, body } = await server.send('PATCH', '/api/x/installation', { timeZone })
  expect(status).toBe(400)
  expect(body).toMatchObject({ errors: [{ path: ['timeZone'] }] })
  expect(await holdTimeZone(server.ctx.db)).toBe('UTC')
})

test('an accent is a colour or none, refused by name otherwise, and leaves the other settings alone', async () => {
  await setZone('Asia/Tokyo')
  const held = async () => (await server.call(api.getInstallation, {})).accent
  expect(await held()).toBeNull()
  expect(await server.call(api.updateInstallation, { accent: '#8B5CF6' })).toMatchObject({
    accent: '#8b5cf6',
    timeZone: 'Asia/Tokyo',
  })
  await setZone('UTC')
  expect(await held()).toBe('#8b5cf6')
  for (const accent of ['red', '#8b5cf6;}</style>', '', 5]) {
    const { status, body } = await server.send('PATCH', '/api/x/installation', { accent })
    expect([status, body]).toMatchObject([400, { errors: [{ path: ['accent'] }] }])
  }
  expect(await held()).toBe('#8b5cf6')
  expect(await server.call(api.updateInstallation, { accent: null })).toMatchObject({ accent: null, timeZone: 'UTC' })
})

test('history and months are of its days where nobody asks for others', async () => {
  server.clock.now = new Date('2026-10-31T22:00:00Z')
  await setZone('Asia/Tokyo') // where it is the 1st of November already
  const history = await server.call(api.getUsageHistory, { period: 'week' })
  expect([history.timeZone, history.starts.at(-1)]).toEqual(['Asia/Tokyo', '2026-10-31T15:00:00.000Z'])
  expect((await server.call(api.getInfraSpending, {})).months.at(-1)).toBe('2026-11')
  const asked = await server.call(api.getUsageHistory, { period: 'week', tz: 'UTC' })
  expect([asked.timeZone, asked.starts.at(-1)]).toEqual(['UTC', '2026-10-31T00:00:00.000Z'])
})

describe('resets of users over a change of the zone', () => {
  const at = (text: string) => new Date(`2026-11-${text}:00Z`)

  async function tick(now: Date) {
    server.clock.now = now
    await startTrafficResets(server.ctx)
    await runJobs(server.ctx)
  }

  /** Somebody whose traffic is reset every day; gives what is used after each of the moments, spending in between. */
  async function usedAfter(steps: [at: Date, zone?: string][]): Promise<boolean[]> {
    await setZone('UTC')
    await tick(at('20T12:00'))
    const { uuid } = await makeUser(server, { trafficLimitStrategy: 'DAY', createdAt: '2020-01-01T00:00:00Z' })
    const wasReset: boolean[] = []
    for (const [now, zone] of steps) {
      if (zone) await setZone(zone)
      await spend(server, uuid, 5)
      await tick(now)
      const { rows } = await server.ctx.pool.query<{ used: number }>(
        'select "usedTrafficBytes" as used from "userUsage" join "users" on "id" = "userId" where "uuid" = $1',
        [uuid],
      )
      wasReset.push(rows[0]?.used === 0)
    }
    return wasReset
  }

  test('westwards: a day that has begun in the old zone does not begin again, and the next one comes', async () => {
    const steps: [Date, string?][] = [
      [at('21T00:00')], // the 21st begins in UTC
      [at('21T03:00'), 'America/New_York'], // where it is still the 20th
      [at('21T05:00')], // the 21st begins there too
      [at('22T04:59')],
      [at('22T05:00')], // the 22nd
    ]
    expect(await usedAfter(steps)).toEqual([true, false, false, false, true])
  })

  test('eastwards: a day that has begun there begins at once, and not again with the old zone', async () => {
    const steps: [Date, string?][] = [
      [at('21T00:00')],
      [at('21T16:00'), 'Asia/Tokyo'], // the 22nd, since an hour
      [at('21T17:00'), 'UTC'], // changed back: still the 21st
      [at('22T00:00')], // the 22nd has been
      [at('23T00:00')],
    ]
    expect(await usedAfter(steps)).toEqual([true, true, false, false, true])
  })

  test('to and fro within an hour, round the world: each day once', async () => {
    const steps: [Date, string?][] = [
      [at('21T00:00')],
      [at('21T00:10'), 'Pacific/Kiritimati'],
      [at('21T00:20'), 'Pacific/Pago_Pago'],
      [at('21T00:30'), 'Europe/Berlin'],
      [at('21T00:40'), 'UTC'],
    ]
    expect(await usedAfter(steps)).toEqual([true, false, false, false, false])
  })

  test('two servers whose processes stand in different zones reset once', async () => {
    await setZone('Africa/Cairo')
    await tick(new Date('2026-04-22T12:00:00Z'))
    server.clock.now = new Date('2026-04-23T22:00:00Z') // the 24th begins at one there
    const zone = process.env['TZ']
    try {
      for (const other of ['Asia/Tokyo', 'America/New_York']) {
        process.env['TZ'] = other
        await startTrafficResets(server.ctx)
      }
    } finally {
      if (zone === undefined) delete process.env['TZ']
      else process.env['TZ'] = zone
    }
    const { rows } = await server.ctx.pool.query<{ payload: unknown }>(
      `select "payload" from "jobs" where "finishedAt" is null and "payload"->>'strategy' = 'DAY'`,
    )
    expect(rows.map((row) => row.payload)).toMatchObject([{ day: '2026-04-24', since: '2026-04-23T22:00:00.000Z' }])
  })

  test('a reset from before periods were called by their day is not made again', async () => {
    await setZone('UTC')
    const payload = JSON.stringify({ strategy: 'DAY', since: '2026-11-21T00:00:00.000Z' })
    await server.ctx.pool.query(
      `insert into "jobs" ("kind", "group", "payload", "finishedAt") values ('resetByStrategy', 'traffic resets', $1, now())`,
      [payload],
    )
    const count = async () =>
      (await server.ctx.pool.query(`select 1 from "jobs" where "payload"->>'strategy' = 'DAY'`)).rows.length
    await tick(at('21T12:00'))
    expect(await count()).toBe(1)
    await tick(at('22T00:00'))
    expect(await count()).toBe(2)
  })
})

test('the traffic of a node is counted from zero once, whichever zones come', async () => {
  const { db } = server.ctx
  const { id } = await db
    .insertInto('nodes')
    .values({ name: 'tracked', address: 'tracked', isTrafficTrackingActive: true, trafficResetDay: 15, createdAt: new Date(0) })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.insertInto('nodeStates').values({ nodeId: id, trafficUsedBytes: 600 }).execute()
  const run = async (now: string, zone: string) => {
    await setZone(zone)
    server.clock.now = new Date(now)
    await resetNodesTraffic(server.ctx)
    const resets = await db.selectFrom('nodeTrafficResets').select('day').where('nodeId', '=', id).execute()
    return resets.map(({ day }) => day)
  }
  expect(await run('2026-05-15T01:00:00Z', 'UTC')).toEqual(['2026-05-15'])
  expect(await run('2026-05-15T03:00:00Z', 'America/New_York')).toEqual(['2026-05-15'])
  expect(await run('2026-05-15T09:00:00Z', 'America/Los_Angeles')).toEqual(['2026-05-15'])
  expect(await run('2026-06-14T23:00:00Z', 'Europe/Berlin')).toEqual(['2026-05-15', '2026-06-15'])
})
