import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ResponseRule } from '@causeway/contract'
import {
  compileTemplates,
  defaultSubscriptionSettings,
  defaultTemplates,
  formatOfClientType,
  prepareHost,
  strangers,
  type PreparedHost,
  type SubscriptionHost,
} from '@causeway/subscription'
import type { ExcludedType, HostMapper } from '@causeway/contract'
import { readConfig } from '../../config.ts'
import { systemCaller, type Ctx } from '../../ctx.ts'
import { compileRules } from '../../ground/response-rules/response-rules.rules.ts'
import { rulingOn } from '../response-rules/ruling.rules.ts'
import { admitAnyone, answerTo, serve, lookUp, type Serving } from './serving.actions.ts'
import type { SubscriptionParts } from './subscription-parts.queries.ts'
import { hostTemplatesOf } from './host-templates.rules.ts'
import { SquadParts } from './squad-parts.rules.ts'
import { Stencils } from './stencils.rules.ts'
import type { StoredSubscriber } from './subscriptions.queries.ts'

// One serving answers users one after the other, and each must get what is written for this user alone, byte for byte: whatever
// was written for the ones before, whatever they are called and whatever stands in hosts, settings and templates.

const now = new Date('2025-06-15T12:00:00Z')
const config = readConfig({ DATABASE_URL: 'postgres://nowhere', LOG_LEVEL: 'silent' })
const ctx = { config, now: () => now } as Ctx // nothing else is used where devices are not limited and nothing is stored

const { plain, odd } = strangers
const marks = [
  '',
  '{{',
  '{{USERNAME}}',
  '{{TAG}} {{DAYS_LEFT}}',
  '{{STATUS}}',
  '{{NOTHING}}',
  '\u0000',
  '00000',
  'x'.repeat(3000),
  '🇩🇪: "#',
]
const words = fc.oneof(
  fc.constantFrom(...marks, ...[plain, odd].flatMap(({ user }) => Object.values(user).map(String))),
  fc.string({ unit: 'binary' }),
)
const secret = fc.oneof(
  fc.constantFrom(
    ...[plain, odd].flatMap(({ user }) => [user.trojanPassword, user.ssPassword, user.vlessUuid]),
    'null',
    '- a: b',
    ' ',
    '\n',
  ),
  fc.string({ unit: 'binary', minLength: 1 }),
)
const subscriber: fc.Arbitrary<StoredSubscriber> = fc.record({
  id: fc.nat(),
  shortUuid: words,
  username: words,
  status: fc.constantFrom('ACTIVE', 'ACTIVE', 'ACTIVE', 'DISABLED', 'LIMITED', 'EXPIRED'),
  trafficLimitBytes: fc.constantFrom(0, 1, plain.user.trafficLimitBytes, 2 ** 53),
  trafficLimitStrategy: fc.constantFrom('NO_RESET', 'DAY', 'WEEK', 'MONTH'),
  expireAt: fc.date({ min: new Date('2020-01-01'), max: new Date('2140-06-01'), noInvalidDate: true }),
  tag: fc.option(words),
  email: fc.option(words),
  telegramId: fc.option(fc.constantFrom(0, 1, plain.user.telegramId)),
  hwidDeviceLimit: fc.option(fc.nat()),
  description: fc.option(words),
  createdAt: fc.constantFrom(new Date(0), plain.user.createdAt),
  lastTrafficResetAt: fc.constantFrom(null, odd.user.lastTrafficResetAt),
  vlessUuid: fc.oneof(fc.constantFrom(plain.user.vlessUuid, odd.user.vlessUuid), fc.uuid()),
  trojanPassword: secret,
  ssPassword: secret,
  usedTrafficBytes: fc.constantFrom(0, 3 * 2 ** 30, 2 ** 53),
  lifetimeUsedTrafficBytes: fc.constantFrom(0, 3 * 2 ** 30),
  externalSquadUuid: fc.constant(null),
  squadIds: fc.constantFrom([], [1], [2], [1, 2], [12], [3]),
})

