import { describe, expect, it } from 'vitest'
import { newProfile, seedProfile } from './default-profile.ts'
import { deriveInbounds, guessRenamings, planInboundSync } from './inbound-records.ts'
import { orderSections } from './key-order.ts'
import { checkProfile } from './profile-check.ts'

describe('inbound records of a profile', () => {
  it('come from the inbounds that carry users and hold the inbound as written', () => {
    const raw = {
      tag: 'V',
      protocol: 'vless',
      port: 443,
      streamSettings: { network: 'raw', security: 'reality' },
      settings: { clients: [{ id: 'typed' }] },
    }
    const records = deriveInbounds({
      inbounds: [raw, { tag: 'D', protocol: 'dokodemo-door', port: 53 }, { tag: 'S', protocol: 'shadowsocks' }],
    })
    expect(records).toEqual([
      { tag: 'V', type: 'vless', network: 'raw', security: 'reality', port: 443, rawInbound: raw },
      {
        tag: 'S',
        type: 'shadowsocks',
        network: null,
        security: null,
        port: null,
        rawInbound: { tag: 'S', protocol: 'shadowsocks' },
      },
    ])
  })

  it.each([
    [443, 443],
    ['443', 443],
    ['443,8443', 443],
    [' 443 , 8443', 443],
    ['1000-2000', null],
    ['env:PORT', null],
    [undefined, null],
    [1.5, null],
    [{}, null],
  ])('have the first port of %j: %j', (port, expected) => {
    expect(deriveInbounds({ inbounds: [{ tag: 'S', protocol: 'shadowsocks', port }] })[0]?.port).toBe(expected)
  })
})

describe('saving a profile again', () => {
  const [first, second, third] = deriveInbounds({
    inbounds: [
      { tag: 'A', protocol: 'vless', port: 1 },
      { tag: 'B', protocol: 'trojan', port: 2 },
      { tag: 'C', protocol: 'shadowsocks', port: 3 },
    ],
  })
  if (!first || !second || !third) throw new Error('three inbounds expected')

  it('keeps what has the same tag and protocol, always with fresh data, also when others come and go', () => {
    const existing = [
      { uuid: '1', tag: 'A', type: 'vless' },
      { uuid: '2', tag: 'B', type: 'vless' },
      { uuid: '3', tag: 'gone', type: 'trojan' },
    ]
    expect(planInboundSync(existing, [first, second, third])).toEqual({
      update: [{ ...first, uuid: '1' }],
      create: [second, third],
      delete: ['2', '3'],
    })
  })

  it('keeps what is said to have another tag, unless its protocol changed or somebody has that tag', () => {
    const [one, two] = [
      { uuid: '1', tag: 'old', type: 'vless' },
      { uuid: '2', tag: 'B', type: 'trojan' },
    ]
    expect(planInboundSync([one, two], [first, second], [{ from: 'old', to: 'A' }])).toEqual({
      update: [
        { ...first, uuid: '1' },
        { ...second, uuid: '2' },
      ],
      create: [],
      delete: [],
    })
    expect(planInboundSync([one], [second], [{ from: 'old', to: 'B' }])).toEqual({ update: [], create: [second], delete: ['1'] })
    expect(planInboundSync([one, { ...one, uuid: '3', tag: 'A' }], [first], [{ from: 'old', to: 'A' }])).toEqual({
      update: [{ ...first, uuid: '3' }],
      create: [],
      delete: ['1'],
    })
    expect(planInboundSync([one, { ...one, uuid: '3', tag: 'older' }], [first], both('A')).update).toEqual([
      { ...first, uuid: '1' },
    ])
  })

  it('treats a tag that nobody says anything of as a removal and an addition', () => {
    expect(planInboundSync([{ uuid: '1', tag: 'old', type: 'vless' }], [first])).toEqual({
      update: [],
      create: [first],
      delete: ['1'],
    })
  })
})

function both(to: string) {
  return ['old', 'older'].map((from) => ({ from, to }))
}

