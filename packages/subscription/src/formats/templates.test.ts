import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { objectAt } from '@causeway/xray'
import {
  compileTemplate,
  compileTemplates,
  defaultTemplates,
  formatOfClientType,
  prepareHost,
  renderSubscription,
  resolveEntries,
  shareLinks,
  type CompiledTemplates,
  type PreparedHost,
  type SubscriptionFormat,
  type TemplateSource,
} from '@causeway/subscription'
import { isCommon } from './expressible.ts'
import { makeHost, makeUser, prepare, privateKey, publicKeyOf, seededRandom, valuesOf } from '../../test/samples.ts'

const user = makeUser()
const trojan = { protocol: 'trojan', streamSettings: { security: 'tls' } }
const hosts = ['one', 'two', 'three'].map((remark) => prepare(trojan, { remark }))

function bodyOf(format: SubscriptionFormat, templates: CompiledTemplates, shown: PreparedHost[] = hosts, seed = 1): string {
  const entries = resolveEntries(shown, user, valuesOf(user), seededRandom(seed))
  return renderSubscription(format, entries, { templates, isHapp: false, random: seededRandom(seed) }).body
}

function yamlOf(type: 'MIHOMO' | 'CLASH', templateYaml: string, seed = 1): unknown {
  const templates = compileTemplates({ [type]: { templateYaml, templateJson: null } })
  return parse(bodyOf({ kind: type === 'MIHOMO' ? 'mihomo' : 'clash' }, templates, hosts, seed))
}

function jsonOf(format: SubscriptionFormat, templateJson: unknown): unknown {
  const source: TemplateSource = { templateYaml: null, templateJson }
  return JSON.parse(bodyOf(format, compileTemplates({ SINGBOX: source, SINGBOX_LEGACY: source, XRAY_JSON: source })))
}

describe('templates of the Clash family', () => {
  it('get empty lists where they have none, and keep their own entries first', () => {
    expect(yamlOf('MIHOMO', 'mode: rule # gone')).toMatchObject({ mode: 'rule', proxies: [{}, {}, {}], 'proxy-groups': [] })
    const own =
      'proxies:\n  - {name: own, type: direct}\nproxy-groups:\n  - name: G\n    proxies: [own]\n  - name: H\n    proxies:'
    expect(yamlOf('MIHOMO', own)).toMatchObject({
      proxies: [{ name: 'own' }, { name: 'one' }, { name: 'two' }, { name: 'three' }],
      'proxy-groups': [
        { name: 'G', proxies: ['own', 'one', 'two', 'three'] },
        { name: 'H', proxies: ['one', 'two', 'three'] },
      ],
    })
  })

  it('say per group what is added, and do not show that to clients', () => {
    const group = (control: string) => `  - name: G\n    proxies: [own]\n    remnawave: ${control}\n`
    const template = `proxy-groups:\n${group('{include-proxies: false, select-random-proxy: true}')}${group('{select-random-proxy: true, shuffle-proxies-order: true}')}${group('{shuffle-proxies-order: true}')}${group('{}')}`
    const drawn = Array.from(
      { length: 30 },
      (_, seed) => yamlOf('MIHOMO', template, seed * 7919) as { 'proxy-groups': { proxies: string[] }[] },
    ) // as: the template's shape
    for (const { 'proxy-groups': groups } of drawn) {
      expect(JSON.stringify(groups)).not.toContain('remnawave')
      expect(groups.map((each) => each.proxies.length)).toEqual([1, 2, 4, 4])
      expect(groups[3]?.proxies).toEqual(['own', 'one', 'two', 'three'])
    }
    expect(new Set(drawn.map((config) => config['proxy-groups'][1]?.proxies[1]))).toEqual(new Set(['one', 'two', 'three']))
    expect(new Set(drawn.map((config) => config['proxy-groups'][2]?.proxies.join())).size).toBeGreaterThan(3)
  })

  it('hand the proxies to providers in Mihomo, and leave providers alone in Clash', () => {
    const template =
      'proxy-providers:\n  a: {type: inline, remnawave: {include-proxies: true}}\n  b: {type: http, remnawave: {include-proxies: false}}'
    expect(yamlOf('MIHOMO', template)).toMatchObject({
      'proxy-providers': {
        a: { type: 'inline', payload: [{ name: 'one' }, { name: 'two' }, { name: 'three' }] },
        b: { type: 'http' },
      },
    })
    expect(JSON.stringify(yamlOf('MIHOMO', template))).not.toContain('remnawave')
    expect(yamlOf('CLASH', template)).toMatchObject({
      'proxy-providers': { a: { type: 'inline', remnawave: { 'include-proxies': true } } },
    })
  })

  it('may merge maps by anchors', () => {
    const template = 'x: &base {type: select, url: u}\nproxy-groups:\n  - {<<: *base, name: G}'
    expect(yamlOf('MIHOMO', template)).toMatchObject({
      'proxy-groups': [{ type: 'select', url: 'u', name: 'G', proxies: ['one', 'two', 'three'] }],
    })
  })
})

