import * as api from '@causeway/contract'
import { describe, expect, test, vi } from 'vitest'
import { liveFleet, nodeConfig, WAIT, type LiveFleet } from '../live-fleet.ts'

// Programs of other generations, each by the calls that it makes, in its order, with the members that it sends and reads. Nodes
// have simulated agents.

const live = liveFleet({ PUBLIC_URL: 'https://panel.example.com' })
const NEVER = '2099-01-01T00:00:00.000Z'
const NOBODY = 900_000_000

type Body = Record<string, unknown>
type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
interface Program {
  /** Gives what is in the answer, which must be a success. */
  ask: (method: Method, url: string, body?: unknown) => Promise<Body>
  fails: (method: Method, url: string, body?: unknown) => Promise<{ status: number; code: unknown }>
}

/** A program with a token of its own, made as its manual says. */
async function program(token: object, headers: (token: string) => Record<string, string> = bearer): Promise<Program> {
  const made = await live.server.send('POST', '/api/tokens', token)
  const sent = headers(String(inside(made.body)['token']))
  const send: LiveFleet['server']['send'] = (method, url, body) => live.server.send(method, url, body, sent)
  return {
    ask: async (method, url, body) => {
      const { status, body: answer } = await send(method, url, body)
      expect({ method, url, status, answer: status < 400 ? '' : answer }).toMatchObject({ answer: '' })
      return inside(answer)
    },
    fails: async (method, url, body) => {
      const { status, body: answer } = await send(method, url, body)
      return { status, code: (answer as Body)['errorCode'] }
    },
  }
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const inside = (body: unknown) => (body as { response: Body }).response // every answer of the wire is wrapped
const rows = (list: unknown) => list as Body[] // lists of objects

describe('a shop bot of 3.x (Bedolaga 4)', () => {
  /** As for an address of the own network. */
  const asBot = (token: string) => ({
    ...bearer(token),
    'x-api-key': token,
    'x-forwarded-host': 'localhost',
    'x-forwarded-proto': 'https',
    'x-forwarded-for': '127.0.0.1',
  })

  test('WIRE-016 sells, extends, moves between squads and takes back devices', async () => {
    const { node } = await live.connectedNode()
    const bystander = await live.makeUser('bystander')
    const { ask, fails } = await program({ tokenName: 'bot', generation: '3.3' }, asBot)
    expect(await ask('GET', '/api/system/metadata')).toMatchObject({ version: expect.stringMatching(/^3\./) })
    expect(await ask('GET', '/api/system/stats/recap')).toMatchObject({ total: { nodes: 1 } })
    const squads = rows((await ask('GET', '/api/internal-squads'))['internalSquads'])
    expect(squads.map(({ uuid }) => uuid)).toContain(live.squad.uuid)

    const bought = {
      username: 'user_4711',
      status: 'ACTIVE',
      expireAt: '2027-01-01T00:00:00Z',
      trafficLimitBytes: 10 * 2 ** 30,
      trafficLimitStrategy: 'MONTH',
      telegramId: 4711,
      email: 'a@example.com',
      hwidDeviceLimit: 2,
      description: 'Bot user: A',
      tag: 'PAID',
      activeInternalSquads: [live.squad.uuid],
    }
    const user = await ask('POST', '/api/users', bought)
    const { activeInternalSquads: _squads, expireAt, ...kept } = bought
    expect(user).toMatchObject({
      ...kept,
      id: expect.any(Number),
      shortUuid: expect.any(String),
      expireAt: new Date(expireAt).toISOString(),
      subscriptionUrl: expect.stringContaining('https://panel.example.com'),
      activeInternalSquads: [{ uuid: live.squad.uuid, name: live.squad.name }],
      userTraffic: { usedTrafficBytes: 0, lifetimeUsedTrafficBytes: 0, onlineAt: null, firstConnectedAt: null },
      subRevokedAt: null,
      lastTrafficResetAt: null,
      externalSquadUuid: null,
    })
    const { id, shortUuid, username } = user
    const own = `/api/users/${String(id)}`
    for (const name of [{ id }, { shortUuid }, { username }])
      expect(await ask('POST', '/api/users/resolve', name)).toMatchObject({ id, username, shortUuid })
    expect(await ask('GET', own)).toEqual(user)
    expect(await ask('GET', `/api/users/by-short-uuid/${String(shortUuid)}`)).toEqual(user)
    expect(await ask('GET', `/api/users/by-username/${String(username)}`)).toEqual(user)
    expect(await ask('PATCH', '/api/users', { id, trafficLimitBytes: 0, description: 'more' })).toMatchObject({
      id,
      trafficLimitBytes: 0,
    })
    const extended = await ask('POST', `${own}/actions/extend`, { days: 30 })
    expect(Date.parse(String(extended['expireAt'])) - Date.parse(expireAt)).toBe(30 * 86_400_000)
    for (const action of ['disable', 'enable', 'reset-traffic'])
      expect(await ask('POST', `${own}/actions/${action}`)).toMatchObject({ id })
    expect(await ask('POST', `${own}/actions/revoke`, { revokeOnlyPasswords: true })).toMatchObject({ id, shortUuid })

    const stream = await ask('GET', '/api/users/stream?size=1000&telegramId=4711')
    expect(stream).toMatchObject({ users: [{ id }], nextCursor: null, hasMore: false })
    expect(rows((await ask('GET', `${own}/accessible-nodes`))['activeNodes']).map(({ uuid }) => uuid)).toEqual([node.uuid])
    expect(await ask('GET', `${own}/subscription-request-history`)).toMatchObject({ records: [], total: 0 })

    const trial = await ask('POST', '/api/internal-squads', { name: 'Trial', inbounds: [] })
    const members = `/api/internal-squads/${String(trial['uuid'])}/bulk-actions`
    await ask('POST', `${members}/add-many-users`, { userIds: [id] })
    expect(await ask('GET', own)).toMatchObject({
      activeInternalSquads: expect.arrayContaining([{ uuid: trial['uuid'], name: 'Trial' }]),
    })
    await ask('DELETE', `${members}/remove-many-users`, { userIds: [id] })
    expect(rows((await ask('GET', own))['activeInternalSquads'])).toHaveLength(1)
    await ask('POST', '/api/internal-squads/actions/reorder', { items: [{ uuid: trial['uuid'], viewPosition: 1 }] })
    await ask('DELETE', `/api/internal-squads/${String(trial['uuid'])}`)

    await live.server.call(api.createHwidDevice, { userUuid: String(user['uuid']), hwid: 'phone-0001' })
    await live.server.call(api.createHwidDevice, { userUuid: bystander.uuid, hwid: 'phone-0002' })
    expect(rows((await ask('GET', `/api/hwid/devices/${String(id)}`))['devices'])).toMatchObject([
      { hwid: 'phone-0001', userId: id },
    ])
    expect(await ask('POST', '/api/hwid/devices/delete', { userId: id, hwid: 'phone-0001' })).toMatchObject({
      devices: [],
      total: 0,
    })
    await ask('POST', '/api/hwid/devices/delete-all', { userId: id })
    expect((await live.server.call(api.listUserHwidDevices, { userUuid: bystander.uuid })).total).toBe(1)
    expect(rows((await ask('GET', '/api/hwid/devices/top-users?start=0&size=10'))['users'])).toMatchObject([
      { username: 'bystander' },
    ])

    const [shown] = rows(await ask('GET', '/api/nodes'))
    expect(shown).toMatchObject({
      uuid: node.uuid,
      isConnected: true,
      usersOnline: expect.any(Number),
      xrayUptime: expect.any(Number),
    })
    await ask('POST', `/api/nodes/${node.uuid}/actions/restart`, { forceRestart: false })
    await ask('DELETE', own)
    const gone = await fails('GET', own)
    expect(gone.status).toBe(404)
    expect(['A018', 'A063']).toContain(gone.code)
    expect((await live.server.call(api.getUser, { uuid: bystander.uuid })).status).toBe('ACTIVE')
  })
})

describe('shop bots of 2.x', () => {
  test('WIRE-016 remnashop starts, sells, drops connections and deletes', async () => {
    const { agent } = await live.connectedNode()
    const { ask, fails } = await program({ tokenName: 'remnashop', generation: '2.8' })
    const [major = 0, minor = 0] = String((await ask('GET', '/api/system/metadata'))['version'])
      .split('.')
      .map(Number)
    expect(major * 100 + minor).toBeGreaterThanOrEqual(207) // below, it stops
    expect(major).toBe(2)
    expect(await ask('GET', '/api/users/by-telegram-id/815')).toEqual([])
    const uuid = '7b9f5f5e-58a8-4f2c-9b3e-0d6c1f3f8a11'
    const sent = { uuid, username: 'rs_815', expireAt: NEVER, telegramId: 815, activeInternalSquads: [live.squad.uuid] }
    expect(await ask('POST', '/api/users', sent)).toMatchObject({ uuid, telegramId: 815 })
    expect(await ask('GET', '/api/users/by-telegram-id/815')).toMatchObject([{ uuid }])
    expect(await ask('PATCH', '/api/users', { uuid, tag: 'PLAN' })).toMatchObject({ uuid, tag: 'PLAN' })
    agent.connected.set('rs_815', ['198.51.100.7'])
    agent.connected.set('bystander', ['198.51.100.8'])
    const drop = { dropBy: { by: 'userUuids', userUuids: [uuid] }, targetNodes: { target: 'allNodes' } }
    expect(await ask('POST', '/api/ip-control/drop-connections', drop)).toMatchObject({ eventSent: true })
    expect([agent.connected.get('rs_815'), agent.connected.get('bystander')]).toEqual([[], ['198.51.100.8']])
    expect(await ask('POST', '/api/hwid/devices/delete-all', { userUuid: uuid })).toMatchObject({ devices: [] })
    expect(await ask('POST', `/api/users/${uuid}/actions/reset-traffic`)).toMatchObject({ uuid })
    expect(await ask('DELETE', `/api/users/${uuid}`)).toEqual({ isDeleted: true })
    expect(await fails('GET', `/api/users/${uuid}`)).toMatchObject({ status: 404 })
  })

  test('WIRE-016 minishop lists, edits by uuid, shows its page and what nodes have moved', async () => {
    const { node } = await live.connectedNode()
    const { ask } = await program({ tokenName: 'minishop', generation: '2.8' })
    const user = await live.makeUser('mini_1', { telegramId: 99 })
    expect(await ask('GET', '/api/users?size=100&start=0')).toMatchObject({ total: 1, users: [{ uuid: user.uuid }] })
    expect(await ask('GET', '/api/users/by-email/nobody@example.com')).toEqual([])
    expect(await ask('PATCH', '/api/users', { uuid: user.uuid, expireAt: '2027-02-01T00:00:00Z' })).toMatchObject({
      uuid: user.uuid,
    })
    const squad = `/api/internal-squads/${live.squad.uuid}`
    expect(rows((await ask('GET', `${squad}/accessible-nodes`))['accessibleNodes'])).toMatchObject([{ uuid: node.uuid }])
    expect(await ask('GET', `/api/hwid/devices/${user.uuid}`)).toMatchObject({ devices: [], total: 0 })
    const page = `/api/subscriptions/subpage-config/${user.shortUuid}`
    expect(await ask('GET', page, { requestHeaders: { accept: 'text/html' } })).toMatchObject({ webpageAllowed: true })
    const days = 'start=2026-01-01&end=2026-01-31'
    expect(await ask('GET', `/api/bandwidth-stats/nodes?${days}&topNodesLimit=10`)).toMatchObject({ topNodes: [], series: [] })
    expect(await ask('GET', `/api/bandwidth-stats/users/${user.uuid}?${days}&topNodesLimit=10`)).toMatchObject({ series: [] })
    for (const part of ['', '/bandwidth', '/nodes']) await ask('GET', `/api/system/stats${part}`)
    expect(await ask('POST', `/api/nodes/${node.uuid}/actions/restart`)).toMatchObject({ eventSent: true })
  })
})

test('WIRE-016 the limiter polls who is connected, and disables and drops who comes from too many addresses', async () => {
  const { agent, node } = await live.connectedNode()
  const scopes = ['nodes:list', 'connections:*', 'users:*']
  const { ask } = await program({ name: 'limiter', expiresInDays: 365, scopes })
  const [greedy, honest] = [await live.makeUser('greedy'), await live.makeUser('honest')]
  agent.connected.set('greedy', ['198.51.100.1', '198.51.100.2', '198.51.100.3'])
  agent.connected.set('honest', ['198.51.100.4'])
  expect(rows(await ask('GET', '/api/nodes'))).toMatchObject([{ uuid: node.uuid }])
  const { jobId } = await ask('POST', `/api/connections/by-node/${node.uuid}`)
  let tries = 0
  const state = await vi.waitFor(
    async () => {
      tries++
      const read = await ask('GET', `/api/connections/by-node/${String(jobId)}`)
      expect(read).toMatchObject({ isCompleted: true, isFailed: false })
      return read
    },
    { ...WAIT, interval: 1000 },
  )
  expect(tries).toBeLessThanOrEqual(30)
  const users = rows((state['result'] as Body)['users'])
  const over = users.filter(({ ips }) => rows(ips).length > 2).map(({ userId }) => userId)
  expect(over).toEqual([greedy.id])
  for (const id of over) {
    expect(await ask('GET', `/api/users/${String(id)}`)).toMatchObject({ username: 'greedy', status: 'ACTIVE' })
    await ask('POST', `/api/users/${String(id)}/actions/disable`)
  }
  await ask('POST', '/api/connections/drop', { dropBy: { by: 'userIds', userIds: over }, targetNodes: { target: 'allNodes' } })
  expect([agent.connected.get('greedy'), agent.connected.get('honest')]).toEqual([[], ['198.51.100.4']])
  expect((await live.server.call(api.getUser, { uuid: honest.uuid })).status).toBe('ACTIVE')
  await ask('POST', `/api/users/${String(greedy.id)}/actions/enable`)
})

describe('the subscription page', () => {
  const PAGE_SCOPES = [
    'system:metadata',
    'users:by-username',
    'subscription-page-configs:list',
    'subscription-page-configs:get',
    'subscriptions:by-short-uuid-protected',
    'subscriptions:subpage-config',
  ]
  test.each([
    ['7', { tokenName: 'page', generation: '2.8' }],
    ['8', { name: 'page', expiresInDays: 3650, scopes: PAGE_SCOPES }],
  ])(
    'WIRE-016 XSQ-006 page program %s starts, finds its configurations and shows a user, with the page of an external squad',
    async (version, token) => {
      const { ask } = await program(token)
      const user = await live.makeUser('reader')
      // Without any of these it ends.
      expect(await ask('GET', '/api/system/metadata')).toEqual({
        version: expect.any(String),
        build: { time: expect.any(String), number: expect.any(String) },
        git: {
          backend: { commitSha: expect.any(String), branch: expect.any(String), commitUrl: expect.any(String) },
          frontend: { commitSha: expect.any(String), commitUrl: expect.any(String) },
        },
      })
      const configs = rows((await ask('GET', '/api/subscription-page-configs'))['configs'])
      expect(configs.length).toBeGreaterThan(0)
      for (const { uuid } of configs)
        expect(await ask('GET', `/api/subscription-page-configs/${String(uuid)}`)).toMatchObject({
          config: { version: '1', locales: expect.any(Array), platforms: expect.any(Object), svgLibrary: expect.any(Object) },
        })
      // What a browser asks is passed on without the token.
      const passed = { accept: '*/*', 'user-agent': 'Mozilla/5.0', 'x-remnawave-real-ip': '203.0.113.9' }
      const info = await live.server.send('GET', `/api/sub/${user.shortUuid}/info`, undefined, passed)
      expect(inside(info.body)).toMatchObject({
        isFound: true,
        user: { username: 'reader' },
        links: expect.any(Array),
        ssConfLinks: {},
      })
      const own = `/api/subscriptions/subpage-config/${user.shortUuid}`
      expect(await ask('GET', own, { requestHeaders: { accept: 'text/html' } })).toEqual({
        subpageConfigUuid: null,
        webpageAllowed: true,
      })
      const page = await live.server.call(api.createPageConfig, { name: `page ${version}` })
      const squad = await live.server.call(api.createExternalSquad, { name: `squad ${version}` })
      await live.server.call(api.updateExternalSquad, { uuid: squad.uuid, subpageConfigUuid: page.uuid })
      await live.server.call(api.addUsersToExternalSquad, { uuid: squad.uuid, userUuids: [user.uuid] })
      expect(await ask('GET', own, { requestHeaders: { accept: 'text/html' } })).toMatchObject({ subpageConfigUuid: page.uuid })
      expect(rows((await ask('GET', '/api/subscription-page-configs'))['configs']).map(({ uuid }) => uuid)).toContain(page.uuid)
      // Links of an older panel name the user.
      expect(await ask('GET', '/api/users/by-username/reader')).toMatchObject({ shortUuid: user.shortUuid, subRevokedAt: null })
    },
  )
})

test('WIRE-016 Terraform reads back what it wrote, changes it and finds it gone', async () => {
  const { ask, fails } = await program({ name: 'terraform', expiresInDays: 1, scopes: ['*'] })
  expect(await ask('GET', '/api/system/metadata')).toMatchObject({ version: expect.stringMatching(/^3\.\d+\.\d+$/) })

  const profile = await ask('POST', '/api/config-profiles', { name: 'TF profile', config: nodeConfig(['VLESS_TF']) })
  const inbound = rows(profile['inbounds'])[0]?.['uuid']
  const squad = await ask('POST', '/api/internal-squads', { name: 'TF squad', inbounds: [inbound] })
  const placed = { configProfileUuid: profile['uuid'], configProfileInboundUuid: inbound }
  const host = { remark: 'TF host', address: 'tf.example', port: 443, inbound: placed, tags: ['TF'], xhttpExtraParams: { a: 1 } }
  const node = {
    name: 'TF node',
    address: 'node.tf.example',
    port: 2222,
    countryCode: 'DE',
    configProfile: { activeConfigProfileUuid: profile['uuid'], activeInbounds: [inbound] },
  }
  const user = { username: 'tf_user', expireAt: NEVER, activeInternalSquads: [squad['uuid']], trafficLimitStrategy: 'WEEK' }
  const resources = [
    { url: '/api/hosts', key: 'uuid', sent: host, edit: { remark: 'TF host 2', tags: [] } },
    { url: '/api/nodes', key: 'uuid', sent: node, edit: { name: 'TF node 2' } },
    { url: '/api/users', key: 'id', sent: user, edit: { description: 'by Terraform', hwidDeviceLimit: 0 } },
  ]
  for (const { url, key, sent, edit } of resources) {
    const made = await ask('POST', url, sent)
    const at = `${url}/${String(made[key])}`
    expect(withoutMoments(await ask('GET', at))).toEqual(withoutMoments(made))
    const edited = await ask('PATCH', url, { [key]: made[key], ...edit })
    expect(edited).toMatchObject(edit)
    expect(withoutMoments(await ask('GET', at))).toEqual(withoutMoments(edited))
    await ask('DELETE', at)
    expect((await fails('GET', at)).status).toBe(404)
  }
  expect(await ask('GET', `/api/internal-squads/${String(squad['uuid'])}`)).toMatchObject({
    name: 'TF squad',
    info: { membersCount: 0 },
  })
  for (const [url, uuid] of [
    ['/api/internal-squads', squad['uuid']],
    ['/api/config-profiles', profile['uuid']],
  ] as const) {
    await ask('DELETE', `${url}/${String(uuid)}`)
    expect((await fails('GET', `${url}/${String(uuid)}`)).status).toBe(404)
  }
  expect((await fails('GET', `/api/users/${NOBODY}`)).status).toBe(404)
})

/** The fleet notes what it does meanwhile. */
const MOVING = ['updatedAt', 'lastStatusChange', 'lastStatusMessage', 'isConnecting']

function withoutMoments(thing: Body): Body {
  return Object.fromEntries(Object.entries(thing).filter(([name]) => !MOVING.includes(name)))
}
