import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as api from '@causeway/contract'
import { makeFleet, takeDeliveries, type Fleet } from '../../../test/fleet.ts'
import { testServer, type TestServer } from '../../../test/server.ts'
import { makeUser, NEVER, refused, setStatus, spend, UNKNOWN } from '../../../test/users.ts'
import { watchRows } from '../audit/rows.queries.ts'

let server: TestServer
let fleet: Fleet

beforeAll(async () => {
  server = await testServer()
  fleet = await makeFleet(server)
})
afterAll(() => server.close())

const GIB = 1024 ** 3

async function audited(target: string) {
  return server.ctx.db.selectFrom('auditLog').selectAll().where('target', '=', target).orderBy('id').execute()
}

interface Recorded {
  users: Row[]
  [table: string]: Row[]
}
type Row = Record<string, unknown>

/** A user's rows as they are now, read as those of other changes are. */
async function rowsOf(uuid: string): Promise<Recorded> {
  const { db } = server.ctx
  const { id } = await db.selectFrom('users').select('id').where('uuid', '=', uuid).executeTakeFirstOrThrow()
  const { before } = await db.transaction().execute((tx) => watchRows(tx, 'wholeUser', [id]))
  const some = Object.entries(before).filter(([, rows]) => rows.length > 0)
  return Object.fromEntries(some) as unknown as Recorded // three rows are not too many
}

/** Rows of a record with their secrets unwrapped. */
function opened(rows: unknown): unknown {
  const open = (table: string, [name, value]: [string, unknown]) => {
    const isWrapped = typeof value === 'object' && value !== null && 'wrapped' in value
    return [name, isWrapped ? server.ctx.secrets.unwrap(`audit ${table}.${name}`, String(value.wrapped)) : value]
  }
  return Object.fromEntries(
    Object.entries(rows as Recorded).map(([table, list]) => [
      table,
      list.map((row) => Object.fromEntries(Object.entries(row).map((entry) => open(table, entry)))),
    ]),
  )
}

test('what is recorded of a user who is made or changed is what the tables hold', async () => {
  const alone = await makeUser(server, { vlessUuid: 'AAAAAAAA-BBBB-4CCC-8DDD-EEEEEEEEEEEE', description: 'Alone', telegramId: 7 })
  expect(await audited(alone.uuid)).toMatchObject([{ action: 'createUser', actorKind: 'admin', before: {}, details: null }])
  expect(opened((await audited(alone.uuid))[0]?.after)).toEqual(await rowsOf(alone.uuid))
  const squads = fleet.squads.map((squad) => squad.uuid)
  const { uuid } = await makeUser(server, { activeInternalSquads: squads, lastTrafficResetAt: NEVER, tag: 'ONE' })
  const stored = await rowsOf(uuid)
  expect(opened((await audited(uuid)).at(-1)?.after)).toEqual(stored)
  await server.call(api.updateUser, { uuid, tag: 'TWO', activeInternalSquads: squads.slice(1) })
  const [user] = stored.users
  const { updatedAt } = (await rowsOf(uuid)).users[0] ?? {}
  const entry = (await audited(uuid)).at(-1)
  expect(opened(entry?.before)).toEqual({
    users: [{ id: user?.['id'], tag: 'ONE', updatedAt: user?.['updatedAt'] }],
    internalSquadMembers: [{ squadId: fleet.squads[0]?.id, userId: user?.['id'] }],
  })
  expect(opened(entry?.after)).toEqual({ users: [{ id: user?.['id'], tag: 'TWO', updatedAt }] })
})