const reality = {
  serverNames: ['a.example'],
  privateKey: '4EDbPzx7xkqJ9dVUwFCbLpXyrAxqlfbcGZzLqFuuTnA',
  shortIds: ['0a', '1b', '2c'],
}
const tls = { security: 'tls', tlsSettings: { serverName: 'tls.example' } }
const inbounds = [
  { protocol: 'vless', streamSettings: { network: 'ws', wsSettings: { path: '/ws' }, ...tls } },
  {
    protocol: 'vless',
    streamSettings: { network: 'raw', security: 'reality', realitySettings: { ...reality, shortIds: ['0a'] } },
  },
  { protocol: 'vless', streamSettings: { network: 'raw', security: 'reality', realitySettings: reality } },
  { protocol: 'vmess', streamSettings: { network: 'ws', ...tls } },
  { protocol: 'trojan', streamSettings: { network: 'grpc', grpcSettings: { serviceName: 'service' }, ...tls } },
  { protocol: 'shadowsocks' },
  { protocol: 'shadowsocks', settings: { method: '2022-blake3-aes-128-gcm', password: 'AQIDBAUGBwgJCgsMDQ4P/w==' } },
  { protocol: 'hysteria', streamSettings: { network: 'hysteria', hysteriaSettings: { version: 2 }, ...tls } },
]
const still = <T>(usual: T, ...others: T[]) => fc.oneof({ weight: 12, arbitrary: fc.constant(usual) }, fc.constantFrom(...others))
const remark = fc.oneof({ weight: 6, arbitrary: fc.constantFrom('one', 'two', 'three') }, words)
const host: fc.Arbitrary<SubscriptionHost> = fc.record({
  uuid: fc.uuid(),
  viewPosition: fc.nat(),
  remark,
  address: still('node.example', 'a.example,b.example,c.example', '*.example', plain.user.vlessUuid, '::1'),
  port: fc.constantFrom(443, 8443),
  path: fc.option(words),
  sni: still(null, '*.sni.example', 'sni.example'),
  host: still(null, '*.host.example', odd.user.trojanPassword),
  alpn: fc.constantFrom(null, 'h2'),
  fingerprint: fc.constantFrom(null, 'firefox'),
  isDisabled: still(false, true),
  isHidden: still(false, true),
  securityLayer: fc.constantFrom('DEFAULT', 'TLS', 'NONE'),
  xHttpExtraParams: fc.constant(null),
  muxParams: fc.option(fc.constant({ enabled: true, note: plain.user.ssPassword })),
  sockoptParams: fc.constant(null),
  serverDescription: fc.oneof(fc.constantFrom(null, 'Fast'), words),
  tags: fc.array(fc.oneof(fc.constant('TAGGED'), words), { maxLength: 3 }),
  overrideSniFromAddress: fc.boolean(),
  vlessRouteId: still(null, 7),
  shuffleHost: still(false, true),
  mihomoX25519: fc.boolean(),
  keepSniBlank: fc.boolean(),
  xrayJsonTemplateUuid: fc.constant(null),
  excludedInternalSquads: fc.constant([]),
  excludeFromSubscriptionTypes: fc.constantFrom<ExcludedType[]>([], ['MIHOMO'], ['XRAY_JSON', 'XRAY_BASE64']),
  finalMask: fc.constant(null),
  pinnedPeerCertSha256: fc.constantFrom(null, 'ab'.repeat(32)),
  verifyPeerCertByName: fc.constantFrom(null, 'a.example'),
  mihomoIpVersion: fc.constantFrom(null, 'dual'),
  mapper: fc.constantFrom<HostMapper>({}, { mihomo: [{ op: 'copy', from: '$host.remark', to: 'dialer-proxy' }] }),
  allowInsecure: fc.boolean(),
  inbound: fc.constantFrom(...inbounds).map((inbound, uuid = '0d6f6f0e-7b0f-4a7e-8f5c-1a2b3c4d5e6f') => ({
    uuid,
    profileUuid: uuid,
    tag: 'IN',
    type: inbound.protocol,
    rawInbound: { tag: 'IN', port: 8443, ...inbound },
  })),
})

const drawing = `proxies: []
proxy-groups:
  - { name: one, type: select, remnawave: { include-proxies: false, select-random-proxy: true }, proxies: [DIRECT] }
  - { name: '${plain.user.trojanPassword}', type: select, proxies: ['${odd.user.vlessUuid}'] }
`
const templates = {
  usual: compileTemplates(defaultTemplates),
  drawing: compileTemplates({ ...defaultTemplates, MIHOMO: { templateYaml: drawing, templateJson: null } }),
  missing: compileTemplates({ XRAY_JSON: { templateYaml: null, templateJson: { remarks: odd.user.ssPassword, outbounds: [] } } }),
}
const unset = {
  responseRules: null,
  hwidSettings: null,
  emptyHostsRemarks: [],
  emptySquadsRemarks: [],
  hwidExceededRemarks: [],
  hwidMissingRemarks: [],
}
const settings = fc
  .record({
    isShowCustomRemarks: fc.boolean(),
    expiredUsersRemarks: fc.array(words, { maxLength: 3 }),
    serveJsonAtBaseSubscription: fc.boolean(),
    randomizeHosts: still(false, true),
    profileTitle: words,
    happAnnounce: fc.option(words),
  })
  .map((fields) => ({ ...defaultSubscriptionSettings, ...unset, uuid: '', createdAt: now, updatedAt: now, ...fields }))