describe('templates of sing-box', () => {
  const outbounds = [
    { type: 'selector', tag: 'S', outbounds: ['gone'] },
    { type: 'urltest', tag: 'U' },
    { type: 'direct', tag: 'direct' },
    { type: 'vless', tag: 'own' },
  ]

  it('get the tags of all proxies in automatic groups, and of those groups too in selectors', () => {
    expect(jsonOf(formatOfClientType('singbox'), { outbounds })).toMatchObject({
      outbounds: [
        { tag: 'S', outbounds: ['U', 'own', 'one', 'two', 'three'] },
        { tag: 'U', outbounds: ['own', 'one', 'two', 'three'] },
        { tag: 'direct' },
        { tag: 'own' },
        { tag: 'one', type: 'trojan' },
        { tag: 'two' },
        { tag: 'three' },
      ],
    })
  })

  const legacyTun = {
    type: 'tun',
    inet4_address: '172.19.0.1/30',
    inet6_address: ['fdfe::1/126'],
    inet4_route_address: ['0.0.0.0/1'],
    inet6_route_exclude_address: 'fc00::/7',
  }

  it('have the addresses of the first tun merged from version 1.10 on', () => {
    const template = { inbounds: [{ type: 'mixed' }, legacyTun, legacyTun], outbounds: [] }
    const merged = {
      type: 'tun',
      address: ['172.19.0.1/30', 'fdfe::1/126'],
      route_address: ['0.0.0.0/1'],
      route_exclude_address: ['fc00::/7'],
    }
    expect(jsonOf(formatOfClientType('singbox-legacy'), template)).toMatchObject({
      inbounds: [{ type: 'mixed' }, merged, legacyTun],
    })
    expect(JSON.stringify(jsonOf(formatOfClientType('singbox-legacy'), { inbounds: [legacyTun] }))).not.toContain('inet4')
    expect(jsonOf({ kind: 'sing-box', version: [1, 9, 9] }, template)).toMatchObject({
      inbounds: [{ type: 'mixed' }, legacyTun, legacyTun],
    })
    expect(jsonOf({ kind: 'sing-box', version: null }, template)).toMatchObject({
      inbounds: [{ type: 'mixed' }, legacyTun, legacyTun],
    })
  })

  it('are the newer one from version 1.11 on, and the older one for lower and unknown versions', () => {
    const templates = compileTemplates({
      SINGBOX: { templateYaml: null, templateJson: { new: true } },
      SINGBOX_LEGACY: { templateYaml: null, templateJson: { new: false } },
    })
    const isNew = (format: SubscriptionFormat): boolean => bodyOf(format, templates).includes('"new": true')
    expect(isNew({ kind: 'sing-box', version: [1, 11, 0] })).toBe(true)
    expect(isNew(formatOfClientType('singbox'))).toBe(true)
    expect(isNew({ kind: 'sing-box', version: [1, 10, 9] })).toBe(false)
    expect(isNew({ kind: 'sing-box', version: null })).toBe(false)
  })
})

