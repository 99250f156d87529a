import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as api from '@causeway/contract'
import type { CallInput, UserFilterId, UserGroup } from '@causeway/contract'
import { everyone } from '../../lib/scope.ts'
import { makeFleet, type Fleet } from '../../../test/fleet.ts'
import { listedTexts } from '../../../test/listed-users.ts'
import { testServer, type TestServer } from '../../../test/server.ts'
import { countUsers, listPageIds } from './list.queries.ts'
import { toUsersView } from './list.rules.ts'
import { listUsersById } from './users.queries.ts'
import { makeUser, NEVER, refused, spend, UNKNOWN } from '../../../test/users.ts'

let server: TestServer
let fleet: Fleet

// Five users, made one minute after the other; what the list can be asked for differs between them.
beforeAll(async () => {
  server = await testServer()
  fleet = await makeFleet(server)
  const squads = fleet.squads.map((squad) => squad.uuid)
  const users: Partial<CallInput<typeof api.createUser>>[] = [
    {
      username: 'anna',
      description: '100% paid',
      telegramId: 5,
      tag: 'VIP',
      email: 'Anna@example.com',
      activeInternalSquads: squads,
    },
    { username: 'Bert', description: 'owes 50', activeInternalSquads: squads.slice(1), status: 'DISABLED' },
    { username: 'carl_a', trafficLimitBytes: 9, tag: 'FREE', status: 'LIMITED' },
    { username: 'carlxa', trafficLimitBytes: 5, trafficLimitStrategy: 'DAY' },
    { username: 'dora', description: 'back\\slash', expireAt: '2030-01-01T00:00:00.000Z' },
  ]
  for (const [index, user] of users.entries()) {
    const shortUuid = `short-user-${index}` // by chance it would hold what somebody else is looked for by
    const { uuid } = await makeUser(server, { ...user, shortUuid, createdAt: `2026-01-01T00:0${index}:00.000Z` })
    const onlineAt = new Date(`2026-02-0${index + 1}T00:00:00Z`)
    if (index < 3) await spend(server, uuid, 100 - index, { onlineAt, lastConnectedNodeId: fleet.nodes[index % 2]?.id ?? 0 })
  }
  await sql`
    insert into "userAccesses" ("userId", "subLastUserAgent", "subLastOpenedAt")
    select "id", 'Happ/1', '2026-03-01T00:00:00Z' from "users" where "username" = 'dora'
  `.execute(server.ctx.db)
})
afterAll(() => server.close())

async function names(view: CallInput<typeof api.listUsers>): Promise<string> {
  const { users } = await server.call(api.listUsers, view)
  return users.map((user) => user.username).join(' ')
}

async function filtered(id: UserFilterId, value: unknown, mode?: string): Promise<string> {
  const view = { filters: [{ id, value }], ...(mode ? { filterModes: { [id]: mode } } : {}) }
  const { users, total } = await server.call(api.listUsers, view)
  expect(total).toBe(users.length)
  return users.map((user) => user.username).join(' ')
}

