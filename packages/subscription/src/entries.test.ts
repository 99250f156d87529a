import { describe, expect, it } from 'vitest'
import {
  defaultSubscriptionSettings,
  infoView,
  prepareHost,
  rawHostView,
  renderOutlineByTag,
  resolvedConfigView,
  shownSubscriptionUrl,
  subscriptionEntries,
  subscriptionUser,
  type EntrySettings,
  type PreparedHost,
  type Subscriber,
} from '@causeway/subscription'
import {
  makeHost,
  makeUser,
  now,
  prepare,
  privateKey,
  publicKey,
  publicKeyOf,
  seededRandom,
  url,
  valuesOf,
} from '../test/samples.ts'

interface Options {
  settings?: Partial<EntrySettings>
  hasSquads?: boolean
  keepOrder?: boolean
  seed?: number
}

function entriesOf(user: Subscriber, hosts: PreparedHost[], options: Options = {}) {
  const { hasSquads = true, keepOrder = false } = options
  const request = { values: valuesOf(user), hasSquads, keepOrder, random: seededRandom(options.seed) }
  return subscriptionEntries(user, hosts, { ...defaultSubscriptionSettings, ...options.settings }, request)
}

const reality = { security: 'reality', realitySettings: { serverNames: ['a.example'], privateKey, shortIds: ['0a', '1b'] } }

describe('what a subscription consists of', () => {
  const hosts = [prepare({ protocol: 'vless' }, { remark: 'one' }), prepare({ protocol: 'vless' }, { remark: 'two' })]
  const remarks = (options: Options & { user?: Partial<Subscriber>; hosts?: PreparedHost[] } = {}) =>
    entriesOf(makeUser(options.user), options.hosts ?? hosts, options).map((entry) => entry.remark)

  it.each([
    ['EXPIRED', { expiredUsersRemarks: ['bye {{USERNAME}}', 'bye {{USERNAME}}'] }, ['bye alice', 'bye alice']],
    ['LIMITED', { limitedUsersRemarks: ['used {{TRAFFIC_USED}}'] }, ['used 5.00 GiB']],
    ['DISABLED', { disabledUsersRemarks: [] }, []],
  ] as const)('for a user who is %s: exactly the configured texts', (status, settings, expected) => {
    const lists = Object.fromEntries(Object.entries(settings).map(([key, list]) => [key, [...list]]))
    expect(remarks({ user: { status }, settings: lists })).toEqual(expected)
    expect(remarks({ user: { status }, settings: { ...lists, isShowCustomRemarks: false } })).toEqual(['one', 'two'])
  })

  it('without hosts: a hint that tells missing squads from missing hosts', () => {
    expect(remarks({ hosts: [], hasSquads: false })).toEqual([
      'Causeway subscription',
      'You are not a member of any internal squad',
      'No hosts found',
    ])
    expect(remarks({ hosts: [], hasSquads: true })[1]).toContain('hosts')
  })

  it('in a random order only where it is wanted and the order does not matter', () => {
    const many = Array.from({ length: 20 }, (_, index) => prepare({ protocol: 'vless' }, { remark: `${index}` }))
    const sorted = many.map((host) => host.source.remark)
    const shuffled = remarks({ hosts: many, settings: { randomizeHosts: true } })
    expect(shuffled).not.toEqual(sorted)
    expect(new Set(shuffled)).toEqual(new Set(sorted))
    expect(remarks({ hosts: many, settings: { randomizeHosts: true }, keepOrder: true })).toEqual(sorted)
    expect(remarks({ hosts: many })).toEqual(sorted)
  })

  it('with every name once, also when a host is named like a numbered one', () => {
    const named = (remark: string) => prepare({ protocol: 'vless' }, { remark })
    const names = remarks({ hosts: ['a', 'a ^~2~^', 'a', 'a', 'a ^~2~^'].map(named) })
    expect(names).toEqual(['a', 'a ^~2~^', 'a ^~3~^', 'a ^~4~^', 'a ^~2~^ ^~1~^'])
  })
})