describe('names that would make a client refuse everything', () => {
  const named = ['Group', 'DIRECT', 'same', 'free'].map((remark) => prepare(trojan, { remark }))
  const [first] = resolveEntries(named.slice(2), user, valuesOf(user), seededRandom())
  if (!first) throw new Error('an entry expected')
  const entries = [...resolveEntries(named, user, valuesOf(user), seededRandom()), first]
  const options = { isHapp: false, random: seededRandom() }

  it('are numbered when the template or the client has them already, and texts that stand twice are shown once', () => {
    const templateYaml = 'proxies:\n  - name: same\nproxy-groups:\n  - name: Group'
    const templates = compileTemplates({
      MIHOMO: { templateYaml, templateJson: null },
      CLASH: { templateYaml, templateJson: null },
    })
    for (const kind of ['mihomo', 'clash'] as const) {
      const config = parse(renderSubscription({ kind }, entries, { ...options, templates }).body) as {
        proxies: { name: string }[]
      } // as: above
      const added = ['Group ^~2~^', 'DIRECT ^~2~^', 'same ^~2~^', 'free']
      expect(config.proxies.map((proxy) => proxy.name)).toEqual(['same', ...added])
      expect(config).toMatchObject({ 'proxy-groups': [{ name: 'Group', proxies: added }] })
    }
    const outbounds = [{ type: 'selector', tag: 'Group' }]
    const singBox = compileTemplates({ SINGBOX: { templateYaml: null, templateJson: { outbounds } } })
    const { body } = renderSubscription(formatOfClientType('singbox'), entries, { ...options, templates: singBox })
    expect(JSON.parse(body)).toMatchObject({
      outbounds: [
        { outbounds: ['Group ^~2~^', 'DIRECT', 'same', 'free'] },
        { tag: 'Group ^~2~^' },
        { tag: 'DIRECT' },
        { tag: 'same' },
        { tag: 'free' },
      ],
    })
  })
})

describe('hosts that sing-box cannot make an outbound of', () => {
  it('are left out, since it would refuse all others with them', () => {
    const reality = { security: 'reality', realitySettings: { privateKey: 'broken' } }
    const shown = [
      prepare({ protocol: 'shadowsocks', streamSettings: { security: 'tls' } }, { remark: 'a' }),
      prepare({ protocol: 'shadowsocks', streamSettings: { network: 'ws' } }, { remark: 'b' }),
      prepare({ protocol: 'vless', streamSettings: { network: 'xhttp' } }, { remark: 'c' }),
      prepare({ protocol: 'vless', streamSettings: reality }, { remark: 'd' }),
      prepare({ protocol: 'shadowsocks' }, { remark: 'kept' }),
    ]
    const templates = compileTemplates({ SINGBOX: { templateYaml: null, templateJson: {} } })
    expect(JSON.parse(bodyOf(formatOfClientType('singbox'), templates, shown))).toMatchObject({ outbounds: [{ tag: 'kept' }] })
    // A group without members would be refused, so that somebody is told who has no such host.
    for (const [format, reason] of [
      [formatOfClientType('singbox'), 'outbounds'],
      [formatOfClientType('clash'), 'proxies'],
    ] as const) {
      const config: unknown = parse(bodyOf(format, compileTemplates(defaultTemplates), shown.slice(0, 4)))
      expect(JSON.stringify(objectAt({ config }, 'config')[reason])).toContain('No host for this app')
    }
  })
})

describe('the Xray JSON template', () => {
  it('is repeated for every entry, with its own outbounds behind that of the entry', () => {
    const template = { log: { loglevel: 'none' }, outbounds: [{ tag: 'direct' }], remarks: 'replaced' }
    expect(jsonOf({ kind: 'xray-json' }, template)).toMatchObject(
      ['one', 'two', 'three'].map((remarks) => ({
        log: { loglevel: 'none' },
        outbounds: [{ tag: 'proxy' }, { tag: 'direct' }],
        remarks,
      })),
    )
    expect(jsonOf({ kind: 'xray-json' }, {})).toMatchObject([{ outbounds: [{ tag: 'proxy' }] }, {}, {}])
  })
})

