import * as api from '@causeway/contract'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { testServer, type TestServer } from '../../../test/server.ts'

// What the preview says an app would receive is held against what the public route sends.

const limits = {
  HWID_DEVICE_LIMIT_ENABLED: 'true',
  HWID_FALLBACK_DEVICE_LIMIT: '2',
  HWID_MAX_DEVICES_ANNOUNCE: 'Too many devices',
}
let server: TestServer
let inbounds: Record<string, { configProfileUuid: string; configProfileInboundUuid: string }>
let squads: string[]
let users: api.User[]

beforeAll(async () => {
  server = await testServer({ env: limits })
  const realitySettings = {
    privateKey: 'mDG2KAWM8J6DnLRK9_4wB1VZ5Xw7iyDqYcZ0CgXyW0M',
    target: 'example.com:443',
    serverNames: ['example.com'],
    shortIds: ['aa', 'bb', 'cc'],
  }
  const profile = await server.call(api.createConfigProfile, {
    name: 'all',
    config: {
      inbounds: [
        { tag: 'SS', port: 1, protocol: 'shadowsocks', settings: { clients: [] } },
        inbound('VLESS', 'vless', { network: 'tcp', security: 'reality', realitySettings }),
        inbound('XHTTP', 'vless', { network: 'xhttp', security: 'tls', xhttpSettings: { path: '/x' } }),
        inbound('WS', 'trojan', { network: 'ws', security: 'tls', wsSettings: { path: '/ws' } }),
        { tag: 'SOCKS', port: 9, protocol: 'socks', settings: {} },
      ],
    },
  })
  inbounds = Object.fromEntries(
    profile.inbounds.map(({ tag, uuid }) => [tag, { configProfileUuid: profile.uuid, configProfileInboundUuid: uuid }]),
  )
  const uuids = profile.inbounds.map(({ uuid }) => uuid)
  const all = await server.call(api.createInternalSquad, { name: 'all', inbounds: uuids })
  const one = await server.call(api.createInternalSquad, { name: 'one', inbounds: [inboundOf('SS').configProfileInboundUuid] })
  squads = [all.uuid, one.uuid]
  const host = (remark: string, tag: string, more: object = {}) =>
    server.call(api.createHost, {
      inbound: inboundOf(tag),
      remark,
      address: 'a.example, b.example, *.c.example',
      port: 443,
      ...more,
    })
  await host('plain', 'SS')
  await host('{{USERNAME}} {{NOPE}} 🇩🇪', 'VLESS', { sni: '*.sni.example' })
  await host('{{USERNAME}} {{NOPE}} 🇩🇪', 'XHTTP')
  await host('ws', 'WS', { shuffleHost: true })
  await host('off', 'WS', { isDisabled: true })
  await host('secret', 'WS', { isHidden: true })
  users = [
    await user('active', [all.uuid], { hwidDeviceLimit: 0 }),
    await user('single', [one.uuid], { trafficLimitBytes: 10, trafficLimitStrategy: 'WEEK', hwidDeviceLimit: 1 }),
    await user('squadless', []),
  ]
  const disabled = await user('disabled', [all.uuid], { hwidDeviceLimit: 0 })
  users.push(await server.call(api.disableUser, { uuid: disabled.uuid }))
})
afterAll(() => server.close())
afterEach(() => {
  vi.restoreAllMocks()
})

function inbound(tag: string, protocol: string, streamSettings: object) {
  const tls = { tlsSettings: { serverName: 'tls.example' } }
  return { tag, port: 1, protocol, settings: { clients: [], decryption: 'none' }, streamSettings: { ...tls, ...streamSettings } }
}

function inboundOf(tag: string) {
  const found = inbounds[tag]
  if (!found) throw new Error(`no inbound ${tag}`)
  return found
}

function user(username: string, activeInternalSquads: string[], more: object = {}) {
  return server.call(api.createUser, { username, expireAt: '2099-01-01T00:00:00Z', activeInternalSquads, ...more })
}

/** The same numbers for the preview and for the route. */
function rollDice(seed: number): void {
  let state = seed
  vi.spyOn(Math, 'random').mockImplementation(() => (state = (state * 16_807 + 11) % 2_147_483_647) / 2_147_483_647)
}

