import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as api from '@causeway/contract'
import { makeFleet, takeDeliveries, type Fleet } from '../../../test/fleet.ts'
import { testServer, type TestServer } from '../../../test/server.ts'
import { idOf, makeUser, NEVER, refused, setStatus, spend, UNKNOWN } from '../../../test/users.ts'

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

describe('create', () => {
  test('USER-084 USER-042: what is sent is stored, the rest is generated, and nodes are told', async () => {
    const [squad] = fleet.squads
    const user = await makeUser(server, {
      username: 'Alice',
      trafficLimitStrategy: 'MONTH',
      trafficLimitBytes: 5 * GIB,
      expireAt: '2030-01-01T10:00:00+02:00',
      status: 'ACTIVE',
      description: 'first',
      telegramId: 42,
      email: 'alice@example.com',
      hwidDeviceLimit: 3,
      tag: 'VIP',
      activeInternalSquads: [squad?.uuid ?? ''],
    })
    expect(user).toMatchObject({
      uuid: expect.any(String),
      shortUuid: expect.stringMatching(/^[0-9A-HJ-NP-Za-hj-km-z_-]{22}$/),
      username: 'Alice',
      status: 'ACTIVE',
      usedTrafficBytes: 0,
      lifetimeUsedTrafficBytes: 0,
      extraTrafficBytes: 0,
      trafficLimitBytes: 5 * GIB,
      trafficLimitStrategy: 'MONTH',
      subLastUserAgent: null,
      subLastOpenedAt: null,
      expireAt: '2030-01-01T08:00:00.000Z',
      onlineAt: null,
      subRevokedAt: null,
      lastTrafficResetAt: null,
      trojanPassword: expect.stringMatching(/^.{30}$/),
      vlessUuid: expect.any(String),
      ssPassword: expect.stringMatching(/^.{32}$/),
      description: 'first',
      tag: 'VIP',
      telegramId: 42,
      email: 'alice@example.com',
      hwidDeviceLimit: 3,
      firstConnectedAt: null,
      lastTriggeredThreshold: 0,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      activeInternalSquads: [{ uuid: squad?.uuid, name: 'First' }],
      subscriptionUrl: `http://localhost:80/api/sub/${user.shortUuid}`,
      id: expect.any(Number),
      externalSquadUuid: null,
      userTraffic: {
        usedTrafficBytes: 0,
        lifetimeUsedTrafficBytes: 0,
        onlineAt: null,
        firstConnectedAt: null,
        lastConnectedNodeUuid: null,
      },
      lastConnectedNode: null,
      happ: { cryptoLink: expect.stringMatching(/^happ:\/\/crypt\/[A-Za-z0-9+/]{171}=$/) },
    })
    expect(await takeDeliveries(server)).toEqual(['Alice'])
    const [entry] = await audited(user.uuid)
    expect(entry).toMatchObject({
      action: 'createUser',
      actorKind: 'admin',
      actorName: 'admin',
      after: { users: [{ username: 'Alice', tag: 'VIP' }] },
    })
    for (const secret of [user.trojanPassword, user.vlessUuid, user.ssPassword, user.shortUuid]) {
      expect(JSON.stringify(entry)).not.toContain(secret)
    }
  })

  test('USER-056 USER-064 USER-068: fields left out are null, and a telegram id of 0 is none', async () => {
    const user = await makeUser(server, { telegramId: 0, hwidDeviceLimit: null })
    expect(user).toMatchObject({
      email: null,
      telegramId: null,
      tag: null,
      description: null,
      hwidDeviceLimit: null,
      status: 'ACTIVE',
    })
    expect(user).toMatchObject({ trafficLimitBytes: 0, trafficLimitStrategy: 'NO_RESET' })
  })

  test('an import keeps its ids, secrets and dates; users that are not active reach no node', async () => {
    await takeDeliveries(server)
    const given = {
      uuid: 'aaaaaaaa-0000-4000-8000-000000000001',
      shortUuid: 'old.short~1',
      trojanPassword: 'trojan-password',
      vlessUuid: 'aaaaaaaa-0000-4000-8000-000000000002',
      ssPassword: 'ss-password',
      createdAt: '2020-01-01T00:00:00.000Z',
      lastTrafficResetAt: '2020-02-01T00:00:00.000Z',
      expireAt: '2020-03-01T00:00:00.000Z',
      status: 'EXPIRED',
    } as const
    const user = await makeUser(server, given)
    expect(user).toMatchObject(given)
    expect(user.subscriptionUrl).toBe('http://localhost:80/api/sub/old.short~1')
    expect(await takeDeliveries(server)).toEqual([])
  })

  test('names, short uuids and uuids are unique, names without regard to case', async () => {
    const user = await makeUser(server, { username: 'Bob_1', shortUuid: 'bob-short' })
    const create = (fields: object) => refused(server, 'POST', '/api/users', { username: 'somebody', expireAt: NEVER, ...fields })
    expect(await create({ username: 'bOB_1' })).toEqual([400, 'A019'])
    expect(await create({ shortUuid: 'bob-short' })).toEqual([400, 'A020'])
    expect(await create({ uuid: user.uuid })).toEqual([400, 'uuid'])
    expect(await create({ activeInternalSquads: [UNKNOWN] })).toEqual([400, 'A018'])
    const [squad] = fleet.squads
    expect(await create({ username: 'nobody', activeInternalSquads: [squad?.uuid, UNKNOWN] })).toEqual([400, 'A018'])
    expect((await server.call(api.listUsers, { filters: [{ id: 'username', value: 'nobody' }] })).total).toBe(0)
    const { total } = await server.call(api.listUsers, { filters: [{ id: 'username', value: 'bob' }] })
    expect(total).toBe(1)
  })

  test.each([
    ['username', { username: 'ab' }],
    ['username', { username: 'a'.repeat(37) }],
    ['username', { username: 'white space' }],
    ['expireAt', { expireAt: '2026-01-01' }],
    ['expireAt', { expireAt: undefined }],
    ['tag', { tag: 'lower' }],
    ['tag', { tag: 'A'.repeat(17) }],
    ['email', { email: 'nobody' }],
    ['telegramId', { telegramId: '42' }],
    ['trafficLimitBytes', { trafficLimitBytes: -1 }],
    ['trafficLimitBytes', { trafficLimitBytes: 1e300 }],
    ['hwidDeviceLimit', { hwidDeviceLimit: 2 ** 31 }],
    ['trojanPassword', { trojanPassword: 'short' }],
    ['status', { status: 'GONE' }],
    ['description', { description: 'a\u0000b' }],
    ['activeInternalSquads.0', { activeInternalSquads: ['x'] }],
  ])('a wrong %s is refused with the name of the field', async (field, fields) => {
    expect(await refused(server, 'POST', '/api/users', { username: 'somebody', expireAt: NEVER, ...fields })).toEqual([
      400,
      field,
    ])
  })
})

