import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as api from '@causeway/contract'
import { insertUsers } from '../../../test/many-users.ts'
import { makeFleet, takeDeliveries, type Fleet } from '../../../test/fleet.ts'
import { testServer, type TestServer } from '../../../test/server.ts'
import { makeUser, refused, setStatus, spend, UNKNOWN } from '../../../test/users.ts'
import { runBatch, runJobs } from '../../../test/jobs.ts'

let server: TestServer
let fleet: Fleet

beforeAll(async () => {
  server = await testServer()
  fleet = await makeFleet(server)
})
beforeEach(async () => {
  server.clock.now = undefined
  await server.ctx.db.deleteFrom('jobs').execute()
  await server.ctx.db.deleteFrom('users').execute()
  await server.ctx.db.updateTable('nodeStates').set({ compareRequestedAt: null }).execute()
  await takeDeliveries(server)
})
afterAll(() => server.close())

const GIB = 1024 ** 3

function makeUsers(count: number, fields: Parameters<typeof makeUser>[1] = {}) {
  return Promise.all(Array.from({ length: count }, () => makeUser(server, fields)))
}

async function user(uuid: string) {
  return server.call(api.getUser, { uuid })
}

/** Runs the job of a reply to its end and gives what is told of it. */
async function finished(reply: { jobId?: string | undefined }) {
  const { jobId = '' } = reply
  expect(await server.call(api.getJob, { id: jobId })).toMatchObject({ status: 'queued', done: 0 })
  await runJobs(server.ctx)
  return server.call(api.getJob, { id: jobId })
}

async function haveAllNodesToCompare() {
  const states = await server.ctx.db.selectFrom('nodeStates').select('compareRequestedAt').execute()
  return states.every((state) => state.compareRequestedAt !== null)
}

describe('done before the reply', () => {
  test('UBULK-018: selected users are deleted, unknown ones are skipped, and nodes are told', async () => {
    const [one, two, three] = await makeUsers(3)
    await takeDeliveries(server)
    const uuids = [one?.uuid ?? '', two?.uuid ?? '', UNKNOWN]
    expect(await server.call(api.bulkDeleteUsers, { uuids })).toEqual({ affectedRows: 2 })
    const list = await server.call(api.listUsers, {})
    expect(list).toMatchObject({ total: 1, users: [{ uuid: three?.uuid }] })
    expect(await takeDeliveries(server)).toEqual([one?.username ?? '', two?.username ?? ''].toSorted())
    expect(await server.call(api.bulkDeleteUsers, { uuids: [] })).toEqual({ affectedRows: 0 })
  })

  test('UBULK-017: squads of selected users are replaced; none takes them away', async () => {
    const [first, second] = fleet.squads.map((squad) => squad.uuid)
    const users = await makeUsers(2, { activeInternalSquads: [first ?? ''] })
    const uuids = users.map(({ uuid }) => uuid)
    await takeDeliveries(server)
    expect(await server.call(api.bulkUpdateUsersSquads, { uuids, activeInternalSquads: [second ?? ''] })).toEqual({
      affectedRows: 2,
    })
    expect((await user(uuids[0] ?? '')).activeInternalSquads).toEqual([{ uuid: second, name: 'Second' }])
    expect(await takeDeliveries(server)).toEqual(users.map(({ username }) => username).toSorted())
    await server.call(api.bulkUpdateUsersSquads, { uuids, activeInternalSquads: [] })
    expect((await user(uuids[1] ?? '')).activeInternalSquads).toEqual([])
    expect(await refused(server, 'POST', '/api/users/bulk/update-squads', { uuids, activeInternalSquads: [UNKNOWN] })).toEqual([
      400,
      'A088',
    ])
  })

  test('UBULK-019: all users are updated, each by the rules of an edit', async () => {
    const [active, limited, spent, disabled] = await makeUsers(4, { trafficLimitBytes: GIB })
    for (const [uuid, used] of [
      [limited?.uuid, GIB],
      [spent?.uuid, 9 * GIB],
    ] as const) {
      await spend(server, uuid ?? '', used)
      await setStatus(server, uuid ?? '', 'LIMITED')
    }
    await server.call(api.disableUser, { uuid: disabled?.uuid ?? '' })
    const reply = await server.call(api.bulkUpdateAllUsers, { trafficLimitBytes: 2 * GIB, tag: 'ALL', description: null })
    expect(reply).toEqual({ eventSent: true })
    const after = await Promise.all([active, limited, spent, disabled].map(async (one) => user(one?.uuid ?? '')))
    expect(after.map(({ status }) => status)).toEqual(['ACTIVE', 'ACTIVE', 'LIMITED', 'DISABLED'])
    for (const one of after) expect(one).toMatchObject({ trafficLimitBytes: 2 * GIB, tag: 'ALL', description: null })
    expect(await haveAllNodesToCompare()).toBe(true)
  })
})