test('what is recorded of a new date is what the table holds, of whoever is expired with the status that follows', async () => {
  const { uuid } = await makeUser(server)
  const { id } = (await rowsOf(uuid)).users[0] ?? {}
  for (const status of ['ACTIVE', 'EXPIRED'] as const) {
    if (status === 'EXPIRED') await setStatus(server, uuid, status)
    const [was] = (await rowsOf(uuid)).users
    const edited = await server.call(api.updateUser, { uuid, expireAt: `2031-01-01T00:00:00.${status.length}00Z` })
    const [is] = (await rowsOf(uuid)).users
    const dates = (row = {} as Row) => ({ id, expireAt: row['expireAt'], updatedAt: row['updatedAt'] })
    const statuses = status === 'ACTIVE' ? [{}, {}] : [{ status: 'EXPIRED' }, { status: 'ACTIVE' }]
    const entry = (await audited(uuid)).at(-1)
    expect(edited.status).toBe('ACTIVE')
    expect([entry?.before, entry?.after]).toEqual([
      { users: [{ ...dates(was), ...statuses[0] }] },
      { users: [{ ...dates(is), ...statuses[1] }] },
    ])
  }
})

test('of edits at the same time each records what the one before it left, and only what it changed', async () => {
  const { uuid } = await makeUser(server, { description: '0', tag: 'SAME' })
  const { id } = (await rowsOf(uuid)).users[0] ?? {}
  const texts = ['1', '2', '3', '4', '5', '6', '7', '8']
  await Promise.all(texts.map((description) => server.call(api.updateUser, { uuid, description, tag: 'SAME', email: null })))
  const sides = (await audited(uuid))
    .slice(1)
    .map(({ before, after }) => [before, after].map((rows) => (rows as Recorded).users[0]))
  expect(sides.map(([was]) => was?.['description'])).toEqual([
    '0',
    ...sides.slice(0, -1).map(([, became]) => became?.['description']),
  ])
  expect(new Set(sides.map(([, became]) => became?.['description']))).toEqual(new Set(texts))
  for (const side of sides.flat())
    expect({ updatedAt: '', ...side }).toEqual({ id, description: expect.any(String), updatedAt: expect.any(String) })
})

