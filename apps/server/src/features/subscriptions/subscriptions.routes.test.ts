import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import * as api from '@causeway/contract'
import { testServer, type TestServer } from '../../../test/server.ts'

let server: TestServer
let inbound: { configProfileUuid: string; configProfileInboundUuid: string }
let squadUuid: string

beforeAll(async () => {
  server = await testServer({ env: { SUB_PUBLIC_DOMAIN: 'sub.example.com' } })
  const made = await makeSquad('main')
  inbound = made.inbound
  squadUuid = made.squadUuid
  await server.call(api.createHost, { inbound, remark: 'one', address: 'one.example', port: 8388 })
  await server.call(api.createHost, { inbound, remark: '{{USERNAME}}', address: 'two.example', port: 8388 })
  await server.call(api.createHost, { inbound, remark: 'hidden', address: 'h.example', port: 1, isHidden: true })
  await server.call(api.createHost, { inbound, remark: 'disabled', address: 'd.example', port: 1, isDisabled: true })
})
afterAll(() => server.close())

async function makeSquad(name: string) {
  const config = { inbounds: [{ tag: `SS_${name}`, port: 1234, protocol: 'shadowsocks', settings: { clients: [] } }] }
  const profile = await server.call(api.createConfigProfile, { name, config })
  const configProfileInboundUuid = profile.inbounds[0]?.uuid ?? ''
  const squad = await server.call(api.createInternalSquad, { name, inbounds: [configProfileInboundUuid] })
  return { inbound: { configProfileUuid: profile.uuid, configProfileInboundUuid }, squadUuid: squad.uuid }
}

let count = 0
function makeUser(fields: Partial<Parameters<typeof server.call<typeof api.createUser>>[1]> = {}) {
  return server.call(api.createUser, {
    username: `user_${++count}`,
    expireAt: '2099-01-01T00:00:00Z',
    activeInternalSquads: [squadUuid],
    ...fields,
  })
}

async function get(url: string, headers: Record<string, string> = {}) {
  const reply = await server.app.inject({ method: 'GET', url, headers })
  return { status: reply.statusCode, type: reply.headers['content-type'], text: reply.body, headers: reply.headers }
}

const fromBase64 = (text: string): string => Buffer.from(text, 'base64').toString()