describe('pages', () => {
  test('USER-075 USER-077: the newest come first, and the total counts all', async () => {
    expect(await names({})).toBe('dora carlxa carl_a Bert anna')
    expect(await server.call(api.listUsers, { start: 1, size: 2 })).toMatchObject({
      total: 5,
      users: [{ username: 'carlxa' }, { username: 'carl_a' }],
    })
  })
  test('pages near the end are the same list read from behind', async () => {
    expect(await names({ start: 3, size: 1 })).toBe('Bert')
    expect(await names({ start: 3, size: 25 })).toBe('Bert anna')
    expect(await names({ start: 4, sorting: [{ id: 'username', desc: false }] })).toBe('dora')
    expect(await names({ start: 3, sorting: [{ id: 'tag', desc: true }] })).toBe(
      await names({ sorting: [{ id: 'tag', desc: true }] }).then((all) => all.split(' ').slice(3).join(' ')),
    )
    expect(await names({ start: 5 })).toBe('')
    expect(await names({ start: 999_999 })).toBe('')
  })
  test.each(['tag', 'onlineAt', 'subLastUserAgent', 'usedTrafficBytes', 'username', 'status'] as const)(
    'by %s, every page is that part of the whole list, in both directions',
    async (id) => {
      for (const desc of [false, true]) {
        const sorting = [{ id, desc }]
        const all = (await names({ sorting })).split(' ')
        expect(all.toSorted()).toEqual(['Bert', 'anna', 'carl_a', 'carlxa', 'dora'])
        for (const start of [0, 1, 2, 3, 4]) {
          for (const size of [1, 2, 4]) {
            const expected = all.slice(start, start + size).join(' ')
            expect(await names({ sorting, start, size })).toBe(expected)
            expect(await names({ sorting, start, size, filters: [{ id: 'shortUuid', value: '' }] })).toBe(expected)
          }
        }
      }
    },
  )
  test.each([
    ['start=-1', 'start'],
    ['start=x', 'start'],
    ['size=0', 'size'],
    ['size=1001', 'size'],
    ['filters=x', 'filters'],
    ['filters={}', 'filters'],
    ['sorting=x', 'sorting'],
    ['sorting=[{"id":"nope","desc":true}]', 'sorting.0.id'],
    ['sorting=[{"id":"constructor","desc":true}]', 'sorting.0.id'],
    ['sorting=[{"id":"username","desc":true},{"id":"nodeName","desc":true}]', 'sorting.1.id'],
    ['sorting=[{"id":"trojanPassword","desc":true}]', 'sorting.0.id'],
    ['filters=[{"id":"ssPassword","value":"a"}]', 'filters.0.id'],
    ['filters=[{"id":"vlessUuid","value":"a"}]', 'filters.0.id'],
    ['filters=[{"id":"usedTrafficBytes","value":1}]', 'filters.0.id'],
    ['filters=[{"id":"toString","value":"x"}]', 'filters.0.id'],
    ['filterModes=[1', 'filterModes'],
    ['filters=[{"id":"createdAt","value":"soon"}]', 'filters.0'],
  ])('%s is refused', async (query, path) => {
    expect(await refused(server, 'GET', `/api/users?${encodeURI(query)}`)).toEqual([400, path])
  })
})

test('a secret is refused by its name, as if there were no such field', async () => {
  const sorting = encodeURIComponent('[{"id":"trojanPassword","desc":true}]')
  const reply = await server.send('GET', `/api/users?sorting=${sorting}`)
  expect(JSON.stringify(reply.body)).toContain('users cannot be sorted by trojanPassword')
})

describe('order', () => {
  test.each([
    ['username', 'anna Bert carlxa carl_a dora'],
    ['trafficLimitBytes', 'anna Bert dora carlxa carl_a'],
    ['usedTrafficBytes', 'carlxa dora carl_a Bert anna'],
    ['createdAt', 'anna Bert carl_a carlxa dora'],
    ['status', 'anna carlxa dora Bert carl_a'],
  ] as const)('by %s', async (id, expected) => {
    // Names with other signs than letters have an order that the collation decides.
    const up = await names({ sorting: [{ id, desc: false }] })
    expect(id === 'username' ? up.replace('carl_a carlxa', 'carlxa carl_a') : up).toBe(expected)
  })
  test.each([
    ['tag', 'carl_a anna', 'anna carl_a'],
    ['onlineAt', 'anna Bert carl_a', 'carl_a Bert anna'],
    ['subLastUserAgent', 'dora', 'dora'],
    ['telegramId', 'anna', 'anna'],
  ] as const)('users without a %s come last in both directions', async (id, up, down) => {
    expect((await names({ sorting: [{ id, desc: false }] })).startsWith(up)).toBe(true)
    expect((await names({ sorting: [{ id, desc: true }] })).startsWith(down)).toBe(true)
  })
  test('by several columns', async () => {
    const sorting = [
      { id: 'trafficLimitStrategy', desc: false },
      { id: 'onlineAt', desc: true },
    ] as const
    expect((await names({ sorting: [...sorting] })).startsWith('carlxa carl_a Bert anna')).toBe(true)
  })
  test.each([
    'uuid',
    'shortUuid',
    'lifetimeUsedTrafficBytes',
    'subLastOpenedAt',
    'expireAt',
    'subRevokedAt',
    'lastTrafficResetAt',
    'description',
    'email',
    'hwidDeviceLimit',
    'firstConnectedAt',
    'lastTriggeredThreshold',
    'updatedAt',
  ] as const)('by %s, which has to be possible', async (id) => {
    const [up, down] = [await names({ sorting: [{ id, desc: false }] }), await names({ sorting: [{ id, desc: true }] })]
    expect(up.split(' ').toSorted()).toEqual(down.split(' ').toSorted())
  })
})

