import * as api from '@causeway/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testServer, type TestServer } from '../../../test/server.ts'

// What programs of other generations do, each as it does it.

let server: TestServer
beforeAll(async () => {
  server = await testServer({ env: { PUBLIC_URL: 'https://panel.example.com' } })
})
afterAll(() => server.close())

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const NEVER = '2099-01-01T00:00:00.000Z'
let made = 0
const makeUser = (fields: object = {}) => server.call(api.createUser, { username: `user${++made}`, expireAt: NEVER, ...fields })
const idOf = (user: api.User) => user.id ?? 0

/** Calls as a token of this generation. */
async function program(generation: api.Generation) {
  const { token } = await server.call(api.createApiToken, { tokenName: generation, generation })
  return (method: Method, url: string, body?: unknown) => server.send(method, url, body, bearer(token))
}

describe('users by number', () => {
  test('WIRE-003 paths and bodies take a number or a uuid, and the answer is the same', async () => {
    const user = await makeUser()
    const byUuid = await server.send('GET', `/api/users/${user.uuid}`)
    expect(await server.send('GET', `/api/users/${idOf(user)}`)).toMatchObject({ status: 200, body: byUuid.body })
    const edited = await server.send('PATCH', '/api/users', { id: idOf(user), description: 'by number' })
    expect(edited).toMatchObject({ status: 200, body: { response: { uuid: user.uuid, description: 'by number' } } })
    const other = await makeUser()
    const device = await server.send('POST', '/api/hwid/devices', { userId: idOf(user), hwid: 'phone' })
    expect(device).toMatchObject({ status: 200, body: { response: { devices: [{ userUuid: user.uuid, userId: user.id }] } } })
    expect(await server.send('POST', '/api/users/bulk/delete', { userIds: [idOf(user)] })).toMatchObject({
      status: 200,
      body: { response: { affectedRows: 1 } },
    })
    expect(await server.send('GET', `/api/users/${idOf(other)}`)).toMatchObject({ status: 200 })
    expect(await server.send('GET', `/api/users/${idOf(user)}`)).toMatchObject({ status: 404 })
  })

  test('WIRE-003 numbers that can be none, and two names of different users, are refused by the name of the field', async () => {
    const [user, other] = [await makeUser(), await makeUser()]
    const refused = (field: string) => ({ status: 400, body: { errors: [{ path: [field] }] } })
    expect(await server.send('GET', '/api/users/9007199254740993')).toMatchObject(refused('uuid'))
    expect(await server.send('PATCH', '/api/users', { id: 1.5, description: 'x' })).toMatchObject(refused('id'))
    expect(await server.send('PATCH', '/api/users', { id: idOf(user), uuid: other.uuid, description: 'x' })).toMatchObject(
      refused('id'),
    )
    expect(await server.send('PATCH', '/api/users', { id: idOf(user), uuid: user.uuid, description: 'x' })).toMatchObject({
      status: 200,
    })
    expect((await server.call(api.getUser, { uuid: other.uuid })).description).toBeNull()
    expect(await server.send('PATCH', '/api/users', { id: 900_000_000, description: 'x' })).toMatchObject({ status: 404 })
  })
})