describe('a subscription', () => {
  test('is links in Base64 for an unknown client, with all its headers', async () => {
    const user = await makeUser({ ssPassword: 'secret-secret', trafficLimitBytes: 1024, trafficLimitStrategy: 'MONTH' })
    const { status, type, text, headers } = await get(`/api/sub/${user.shortUuid}`)
    expect([status, type]).toEqual([200, 'text/plain; charset=utf-8'])
    const secret = Buffer.from('chacha20-ietf-poly1305:secret-secret').toString('base64')
    expect(fromBase64(text).split('\n')).toEqual([
      `ss://${secret}@one.example:8388#one`,
      `ss://${secret}@two.example:8388#${user.username}`,
    ])
    expect(headers).toMatchObject({
      'content-disposition': `attachment; filename=${user.username}`,
      'profile-title': 'base64:Q2F1c2V3YXk=',
      'profile-update-interval': '12',
      'subscription-userinfo': 'upload=0; download=0; total=1024; expire=0',
      'profile-web-page-url': `https://sub.example.com/${user.shortUuid}`,
      'subscription-refill-date': expect.stringMatching(/^\d+$/),
      'x-robots-tag': expect.any(String),
      'cache-control': 'private, no-store',
    })
    expect(headers).not.toHaveProperty('support-url')
  })

  test('says when traffic is refilled by the zone of the installation, also once that has changed', async () => {
    const user = await makeUser({ trafficLimitStrategy: 'DAY' })
    const other = await makeUser({ trafficLimitStrategy: 'NO_RESET' })
    const refillOf = async ({ shortUuid }: typeof user) => {
      const seconds = (await get(`/api/sub/${shortUuid}`)).headers['subscription-refill-date']
      return seconds === undefined ? undefined : new Date(Number(seconds) * 1000).toISOString()
    }
    await server.call(api.updateInstallation, { timeZone: 'Asia/Tehran' })
    server.clock.now = new Date('2026-11-23T12:00:00Z')
    await expect.poll(() => refillOf(user)).toBe('2026-11-23T20:30:00.000Z')
    await server.call(api.updateInstallation, { timeZone: 'America/Los_Angeles' })
    await expect.poll(() => refillOf(user)).toBe('2026-11-24T08:00:00.000Z')
    expect(await refillOf(other)).toBeUndefined()
    server.clock.now = undefined
  })

  test.each([
    ['mihomo', 'text/yaml'],
    ['stash', 'text/yaml'],
    ['clash', 'text/yaml'],
    ['singbox', 'application/json'],
    ['singbox-legacy', 'application/json'],
    ['json', 'application/json'],
    ['v2ray-json', 'application/json'],
  ])('is what the path /%s says, as %s', async (clientType, contentType) => {
    const user = await makeUser()
    const { status, type, text, headers } = await get(`/api/sub/${user.shortUuid}/${clientType}`, { 'user-agent': 'Outline' })
    expect([status, type]).toEqual([200, `${contentType}; charset=utf-8`])
    expect(headers).toHaveProperty('subscription-userinfo')
    const content: unknown = contentType === 'text/yaml' ? parse(text) : JSON.parse(text)
    expect(JSON.stringify(content)).toContain('one.example')
    expect(JSON.stringify(content)).not.toContain('h.example')
  })

  test.each([
    ['FlClash/1', 'text/yaml'],
    ['ClashX', 'text/yaml'],
    ['Stash', 'text/yaml'],
    ['SFA/1.11.0', 'application/json'],
    ['Outline', 'application/json'],
    ['', 'text/plain'],
  ])('is for the client "%s" of the type %s', async (userAgent, contentType) => {
    const user = await makeUser()
    const { type, text } = await get(`/api/sub/${user.shortUuid}`, { 'user-agent': userAgent })
    expect(type).toBe(`${contentType}; charset=utf-8`)
    expect(text).not.toBe('')
  })

  test('shows the texts of the status instead of hosts', async () => {
    const user = await makeUser()
    await server.send('POST', `/api/users/${user.uuid}/actions/disable`)
    const { text } = await get(`/api/sub/${user.shortUuid}`)
    const { disabledUsersRemarks } = await server.call(api.getSubscriptionSettings, {})
    const remarks = fromBase64(text)
      .split('\n')
      .map((link) => decodeURIComponent(link.split('#')[1] ?? ''))
    expect(remarks).toEqual(disabledUsersRemarks)
  })

  test('tells a user without squads from a user whose squads have no hosts', async () => {
    const { squadUuid: emptySquad } = await makeSquad('empty')
    const [none, empty] = [await makeUser({ activeInternalSquads: [] }), await makeUser({ activeInternalSquads: [emptySquad] })]
    const remarks = async (shortUuid: string) => decodeURIComponent(fromBase64((await get(`/api/sub/${shortUuid}`)).text))
    expect(await remarks(none.shortUuid)).toContain('not a member of any internal squad')
    expect(await remarks(empty.shortUuid)).toContain('hosts of your squads')
  })

  test('of an unknown or revoked link is the same 404 everywhere, and unknown types are refused', async () => {
    const user = await makeUser()
    const body = { isFound: false, statusCode: 404, message: 'Resource not found' }
    const upper = user.shortUuid === user.shortUuid.toUpperCase() ? `${user.shortUuid}x` : user.shortUuid.toUpperCase()
    for (const url of ['nope', 'nope/json', 'outline/nope/ss/dGFn', 'nope/ss/dGFn', '%00', 'x'.repeat(300), upper]) {
      const { status, text, headers } = await get(`/api/sub/${url}`)
      expect([url, status, JSON.parse(text)]).toEqual([url, 404, body])
      expect(headers).not.toHaveProperty('subscription-userinfo')
    }
    expect(await server.send('GET', '/api/sub/nope/info', undefined, {})).toMatchObject({
      status: 404,
      body: { errorCode: 'A025' },
    })
    expect(await get(`/api/sub/${user.shortUuid}/surge`)).toMatchObject({ status: 400 })
    await server.send('POST', `/api/users/${user.uuid}/actions/revoke`, {})
    expect(await get(`/api/sub/${user.shortUuid}`)).toMatchObject({ status: 404 })
  })

  test('follows every change of hosts, squads, settings and templates within a moment', async () => {
    const made = await makeSquad('changes')
    const user = await makeUser({ activeInternalSquads: [made.squadUuid] })
    const links = async () => fromBase64((await get(`/api/sub/${user.shortUuid}`)).text)
    expect(await links()).toContain('No%20hosts%20found')
    const host = await server.call(api.createHost, { inbound: made.inbound, remark: 'fresh', address: 'fresh.example', port: 1 })
    await expect.poll(links).toContain('@fresh.example:1')
    await server.call(api.updateHost, { uuid: host.uuid, port: 2 })
    await expect.poll(links).toContain('@fresh.example:2')
    await server.call(api.updateInternalSquad, { uuid: made.squadUuid, inbounds: [] })
    await expect.poll(links).toContain('No%20hosts%20found')
    const { uuid } = await server.call(api.getSubscriptionSettings, {})
    await server.call(api.updateSubscriptionSettings, { uuid, profileUpdateInterval: 7, addUsernameToBaseSubscription: true })
    await expect.poll(async () => (await get(`/api/sub/${user.shortUuid}`)).headers['profile-update-interval']).toBe('7')
    const info = await server.call(api.getSubscriptionInfo, { shortUuid: user.shortUuid })
    expect(info.subscriptionUrl).toBe(`https://sub.example.com/${user.shortUuid}#${user.username}`)
    await server.call(api.updateSubscriptionSettings, { uuid, addUsernameToBaseSubscription: false })
    await server.call(api.updateSubscriptionTemplate, {
      templateType: 'CLASH',
      encodedTemplateYaml: Buffer.from('mode: mine').toString('base64'),
    })
    await expect.poll(async () => (await get(`/api/sub/${user.shortUuid}/clash`)).text).toContain('mode: mine')
  })
})