describe('look-ups', () => {
  test('USER-081: a user is found by uuid, short uuid and exact name', async () => {
    const user = await makeUser(server, { username: 'Carol' })
    expect(await server.call(api.getUser, { uuid: user.uuid })).toMatchObject({ uuid: user.uuid })
    expect(await server.call(api.getUserByShortUuid, { shortUuid: user.shortUuid })).toMatchObject({ uuid: user.uuid })
    expect(await server.call(api.getUserByUsername, { username: 'Carol' })).toMatchObject({ uuid: user.uuid })
    expect(await refused(server, 'GET', '/api/users/by-username/carol')).toEqual([404, 'A063'])
    expect(await refused(server, 'GET', '/api/users/by-short-uuid/nobody')).toEqual([404, 'A063'])
    expect(await refused(server, 'GET', `/api/users/${UNKNOWN}`)).toEqual([404, 'A063'])
    expect(await refused(server, 'GET', '/api/users/no-uuid')).toEqual([400, 'uuid'])
    for (const route of ['by-username', 'by-short-uuid']) {
      expect((await server.send('GET', `/api/users/${route}/a%00b`)).status).toBe(400)
    }
  })

  test('USER-079: users are found by telegram id, e-mail and tag, and the tags in use are listed', async () => {
    const users = [
      await makeUser(server, { telegramId: 7, email: 'd@example.com', tag: 'D_1' }),
      await makeUser(server, { telegramId: 7, email: 'd@example.com', tag: 'D_1' }),
    ]
    // Bystanders, who differ in one thing each from those who are found.
    await makeUser(server, { telegramId: 9, email: 'd@example.org', tag: 'D_2' })
    await makeUser(server, { telegramId: 77, email: 'dd@example.com', tag: 'D_0' })
    const uuids = users.map((user) => user.uuid)
    const found = await Promise.all([
      server.call(api.listUsersByTelegramId, { telegramId: '7' }),
      server.call(api.listUsersByEmail, { email: 'd@example.com' }),
      server.call(api.listUsersByTag, { tag: 'D_1' }),
    ])
    for (const list of found) expect(list.map((user) => user.uuid)).toEqual(uuids)
    const { tags } = await server.call(api.listUserTags, {})
    expect(tags.filter((tag) => tag.startsWith('D_'))).toEqual(['D_0', 'D_1', 'D_2'])
    expect(await refused(server, 'GET', '/api/users/by-telegram-id/8')).toEqual([404, 'A062'])
    expect(await refused(server, 'GET', '/api/users/by-telegram-id/abc')).toEqual([400, 'A026'])
    expect(await refused(server, 'GET', '/api/users/by-email/nobody@example.com')).toEqual([404, 'A062'])
    expect(await refused(server, 'GET', '/api/users/by-tag/NOBODY')).toEqual([404, 'A062'])
    expect(await refused(server, 'GET', '/api/users/by-tag/lower')).toEqual([400, 'tag'])
  })

  test('UDRAWER-009: accessible nodes are those that serve an inbound of a squad of the user', async () => {
    const user = await makeUser(server, { activeInternalSquads: fleet.squads.map((squad) => squad.uuid) })
    const { activeNodes } = await server.call(api.getUserAccessibleNodes, { uuid: user.uuid })
    const squads = [
      { squadName: 'First', activeInbounds: ['VLESS'] },
      { squadName: 'Second', activeInbounds: ['TROJAN'] },
    ]
    const shared = { countryCode: 'DE', configProfileUuid: fleet.profile.uuid, configProfileName: 'Main' }
    expect(activeNodes).toEqual([
      { ...shared, uuid: fleet.nodes[0]?.uuid, nodeName: 'Alpha', activeSquads: squads },
      { ...shared, uuid: fleet.nodes[1]?.uuid, nodeName: 'Beta', activeSquads: squads.slice(1) },
    ])
    expect(await server.call(api.getUserAccessibleNodes, { uuid: UNKNOWN })).toEqual({ userUuid: UNKNOWN, activeNodes: [] })
  })

  test('UDRAWER-025 UDRAWER-026: usage is told per node and UTC day, bounds included', async () => {
    const user = await makeUser(server)
    const userId = await idOf(server, user.uuid)
    const nodeId = fleet.nodes[0]?.id ?? 0
    const days = ['2026-11-01', '2026-11-02', '2026-11-03', '2026-11-04']
    await server.ctx.db
      .insertInto('userNodeUsage')
      .values(days.map((day, index) => ({ day, nodeId, userId, uploadBytes: index, downloadBytes: 10 })))
      .execute()
    const range = { uuid: user.uuid, start: '2026-11-02T00:00:00.000Z', end: '2026-11-03T23:59:59.999Z' }
    const point = { userUuid: user.uuid, nodeUuid: fleet.nodes[0]?.uuid, nodeName: 'Alpha', countryCode: 'DE' }
    expect(await server.call(api.getUserUsage, range)).toEqual([
      { ...point, total: 11, date: '2026-11-02T00:00:00.000Z' },
      { ...point, total: 12, date: '2026-11-03T00:00:00.000Z' },
    ])
    expect(await refused(server, 'GET', `/api/users/stats/usage/${user.uuid}/range?start=soon&end=later`)).toEqual([400, 'A091'])
    expect(await refused(server, 'GET', `/api/users/stats/usage/${user.uuid}/range?start=2026-01-01`)).toEqual([400, 'end'])
    expect(
      await refused(server, 'GET', `/api/users/stats/usage/${user.uuid}/range?start=0&end=%2B020000-01-01T00:00:00Z`),
    ).toEqual([400, 'A091'])
  })
})