describe('a host becomes an entry', () => {
  const entry = (inbound: Parameters<typeof prepare>[0], fields: Parameters<typeof prepare>[1] = {}, seed = 1) => {
    const [first] = entriesOf(makeUser(), [prepare(inbound, fields)], { seed })
    if (!first) throw new Error('an entry expected')
    return first
  }
  const some = <T>(make: (seed: number) => T): Set<T> => new Set(Array.from({ length: 40 }, (_, seed) => make(seed * 7919)))

  it('with one address of a list and one short id of several, drawn for each request', () => {
    expect(some((seed) => entry({ protocol: 'vless' }, { address: ' a.b , *.c' }, seed).address)).toEqual(new Set(['a.b', '*.c']))
    expect(some((seed) => entry({ protocol: 'vless', streamSettings: reality }, {}, seed).shortId)).toEqual(new Set(['0a', '1b']))
  })

  it('with random text for the first asterisk, without letters that look like digits', () => {
    expect(entry({ protocol: 'vless' }, { address: '*.x.*' }).address).toMatch(/^[0-9a-hj-km-z]{10}\.x\.\*$/)
    expect(entry({ protocol: 'vless' }, { host: 'h*' }).host).toMatch(/^h[0-9a-hj-km-z]{10}$/)
    expect(entry({ protocol: 'vless' }, { sni: 'a.*.x' }).sni).toMatch(/^a\.[0-9a-hj-km-z]{10}\.x$/)
    expect(entry({ protocol: 'vless' }, { sni: '*' }).sni).toBe('*')
  })

  it('with the server name of the host, else of the inbound, else the address if it is a name', () => {
    const tls = (tlsSettings: object) => ({ protocol: 'vless', streamSettings: { security: 'tls', tlsSettings } })
    expect(entry(tls({ serverName: 'in.example' }), { sni: 'own.example' }).sni).toBe('own.example')
    expect(entry(tls({ serverName: 'in.example' })).sni).toBe('in.example')
    expect(entry(tls({})).sni).toBe('node.example.com')
    for (const address of ['192.0.2.1', '2001:db8::1', '*.example.com', 'a.example,b.example', 'localhost'])
      expect(entry(tls({}), { address }).sni).toBe('')
    expect(entry(tls({ serverName: 'in.example' }), { address: '192.0.2.1', overrideSniFromAddress: true }).sni).toBe('192.0.2.1')
  })

  it('with the security of the host’s layer, keeping what REALITY had', () => {
    expect(entry({ protocol: 'vless', streamSettings: reality }, { securityLayer: 'TLS' })).toMatchObject({
      security: 'tls',
      publicKey,
      sni: 'a.example',
    })
    expect(entry({ protocol: 'vless', streamSettings: reality }, { securityLayer: 'NONE' })).toMatchObject({
      security: 'none',
      flow: '',
    })
    expect(entry({ protocol: 'vless' })).toMatchObject({ security: '', network: 'tcp' })
  })

  it('with the route id in the third group of the uuid, and not for the id 0', () => {
    const uuid = (vlessRouteId: number | null) => entry({ protocol: 'vless' }, { vlessRouteId }).credentials.vlessUuid
    expect(uuid(443)).toBe('550e8400-e29b-01bb-a716-446655440000')
    expect(uuid(65535)).toBe('550e8400-e29b-ffff-a716-446655440000')
    expect([uuid(0), uuid(null)]).toEqual(Array(2).fill('550e8400-e29b-41d4-a716-446655440000'))
  })

  it('and not at all when its inbound carries no users', () => {
    expect(prepareHost(makeHost({ protocol: 'dokodemo-door' }), publicKeyOf)).toBeNull()
    const undecryptable = { protocol: 'vless', settings: { decryption: 'mlkem768x25519plus.native.600s' } }
    expect(prepareHost(makeHost(undecryptable), publicKeyOf)).toBeNull()
  })

  it.each([
    ['websocket', 'wsSettings', 'ws'],
    ['splithttp', 'splithttpSettings', 'xhttp'],
    ['splithttp', 'xhttpSettings', 'xhttp'],
    ['mkcp', 'kcpSettings', 'kcp'],
  ])('of a transport by its older name %s with %s is written as %s', (network, key, name) => {
    const host = prepare({ protocol: 'vless', streamSettings: { network, [key]: { path: '/p' } } })
    expect([host.network, host.path]).toEqual([name, name === 'kcp' ? host.path : '/p'])
  })
})