interface Service {
  settings: SubscriptionParts['settings']
  /** A second rule for each app, so that texts of one are never those of another. */
  isRuled: boolean
  template: keyof typeof templates
  hosts: SubscriptionHost[]
}

const condition = { headerName: 'user-agent', caseSensitive: false } as const
const everyone: Pick<ResponseRule, 'enabled' | 'operator' | 'conditions'> = { enabled: true, operator: 'AND', conditions: [] }
const { compiled: rules } = compileRules({
  version: '1',
  rules: [
    {
      ...everyone,
      name: 'without tagged hosts',
      conditions: [{ ...condition, operator: 'REGEX', value: '^(happ/1|stash)' }],
      responseType: 'XRAY_BASE64',
      responseModifications: { excludeHostsByTags: ['TAGGED'], additionalExtendedClientsRegex: ['^stash'] },
    },
    {
      ...everyone,
      name: 'texts',
      conditions: [{ ...condition, operator: 'CONTAINS', value: 'mihomo' }],
      responseType: 'MIHOMO',
      responseModifications: { respondWithRemarks: ['Hello {{USERNAME}}', 'Goodbye'] },
    },
    { ...everyone, name: 'others', responseType: 'XRAY_BASE64' },
  ],
})

const service: fc.Arbitrary<Service> = fc.record({
  settings,
  isRuled: fc.boolean(),
  template: fc.constantFrom('usual', 'usual', 'drawing', 'missing'),
  hosts: fc.array(host, { maxLength: 6 }),
})

function partsOf({ settings, isRuled, template, hosts }: Service): SubscriptionParts {
  const prepared = hosts.flatMap((source): PreparedHost[] => {
    const made = prepareHost(source, () => 'public key')
    return made ? [made] : []
  })
  return {
    settings,
    rules: isRuled ? rules : null,
    squad: null,
    squadParts: new SquadParts([]),
    timeZone: 'Asia/Tehran',
    templates: templates[template],
    library: new Map(),
    hostTemplates: hostTemplatesOf(new Map()),
    named: [],
    hostsOf: (squadIds) => prepared.filter((_, index) => squadIds.includes(1 + (index % 3))),
    allHosts: [],
    stencils: new Stencils(),
  }
}

const version = fc
  .tuple(fc.constantFrom(1, 12), fc.constantFrom(1, 8, 11, 12, 19), fc.constantFrom(0, 13))
  .map((three) => three.join('.'))
const userAgent = fc.oneof(
  version.chain((three) =>
    fc.constantFrom(`mihomo/${three}`, `SFA/${three}`, `app (sing-box ${three})`, `v2rayNG/${three}`, `Happ/${three}`),
  ),
  fc.constantFrom('', '', 'Happ/1', 'Stash/2', 'clash', 'Outline', 'Streisand'),
)
const asked = fc.record({
  user: fc.nat(),
  userAgent,
  clientType: fc.constantFrom(null, null, null, 'json', 'mihomo', 'stash', 'clash', 'singbox', 'singbox-legacy'),
})

beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0.42)
})
afterEach(() => {
  vi.restoreAllMocks()
})

test('whatever was written for others before, each user gets what is written for this user alone', async () => {
  let filled = 0
  await fc.assert(
    fc.asyncProperty(
      service,
      fc.array(subscriber, { minLength: 2, maxLength: 5 }),
      fc.array(asked, { minLength: 4, maxLength: 12 }),
      async (given, users, questions) => {
        const made = partsOf(given)
        const serving: Serving = {
          parts: { current: async () => made, drop: () => {} },
          accesses: {
            opened: () => {},
            refused: () => {},
            seen: () => {},
            seenAgain: () => {},
            flush: async () => {},
            close: async () => {},
          },
          close: async () => {},
        }
        const find = vi.spyOn(made.stencils, 'find')
        for (const question of questions) {
          const user = users[question.user % users.length]
          if (!user) continue
          const format = question.clientType ? formatOfClientType(question.clientType, question.userAgent) : undefined
          const request = {
            userAgent: question.userAgent,
            hwid: '',
            platform: null,
            osVersion: null,
            deviceModel: null,
            wantsPage: false,
            read: (name: string) => (name === 'user-agent' && question.userAgent ? question.userAgent : undefined),
          }
          const answer = await serve(ctx, serving, systemCaller, user, request, format)
          const ruling = rulingOn(made.rules, made.settings, { ...request, shortUuid: user.shortUuid, format })
          const lookup = lookUp(ctx, systemCaller, user, made, question.userAgent, ruling.rule)
          expect(answer).toEqual(answerTo(ctx, lookup, admitAnyone(lookup), ruling, '').content)
        }
        filled += find.mock.results.filter(({ value }) => value !== null).length
      },
    ),
    { numRuns: 150 },
  )
  expect(filled).toBeGreaterThan(200)
})