describe('update', () => {
  // Each field in its three states: absent keeps, null clears where it may, a value sets.
  const stored = {
    trafficLimitBytes: 5 * GIB,
    trafficLimitStrategy: 'DAY',
    expireAt: '2030-01-01T00:00:00.000Z',
    description: 'old',
    tag: 'OLD',
    telegramId: 1,
    email: 'old@example.com',
    hwidDeviceLimit: 1,
  } as const
  test.each([
    ['trafficLimitBytes', 7 * GIB, false],
    ['trafficLimitStrategy', 'WEEK', false],
    ['expireAt', '2031-01-01T00:00:00.000Z', false],
    ['description', 'new', true],
    ['tag', 'NEW', true],
    ['telegramId', 2, true],
    ['email', 'new@example.com', true],
    ['hwidDeviceLimit', 0, true],
  ] as const)('USER-070 USER-071 USER-085: %s is kept, set and cleared on its own', async (field, value, isClearable) => {
    const { uuid } = await makeUser(server, stored)
    const patch = (fields: object) => server.send('PATCH', '/api/users', { uuid, ...fields })
    expect(await patch({})).toMatchObject({ status: 200, body: { response: stored } })
    expect(await patch({ [field]: value })).toMatchObject({ status: 200, body: { response: { ...stored, [field]: value } } })
    const cleared = isClearable ? { status: 200, body: { response: { ...stored, [field]: null } } } : { status: 400 }
    expect(await patch({ [field]: null })).toMatchObject(cleared)
  })

  test('squads are compared as a set: the same ones in another order tell no node', async () => {
    const squads = fleet.squads.map((squad) => squad.uuid)
    const { uuid, username } = await makeUser(server, { activeInternalSquads: squads })
    await takeDeliveries(server)
    await server.call(api.updateUser, { uuid, activeInternalSquads: squads.toReversed() })
    expect(await takeDeliveries(server)).toEqual([])
    const moved = await server.call(api.updateUser, { uuid, activeInternalSquads: squads.slice(1) })
    expect(moved.activeInternalSquads).toEqual([{ uuid: squads[1], name: 'Second' }])
    expect(await takeDeliveries(server)).toEqual([username])
    const none = await server.call(api.updateUser, { uuid, activeInternalSquads: [] })
    expect(none.activeInternalSquads).toEqual([])
    expect(await takeDeliveries(server)).toEqual([username])
    expect(await refused(server, 'PATCH', '/api/users', { uuid, activeInternalSquads: [UNKNOWN] })).toEqual([400, 'A039'])
  })

  test('other fields tell no node; a status does', async () => {
    const { uuid, username } = await makeUser(server)
    await takeDeliveries(server)
    await server.call(api.updateUser, { uuid, description: 'x', tag: 'X', trafficLimitBytes: GIB })
    expect(await takeDeliveries(server)).toEqual([])
    await server.call(api.updateUser, { uuid, status: 'DISABLED' })
    expect(await takeDeliveries(server)).toEqual([username])
  })

  test('a limited user whose limit is raised over the usage becomes active again, and warnings start anew', async () => {
    const { uuid, username } = await makeUser(server, { trafficLimitBytes: GIB })
    await spend(server, uuid, 3 * GIB)
    await setStatus(server, uuid, 'LIMITED')
    await spend(server, uuid, 3 * GIB, { lastTriggeredThreshold: 80 })
    await takeDeliveries(server)
    expect(await server.call(api.updateUser, { uuid, trafficLimitBytes: 2 * GIB })).toMatchObject({
      status: 'LIMITED',
      lastTriggeredThreshold: 0,
    })
    expect(await takeDeliveries(server)).toEqual([])
    expect(await server.call(api.updateUser, { uuid, trafficLimitBytes: 4 * GIB })).toMatchObject({ status: 'ACTIVE' })
    expect(await takeDeliveries(server)).toEqual([username])
  })

  test('an expired user with a new date becomes active again; a date in the past is refused', async () => {
    const { uuid, username } = await makeUser(server, { status: 'EXPIRED', expireAt: '2020-01-01T00:00:00Z' })
    await takeDeliveries(server)
    expect(await refused(server, 'PATCH', '/api/users', { uuid, expireAt: '2020-01-02T00:00:00Z' })).toEqual([400, 'expireAt'])
    expect(await server.call(api.updateUser, { uuid, expireAt: NEVER })).toMatchObject({ status: 'ACTIVE', expireAt: NEVER })
    expect(await takeDeliveries(server)).toEqual([username])
  })

  test('what changed is audited with before and after', async () => {
    const { uuid } = await makeUser(server, { tag: 'A' })
    await server.call(api.updateUser, { uuid, tag: 'B' })
    const entry = (await audited(uuid)).at(-1)
    expect(entry).toMatchObject({ action: 'updateUser', before: { users: [{ tag: 'A' }] }, after: { users: [{ tag: 'B' }] } })
  })

  test('unknown users, forbidden statuses and the name are not changed', async () => {
    const { uuid, username } = await makeUser(server)
    expect(await refused(server, 'PATCH', '/api/users', { uuid: UNKNOWN, tag: 'A' })).toEqual([404, 'A025'])
    expect(await refused(server, 'PATCH', '/api/users', { uuid, status: 'LIMITED' })).toEqual([400, 'status'])
    expect(await refused(server, 'PATCH', '/api/users', { tag: 'A' })).toEqual([400, 'uuid'])
    expect(await server.send('PATCH', '/api/users', { uuid, username: 'other' })).toMatchObject({
      body: { response: { username } },
    })
  })

  test('two edits at once both last', async () => {
    const { uuid } = await makeUser(server)
    await Promise.all([server.call(api.updateUser, { uuid, tag: 'T' }), server.call(api.updateUser, { uuid, description: 'D' })])
    expect(await server.call(api.getUser, { uuid })).toMatchObject({ tag: 'T', description: 'D' })
  })
})