describe('filters', () => {
  test('text is contained without regard to case; signs of SQL mean themselves', async () => {
    expect(await filtered('username', 'CARL')).toBe('carlxa carl_a')
    expect(await filtered('username', 'l_a')).toBe('carl_a')
    expect(await filtered('description', '0%')).toBe('anna')
    expect(await filtered('description', '%')).toBe('anna')
    expect(await filtered('description', '\\')).toBe('dora')
    expect(await filtered('username', "' or 1=1 --")).toBe('')
  })
  test('other modes regard case', async () => {
    expect(await filtered('username', 'b', 'startsWith')).toBe('')
    expect(await filtered('username', 'B', 'startsWith')).toBe('Bert')
    expect(await filtered('username', 'a', 'endsWith')).toBe('dora carlxa carl_a anna')
    expect(await filtered('username', 'anna', 'equals')).toBe('anna')
    expect(await filtered('email', 'anna@', 'contains')).toBe('anna')
    expect(await filtered('subLastUserAgent', 'happ')).toBe('dora')
  })
  test('words, instants, ids and numbers', async () => {
    expect(await filtered('status', 'LIMITED')).toBe('carl_a')
    expect(await filtered('status', 'nothing')).toBe('')
    expect(await filtered('trafficLimitStrategy', 'DAY')).toBe('carlxa')
    expect(await filtered('expireAt', NEVER)).toBe('carlxa carl_a Bert anna')
    expect(await filtered('onlineAt', '2026-02-01T00:00:00Z')).toBe('anna')
    expect(await filtered('subLastOpenedAt', '2026-03-01T00:00:00Z')).toBe('dora')
    expect(await filtered('telegramId', '5')).toBe('anna')
    expect(await filtered('telegramId', 'none')).toBe('dora carlxa carl_a Bert')
    expect(await filtered('activeInternalSquads', fleet.squads[0]?.uuid)).toBe('anna')
    expect(await filtered('activeInternalSquads', fleet.squads[1]?.uuid)).toBe('Bert anna')
    expect(await filtered('activeInternalSquads', UNKNOWN)).toBe('')
    expect(await filtered('nodeName', fleet.nodes[0]?.uuid)).toBe('carl_a anna')
  })
  test('all of them must hold, together with any order', async () => {
    const filters = [
      { id: 'username', value: 'a' },
      { id: 'tag', value: 'E' },
    ] as const
    expect(await names({ filters: [...filters], sorting: [{ id: 'usedTrafficBytes', desc: true }] })).toBe('carl_a')
    expect(
      await names({
        filters: [{ id: 'nodeName', value: fleet.nodes[0]?.uuid }],
        sorting: [{ id: 'subLastUserAgent', desc: true }],
      }),
    ).toBe('carl_a anna')
  })
})

test('the links of a list follow the address that is configured', async () => {
  const configured = await testServer({ env: { SUB_PUBLIC_DOMAIN: 'sub.example.com/s' } })
  const { shortUuid, subscriptionUrl } = await makeUser(configured)
  expect(subscriptionUrl).toBe(`https://sub.example.com/s/${shortUuid}`)
  await configured.close()
})

test('active users near their limit: the largest share first, and how many there are', async () => {
  const near = await testServer()
  try {
    const used: [name: string, limit: number, bytes: number, status?: 'DISABLED'][] = [
      ['nine-tenths', 1000, 900],
      ['not-quite', 1000, 899],
      ['nearly-all', 10, 10],
      ['unlimited', 0, 5000],
      ['switched-off', 1000, 999, 'DISABLED'],
      ['user-1', 100, 95],
      ['user-2', 100, 96],
      ['user-3', 100, 97],
      ['user-4', 100, 98],
    ]
    for (const [username, trafficLimitBytes, bytes, status] of used) {
      const { uuid } = await makeUser(near, { username, trafficLimitBytes, ...(status ? { status } : {}) })
      await spend(near, uuid, bytes)
    }
    const { users, total } = await near.call(api.listUsersNearLimit, {})
    expect(users.map((user) => user.username)).toEqual(['nearly-all', 'user-4', 'user-3', 'user-2', 'user-1'])
    expect(total).toBe(6)
  } finally {
    await near.close()
  }
})

