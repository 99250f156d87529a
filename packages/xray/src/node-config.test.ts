import { describe, expect, it } from 'vitest'
import { addUserEntries } from './add-user.ts'
import { canonicalJson } from './canonical-json.ts'
import { certificatePaths, inlineCertificates } from './certificates.ts'
import type { XrayObject } from './config.ts'
import { inboundFlow, vlessFlow } from './flow.ts'
import { HashedSet } from './hashed-set.ts'
import { emptyNodeConfig, NodeConfigBuilder, type NodeUser } from './node-config.ts'

const stream = { network: 'tcp', security: 'reality' }
const profile = {
  log: { loglevel: 'info' },
  inbounds: [
    { tag: 'V', protocol: 'vless', settings: { clients: [{ id: 'typed by hand' }], decryption: 'none' }, streamSettings: stream },
    { tag: 'T', protocol: 'trojan', streamSettings: { network: 'ws', security: 'tls' } },
    { tag: 'S', protocol: 'shadowsocks', settings: { network: 'tcp,udp' } },
    { tag: 'elsewhere', protocol: 'vless', settings: {} },
    { tag: 'D', protocol: 'dokodemo-door', settings: { address: '1.1.1.1' } },
  ],
}
const alice: NodeUser = {
  username: 'alice',
  vlessUuid: '550e8400-e29b-41d4-a716-446655440000',
  trojanPassword: 'tr',
  ssPassword: 'ss',
  tags: ['V', 'T', 'S', 'S', 'elsewhere', 'unknown'],
}
const bob: NodeUser = { ...alice, username: 'bob', vlessUuid: '00000000-0000-4000-8000-000000000001', tags: ['V'] }
const text = (value: string): string => value

function build(users: NodeUser[], tags: string[], config = profile) {
  const builder = new NodeConfigBuilder(emptyNodeConfig(config, tags))
  for (const user of users) builder.add(user)
  return builder.build(text)
}

describe('the config of a node', () => {
  it('keeps the active inbounds and those without users, and drops clients typed into the profile', () => {
    expect(emptyNodeConfig(profile, ['V', 'S'])).toEqual({
      log: { loglevel: 'info' },
      inbounds: [
        { tag: 'V', protocol: 'vless', settings: { clients: [], decryption: 'none' }, streamSettings: stream },
        { tag: 'S', protocol: 'shadowsocks', settings: { clients: [], network: 'tcp,udp' } },
        { tag: 'D', protocol: 'dokodemo-door', settings: { address: '1.1.1.1' } },
      ],
    })
  })

  it('gives every inbound without settings an empty list of clients, which Shadowsocks needs', () => {
    expect(emptyNodeConfig({ inbounds: [{ tag: 'S', protocol: 'shadowsocks' }] }, ['S'])).toEqual({
      inbounds: [{ tag: 'S', protocol: 'shadowsocks', settings: { clients: [] } }],
    })
  })

  it('holds each user once per inbound with the credentials of its protocol', () => {
    const { config } = build([alice, bob], ['V', 'T', 'S'])
    const clients = (config['inbounds'] as { settings: { clients?: unknown } }[]).map((inbound) => inbound.settings.clients) // as: shape known above
    expect(clients).toEqual([
      [
        { id: alice.vlessUuid, email: 'alice', flow: 'xtls-rprx-vision' },
        { id: bob.vlessUuid, email: 'bob', flow: 'xtls-rprx-vision' },
      ],
      [{ password: 'tr', email: 'alice', id: alice.vlessUuid }],
      [{ password: 'ss', method: 'chacha20-ietf-poly1305', email: 'alice', id: alice.vlessUuid }],
      undefined,
    ])
  })

  it('is announced with one hash per inbound that has users, over the VLESS uuids whatever the protocol', () => {
    const { hashes } = build([alice, bob], ['V', 'S', 'T'])
    expect(hashes.inbounds).toEqual([
      { tag: 'V', usersCount: 2, hash: new HashedSet([alice.vlessUuid, bob.vlessUuid]).hash },
      { tag: 'T', usersCount: 1, hash: new HashedSet([alice.vlessUuid]).hash },
      { tag: 'S', usersCount: 1, hash: new HashedSet([alice.vlessUuid]).hash },
    ])
    expect(build([], ['V']).hashes.inbounds).toEqual([])
  })

  it('changes its empty hash when an inbound without users comes or goes, and not with users or the order of keys', () => {
    const one = build([], ['V']).hashes.emptyConfig
    expect(build([], ['V', 'S']).hashes.emptyConfig).not.toBe(one)
    expect(build([bob], ['V']).hashes.emptyConfig).toBe(one)
    const reordered = {
      inbounds: profile.inbounds.map((inbound) => Object.fromEntries(Object.entries(inbound).toReversed())),
      log: profile.log,
    }
    expect(emptyHash(reordered)).toBe(emptyHash(profile))
    function emptyHash(config: Record<string, unknown>): string {
      return new NodeConfigBuilder(emptyNodeConfig(config, ['V'])).build((value) => `hash of ${value}`).hashes.emptyConfig
    }
  })

  it('closes the ports of 2.1 agents, their core and their supervisor, which the hash tells with the form it has', () => {
    const { config, hashes } = build([alice], ['V'])
    const rule = { type: 'field', network: 'tcp', port: '61000,61001,61002', outboundTag: 'CAUSEWAY_CLOSED' }
    expect(config['routing']).toEqual({
      rules: [
        { ...rule, ip: ['0.0.0.0/8', '127.0.0.0/8', '::/128', '::1/128'] },
        { ...rule, domain: ['regexp:.'] },
      ],
    })
    const { inbounds: _users, ...asHashed } = JSON.parse(hashes.emptyConfig.replace('closed-1.', '')) as XrayObject // the text itself
    expect(asHashed).toEqual({ log: config['log'], outbounds: config['outbounds'], routing: config['routing'] })
  })

  it('leaves the profile as it was', () => {
    const before = JSON.stringify(profile)
    build([alice, bob], ['V', 'T', 'S'])
    expect(JSON.stringify(profile)).toBe(before)
  })
})