describe('lastConnectedNode', () => {
  test('is told once a node and a time are known', async () => {
    const { uuid } = await makeUser(server)
    const onlineAt = new Date('2026-11-01T00:00:00Z')
    await spend(server, uuid, 1, { onlineAt, lastConnectedNodeId: fleet.nodes[1]?.id ?? 0 })
    const { lastConnectedNode } = await server.call(api.getUser, { uuid })
    expect(lastConnectedNode).toEqual({ connectedAt: onlineAt.toISOString(), nodeName: 'Beta', countryCode: 'DE' })
  })
})

test.each([
  ['GET', '/api/users'],
  ['POST', '/api/users'],
  ['PATCH', '/api/users'],
  ['GET', '/api/users/tags'],
  ['GET', `/api/users/${UNKNOWN}`],
  ['DELETE', `/api/users/${UNKNOWN}`],
  ['GET', `/api/users/${UNKNOWN}/accessible-nodes`],
  ['GET', `/api/users/by-username/x`],
  ['GET', `/api/users/stats/usage/${UNKNOWN}/range`],
  ['POST', `/api/users/${UNKNOWN}/actions/enable`],
] as const)('%s %s asks for a token', async (method, url) => {
  expect((await server.send(method, url, method === 'GET' ? undefined : {}, {})).status).toBe(401)
})

test('an edit without consequences names its entry of the history too, so that it can be undone at hand', async () => {
  const [user, bystander] = [await makeUser(server), await makeUser(server)]
  const expireAt = '2031-01-01T00:00:00.000Z'
  const { status, headers } = await server.send('PATCH', '/api/users', { uuid: user.uuid, expireAt })
  expect([status, headers['x-history-entry']]).toEqual([200, expect.stringMatching(/^\d+$/)])
  await server.call(api.undoEntry, { id: Number(headers['x-history-entry']) })
  expect((await server.call(api.getUser, { uuid: user.uuid })).expireAt).toBe(user.expireAt)
  expect(await server.call(api.getUser, { uuid: bystander.uuid })).toEqual(bystander)
})