describe('actions', () => {
  test('USER-086: a user is disabled and enabled, each only once, and nodes are told', async () => {
    const { uuid, username } = await makeUser(server)
    await takeDeliveries(server)
    expect(await refused(server, 'POST', `/api/users/${uuid}/actions/enable`)).toEqual([400, 'A030'])
    expect(await server.call(api.disableUser, { uuid })).toMatchObject({ uuid, status: 'DISABLED' })
    expect(await takeDeliveries(server)).toEqual([username])
    expect(await refused(server, 'POST', `/api/users/${uuid}/actions/disable`)).toEqual([400, 'A029'])
    expect(await server.call(api.enableUser, { uuid })).toMatchObject({ uuid, status: 'ACTIVE' })
    expect(await takeDeliveries(server)).toEqual([username])
    expect((await audited(uuid)).map((entry) => entry.action)).toEqual(['createUser', 'disableUser', 'enableUser'])
  })

  test('limited and expired users are enabled too', async () => {
    for (const status of ['LIMITED', 'EXPIRED'] as const) {
      const { uuid } = await makeUser(server, { status })
      expect(await server.call(api.enableUser, { uuid })).toMatchObject({ status: 'ACTIVE' })
    }
  })

  test('USER-086: a reset clears the usage, keeps the sum of a life, and frees a limited user', async () => {
    const { uuid, username } = await makeUser(server, { trafficLimitBytes: GIB })
    await spend(server, uuid, GIB)
    await setStatus(server, uuid, 'LIMITED')
    await takeDeliveries(server)
    const user = await server.call(api.resetUserTraffic, { uuid })
    expect(user).toMatchObject({
      status: 'ACTIVE',
      usedTrafficBytes: 0,
      lifetimeUsedTrafficBytes: GIB,
      lastTriggeredThreshold: 0,
    })
    expect(Date.parse(user.lastTrafficResetAt ?? '')).toBeGreaterThan(Date.now() - 60_000)
    expect(await takeDeliveries(server)).toEqual([username])
    const kept = await server.ctx.db
      .selectFrom('userTrafficResets')
      .innerJoin('users', 'users.id', 'userTrafficResets.userId')
      .select('usedBytes')
      .where('uuid', '=', uuid)
      .execute()
    expect(kept).toEqual([{ usedBytes: GIB }])
  })

  test('USER-087: a revoke replaces link and credentials, keeps the rest, and nodes are told of an active user', async () => {
    const before = await makeUser(server, { tag: 'KEEP', activeInternalSquads: [fleet.squads[0]?.uuid ?? ''] })
    await takeDeliveries(server)
    const after = await server.call(api.revokeUserSubscription, { uuid: before.uuid })
    for (const key of ['shortUuid', 'trojanPassword', 'vlessUuid', 'ssPassword', 'subscriptionUrl'] as const) {
      expect(after[key]).not.toBe(before[key])
    }
    expect(after).toMatchObject({
      tag: 'KEEP',
      activeInternalSquads: before.activeInternalSquads,
      subRevokedAt: expect.any(String),
    })
    expect(after.ssPassword).toHaveLength(30)
    expect(await takeDeliveries(server)).toEqual([before.username])
    const given = await server.call(api.revokeUserSubscription, { uuid: before.uuid, shortUuid: 'my-own' })
    expect(given.shortUuid).toBe('my-own')
    const other = await makeUser(server)
    expect(await refused(server, 'POST', `/api/users/${other.uuid}/actions/revoke`, { shortUuid: 'my-own' })).toEqual([
      400,
      'A020',
    ])
    expect(await refused(server, 'POST', `/api/users/${other.uuid}/actions/revoke`, { shortUuid: 'short' })).toEqual([
      400,
      'shortUuid',
    ])
  })

  test('USER-087: a deleted user is gone with everything that was theirs, and nodes are told', async () => {
    const { uuid, username } = await makeUser(server, { activeInternalSquads: [fleet.squads[0]?.uuid ?? ''] })
    const { id: userId } = await server.ctx.db.selectFrom('users').select('id').where('uuid', '=', uuid).executeTakeFirstOrThrow()
    await server.call(api.createHwidDevice, { userUuid: uuid, hwid: 'device' })
    await server.ctx.db
      .insertInto('userNodeUsage')
      .values({ day: '2026-11-01', nodeId: fleet.nodes[0]?.id ?? 0, userId })
      .execute()
    await takeDeliveries(server)
    expect(await server.call(api.deleteUser, { uuid })).toEqual({ isDeleted: true })
    expect(await takeDeliveries(server)).toEqual([username])
    for (const table of ['userUsage', 'internalSquadMembers', 'hwidDevices', 'userNodeUsage'] as const) {
      expect(await server.ctx.db.selectFrom(table).selectAll().where('userId', '=', userId).execute()).toEqual([])
    }
    expect(await refused(server, 'DELETE', `/api/users/${uuid}`)).toEqual([404, 'A025'])
    expect((await audited(uuid)).at(-1)).toMatchObject({
      action: 'deleteUser',
      before: { users: [{ username }], hwidDevices: [{ hwid: 'device' }] },
    })
  })

  test.each(['enable', 'disable', 'reset-traffic', 'revoke'])('%s of an unknown user is not found', async (action) => {
    expect(await refused(server, 'POST', `/api/users/${UNKNOWN}/actions/${action}`)).toEqual([404, 'A025'])
  })
})

test('a user is edited by name where there is no uuid, exactly as it is written, and nothing but that user', async () => {
  const [user, bystander] = [await makeUser(server), await makeUser(server)]
  expect(await server.call(api.updateUser, { username: user.username, tag: 'NAMED' })).toMatchObject({
    uuid: user.uuid,
    tag: 'NAMED',
  })
  expect((await server.call(api.getUser, { uuid: bystander.uuid })).tag).toBe(bystander.tag)
  // The uuid decides where both are there: a name is not changed.
  const kept = await server.call(api.updateUser, { uuid: user.uuid, username: bystander.username, tag: 'BOTH' })
  expect(kept).toMatchObject({ uuid: user.uuid, username: user.username, tag: 'BOTH' })
  expect(await refused(server, 'PATCH', '/api/users', { username: user.username.toUpperCase(), tag: 'NO' })).toEqual([
    404,
    'A025',
  ])
  expect(await server.send('PATCH', '/api/users', { tag: 'NO' })).toMatchObject({
    status: 400,
    body: { errors: [{ path: ['uuid'], message: 'is required, or username' }] },
  })
})
