import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  compileTemplates,
  defaultSubscriptionSettings,
  defaultTemplates,
  fillStencil,
  formatOfClientType,
  formatOfUserAgent,
  renderSubscription,
  stencilOf,
  strangers,
  subscriptionEntries,
  templateValues,
  type PreparedHost,
  type Random,
  type Subscriber,
  type SubscriptionFormat,
} from '@causeway/subscription'
import { hysteriaHosts, matrixOf, newerHosts, overriddenHosts, protocols } from '../test/matrix.ts'
import { makeUser, now, prepare, privateKey, seededRandom } from '../test/samples.ts'

const templates = compileTemplates(defaultTemplates)
const options = { templates, isHapp: false }
const formats: SubscriptionFormat[] = [
  { kind: 'links' },
  ...(['json', 'mihomo', 'stash', 'clash', 'singbox', 'singbox-legacy'] as const).map((type) => formatOfClientType(type)),
  formatOfUserAgent('Outline', false),
]
const credentials = fc.record({
  vlessUuid: fc.uuid(),
  trojanPassword: fc.string({ minLength: 1 }),
  ssPassword: fc.string({ unit: 'binary', minLength: 1 }),
})

function entriesOf(hosts: readonly PreparedHost[], settings = defaultSubscriptionSettings) {
  return (user: Subscriber, random: Random) =>
    subscriptionEntries(user, hosts, settings, {
      values: templateValues(user, `https://s/${user.shortUuid}`, now),
      hasSquads: true,
      keepOrder: false,
      random,
    })
}

function stencil(format: SubscriptionFormat, hosts: readonly PreparedHost[], settings = defaultSubscriptionSettings) {
  return stencilOf(format, 'ACTIVE', entriesOf(hosts, settings), options)
}

const matrix = [...protocols.flatMap(matrixOf), ...hysteriaHosts(), ...newerHosts(), ...overriddenHosts()]

it.each(formats)('a subscription as $kind that is filled for a user is the one written for this user', (format) => {
  let filled = 0
  fc.assert(
    fc.property(fc.constantFrom(...matrix), credentials, (host, secrets) => {
      const still = { ...host, source: { ...host.source, address: 'one.example.com' }, shortIds: host.shortIds.slice(0, 1) }
      const made = stencil(format, [still])
      const user = makeUser(secrets)
      const random = seededRandom()
      const written = renderSubscription(format, entriesOf([still])(user, random), { ...options, random })
      if (made) filled++
      return made === null || JSON.stringify(fillStencil(made, user)) === JSON.stringify(written)
    }),
    { numRuns: 200 },
  )
  // Outline knows a list of one server, and has no holes where nothing of a user stands.
  expect(filled).toBeGreaterThan(20)
})

const vless = (fields = {}) => prepare({ protocol: 'vless', streamSettings: { network: 'ws', security: 'tls' } }, fields)

describe('a stencil', () => {
  it.each(formats.filter(({ kind }) => kind !== 'outline'))(
    'is there for hosts that are the same for everyone, as $kind',
    (format) => {
      const trojan = prepare({ protocol: 'trojan', streamSettings: { network: 'tcp', security: 'tls' } }, { remark: 'b' })
      const shadowsocks = prepare({ protocol: 'shadowsocks' }, { remark: 'c' })
      const made = stencil(format, [vless(), trojan, shadowsocks])
      expect(made?.holes.length).toBeGreaterThanOrEqual(2)
    },
  )

  const drawn = [vless({ shuffleHost: true }), vless({ shuffleHost: true, remark: 'b' }), vless({ remark: 'c' })]
  const reality = {
    network: 'tcp',
    security: 'reality',
    realitySettings: { privateKey, shortIds: ['aa', 'bb'], serverNames: ['a.b'] },
  }
  const changing: Record<string, PreparedHost[]> = {
    'an address is drawn from a list': [vless({ address: 'a.example.com,b.example.com' })],
    'a name is drawn for a wildcard': [vless({ sni: '*.example.com' })],
    'a short id is drawn': [prepare({ protocol: 'vless', streamSettings: reality })],
    'one of three addresses is drawn behind hundreds of hosts that draw nothing': [
      ...Array.from({ length: 700 }, (_, index) => vless({ remark: `${index}` })),
      vless({ address: 'a.example.com,b.example.com,c.example.com' }),
    ],
    'the order is drawn': drawn,
    'an entry is routed by the uuid': [vless({ vlessRouteId: 7 })],
  }
  it.each(Object.entries(changing))('is not there where %s', (_, hosts) => {
    expect(stencil({ kind: 'links' }, hosts)).toBeNull()
  })

  const names = [
    'DAYS_LEFT',
    'TRAFFIC_USED',
    'TRAFFIC_LEFT',
    'TOTAL_TRAFFIC',
    'USERNAME',
    'EMAIL',
    'TELEGRAM_ID',
    'SUBSCRIPTION_URL',
    'TAG',
  ]
  it.each(names)('is not there where a remark names {{%s}}', (name) => {
    expect(stencil({ kind: 'links' }, [vless({ remark: `for {{${name}}}` })])).toBeNull()
  })

  it('is not there where all hosts are in a random order', () => {
    const settings = { ...defaultSubscriptionSettings, randomizeHosts: true }
    expect(
      stencil(
        { kind: 'xray-json' },
        drawn.map((host) => ({ ...host, source: { ...host.source, shuffleHost: false } })),
        settings,
      ),
    ).toBeNull()
  })

  it('is tried with two users who differ in everything but the status, of which there is one each', () => {
    const [plain, odd] = [strangers.plain, strangers.odd].map(({ user }) => ({
      ...user,
      ...templateValues({ ...user, status: 'ACTIVE' }, user.shortUuid, now),
    }))
    const same = Object.entries(plain ?? {}).filter(([key, value]) =>
      Object.entries(odd ?? {}).some(([other, its]) => other === key && its === value),
    )
    expect(same.map(([key]) => key)).toEqual(['STATUS', ':STATUS'])
  })
})