describe('guessing which inbounds have another tag', () => {
  const inbounds = (...list: [tag: string, protocol: string, port: number, more?: object][]) =>
    deriveInbounds({ inbounds: list.map(([tag, protocol, port, more]) => ({ tag, protocol, port, ...more })) })
  const before = inbounds(['A', 'vless', 443], ['B', 'vless', 8443], ['C', 'trojan', 443])

  it.each<[string, ReturnType<typeof inbounds>, string[]]>([
    ['only the tag is another', inbounds(['A2', 'vless', 443], ['B', 'vless', 8443], ['C', 'trojan', 443]), ['A>A2']],
    ['protocol and port stayed', inbounds(['A2', 'vless', 443, { sniffing: {} }], ['B', 'vless', 8443]), ['A>A2']],
    [
      'several have changed',
      inbounds(['A2', 'vless', 443], ['B2', 'vless', 8443], ['C2', 'trojan', 443]),
      ['A>A2', 'B>B2', 'C>C2'],
    ],
    ['the port is another too', inbounds(['A2', 'vless', 444], ['B', 'vless', 8443], ['C', 'trojan', 443]), ['A>A2']],
    ['port and more are another', inbounds(['A2', 'vless', 444, { sniffing: {} }], ['B', 'vless', 8443]), []],
    ['two with another port could be meant', inbounds(['A2', 'vless', 444], ['C', 'trojan', 443]), []],
    ['two could be meant', inbounds(['A2', 'vless', 443], ['A3', 'vless', 443], ['B', 'vless', 8443]), []],
    ['nothing vanished', [...before, ...inbounds(['D', 'vless', 443])], []],
    ['nothing came', inbounds(['B', 'vless', 8443]), []],
  ])('when %s', (_, after, expected) => {
    expect(guessRenamings(before, after).map(({ from, to }) => `${from}>${to}`)).toEqual(expected)
  })

  it('prefers what is the same throughout to what has the same port', () => {
    const like = inbounds(
      ['A2', 'vless', 443, { sniffing: {} }],
      ['A3', 'vless', 443],
      ['B', 'vless', 8443],
      ['C', 'trojan', 443],
    )
    expect(guessRenamings(before, like)).toEqual([{ from: 'A', to: 'A3' }])
  })
})

describe('default profiles', () => {
  it("PROF-016 PROF-018 PROF-019 PROF-020 PROF-021: a new profile has one Shadowsocks inbound on 1234 and keeps subscribers out of the node's own networks", () => {
    const profile = newProfile(4711)
    expect(checkProfile(profile)).toEqual([])
    expect(profile).toEqual({
      log: { loglevel: 'info' },
      inbounds: [
        {
          tag: expect.any(String),
          port: 1234,
          protocol: 'shadowsocks',
          settings: { clients: [], network: 'tcp,udp' },
          sniffing: { enabled: true, destOverride: ['http', 'tls', 'quic'] },
        },
      ],
      outbounds: [
        { protocol: 'freedom', tag: 'DIRECT' },
        { protocol: 'blackhole', tag: 'BLOCK' },
      ],
      routing: {
        domainStrategy: 'IPIfNonMatch',
        rules: [
          {
            type: 'field',
            ip: [
              '0.0.0.0/8',
              '10.0.0.0/8',
              '100.64.0.0/10',
              '127.0.0.0/8',
              '169.254.0.0/16',
              '172.16.0.0/12',
              '192.168.0.0/16',
              '::/128',
              '::1/128',
              'fc00::/7',
              'fe80::/10',
            ],
            outboundTag: 'BLOCK',
          },
        ],
      },
    })
  })

  it('PROF-017: a new profile has the number in its tag, the seeded one the plain tag', () => {
    expect(deriveInbounds(newProfile(4711)).map((inbound) => inbound.tag)).toEqual(['Shadowsocks_4711'])
    expect(deriveInbounds(seedProfile()).map((inbound) => inbound.tag)).toEqual(['Shadowsocks'])
  })
})

describe('sections of a stored profile', () => {
  it('have the fixed order, unknown ones last as they were, and lose nothing', () => {
    const config = { zeta: 1, burstObservatory: {}, outbounds: [], inbounds: [], alpha: 2, dns: null, log: {}, api: {} }
    expect(Object.keys(orderSections(config))).toEqual([
      'log',
      'api',
      'dns',
      'inbounds',
      'outbounds',
      'burstObservatory',
      'zeta',
      'alpha',
    ])
    expect(orderSections(config)).toEqual(config)
  })
})