async function real(of: api.User, ask: { userAgent: string; clientType?: string; hwid?: string; wantsPage?: boolean }) {
  const reply = await server.app.inject({
    url: `/api/sub/${of.shortUuid}${ask.clientType ? `/${ask.clientType}` : ''}`,
    headers: {
      host: 'panel.example',
      'user-agent': ask.userAgent,
      ...(ask.hwid === undefined ? {} : { 'x-hwid': ask.hwid }),
      ...(ask.wantsPage ? { accept: 'text/html' } : {}),
    },
  })
  // What a connection adds to every answer.
  const { date: _, connection: __, 'content-length': length, 'access-control-allow-origin': ___, ...headers } = reply.headers
  return { status: reply.statusCode, headers, body: reply.body, bytes: Number(length) }
}

async function preview(ask: api.CallInput<typeof api.previewSubscription>) {
  const headers = { ...server.admin, host: 'panel.example' }
  const reply = await server.send('POST', '/api/x/subscriptions/preview', ask, headers)
  if (reply.status !== 200) throw new Error(JSON.stringify(reply.body))
  const { response } = reply.body as { response: unknown } // the wire's wrapper
  return api.previewSubscription.response.parse(response)
}

const apps = [
  'v2rayN/7.1.0',
  'Happ/2.0',
  'FlClash/0.8',
  'clash/1',
  'Stash/3.0',
  'SFA/1.12.0 (sing-box 1.12.0)',
  'SFI/1.9.0',
  'Outline',
  'Mozilla/5.0 (iPhone)',
  '',
  'ü\u00e9 app',
]