describe('tokens', () => {
  test('WIRE-006 the answers that contradict each other follow the generation of the token, and nothing else does', async () => {
    const [first, second, third] = [await program('2.1'), await program('2.8'), await program('3.3')]
    const nobody = '/api/users/by-telegram-id/987654'
    expect(await first('GET', nobody)).toMatchObject({ status: 404, body: { errorCode: 'A062' } })
    expect(await second('GET', nobody)).toMatchObject({ status: 200, body: { response: [] } })
    expect(await third('GET', nobody)).toMatchObject({ status: 404 })
    const profile = await server.call(api.createConfigProfile, {
      name: 'Generations',
      config: {
        inbounds: [{ tag: 'GEN', port: 4433, protocol: 'trojan', settings: { clients: [] } }],
        outbounds: [{ protocol: 'freedom', tag: 'DIRECT' }],
      },
    })
    const activeInbounds = profile.inbounds.map(({ uuid }) => uuid)
    const node = await server.call(api.createNode, {
      name: 'gen',
      address: 'gen.example',
      configProfile: { activeConfigProfileUuid: profile.uuid, activeInbounds },
    })
    const [old, later] = [await first('GET', `/api/nodes/${node.uuid}`), await second('GET', `/api/nodes/${node.uuid}`)]
    expect(old.body).toMatchObject({ response: { xrayUptime: '0', usersOnline: 0 } })
    expect(later.body).toEqual({ response: { ...responseOf(old), xrayUptime: 0 } })
  })

  test('WIRE-006 WIRE-013 the words of a later program make a token of its generation; a generation that is none is refused', async () => {
    const asked = { name: 'terraform', expiresInDays: 30, scopes: ['*'] }
    const { status, body } = await server.send('POST', '/api/tokens', asked)
    expect({ status, body }).toMatchObject({ status: 201, body: { response: { name: 'terraform', scopes: ['*'] } } })
    const { token, uuid, expireAt } = responseOf({ body })
    expect(Math.round((Date.parse(String(expireAt)) - Date.now()) / 86_400_000)).toBe(30)
    expect(await server.call(api.getApiTokenDetails, { uuid: String(uuid) })).toMatchObject({ generation: '3.3' })
    const told = await server.send('GET', '/api/system/metadata', undefined, bearer(String(token)))
    expect(told.body).toMatchObject({ response: { version: '3.3.2' } })
    expect(await server.send('POST', '/api/tokens', { tokenName: 'x', generation: '4.0' })).toMatchObject({ status: 400 })
    const list = await server.call(api.listApiTokens, {})
    expect(list.tokens?.find((each) => each.uuid === uuid)).toMatchObject({ name: 'terraform', scopes: ['*'] })
    await server.call(api.updateApiToken, { uuid: String(uuid), generation: '2.8' })
    const changed = await server.send('GET', '/api/system/metadata', undefined, bearer(String(token)))
    expect(changed.body).toMatchObject({ response: { version: '2.8.1' } })
  })

  test('WIRE-013 permissions, an end and showing once hold for POST /api/tokens too, and never beside the words of later programs', async () => {
    const asked = { tokenName: 'reader', permissions: ['hosts.read'], isShownOnce: true, expiresAt: '2090-01-01T00:00:00Z' }
    const { token, uuid } = responseOf(await server.send('POST', '/api/tokens', asked))
    const bystander = await server.call(api.createApiToken, { tokenName: 'all' })
    const as = (text: unknown) => ({ authorization: `Bearer ${String(text)}` })
    expect((await server.send('GET', '/api/hosts', undefined, as(token))).status).toBe(200)
    expect((await server.send('GET', '/api/users', undefined, as(token))).status).toBe(403)
    expect((await server.send('GET', '/api/users', undefined, as(bystander.token))).status).toBe(200)
    const { tokens } = await server.call(api.listApiTokenDetails, {})
    const kept = { permissions: ['hosts.read'], isShownOnce: true, expiresAt: '2090-01-01T00:00:00.000Z', generation: '2.1' }
    expect(tokens.find((each) => each.uuid === uuid)).toMatchObject(kept)
    const refusedBy = async (more: object) =>
      (await server.send('POST', '/api/tokens', { tokenName: 'bad', ...more })).body as { errors?: { path: unknown[] }[] } // form B
    expect((await refusedBy({ permissions: ['fly'] })).errors?.[0]?.path).toEqual(['permissions', 0])
    expect((await refusedBy({ permissions: ['hosts.read'], scopes: ['*'] })).errors?.[0]?.path).toEqual(['permissions'])
    expect((await refusedBy({ expiresAt: asked.expiresAt, expiresInDays: 1 })).errors?.[0]?.path).toEqual(['expiresAt'])
    expect((await refusedBy({ expiresAt: '2000-01-01T00:00:00Z' })).errors?.[0]?.path).toEqual(['expiresAt'])
  })

  test('WIRE-013 scopes open what they name and nothing else, and permissions are told as scopes', async () => {
    const scopes = ['users:by-username', 'system:metadata']
    const { token } = responseOf(await server.send('POST', '/api/tokens', { name: 'page', expiresInDays: 1, scopes }))
    const user = await makeUser()
    const ask = async (method: Method, url: string) => (await server.send(method, url, undefined, bearer(String(token)))).status
    expect(await ask('GET', `/api/users/by-username/${user.username}`)).toBe(200)
    expect(await ask('GET', '/api/system/metadata')).toBe(200)
    expect(await ask('GET', `/api/users/${user.uuid}`)).toBe(403)
    expect(await ask('DELETE', `/api/users/${user.uuid}`)).toBe(403)
    expect(await ask('GET', '/api/x/users/near-limit')).toBe(403)
    expect(await server.send('POST', '/api/tokens', { name: 'bad', expiresInDays: 1, scopes: ['users:fly'] })).toMatchObject({
      status: 400,
      body: { errorCode: 'A229' },
    })
    const limited = await server.call(api.createLimitedApiToken, { tokenName: 'hosts', permissions: ['hosts.read'] })
    const list = await server.call(api.listApiTokens, {})
    expect(list.tokens?.find(({ uuid }) => uuid === limited.uuid)?.scopes).toEqual(['hosts:read'])
    const { resources } = await server.call(api.listTokenScopes, {})
    expect(resources.find(({ resource }) => resource === 'users')?.resourceScopes).toEqual([
      'users:*',
      'users:read',
      'users:write',
    ])
  })

  test('WIRE-007 a token without a mark, and a session, get what 2.1 gave', async () => {
    const { token } = await server.call(api.createApiToken, { tokenName: 'old shop' })
    expect(await server.send('GET', '/api/users/by-tag/NOBODY', undefined, bearer(token))).toMatchObject({ status: 404 })
    expect(await server.send('GET', '/api/users/by-tag/NOBODY')).toMatchObject({ status: 404 })
    await server.call(api.updateInstallation, { sessionGeneration: '2.8' })
    expect(await server.send('GET', '/api/users/by-tag/NOBODY')).toMatchObject({ status: 200, body: { response: [] } })
    const dashboard = { ...server.admin, [api.DASHBOARD_HEADER]: '1' }
    expect(await server.send('GET', '/api/users/by-tag/NOBODY', undefined, dashboard)).toMatchObject({ status: 404 })
    await server.call(api.updateInstallation, { sessionGeneration: '2.1' })
  })
})

