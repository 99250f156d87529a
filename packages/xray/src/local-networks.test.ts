import { describe, expect, it } from 'vitest'
import type { XrayObject } from './config.ts'
import { newProfile, seedProfile } from './default-profile.ts'
import { closesLocalNetworks, localNetworksRule, withLocalNetworksClosed } from './local-networks.ts'
import { shippedProfiles } from './shipped-profiles.ts'

const users = [
  { tag: 'V', protocol: 'vless' },
  { tag: 'T', protocol: 'trojan' },
]
const tunnel = { tag: 'api-in', protocol: 'dokodemo-door', settings: { address: '127.0.0.1' } }
const direct = { tag: 'DIRECT', protocol: 'freedom' }
const block = { tag: 'BLOCK', protocol: 'blackhole' }
const closing = localNetworksRule('BLOCK')
const everything = { network: 'tcp,udp', outboundTag: 'DIRECT' }
const videos = { domain: ['geosite:netflix'], outboundTag: 'DIRECT' }
const printer = { ip: ['192.168.7.9'], outboundTag: 'DIRECT' }

function profile(domainStrategy: string | undefined, rules: XrayObject[], more: XrayObject = {}): XrayObject {
  return {
    inbounds: users,
    outbounds: [direct, block],
    routing: { ...(domainStrategy ? { domainStrategy } : {}), rules },
    ...more,
  }
}
const rulesOf = ({ routing }: XrayObject) => (routing as { rules: XrayObject[] }).rules // as: made above
const strategyOf = ({ routing }: XrayObject) => (routing as XrayObject)['domainStrategy'] // as above

describe('a profile keeps subscribers out of the networks of the node', () => {
  it('when it is shipped, new or seeded', () => {
    const secrets = { number: 1, privateKey: 'k', shortId: 'ab' }
    const all = [...shippedProfiles.map(({ config }) => config(secrets)), newProfile(7), seedProfile()]
    expect(all.length).toBeGreaterThan(5)
    for (const config of all) {
      expect(closesLocalNetworks(config)).toBe(true)
      expect(rulesOf(config)[0]).toEqual(closing)
    }
  })

  it.each<[string, boolean, XrayObject]>([
    ['without rules', false, profile('IPIfNonMatch', [])],
    ['without routing', false, { inbounds: users, outbounds: [direct, block] }],
    ['with the rule first', true, profile('IPIfNonMatch', [closing, videos])],
    ['with names in capitals', true, profile('ipifnonmatch', [closing])],
    ['that looks no names up', false, profile(undefined, [closing])],
    ['that looks no names up by its word', false, profile('AsIs', [closing])],
    ['with a rule for every name behind', false, profile('IPIfNonMatch', [closing, everything])],
    ['with a rule for every name behind and names looked up at once', true, profile('IPOnDemand', [closing, everything])],
    ['with a rule for everything before', false, profile('IPOnDemand', [everything, closing])],
    ['with a rule for one port before', false, profile('IPOnDemand', [{ port: '80', outboundTag: 'DIRECT' }, closing])],
    ['with a rule for all addresses before', false, profile('IPOnDemand', [{ ip: '0.0.0.0/0', outboundTag: 'DIRECT' }, closing])],
    [
      'with a rule for all but some before',
      false,
      profile('IPOnDemand', [{ ip: ['!geoip:ir'], outboundTag: 'DIRECT' }, closing]),
    ],
    [
      'with exceptions before',
      true,
      profile('IPIfNonMatch', [videos, printer, { domains: ['a.b'], outboundTag: 'DIRECT' }, closing]),
    ],
    ['with what is blocked before', true, profile('IPIfNonMatch', [{ protocol: ['bittorrent'], outboundTag: 'BLOCK' }, closing])],
    ['by a list of files', true, profile('IPIfNonMatch', [{ ip: ['geoip:private'], outboundTag: 'BLOCK' }])],
    [
      'in two rules',
      true,
      profile('IPIfNonMatch', [
        { ip: '10.0.0.0/8,127.0.0.0/8,169.254.0.0/16,172.16.0.0/12,192.168.0.0/16', outboundTag: 'BLOCK' },
        { ip: ['::1', 'fc00::/7', 'fe80::/10'], outboundTag: 'BLOCK' },
      ]),
    ],
    [
      'of one family only',
      false,
      profile('IPIfNonMatch', [
        { ip: ['10.0.0.0/8', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16'], outboundTag: 'BLOCK' },
      ]),
    ],
    ['for TCP only', false, profile('IPIfNonMatch', [{ ...closing, network: 'tcp' }])],
    ['for TCP and UDP', true, profile('IPIfNonMatch', [{ ...closing, network: 'tcp,udp' }])],
    ['for one user', false, profile('IPIfNonMatch', [{ ...closing, user: ['ann'] }])],
    ['for one inbound of two', false, profile('IPIfNonMatch', [{ ...closing, inboundTag: ['V'] }])],
    ['for both inbounds', true, profile('IPIfNonMatch', [{ ...closing, inboundTag: ['V', 'T'] }])],
    ['to somewhere else', false, profile('IPIfNonMatch', [{ ...closing, outboundTag: 'DIRECT' }])],
  ])('%s: %s', (_, isClosed, config) => {
    expect(closesLocalNetworks(config)).toBe(isClosed)
    expect(closesLocalNetworks(withLocalNetworksClosed(config))).toBe(true)
  })
})

describe('closing the networks of the node', () => {
  it('adds the rule before all others and leaves everything else', () => {
    const config = profile('IPIfNonMatch', [videos, printer], { dns: { servers: ['1.1.1.1'] } })
    expect(withLocalNetworksClosed(config)).toEqual({
      ...config,
      routing: { domainStrategy: 'IPIfNonMatch', rules: [closing, videos, printer] },
    })
    expect(rulesOf(config)).toEqual([videos, printer])
  })

  it('has names looked up as early as the rules need it', () => {
    expect(strategyOf(withLocalNetworksClosed(profile(undefined, [videos])))).toBe('IPIfNonMatch')
    expect(strategyOf(withLocalNetworksClosed(profile('AsIs', [videos, everything])))).toBe('IPOnDemand')
    expect(strategyOf(withLocalNetworksClosed(profile('IPOnDemand', [])))).toBe('IPOnDemand')
  })

  it('makes a blackhole where there is none, with a tag that no outbound has', () => {
    const closed = withLocalNetworksClosed({ inbounds: users, outbounds: [direct, { tag: 'BLOCK', protocol: 'freedom' }] })
    expect(closed['outbounds']).toEqual([
      direct,
      { tag: 'BLOCK', protocol: 'freedom' },
      { protocol: 'blackhole', tag: 'BLOCK_LOCAL' },
    ])
    expect(rulesOf(closed)).toEqual([localNetworksRule('BLOCK_LOCAL')])
  })

  it('leaves the ways of the profile to programs of the node', () => {
    const own = { inboundTag: ['api-in'], outboundTag: 'api' }
    const closed = withLocalNetworksClosed(profile('IPIfNonMatch', [own, everything], { inbounds: [...users, tunnel] }))
    expect(rulesOf(closed)).toEqual([own, { ...closing, inboundTag: ['V', 'T'] }, everything])
  })

  it('changes nothing where they are closed', () => {
    const config = profile('IPOnDemand', [videos, closing, everything])
    expect(withLocalNetworksClosed(config)).toBe(config)
  })
})