describe('opening a subscription', () => {
  const accessOf = async (uuid: string) => {
    const { subLastOpenedAt, subLastUserAgent } = await server.call(api.getUser, { uuid })
    return subLastOpenedAt === null ? null : subLastUserAgent
  }

  test('is noted after the answer, with the client that did it', async () => {
    const user = await makeUser()
    expect(await accessOf(user.uuid)).toBeNull()
    await get(`/api/sub/${user.shortUuid}`, { 'user-agent': 'v2rayN/1' })
    await expect.poll(() => accessOf(user.uuid), { timeout: 5000 }).toBe('v2rayN/1')
    await get(`/api/sub/outline/${user.shortUuid}/ss/x`, { 'user-agent': 'Outline' })
    await expect.poll(() => accessOf(user.uuid), { timeout: 5000 }).toBe('Outline')
  })

  test('is not what reading the information or an unknown link is', async () => {
    const [user, opened] = [await makeUser(), await makeUser()]
    await get(`/api/sub/${user.shortUuid}/info`)
    await get(`/api/sub/${user.shortUuid}`, { accept: 'text/html' })
    await get(`/api/sub/${opened.shortUuid}`)
    await expect.poll(() => accessOf(opened.uuid), { timeout: 5000 }).not.toBeNull()
    expect(await accessOf(user.uuid)).toBeNull()
  })
})