test('the first page of everyone is, in one statement, what it is in two steps', async () => {
  const many = await testServer()
  try {
    for (let number = 0; number < 30; number++)
      await makeUser(many, { username: `user_${number}`, ...(number % 3 > 0 && { tag: 'T' }) })
    for (const sorting of [[], ...(['tag', 'onlineAt', 'username', 'subLastOpenedAt', 'usedTrafficBytes'] as const)])
      for (const desc of [true, false]) {
        const view = toUsersView(
          { size: 25, ...(typeof sorting === 'string' && { sorting: [{ id: sorting, desc }] }) },
          everyone,
          new Date(),
        )
        if ('refusal' in view) throw new Error(view.refusal.message)
        const { ids, total } = await listPageIds(many.ctx.db, view)
        const page = await listedTexts(many.ctx, view, 'id')
        expect(page.texts.map(Number)).toEqual(ids)
        expect({ total: page.total, size: ids.length }).toEqual({ total, size: 25 })
      }
  } finally {
    await many.close()
  }
})

describe('the search field', () => {
  test('finds by name, e-mail, Telegram ID, uuids, description and pasted link, together with other filters', async () => {
    const { users } = await server.call(api.listUsers, { filters: [{ id: 'username', value: 'anna' }] })
    const anna = users[0]! // made above
    const link = `https://x.example/api/sub/${anna.shortUuid}`
    const found: Record<string, string> = {}
    for (const typed of ['ann', 'a', '@example', '5', anna.uuid, anna.shortUuid, link, '100%'])
      found[typed] = await filtered('search', typed)
    expect(Object.entries(found).filter(([, names]) => names !== 'anna')).toEqual([])
    expect(await filtered('search', 'CARL')).toBe('carlxa carl_a')
    expect(await filtered('search', 'l_a')).toBe('carl_a')
    expect(await filtered('search', 'nobody')).toBe('')
    expect(await names({ filters: [{ id: 'search', value: '  ' }] })).toBe('dora carlxa carl_a Bert anna')
    const both: CallInput<typeof api.listUsers>['filters'] = [
      { id: 'search', value: 'carl' },
      { id: 'status', value: 'LIMITED' },
    ]
    expect(await names({ filters: both })).toBe('carl_a')
    expect(await names({ filters: both, sorting: [{ id: 'onlineAt', desc: true }] })).toBe('carl_a')
  })
})

test('groups of users follow from the moment of asking', async () => {
  async function group(value: UserGroup, now = new Date()): Promise<string> {
    const view = toUsersView({ filters: [{ id: 'among', value }] }, everyone, now)
    if ('refusal' in view) throw new Error(view.refusal.message)
    const { ids } = await listPageIds(server.ctx.db, view)
    expect(await countUsers(server.ctx.db, view.filters)).toBe(ids.length)
    return (await listUsersById(server.ctx.db, ids)).map((user) => user.username).join(' ')
  }
  expect(await group('expiringThisWeek', new Date('2029-12-30T00:00:00Z'))).toBe('dora')
  expect(await group('expiringThisWeek', new Date('2029-12-20T00:00:00Z'))).toBe('')
  expect((await group('newThisWeek', new Date('2026-01-08T00:02:30Z'))).split(' ').slice(-3).join(' ')).toBe('dora carlxa carl_a')
  expect((await group('awayForMonth', new Date('2026-03-04T12:00:00Z'))).split(' ').toSorted()).toEqual(['Bert', 'anna'])
  expect((await group('neverConnected')).split(' ')).toContain('dora')
  expect((await group('neverOnline')).split(' ')).toContain('dora')
  expect((await group('neverOnline')).split(' ')).not.toContain('anna')
  const tight = await makeUser(server, { username: 'tight', trafficLimitBytes: 100 })
  await spend(server, tight.uuid, 89)
  expect((await group('nearLimit')).split(' ')).not.toContain('tight')
  await spend(server, tight.uuid, 90)
  expect((await group('nearLimit')).split(' ')).toContain('tight')
  expect(await refused(server, 'GET', `/api/users?filters=${encodeURIComponent('[{"id":"among","value":"x"}]')}`)).toEqual([
    400,
    'filters.0',
  ])
})