describe('done by a job', () => {
  test('UBULK-014: selected users are updated with what is sent and keep the rest', async () => {
    const users = await makeUsers(3, { tag: 'KEEP', email: 'a@example.com' })
    const uuids = users.slice(1).map(({ uuid }) => uuid)
    await takeDeliveries(server)
    const fields = { status: 'DISABLED', trafficLimitBytes: 5, trafficLimitStrategy: 'WEEK', email: null, telegramId: 9 } as const
    const reply = await server.call(api.bulkUpdateUsers, { uuids: [...uuids, UNKNOWN], fields })
    expect(reply).toEqual({ affectedRows: 2, jobId: expect.any(String) })
    expect(await finished(reply)).toMatchObject({ kind: 'updateUsers', status: 'done', done: 2, total: 2, error: null })
    for (const uuid of uuids) expect(await user(uuid)).toMatchObject({ ...fields, tag: 'KEEP' })
    expect(await user(users[0]?.uuid ?? '')).toMatchObject({ status: 'ACTIVE', trafficLimitBytes: 0, email: 'a@example.com' })
    expect(await takeDeliveries(server)).toEqual(
      users
        .slice(1)
        .map(({ username }) => username)
        .toSorted(),
    )
  })

  test.each(['LIMITED', 'EXPIRED'])('%s cannot be set by hand', async (status) => {
    const [one] = await makeUsers(1)
    expect(await refused(server, 'POST', '/api/users/bulk/update', { uuids: [one?.uuid], fields: { status } })).toEqual([
      400,
      'A089',
    ])
    expect(await refused(server, 'POST', '/api/users/bulk/all/update', { status })).toEqual([400, 'A089'])
  })

  test('a date that has passed when its job runs is stored all the same', async () => {
    const [one] = await makeUsers(1)
    const reply = await server.call(api.bulkUpdateUsers, {
      uuids: [one?.uuid ?? ''],
      fields: { expireAt: new Date(Date.now() + 60_000).toISOString() },
    })
    server.clock.now = new Date(Date.now() + 120_000)
    expect(await finished(reply)).toMatchObject({ status: 'done' })
    server.clock.now = undefined
  })

  test('UBULK-015: selected users get new links and credentials', async () => {
    const users = await makeUsers(2)
    await takeDeliveries(server)
    const reply = await server.call(api.bulkRevokeUsersSubscription, { uuids: users.map(({ uuid }) => uuid) })
    expect(await finished(reply)).toMatchObject({ status: 'done', done: 2 })
    for (const before of users) {
      const after = await user(before.uuid)
      for (const key of ['shortUuid', 'trojanPassword', 'vlessUuid', 'ssPassword'] as const)
        expect(after[key]).not.toBe(before[key])
    }
    expect(await takeDeliveries(server)).toEqual(users.map(({ username }) => username).toSorted())
  })

  test('UBULK-016: traffic of selected users is reset, and limited ones come back', async () => {
    const [one, other] = await makeUsers(2)
    for (const each of [one, other]) await spend(server, each?.uuid ?? '', GIB)
    await setStatus(server, one?.uuid ?? '', 'LIMITED')
    await takeDeliveries(server)
    const reply = await server.call(api.bulkResetUsersTraffic, { uuids: [one?.uuid ?? ''] })
    expect(await finished(reply)).toMatchObject({ status: 'done', done: 1 })
    expect(await user(one?.uuid ?? '')).toMatchObject({
      status: 'ACTIVE',
      usedTrafficBytes: 0,
      lastTrafficResetAt: expect.any(String),
    })
    expect(await user(other?.uuid ?? '')).toMatchObject({ usedTrafficBytes: GIB, lastTrafficResetAt: null })
    expect(await takeDeliveries(server)).toEqual([one?.username])
  })

  test('UBULK-020: traffic of all users is reset', async () => {
    const users = await makeUsers(3)
    for (const { uuid } of users) await spend(server, uuid, GIB)
    const reply = await server.call(api.bulkResetAllUsersTraffic, {})
    expect(reply).toEqual({ eventSent: true, jobId: expect.any(String) })
    expect(await finished(reply)).toMatchObject({ status: 'done', done: 3, total: 3 })
    for (const { uuid } of users) expect(await user(uuid)).toMatchObject({ usedTrafficBytes: 0, lifetimeUsedTrafficBytes: GIB })
  })

  test('UBULK-021: users of a status are deleted, and the status has to be said', async () => {
    const [kept] = await makeUsers(1)
    await makeUsers(2, { status: 'EXPIRED' })
    expect(await refused(server, 'POST', '/api/users/bulk/delete-by-status', {})).toEqual([400, 'status'])
    const reply = await server.call(api.bulkDeleteUsersByStatus, { status: 'EXPIRED' })
    expect(reply).toEqual({ affectedRows: 2, jobId: expect.any(String) })
    expect(await finished(reply)).toMatchObject({ status: 'done', done: 2 })
    expect(await server.call(api.listUsers, {})).toMatchObject({ total: 1, users: [{ uuid: kept?.uuid }] })
    expect(await server.call(api.bulkDeleteUsersByStatus, { status: 'EXPIRED' })).toEqual({ affectedRows: 0 })
  })

  test('everyone joins a squad and leaves it again', async () => {
    const [squad] = fleet.squads
    const users = await makeUsers(3)
    await server.call(api.updateUser, { uuid: users[0]?.uuid ?? '', activeInternalSquads: [squad?.uuid ?? ''] })
    await takeDeliveries(server)
    await finished(await server.call(api.addUsersToInternalSquad, { uuid: squad?.uuid ?? '' }))
    for (const { uuid } of users) expect((await user(uuid)).activeInternalSquads).toEqual([{ uuid: squad?.uuid, name: 'First' }])
    expect(await takeDeliveries(server)).toEqual(
      users
        .slice(1)
        .map(({ username }) => username)
        .toSorted(),
    )
    const job = await finished(await server.call(api.removeUsersFromInternalSquad, { uuid: squad?.uuid ?? '' }))
    expect(job).toMatchObject({ status: 'done', done: 3, total: 3 })
    // Asked for while the users are still to be added.
    await server.call(api.addUsersToInternalSquad, { uuid: squad?.uuid ?? '' })
    const behind = await finished(await server.call(api.removeUsersFromInternalSquad, { uuid: squad?.uuid ?? '' }))
    expect(behind).toMatchObject({ status: 'done', done: 3, total: 3 })
    expect((await user(users[0]?.uuid ?? '')).activeInternalSquads).toEqual([])
    expect(await refused(server, 'POST', `/api/internal-squads/${UNKNOWN}/bulk-actions/add-users`)).toEqual([404, 'A118'])
  })

  test.each(['userIds', 'userUuids', 'uuids'])('%s in a body means those users, and others stay as they are', async (key) => {
    const [first, second] = fleet.squads
    const users = await makeUsers(4)
    const [ann, bob, cid, dan] = users.map(({ uuid }) => uuid)
    for (const uuid of [cid, dan])
      await server.call(api.updateUser, { uuid: uuid ?? '', activeInternalSquads: [first?.uuid ?? '', second?.uuid ?? ''] })
    await takeDeliveries(server)
    const squads = () =>
      Promise.all(users.map(async ({ uuid }) => (await user(uuid)).activeInternalSquads.map(({ name }) => name).toSorted()))
    const path = (action: string) => `/api/internal-squads/${first?.uuid}/bulk-actions/${action}`
    const added = await server.send('POST', path('add-users'), { [key]: [ann, dan, UNKNOWN] })
    expect(added).toMatchObject({ status: 200, body: { response: { eventSent: true } } })
    expect(await squads()).toEqual([['First'], [], ['First', 'Second'], ['First', 'Second']])
    expect(await takeDeliveries(server)).toEqual([users[0]?.username])
    expect(await server.send('DELETE', path('remove-users'), { [key]: [bob, cid] })).toMatchObject({ status: 200 })
    expect(await squads()).toEqual([['First'], [], ['Second'], ['First', 'Second']])
    expect(await takeDeliveries(server)).toEqual([users[2]?.username])
    for (const [method, action] of [
      ['POST', 'add-users'],
      ['DELETE', 'remove-users'],
    ] as const) {
      expect(await server.send(method, path(action), { [key]: [] })).toMatchObject({ status: 200 })
      expect(await refused(server, method, path(action), { [key]: ['no id'] })).toEqual([400, `${key}.0`])
      expect(await refused(server, method, path(action), { [key]: null })).toEqual([400, key])
    }
    expect(await squads()).toEqual([['First'], [], ['Second'], ['First', 'Second']])
  })

  test('who starts a job is audited with it', async () => {
    const [one] = await makeUsers(1)
    const { jobId } = await server.call(api.bulkResetUsersTraffic, { uuids: [one?.uuid ?? ''] })
    const entry = await server.ctx.db.selectFrom('auditLog').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirst()
    expect(entry).toMatchObject({
      action: 'bulkResetUsersTraffic',
      actorName: 'admin',
      target: '1 users',
      details: { jobId },
    })
    await runJobs(server.ctx)
  })

  test('an unknown job is not found', async () => {
    expect(await refused(server, 'GET', `/api/x/jobs/${UNKNOWN}`)).toEqual([404, 'A001'])
    expect(await refused(server, 'GET', '/api/x/jobs/nonsense')).toEqual([404, 'A001'])
  })
})