describe('views of a subscription', () => {
  const user = makeUser()
  const happCryptoLink = (text: string): string => `happ://crypt/${text.length}`

  it('tell the user in sizes and days', () => {
    expect(subscriptionUser(user, now)).toEqual({
      shortUuid: 'k3Vd_8QwZp0aXr2T',
      username: 'alice',
      daysLeft: 13,
      trafficUsed: '5.00 GiB',
      trafficLimit: '50.00 GiB',
      lifetimeTrafficUsed: '7.20 GiB',
      trafficUsedBytes: '5368709120',
      trafficLimitBytes: '53687091200',
      lifetimeTrafficUsedBytes: '7730941132',
      expiresAt: '2025-06-28T13:00:00.000Z',
      isActive: true,
      userStatus: 'ACTIVE',
      trafficLimitStrategy: 'MONTH',
    })
  })

  it('name the servers that Outline can keep up to date', () => {
    const hosts = [0, 1, 8388].map((port) =>
      prepare({ protocol: 'shadowsocks' }, { remark: port === 8388 ? 'Remark' : `port ${port}`, port }),
    )
    const shownUrl = shownSubscriptionUrl(url, 'alice', true)
    const info = infoView(user, entriesOf(user, hosts), { url, shownUrl, now, happCryptoLink })
    expect(info.ssConfLinks).toEqual({ Remark: 'ssconf://sub.example.com/k3Vd_8QwZp0aXr2T/ss/UmVtYXJr#Remark' })
    expect(info.links).toHaveLength(3)
    expect(info.subscriptionUrl).toBe(`${url}#alice`)
    expect(info.happ).toEqual({ cryptoLink: `happ://crypt/${url.length + 6}` })
    expect(shownSubscriptionUrl(url, 'alice', false)).toBe(url)
  })

  it('give one server by its name in either alphabet of Base64', () => {
    const hosts = [
      prepare({ protocol: 'vless' }, { remark: 'ü>?' }),
      prepare({ protocol: 'shadowsocks' }, { remark: '>>>?' }),
      prepare({ protocol: 'shadowsocks' }, { remark: 'ü' }),
    ]
    const entries = entriesOf(user, hosts)
    const server = { method: 'chacha20-ietf-poly1305', password: 'sspw', server: 'node.example.com', server_port: 443 }
    for (const tag of ['Pj4-Pw', 'Pj4+Pw==', 'w7w', 'w7w=']) expect(JSON.parse(renderOutlineByTag(entries, tag))).toEqual(server)
    for (const tag of ['', 'w7w+Pw==', '%%%']) expect(renderOutlineByTag(entries, tag)).toBe('{}')
  })

  it('begin with the hosts that shall be shuffled, in a new order each time', () => {
    const hosts = ['a', 'b', 'c', 'd', 'e'].map((remark) =>
      prepare({ protocol: 'trojan' }, { remark, shuffleHost: remark === 'b' || remark === 'd' || remark === 'e' }),
    )
    const order = (seed: number, options: Options = {}) =>
      entriesOf(user, hosts, { seed, ...options })
        .map((entry) => entry.remark)
        .join('')
    const orders = Array.from({ length: 40 }, (_, seed) => order(seed * 7919))
    for (const one of orders) expect(one).toMatch(/^[bde]{3}ac$/)
    expect(new Set(orders).size).toBe(6)
    expect(order(1, { keepOrder: true })).toBe('abcde')
  })

  it('give every host as data, with what is stored beside it', () => {
    const streamSettings = { network: 'xhttp', xhttpSettings: { mode: 'stream-one', heartbeatPeriod: 10 }, ...reality }
    const hosts = [prepare({ protocol: 'vless', streamSettings }, { tags: ['EU', 'FAST'] }), prepare({ protocol: 'shadowsocks' })]
    const [xhttp, shadowsocks] = entriesOf(user, hosts).map(rawHostView)
    expect(xhttp).toMatchObject({
      additionalParams: { mode: 'stream-one', heartbeatPeriod: 10 },
      tls: 'reality',
      password: { ssPassword: 'sspw', trojanPassword: 'tr/pw', vlessPassword: user.vlessUuid },
      dbData: {
        inboundTag: 'IN',
        tag: 'EU',
        remark: 'host',
        isHidden: false,
        configProfileUuid: '0d6f6f0e-7b0f-4a7e-8f5c-1a2b3c4d5e60',
      },
    })
    expect(xhttp).not.toHaveProperty('flow')
    expect(xhttp).toMatchObject({ shuffleHost: false, mihomoX25519: false, allowInsecure: false })
    expect(shadowsocks).toMatchObject({ remark: 'host ^~2~^', protocolOptions: { ss: { method: 'chacha20-ietf-poly1305' } } })
    expect(entriesOf(user, []).map(rawHostView)[0]).not.toHaveProperty('dbData')
  })

  it('give every host in the form of 2.7, without texts in place of hosts and without VMess', () => {
    const streamSettings = { network: 'xhttp', xhttpSettings: { mode: 'stream-one' }, ...reality }
    const hosts = [
      prepare({ protocol: 'vless', streamSettings }, { tags: ['EU', 'FAST'] }),
      prepare({ protocol: 'vmess' }),
      prepare({ protocol: 'shadowsocks' }),
    ]
    const [xhttp, shadowsocks, ...others] = entriesOf(user, hosts).flatMap(resolvedConfigView)
    expect(others).toEqual([])
    expect(xhttp).toMatchObject({
      finalRemark: 'host',
      protocolOptions: { id: user.vlessUuid, encryption: 'none', flow: '' },
      transport: 'xhttp',
      transportOptions: { path: null, host: null, mode: 'stream-one', extra: null },
      security: 'reality',
      securityOptions: { publicKey, serverName: 'a.example', shortId: expect.stringMatching(/^(0a|1b)$/) },
      metadata: { inboundTag: 'IN', tags: ['EU', 'FAST'], isHidden: false },
    })
    expect(shadowsocks).toMatchObject({
      protocolOptions: { method: 'chacha20-ietf-poly1305', password: 'sspw' },
      security: 'none',
    })
    expect(shadowsocks).not.toHaveProperty('securityOptions')
    expect(entriesOf(user, []).flatMap(resolvedConfigView)).toEqual([])
  })

  it('name the flow for every protocol in data, for VLESS only in links', () => {
    const [entry] = entriesOf(user, [prepare({ protocol: 'trojan', streamSettings: reality })])
    expect(entry && rawHostView(entry)).toMatchObject({ flow: 'xtls-rprx-vision' })
  })
})