describe('what programs ask when they start', () => {
  test('WIRE-008 the metadata have every part that programs demand, with the version of the caller', async () => {
    for (const generation of api.generation.options) {
      const { body } = await (await program(generation))('GET', '/api/system/metadata')
      expect(responseOf({ body })).toMatchObject({
        version: api.generationVersions[generation],
        build: { time: expect.any(String), number: server.ctx.config.version },
        git: { backend: { commitSha: expect.any(String), branch: expect.any(String), commitUrl: expect.any(String) } },
      })
    }
    const recap = await (await program('3.4'))('GET', '/api/system/stats/recap')
    expect(recap.body).toMatchObject({ response: { version: '3.4.4', thisMonth: { traffic: expect.any(String) } } })
  })

  test('WIRE-014 the page program finds its page, and sends JSON with a GET', async () => {
    const ask = await program('3.3')
    const list = responseOf(await ask('GET', '/api/subscription-page-configs'))
    expect(list).toMatchObject({ total: 1, configs: [{ uuid: api.DEFAULT_PAGE_CONFIG, name: 'Default' }] })
    expect(await ask('GET', `/api/subscription-page-configs/${api.DEFAULT_PAGE_CONFIG}`)).toMatchObject({ status: 200 })
    const user = await makeUser()
    const url = `/api/subscriptions/subpage-config/${user.shortUuid}`
    expect(await ask('GET', url, { requestHeaders: { accept: 'text/html' } })).toMatchObject({
      status: 200,
      body: { response: { subpageConfigUuid: null, webpageAllowed: true } },
    })
    expect(await ask('GET', '/api/subscriptions/subpage-config/nobody', { requestHeaders: {} })).toMatchObject({
      body: { response: { webpageAllowed: false } },
    })
    expect(await ask('GET', url, { requestHeaders: 'none' })).toMatchObject({ status: 400 })
    // Elsewhere what comes with a GET is not read.
    expect(await ask('GET', '/api/users/tags', { requestHeaders: 'none' })).toMatchObject({ status: 200 })
  })
})

describe('many users', () => {
  test('WIRE-009 the stream gives every user once, page by page, while users come and go', async () => {
    const made = await Promise.all(Array.from({ length: 7 }, () => makeUser({ tag: 'STREAM' })))
    const before = made.toSorted((one, other) => Number(one.id) - Number(other.id))
    const seen: string[] = []
    let cursor: string | undefined
    for (;;) {
      const page = await server.call(api.streamUsers, { tag: 'STREAM', size: 2, ...(cursor ? { cursor } : {}) })
      seen.push(...page.users.map(({ username }) => username))
      if (seen.length === 2) await server.call(api.deleteUser, { uuid: before[0]?.uuid ?? '' })
      if (seen.length === 4) await makeUser({ tag: 'STREAM' })
      expect(page.hasMore).toBe(page.nextCursor !== null)
      if (page.nextCursor === null) break
      cursor = page.nextCursor
    }
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen).toEqual(expect.arrayContaining(before.map(({ username }) => username)))
    for (const query of ['cursor=abc', 'cursor=99999999999999999', 'size=0', 'size=1001'])
      expect(await server.send('GET', `/api/users/stream?${query}`)).toMatchObject({ status: 400 })
  })

  test('WIRE-010 a user is resolved by any name, extended by days, and many are added to a squad', async () => {
    const late = await makeUser({ expireAt: '2020-01-01T00:00:00.000Z' })
    for (const by of [{ id: idOf(late) }, { uuid: late.uuid }, { shortUuid: late.shortUuid }, { username: late.username }])
      expect(await server.send('POST', '/api/users/resolve', by)).toMatchObject({
        status: 200,
        body: { response: { id: late.id, uuid: late.uuid, username: late.username, shortUuid: late.shortUuid } },
      })
    expect(await server.send('POST', '/api/users/resolve', {})).toMatchObject({ status: 400 })
    expect(await server.send('POST', '/api/users/resolve', { username: 'nobody' })).toMatchObject({ status: 404 })
    const extended = await server.send('POST', `/api/users/${idOf(late)}/actions/extend`, { days: 3 })
    expect(extended).toMatchObject({ status: 200, body: { response: { status: 'ACTIVE' } } })
    expect(await server.send('POST', `/api/users/${idOf(late)}/actions/extend`, { days: 0 })).toMatchObject({ status: 400 })
    const squad = await server.call(api.createInternalSquad, { name: 'Many', inbounds: [] })
    const url = `/api/internal-squads/${squad.uuid}/bulk-actions`
    await server.send('POST', `${url}/add-many-users`, { userIds: [idOf(late)] })
    expect((await server.call(api.getInternalSquad, { uuid: squad.uuid })).info.membersCount).toBe(1)
    await server.send('DELETE', `${url}/remove-many-users`, { userIds: [idOf(late)] })
    expect((await server.call(api.getInternalSquad, { uuid: squad.uuid })).info.membersCount).toBe(0)
  })
})