describe('a job of several batches', () => {
  const MANY = 2300

  const seed = () => insertUsers(server.ctx.db, MANY)

  test('cut off in the middle it goes on where it was, and does nothing twice', async () => {
    await seed()
    const { jobId = '' } = await server.call(api.bulkResetAllUsersTraffic, {})
    expect(await runBatch(server.ctx)).toBe(true)
    expect(await server.call(api.getJob, { id: jobId })).toMatchObject({ status: 'running', done: 1000, total: MANY })

    // The connection dies within the second batch: nothing of that batch stays, and it is tried again after a pause.
    await dyingBatch()
    const { db } = server.ctx
    expect(await server.call(api.getJob, { id: jobId })).toMatchObject({ status: 'running', done: 1000, attempts: 1 })
    expect(await runBatch(server.ctx)).toBe(false)
    server.clock.now = new Date(Date.now() + 5000)

    // Users spend on; whoever was reset before the break is not reset again.
    await db
      .updateTable('userUsage')
      .set((from) => ({ usedTrafficBytes: from('usedTrafficBytes', '+', 1) }))
      .execute()
    await runJobs(server.ctx)
    expect(await server.call(api.getJob, { id: jobId })).toMatchObject({ status: 'done', done: MANY, total: MANY })
    const resets = await db
      .selectFrom('userTrafficResets')
      .select(['usedBytes', ({ fn }) => fn.countAll<number>().as('count')])
      .groupBy('usedBytes')
      .orderBy('usedBytes')
      .execute()
    expect(resets).toEqual([
      { usedBytes: 7, count: 1000 },
      { usedBytes: 8, count: MANY - 1000 },
    ])
    const left = await db.selectFrom('userUsage').select('usedTrafficBytes').distinct().orderBy('usedTrafficBytes').execute()
    expect(left.map((row) => row.usedTrafficBytes)).toEqual([0, 1])
  })

  test('what cannot go on says so, keeps what is done, and lets the next job run', async () => {
    await seed()
    const { jobId = '' } = await server.call(api.bulkResetAllUsersTraffic, {})
    await runBatch(server.ctx)
    await server.ctx.db.schema.alterTable('userTrafficResets').renameTo('hidden').execute()
    for (const minutes of [0, 1, 2, 4]) {
      server.clock.now = new Date(Date.now() + minutes * 60_000)
      expect(await server.call(api.getJob, { id: jobId })).toMatchObject({ status: 'running', done: 1000, finishedAt: null })
      await runBatch(server.ctx)
    }
    await server.ctx.db.schema.alterTable('hidden').renameTo('userTrafficResets').execute()
    expect(await server.call(api.getJob, { id: jobId })).toMatchObject({
      status: 'failed',
      done: 1000,
      error: expect.stringContaining('log'),
    })
    expect(await haveAllNodesToCompare()).toBe(true)
    await server.ctx.db.updateTable('nodeStates').set({ compareRequestedAt: null }).execute()
    const next = await server.call(api.bulkDeleteUsersByStatus, { status: 'ACTIVE' })
    await runJobs(server.ctx)
    expect(await server.call(api.getJob, { id: next.jobId ?? '' })).toMatchObject({ status: 'done', done: MANY })
    expect(await haveAllNodesToCompare()).toBe(true)
    expect(await server.call(api.listUsers, {})).toMatchObject({ total: 0, users: [] })
  })

  /** A batch that waits for the last of its users while the database ends its connection. */
  async function dyingBatch(): Promise<void> {
    const { db } = server.ctx
    await db.transaction().execute(async (tx) => {
      await tx.selectFrom('userUsage').select('userId').orderBy('userId', 'desc').limit(400).forUpdate().execute()
      const batch = runBatch(server.ctx)
      let ended = 0
      while (ended === 0) {
        const { rows } = await sql`
          select pg_terminate_backend(pid) from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()
        `.execute(tx)
        ended = rows.length
      }
      await batch
    })
  }
})