describe('a live change of a user', () => {
  it('names every inbound of the node that the user may use, and no other', () => {
    const inbounds = profile.inbounds.map((rawInbound) => ({ tag: rawInbound.tag, type: rawInbound.protocol, rawInbound }))
    expect(addUserEntries({ ...alice, tags: ['V', 'T', 'S', 'D'] }, inbounds)).toEqual([
      { type: 'vless', tag: 'V', username: 'alice', uuid: alice.vlessUuid, flow: 'xtls-rprx-vision', level: 0 },
      { type: 'trojan', tag: 'T', username: 'alice', password: 'tr', level: 0 },
      { type: 'shadowsocks', tag: 'S', username: 'alice', password: 'ss', cipherType: 7, ivCheck: false, level: 0 },
    ])
    expect(addUserEntries({ ...alice, tags: [] }, inbounds)).toEqual([])
  })
})

describe('the flow of VLESS users', () => {
  it.each([
    [{ network: 'tcp', security: 'tls' }, 'xtls-rprx-vision'],
    [{ network: 'raw', security: 'reality' }, 'xtls-rprx-vision'],
    [{ security: 'reality' }, 'xtls-rprx-vision'],
    [{ network: 'tcp', security: 'none' }, ''],
    [{ network: 'tcp' }, ''],
    [{ network: 'ws', security: 'tls' }, ''],
    [{ network: 'xhttp', security: 'reality' }, ''],
    [{ network: 'tcp', security: 'tls', tcpSettings: { header: { type: 'http' } } }, ''],
    [{ network: 'raw', security: 'tls', rawSettings: { header: { type: 'http' } } }, ''],
    [{ network: 'tcp', security: 'tls', tcpSettings: { header: { type: 'none' } } }, 'xtls-rprx-vision'],
  ])('of %j is "%s"', (streamSettings, flow) => {
    expect(inboundFlow({ protocol: 'vless', streamSettings })).toBe(flow)
  })

  it('is empty for anything that is not a config', () => {
    expect([inboundFlow(null), inboundFlow('x'), inboundFlow({ streamSettings: 1 })]).toEqual(['', '', ''])
    expect(vlessFlow({ network: 'tcp', security: 'tls', headerType: '' })).toBe('xtls-rprx-vision')
  })
})

describe('certificate files', () => {
  const entry = { certificateFile: '/ssl/a.pem', keyFile: '/ssl/a.key', ocspStapling: 3600 }
  const config = {
    inbounds: [
      {
        tag: 'T',
        protocol: 'trojan',
        streamSettings: { security: 'tls', tlsSettings: { alpn: ['h2'], certificates: [entry, { certificate: ['x'] }] } },
      },
      { tag: 'V', protocol: 'vless' },
    ],
  }

  it('are found in every inbound', () => {
    expect(certificatePaths(config)).toEqual(['/ssl/a.pem', '/ssl/a.key'])
  })

  it('are replaced by their lines, without carriage returns and blank lines', () => {
    const files = new Map([
      ['/ssl/a.pem', '-----BEGIN\r\nabc\r\n\r\n-----END\r\n'],
      ['/ssl/a.key', 'KEY\n'],
    ])
    const certificates = [
      { ocspStapling: 3600, certificate: ['-----BEGIN', 'abc', '-----END'], key: ['KEY'] },
      { certificate: ['x'] },
    ]
    expect(inlineCertificates(config, files)['inbounds']).toEqual([
      { tag: 'T', protocol: 'trojan', streamSettings: { security: 'tls', tlsSettings: { alpn: ['h2'], certificates } } },
      { tag: 'V', protocol: 'vless' },
    ])
  })

  it('stay named when one of the two cannot be read', () => {
    expect(inlineCertificates(config, new Map([['/ssl/a.pem', 'A']]))).toEqual(config)
  })
})

describe('canonical JSON', () => {
  it('is the same for every order of keys and differs for every order of a list', () => {
    expect(canonicalJson({ b: [{ d: 1, c: null }], a: 'x' })).toBe('{"a":"x","b":[{"c":null,"d":1}]}')
    expect(canonicalJson([1, 2])).not.toBe(canonicalJson([2, 1]))
  })
})