test('WIRE-001 a user is the same in every answer that holds one', async () => {
  const user = await makeUser({ tag: 'SAME', email: 'same@example.com', telegramId: 4711 })
  expect(user.userTraffic).toEqual({
    usedTrafficBytes: 0,
    lifetimeUsedTrafficBytes: 0,
    onlineAt: null,
    firstConnectedAt: null,
    lastConnectedNodeUuid: null,
  })
  const { traffic: _traffic, ...listed } =
    (await server.call(api.listUsers, { filters: [{ id: 'username', value: user.username }] })).users[0] ?? {}
  const all = [
    listed,
    await server.call(api.getUser, { uuid: user.uuid }),
    await server.call(api.getUserById, { uuid: user.uuid }),
    await server.call(api.getUserByUsername, { username: user.username }),
    ...(await server.call(api.listUsersByEmail, { email: 'same@example.com' })),
    ...(await server.call(api.listUsersByTelegramId, { telegramId: '4711' })),
    ...(await server.call(api.streamUsers, { tag: 'SAME' })).users,
  ]
  for (const one of all) expect(one).toEqual(user)
})

test('WIRE-002 a host has the members of later generations, whichever spelling it was made with', async () => {
  const { profiles } = await (async () => ({ profiles: await server.call(api.listConfigProfiles, {}) }))()
  const [profile] = profiles.configProfiles
  const inbound = { configProfileUuid: profile?.uuid ?? '', configProfileInboundUuid: profile?.inbounds[0]?.uuid ?? '' }
  const later = {
    remark: 'later',
    address: 'a.example',
    port: 443,
    inbound,
    tags: ['EU', 'ASIA'],
    xhttpExtraParams: { a: 1 },
    path: null,
  }
  const { status, body } = await server.send('POST', '/api/hosts', later)
  expect(status).toBe(201)
  expect(responseOf({ body })).toMatchObject({
    tag: 'EU',
    tags: ['EU', 'ASIA'],
    xHttpExtraParams: { a: 1 },
    xhttpExtraParams: { a: 1 },
    excludedInternalSquads: [],
  })
  const bad: [unknown, (string | number)[]][] = [
    [['eu'], ['tags', 0]],
    [['X'.repeat(37)], ['tags', 0]],
    [Array.from({ length: 11 }, (_, index) => `T${index}`), ['tags']],
    [null, ['tags']],
  ]
  for (const [tags, path] of bad)
    expect(await server.send('POST', '/api/hosts', { ...later, tags })).toMatchObject({
      status: 400,
      body: { errors: [{ path }] },
    })
})

describe('routes whose feature is not there', () => {
  test.each(api.pending.map((one) => [one.endpoint.name, one] as const))('WIRE-004 %s', async (_, { endpoint, reads }) => {
    const url = endpoint.path.replaceAll(/:\w+/g, '00000000-0000-4000-8000-000000000001')
    const { status, body } = await server.send(endpoint.method, url, endpoint.method === 'GET' ? undefined : {})
    const code = reads && 'missing' in reads ? api.errors[reads.missing].code : undefined
    const error = code === undefined ? { message: api.errors.notThereYet.message } : { errorCode: code }
    const isEmpty = reads !== undefined && 'empty' in reads
    const refusal = { status: code === undefined ? 409 : 404, body: error }
    expect({ status, body }).toMatchObject(isEmpty ? { status: 200, body: { response: reads.empty } } : refusal)
    const stranger = await server.send(endpoint.method, url, undefined, {})
    expect(stranger.status).toBe(endpoint.access === 'public' ? 409 : 401)
  })
})

function responseOf({ body }: { body: unknown }): Record<string, unknown> {
  return (body as { response: Record<string, unknown> }).response // every wrapped reply of the wire
}