test('USER-078: the counts that are kept are those of the users', async () => {
  await makeUsers(2)
  const [one] = await makeUsers(1, { status: 'DISABLED' })
  await server.call(api.enableUser, { uuid: one?.uuid ?? '' })
  await makeUsers(1, { status: 'LIMITED' })
  await server.call(api.deleteUser, { uuid: one?.uuid ?? '' })
  const { users } = await server.call(api.getSystemStats, {})
  expect(users).toMatchObject({ totalUsers: 3, statusCounts: { ACTIVE: 2, LIMITED: 1, DISABLED: 0, EXPIRED: 0 } })
})

describe('impact', () => {
  test('tells how many users, how many of them online now, and on how many nodes', async () => {
    const [first, second] = fleet.squads.map((squad) => squad.uuid)
    const [one] = await makeUsers(1, { activeInternalSquads: [first ?? ''] })
    const [other] = await makeUsers(1, { activeInternalSquads: [second ?? ''] })
    await makeUsers(1, { status: 'DISABLED' })
    await spend(server, one?.uuid ?? '', 1, { onlineAt: new Date() })
    await spend(server, other?.uuid ?? '', 1, { onlineAt: new Date(Date.now() - 120_000) })
    expect(await server.call(api.getUsersImpact, { uuids: [one?.uuid ?? '', UNKNOWN] })).toEqual({
      users: 1,
      onlineNow: 1,
      nodes: 1,
    })
    expect(await server.call(api.getUsersImpact, { uuids: [other?.uuid ?? ''] })).toEqual({ users: 1, onlineNow: 0, nodes: 2 })
    expect(await server.call(api.getUsersImpact, { status: 'ACTIVE' })).toEqual({ users: 2, onlineNow: 1, nodes: 2 })
    expect(await server.call(api.getUsersImpact, { status: 'DISABLED' })).toEqual({ users: 1, onlineNow: 0, nodes: 0 })
    expect(await server.call(api.getUsersImpact, { all: true })).toEqual({ users: 3, onlineNow: 1, nodes: 2 })
    expect(await refused(server, 'POST', '/api/x/users/impact', {})).toEqual([400, 'uuids'])
  })
})

test.each([
  'delete-by-status',
  'delete',
  'reset-traffic',
  'revoke-subscription',
  'update',
  'update-squads',
  'all/update',
  'all/reset-traffic',
])('bulk %s asks for a token', async (route) => {
  expect((await server.send('POST', `/api/users/bulk/${route}`, {}, {})).status).toBe(401)
})

test.each([
  ['delete-by-status', { status: 'GONE' }, 'status'],
  ['delete', { uuids: ['x'] }, 'uuids.0'],
  ['reset-traffic', {}, 'uuids'],
  ['revoke-subscription', { uuids: 'x' }, 'uuids'],
  ['update', { uuids: [], fields: { trafficLimitBytes: -1 } }, 'fields.trafficLimitBytes'],
  ['update', { uuids: [], fields: { expireAt: '2020-01-01T00:00:00Z' } }, 'fields.expireAt'],
  ['update-squads', { uuids: [] }, 'activeInternalSquads'],
  ['all/update', { tag: 'lower' }, 'tag'],
])('bulk %s refuses %j', async (route, body, path) => {
  expect(await refused(server, 'POST', `/api/users/bulk/${route}`, body)).toEqual([400, path])
})