describe('a template that is missing or cannot be used', () => {
  const none = compileTemplates({})
  const kinds: SubscriptionFormat[] = [
    { kind: 'mihomo' },
    { kind: 'stash' },
    { kind: 'clash' },
    { kind: 'xray-json' },
    formatOfClientType('singbox'),
  ]

  it('leaves the body empty', () => {
    for (const format of kinds) expect(bodyOf(format, none)).toBe('')
    expect(bodyOf({ kind: 'links' }, none)).not.toBe('')
  })

  it.each(['', 'a: [', '- list', 'text', 'a: &x [*x]\nb: *nope', 'a: 1\na: 2'])('is one like %j', (templateYaml) => {
    expect(compileTemplates({ MIHOMO: { templateYaml, templateJson: null } }).MIHOMO).toBeNull()
    expect(() => compileTemplate('MIHOMO', { templateYaml, templateJson: null })).toThrow(Error)
  })

  it.each([null, [], 'x', 7])('is JSON like %j', (templateJson) => {
    expect(
      compileTemplates({ SINGBOX: { templateYaml: null, templateJson }, XRAY_JSON: { templateYaml: null, templateJson } }),
    ).toMatchObject({
      SINGBOX: null,
      XRAY_JSON: null,
    })
  })

  it('is not one whose aliases would unfold to a multiple of its size', () => {
    const bomb = [
      'a: &a [x, x, x, x, x, x, x, x, x, x]',
      ...'bcdefgh'.split('').map((name, index) => `${name}: &${name} [${Array(10).fill(`*${'abcdefg'[index]}`).join()}]`),
    ]
    expect(compileTemplates({ MIHOMO: { templateYaml: bomb.join('\n'), templateJson: null } }).MIHOMO).toBeNull()
  })
})