describe('information about a subscription', () => {
  test('UDRAWER-043 is wrapped at /info, with its links as texts; where a browser opens the link it is a page', async () => {
    const user = await makeUser({ trafficLimitBytes: 53_687_091_200 })
    const wrapped = await get(`/api/sub/${user.shortUuid}/info`)
    const bare = await get(`/api/sub/${user.shortUuid}`, { accept: 'text/html,*/*' })
    const { response } = JSON.parse(wrapped.text) as { response: unknown } // the wire's wrapper
    expect(response).toMatchObject({
      isFound: true,
      user: {
        username: user.username,
        trafficLimit: '50.00 GiB',
        trafficUsed: '0',
        trafficLimitBytes: '53687091200',
        isActive: true,
        userStatus: 'ACTIVE',
      },
      subscriptionUrl: `https://sub.example.com/${user.shortUuid}`,
      happ: { cryptoLink: expect.stringMatching(/^happ:\/\/crypt\//) },
      links: [expect.stringContaining('one.example'), expect.stringContaining('two.example')],
      ssConfLinks: { one: `ssconf://sub.example.com/${user.shortUuid}/ss/b25l#one` },
    })
    expect(bare.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(bare.text).toContain(user.username)
    expect(bare.headers).not.toHaveProperty('subscription-userinfo')
    for (const { headers } of [wrapped, bare]) expect(headers['cache-control']).toBe('private, no-store')
  })

  test('is found by username, uuid and short uuid with a token only', async () => {
    const user = await makeUser()
    const ways = [`by-username/${user.username}`, `by-uuid/${user.uuid}`, `by-short-uuid/${user.shortUuid}`]
    for (const way of ways) {
      const { status, body } = await server.send('GET', `/api/subscriptions/${way}`)
      expect([status, body]).toMatchObject([
        200,
        { response: { user: { username: user.username }, links: [expect.any(String), expect.any(String)] } },
      ])
      expect(await server.send('GET', `/api/subscriptions/${way}`, undefined, {})).toMatchObject({ status: 401 })
    }
    for (const way of ['by-username/nobody', 'by-uuid/00000000-0000-4000-8000-000000000000', 'by-short-uuid/nope']) {
      expect(await server.send('GET', `/api/subscriptions/${way}`)).toMatchObject({ status: 404, body: { errorCode: 'A025' } })
    }
  })

  test('is listed in pages with the total, newest user first', async () => {
    const user = await makeUser()
    const users = await server.call(api.listUsers, { size: 1 })
    const page = await server.call(api.listSubscriptions, { start: 0, size: 2 })
    expect(page.total).toBe(users.total)
    expect(page.subscriptions).toHaveLength(2)
    expect(page.subscriptions[0]?.user.username).toBe(user.username)
    expect((await server.call(api.listSubscriptions, { start: page.total })).subscriptions).toEqual([])
    for (const query of ['size=501', 'size=0', 'start=-1', 'start=x']) {
      expect(await server.send('GET', `/api/subscriptions?${query}`)).toMatchObject({ status: 400 })
    }
    expect(await server.send('GET', '/api/subscriptions', undefined, {})).toMatchObject({ status: 401 })
  })
})

describe('one server for Outline', () => {
  test('is found by its name under every form of the address', async () => {
    const user = await makeUser()
    for (const url of [
      `/api/sub/outline/${user.shortUuid}/ss/b25l`,
      `/api/sub//outline/${user.shortUuid}/ss/b25l`,
      `/api/sub/${user.shortUuid}/ss/b25l`,
    ]) {
      const { status, type, text } = await get(url)
      expect([url, status, type]).toEqual([url, 200, 'application/json; charset=utf-8'])
      expect(JSON.parse(text)).toEqual({
        method: 'chacha20-ietf-poly1305',
        password: user.ssPassword,
        server: 'one.example',
        server_port: 8388,
      })
    }
    expect((await get(`/api/sub/outline/${user.shortUuid}/ss/bm9uZQ==`)).text).toBe('{}')
  })

  test('may have a long name in any script', async () => {
    const remark = 'ю'.repeat(40)
    const made = await makeSquad('long')
    await server.call(api.createHost, { inbound: made.inbound, remark, address: 'long.example', port: 5 })
    const user = await makeUser({ activeInternalSquads: [made.squadUuid] })
    await expect
      .poll(async () => (await get(`/api/sub/outline/${user.shortUuid}/ss/${Buffer.from(remark).toString('base64url')}`)).text)
      .toContain('long.example')
  })

  test('of another type is the subscription by the name of the client', async () => {
    const user = await makeUser()
    expect(await get(`/api/sub/outline/${user.shortUuid}/vless/x`, { 'user-agent': 'Stash' })).toMatchObject({
      type: 'text/yaml; charset=utf-8',
    })
  })
})

describe('raw data of a subscription', () => {
  test('has hidden hosts, disabled ones on request, and stands bare where early panels have it', async () => {
    const user = await makeUser({ tag: 'RAW' })
    const raw = async (query: string) => {
      const { status, body } = await server.send('GET', `/api/sub/${user.shortUuid}/raw${query}`)
      expect(status).toBe(200)
      expect(body).not.toHaveProperty('response')
      return api.rawSubscription.strict().parse(body)
    }
    const view = await raw('')
    expect(view.rawHosts.map((host) => host.remark)).toEqual(['one', user.username, 'hidden'])
    expect((await raw('?withDisabledHosts=true')).rawHosts.map((host) => host.remark)).toContain('disabled')
    expect((await raw('?withDisabledHosts=1')).rawHosts).toHaveLength(3)
    expect(view).toMatchObject({ user: { tag: 'RAW' }, isHwidLimited: false, headers: { 'profile-title': expect.any(String) } })
    expect(view.rawHosts[0]).toMatchObject({
      address: 'one.example',
      port: 8388,
      protocolOptions: { ss: { method: 'chacha20-ietf-poly1305' } },
      password: { ssPassword: user.ssPassword },
      dbData: { inboundTag: 'SS_main', configProfileInboundUuid: inbound.configProfileInboundUuid },
    })
  })

  test('stands in the form of later panels where those have it', async () => {
    const user = await makeUser({ trafficLimitBytes: 1024 })
    const raw = (query: { withDisabledHosts?: string }) =>
      server.call(api.getRawSubscriptionByShortUuid, { shortUuid: user.shortUuid, ...query })
    const early = api.rawSubscription.parse((await server.send('GET', `/api/sub/${user.shortUuid}/raw`)).body)
    const { happ: _random, ...known } = user
    expect(await raw({})).toMatchObject({
      user: { ...known, updatedAt: expect.any(String), subLastOpenedAt: null, subLastUserAgent: null },
      convertedUserInfo: {
        daysLeft: early.user.daysLeft,
        trafficLimit: '1.00 KiB',
        trafficUsed: '0',
        lifetimeTrafficUsed: '0',
        isHwidLimited: false,
      },
      headers: { 'profile-title': expect.any(String) },
      rawHosts: early.rawHosts,
    })
    expect((await raw({ withDisabledHosts: 'true' })).rawHosts).toHaveLength(4)
    const path = `/api/subscriptions/by-short-uuid/${user.shortUuid}/raw`
    expect(await server.send('GET', path, undefined, {})).toMatchObject({ status: 401 })
    expect(await server.send('GET', '/api/subscriptions/by-short-uuid/nope/raw')).toMatchObject({ status: 404 })
  })

  test('needs a token and a user', async () => {
    const user = await makeUser()
    expect(await server.send('GET', `/api/sub/${user.shortUuid}/raw`, undefined, {})).toMatchObject({ status: 401 })
    expect(await server.send('GET', '/api/sub/nope/raw')).toMatchObject({ status: 404, body: { isFound: false } })
  })
})

describe('an address that tries unknown links', () => {
  test('is held back after many misses, while known links stay open from there', async () => {
    const [good, fresh] = [await makeUser(), await makeUser()]
    const from = (url: string) => server.app.inject({ url, remoteAddress: '198.51.100.7' })
    expect((await from(`/api/sub/${good.shortUuid}`)).statusCode).toBe(200)
    const statuses = []
    for (let index = 0; index < 61; index++) statuses.push((await from(`/api/sub/guess-${index}`)).statusCode)
    expect(statuses).toEqual([...Array<number>(60).fill(404), 429])
    const refused = await from(`/api/sub/${fresh.shortUuid}/info`)
    expect([refused.statusCode, Number(refused.headers['retry-after']) > 0]).toEqual([429, true])
    expect((await from(`/api/sub/${good.shortUuid}`)).statusCode).toBe(200)
    const page = { url: `/api/sub/${fresh.shortUuid}/info`, remoteAddress: '198.51.100.7', headers: server.admin }
    expect((await server.app.inject(page)).statusCode).toBe(200)
    expect((await get(`/api/sub/${fresh.shortUuid}`)).status).toBe(200)
  })
})

describe('a change made past this server', () => {
  test('is noticed through the database, also after the connection for notices was lost', async () => {
    const made = await makeSquad('outside')
    await server.call(api.createHost, { inbound: made.inbound, remark: 'outside', address: 'outside.example', port: 1 })
    const user = await makeUser({ activeInternalSquads: [made.squadUuid] })
    const links = async () => fromBase64((await get(`/api/sub/${user.shortUuid}`)).text)
    const move = (port: number) => server.ctx.pool.query(`update "hosts" set "port" = $1 where "remark" = 'outside'`, [port])
    await expect.poll(links).toContain('@outside.example:1#')
    await move(2)
    await expect.poll(links).toContain('@outside.example:2#')
    await server.ctx.pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'causeway bus' and datname = current_database()`)
    await move(3)
    await expect.poll(links, { timeout: 5000 }).toContain('@outside.example:3#')
    await move(4)
    await expect.poll(links, { timeout: 5000 }).toContain('@outside.example:4#')
  })
})

describe('without a public domain', () => {
  test('links lead to the origin the panel is reached at', async () => {
    const plain = await testServer()
    const user = await plain.call(api.createUser, { username: 'plain', expireAt: '2099-01-01T00:00:00Z' })
    const reply = await plain.app.inject({ url: `/api/sub/${user.shortUuid}/info`, headers: { host: 'panel.test:3000' } })
    expect(reply.json()).toMatchObject({ response: { subscriptionUrl: `http://panel.test:3000/api/sub/${user.shortUuid}` } })
    await plain.close()
  })
})