describe('the preview', () => {
  test('is byte by byte what the route sends, headers and all, over users, apps, formats, devices and settings', async () => {
    server.clock.now = new Date()
    const { uuid } = await server.call(api.getSubscriptionSettings, {})
    const remark = fc
      .oneof(
        fc.string({ maxLength: 20, unit: 'grapheme' }),
        fc.constantFrom('two\nlines', '\u200f‮mirrored', '👨‍👩‍👧 {{DAYS_LEFT}}', '{{NO_SUCH_KEY}} {{USERNAME}}', '{{__proto__}}'),
      )
      .map((text) => text.replaceAll('\0', ''))
    const remarks = fc.array(remark, { maxLength: 4 })
    const settings = fc.record(
      {
        profileTitle: remark,
        supportLink: remark,
        profileUpdateInterval: fc.integer({ min: 1, max: 999 }),
        isProfileWebpageUrlEnabled: fc.boolean(),
        serveJsonAtBaseSubscription: fc.boolean(),
        addUsernameToBaseSubscription: fc.boolean(),
        isShowCustomRemarks: fc.boolean(),
        happAnnounce: fc.option(remark),
        happRouting: fc.option(remark),
        expiredUsersRemarks: remarks,
        limitedUsersRemarks: remarks,
        disabledUsersRemarks: remarks,
        randomizeHosts: fc.boolean(),
        customResponseHeaders: fc.dictionary(
          fc.constantFrom('X-One', 'profile-title', 'X-Two', 'support-url', 'announce'),
          fc.constantFrom('1', '{{USERNAME}}', 'йцу', '😀', '{{NOPE}}'),
          { maxKeys: 5 },
        ),
      },
      { requiredKeys: [] },
    )
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          place: fc.nat({ max: 3 }),
          userAgent: fc.constantFrom(...apps),
          clientType: fc.option(fc.constantFrom(...api.clientType.options), { nil: undefined }),
          hwid: fc.constantFrom(undefined, '', 'phone', 'tablet', 'x'.repeat(300)),
          wantsPage: fc.boolean(),
          draft: settings,
          seed: fc.integer({ min: 1, max: 1_000_000 }),
        }),
        async ({ place, draft, seed, clientType, hwid, wantsPage, userAgent }) => {
          const chosen = users[place]
          if (!chosen) return
          const ask = { userAgent, wantsPage, ...(clientType && { clientType }), ...(hwid !== undefined && { hwid }) }
          rollDice(seed)
          // First unsaved, then saved: the second is what the public route makes of it.
          const promised = await preview({ ...ask, userUuid: chosen.uuid, settings: draft })
          await server.call(api.updateSubscriptionSettings, { uuid, ...draft })
          await expect
            .poll(async () => {
              rollDice(seed)
              const { device: _, ...saved } = await preview({ ...ask, userUuid: chosen.uuid })
              return saved
            })
            .toMatchObject({ body: promised.body, headers: promised.headers })
          rollDice(seed)
          const sent = await real(chosen, ask)
          expect(sent.status).toBe(200)
          expect(promised.body).toBe(sent.body)
          expect(promised.headers).toEqual(sent.headers)
          expect(promised.bytes).toBe(sent.bytes)
        },
      ),
      { numRuns: 60 },
    )
    server.clock.now = undefined
  }, 120_000)

  /** Everything that is kept of a user and could follow from a request. */
  const kept = async (uuid: string) => {
    const { happ: _, ...stored } = await server.call(api.getUser, { uuid })
    const requests = await server.call(api.listUserSubscriptionRequests, { uuid })
    const devices = await server.call(api.listUserHwidDevices, { userUuid: uuid })
    const { db } = server.ctx
    const audit = await db.selectFrom('auditLog').select('id').orderBy('id', 'desc').limit(1).execute()
    return { stored, requests, devices, audit }
  }
  const reasonsOf = (seen: Awaited<ReturnType<typeof preview>>) =>
    Object.fromEntries(seen.leftOut.map(({ remark, reason }) => [remark, reason]))

  test('stores nothing, counts no request and touches no device, whatever it is asked', async () => {
    const fresh = await user('untouched', squads, { hwidDeviceLimit: 1 })
    await real(fresh, { userAgent: 'v2rayN', hwid: 'first' })
    const agents = async (uuid: string) => (await kept(uuid)).requests.records.map(({ userAgent }) => userAgent)
    await expect.poll(() => agents(fresh.uuid), { timeout: 10_000 }).toEqual(['v2rayN'])
    const before = await kept(fresh.uuid)
    for (const hwid of ['first', 'second', '', 'x'.repeat(999)]) {
      await preview({ userUuid: fresh.uuid, userAgent: 'other', hwid, wantsPage: hwid === '' })
    }
    await preview({ userAgent: 'other', hosts: [{ remark: 'new', address: 'n.example', port: 1, inbound: inboundOf('SS') }] })
    const { audit } = await kept(fresh.uuid)
    // What a later request has left is written after all that came before it.
    const later = await user('later', [])
    await real(later, { userAgent: 'marker', hwid: 'marker' })
    await expect.poll(() => agents(later.uuid), { timeout: 10_000 }).toEqual(['marker'])
    const { audit: _, ...after } = await kept(fresh.uuid)
    expect({ ...after, audit }).toEqual(before)
  })

  test('says how the device stands, and what a refused one gets', async () => {
    const limited = await user('limited', squads, { hwidDeviceLimit: 1 })
    const as = (hwid: string) => preview({ userUuid: limited.uuid, userAgent: 'v2rayN', hwid })
    expect(await as('')).toMatchObject({ device: 'unnamed', body: '', format: 'nothing', servers: [] })
    expect(await as('phone')).toMatchObject({ device: 'new', format: 'links' })
    await real(limited, { userAgent: 'v2rayN', hwid: 'phone' })
    expect(await as('phone')).toMatchObject({ device: 'known', format: 'links' })
    const refused = await as('tablet')
    expect(refused).toMatchObject({ device: 'tooMany', bytes: 0 })
    expect(refused.headers['announce']).toBe(`base64:${Buffer.from('Too many devices').toString('base64')}`)
    expect(new Set(refused.leftOut.map(({ reason }) => reason))).toEqual(new Set(['device']))
  })

  test('says of each host why it is left out', async () => {
    const [active, , , disabled] = users
    const narrow = await user('narrow', squads.slice(1), { hwidDeviceLimit: 0 })
    const settings = { isShowCustomRemarks: true, disabledUsersRemarks: ['Pay, {{USERNAME}}'], randomizeHosts: false }
    const seen = await preview({ userUuid: active?.uuid, userAgent: 'FlClash', settings })
    expect(seen.format).toBe('mihomo')
    expect(seen.servers.map(({ remark }) => remark)).toEqual(['ws', 'plain', 'active {{NOPE}} 🇩🇪'])
    expect(reasonsOf(seen)).toEqual({ '{{USERNAME}} {{NOPE}} 🇩🇪': 'format', off: 'disabled', secret: 'hidden' })
    const outline = await preview({ userUuid: active?.uuid, userAgent: 'Outline' })
    expect(outline.servers.map(({ remark }) => remark)).toEqual(['plain'])
    expect(reasonsOf(outline)).toMatchObject({ ws: 'format' })
    expect(reasonsOf(await preview({ userUuid: narrow.uuid, userAgent: 'x' }))).toMatchObject({
      ws: 'noSquad',
      '{{USERNAME}} {{NOPE}} 🇩🇪': 'noSquad',
    })
    const texts = await preview({ userUuid: disabled?.uuid, userAgent: 'x', settings })
    expect(texts.servers).toMatchObject([{ remark: 'Pay, disabled', hostUuid: null }])
    expect(reasonsOf(texts)).toMatchObject({ plain: 'status', ws: 'status', off: 'disabled' })
  })

  test('takes hosts and templates that are not saved, and a status that the user does not have', async () => {
    const [active] = users
    const userUuid = active?.uuid
    const [plain] = (await server.call(api.listHosts, {})).filter(({ remark }) => remark === 'plain')
    const hosts = [
      { uuid: plain?.uuid, remark: 'renamed', address: 'r.example', port: 1 },
      { remark: 'new', address: 'n.example', port: 2, inbound: inboundOf('SS') },
      { remark: 'lost', address: 'n.example', port: 2 },
    ]
    const seen = await preview({ userUuid, userAgent: 'v2rayN', hosts })
    const links = Buffer.from(seen.body, 'base64').toString()
    expect(links).toContain('@r.example:1#renamed')
    expect(links).toContain('@n.example:2#new')
    expect(links).not.toContain('#plain')
    expect(reasonsOf(seen)).toMatchObject({ lost: 'noInbound' })
    const yaml = (text: string) => [
      { templateType: 'MIHOMO' as const, encodedTemplateYaml: Buffer.from(text).toString('base64') },
    ]
    expect((await preview({ userUuid, userAgent: 'FlClash', templates: yaml('mode: mine') })).body).toContain('mode: mine')
    expect((await preview({ userUuid, userAgent: 'FlClash' })).body).not.toContain('mode: mine')
    await expect(preview({ userUuid, userAgent: 'x', templates: yaml('mode: a\nmode: b') })).rejects.toThrow(
      'cannot be used: The key mode stands twice',
    )
    await expect(preview({ userUuid, userAgent: 'x', templates: yaml('x'.repeat(250_001)) })).rejects.toThrow('at most 250000')
    const expired = { isShowCustomRemarks: true, expiredUsersRemarks: ['over'] }
    const over = await preview({ userUuid, userAgent: 'x', status: 'EXPIRED', settings: expired })
    expect(over.servers.map(({ remark }) => remark)).toEqual(['over'])
  })

  test('has somebody to show before there is a user, who sees the hosts of every squad', async () => {
    const seen = await preview({ userAgent: 'v2rayN', settings: { isShowCustomRemarks: true } })
    expect(seen.servers.map(({ remark }) => remark)).toContain('sample_user {{NOPE}} 🇩🇪')
    expect(seen.headers['content-disposition']).toBe('attachment; filename=sample_user')
  })

  test('refuses what settings refuse, in the same words, and an unknown user', async () => {
    const send = (body: object) => server.send('POST', '/api/x/subscriptions/preview', { userAgent: 'x', ...body })
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, place) => [`X-${place}`, '1']))
    expect(await send({ settings: { customResponseHeaders: many } })).toMatchObject({
      status: 400,
      body: { errors: [{ path: ['settings', 'customResponseHeaders'], message: 'must have at most 30 entries' }] },
    })
    expect(await send({ settings: { customResponseHeaders: { 'X-One': 'a\nb' } } })).toMatchObject({ status: 400 })
    expect(await send({ userUuid: '00000000-0000-4000-8000-000000000000' })).toMatchObject({ status: 404 })
    expect(await send({ clientType: 'surge' })).toMatchObject({ status: 400 })
  })
})