describe('any host', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 12 }),
    fc.string({ unit: 'binary', maxLength: 6 }),
    fc.constantFrom(
      '*',
      '*.a',
      'a,b',
      ',',
      'a\nvless://b@c:1#d',
      'a\r\nb',
      '[2001:db8::1]',
      '2001:db8::1',
      'a:1?b#c',
      '"}],x: {',
    ),
  )
  const maybe = fc.option(text)
  const stream = fc.record(
    {
      network: fc.constantFrom('tcp', 'raw', 'ws', 'httpupgrade', 'xhttp', 'grpc', 'kcp', 'hysteria', 7),
      grpcSettings: fc.oneof(fc.record({ serviceName: text, authority: text, multiMode: fc.boolean() }), fc.jsonValue()),
      finalmask: fc.jsonValue(),
      security: fc.constantFrom('tls', 'reality', 'none', 'x', null),
      wsSettings: fc.oneof(fc.record({ path: fc.oneof(text, fc.constant('/?ed=a'), fc.constant('/?ed=9')) }), fc.jsonValue()),
      xhttpSettings: fc.jsonValue(),
      tlsSettings: fc.oneof(fc.record({ serverName: text, alpn: fc.array(text) }), fc.jsonValue()),
      realitySettings: fc.oneof(
        fc.record({ serverNames: fc.array(text), privateKey: fc.constantFrom(privateKey, 'x'), shortIds: fc.array(text) }),
        fc.jsonValue(),
      ),
      tcpSettings: fc.oneof(fc.constant({ header: { type: 'http' } }), fc.jsonValue()),
    },
    { requiredKeys: [] },
  )
  const anyHost = fc.record({
    protocol: fc.constantFrom('vless', 'vmess', 'trojan', 'shadowsocks', 'hysteria'),
    streamSettings: stream,
    fields: fc.record({
      remark: text,
      address: text,
      path: maybe,
      sni: maybe,
      host: maybe,
      alpn: fc.constantFrom(null, 'h2,http/1.1'),
      securityLayer: fc.constantFrom('DEFAULT', 'TLS', 'NONE'),
      xHttpExtraParams: fc.jsonValue(),
      serverDescription: maybe,
      vlessRouteId: fc.option(fc.nat(65535)),
      overrideSniFromAddress: fc.boolean(),
    }),
  })
  const templates = compileTemplates(defaultTemplates)
  const prepared = fc.array(anyHost, { maxLength: 5 }).map((samples) =>
    samples.map(({ protocol, streamSettings, fields }) => {
      const host = prepareHost(makeHost({ protocol, streamSettings }, fields), publicKeyOf)
      if (!host) throw new Error('these protocols carry users')
      return host
    }),
  )

  it('makes links that read back as what they were made of', () => {
    fc.assert(
      fc.property(prepared, (shown) => {
        const entries = resolveEntries(shown, user, valuesOf(user), seededRandom())
        const links = shareLinks(entries, { isHapp: true })
        const linked = entries.filter(isCommon)
        expect(links).toHaveLength(linked.length)
        for (const [index, link] of links.entries()) {
          const entry = linked[index]
          // Nothing that a host holds ends a line, and the server ends where its port does.
          expect(link).toMatch(/^[\x21-\x7e]+$/)
          if (link.startsWith('vmess://') && !link.includes('@')) {
            const fields: unknown = JSON.parse(decoded(link.slice('vmess://'.length)))
            // oxlint-disable-next-line vitest/no-conditional-expect -- every link has one of the two forms
            expect(fields).toMatchObject({ ps: entry?.remark.toWellFormed(), add: entry?.address.toWellFormed(), port: '443' })
            continue
          }
          const server = /^\w+:\/\/[^@]*@(\[[0-9a-fA-F:.]*\]|[\w.~*%-]*):443(?=[/?#])/.exec(link)?.[1]
          expect(server?.startsWith('[') ? server.slice(1, -1) : decodeURIComponent(server ?? 'none')).toBe(
            entry?.address.toWellFormed(),
          )
          const match =
            /^(vless|vmess|trojan|ss|hysteria2):\/\/([^@]*)@[^]*#([^#?]*)(?:\?serverDescription=[A-Za-z0-9+/=]*)?$/.exec(link)
          expect(decodeURIComponent(match?.[3] ?? '')).toBe(entry?.remark.toWellFormed())
          const secrets: Record<string, string> = {
            vless: user.vlessUuid.slice(0, 14),
            vmess: user.vlessUuid,
            trojan: user.trojanPassword,
            hysteria2: user.trojanPassword,
          }
          expect(decodeURIComponent(match?.[2] ?? '').startsWith(secrets[match?.[1] ?? ''] ?? '')).toBe(true)
        }
        expect(new Set(entries.map((entry) => entry.remark)).size).toBe(entries.length)
      }),
      { numRuns: 200 },
    )
  })

  it('is rendered in every format as text that parses', () => {
    fc.assert(
      fc.property(prepared, (shown) => {
        const most = Math.max(shown.length, 0)
        for (const kind of ['mihomo', 'stash', 'clash'] as const) {
          const { proxies } = parse(bodyOf({ kind }, templates, shown)) as { proxies: { port: number }[] } // as: the default template
          expect(proxies.length).toBeLessThanOrEqual(most)
          // Each is one of the hosts, or the text that none is for this app.
          for (const { port } of proxies) expect(port).toBe(proxies.length === 1 && port === 1 ? 1 : 443)
        }
        expect(JSON.parse(bodyOf({ kind: 'xray-json' }, templates, shown))).toHaveLength(shown.length)
        for (const format of [formatOfClientType('singbox'), { kind: 'sing-box', version: null } as const]) {
          const { outbounds } = JSON.parse(bodyOf(format, templates, shown)) as { outbounds: { server?: string }[] } // as above
          expect(outbounds.filter(({ server }) => server !== undefined).length).toBeLessThanOrEqual(most)
        }
        JSON.parse(bodyOf({ kind: 'outline' }, templates, shown))
        const links = bodyOf({ kind: 'links' }, templates, shown)
        expect(links).toMatch(/^[A-Za-z0-9+/]*=*$/)
        expect(decoded(links).split('\n').length).toBeLessThanOrEqual(Math.max(1, shown.length))
      }),
      { numRuns: 100 },
    )
  })
})

// As in text-encoding.ts: every runtime has it, the language's own library does not declare it.
declare const atob: (encoded: string) => string

function decoded(base64: string): string {
  const bytes = Array.from(atob(base64), (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, '0')}`)
  return decodeURIComponent(bytes.join(''))
}
