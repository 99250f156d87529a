import { describe, expect, it } from 'vitest'
import { newProfile, seedProfile } from './default-profile.ts'
import { deriveInbounds, planInboundSync } from './inbound-records.ts'
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

  it('treats a renamed tag as a removal and an addition', () => {
    expect(planInboundSync([{ uuid: '1', tag: 'old', type: 'vless' }], [first])).toEqual({
      update: [],
      create: [first],
      delete: ['1'],
    })
  })
})

describe('default profiles', () => {
  it('PROF-016 PROF-018 PROF-019 PROF-020 PROF-021: a new profile has one Shadowsocks inbound on 1234 and nothing else to decide', () => {
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
      routing: { rules: [] },
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
