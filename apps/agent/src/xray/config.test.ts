import { describe, expect, it } from 'vitest'
import type { Client } from './clients.ts'
import { type ClientChange, configuredClients, effectiveConfig, userTags, withChanges } from './config.ts'

const vless = (email: string, id: string): Client => ({ protocol: 'vless', email, level: 0, hashId: id, id, flow: '' })

const closingRule = (port: string) => {
  const rule = { type: 'field', network: 'tcp', port, outboundTag: 'CAUSEWAY_CLOSED' }
  return [
    { ...rule, ip: ['0.0.0.0/8', '127.0.0.0/8', '::/128', '::1/128'] },
    { ...rule, domain: ['regexp:.'] },
  ]
}

describe('effectiveConfig', () => {
  it('adds the API and the counters to a config that has neither', () => {
    expect(effectiveConfig({ inbounds: [], log: { loglevel: 'none' } }, { apiPort: 61_000 })).toEqual({
      inbounds: [],
      log: { loglevel: 'none' },
      outbounds: [{ tag: 'CAUSEWAY_CLOSED', protocol: 'blackhole' }],
      routing: { rules: closingRule('61000') },
      stats: {},
      api: { services: ['HandlerService', 'StatsService', 'RoutingService'], listen: '127.0.0.1:61000', tag: 'CAUSEWAY_API' },
      policy: {
        levels: { '0': { statsUserUplink: true, statsUserDownlink: true, statsUserOnline: true } },
        system: {
          statsInboundUplink: true,
          statsInboundDownlink: true,
          statsOutboundUplink: true,
          statsOutboundDownlink: true,
        },
      },
    })
  })

  it("keeps the administrator's time limits and other levels, and forces only the switches of the counters", () => {
    const policy = { levels: { '0': { connIdle: 60, statsUserUplink: false }, '1': { handshake: 2 } }, system: { more: 1 } }
    expect(effectiveConfig({ policy }, { apiPort: 1 }).policy).toMatchObject({
      levels: { '0': { connIdle: 60, statsUserUplink: true }, '1': { handshake: 2 } },
      system: { more: 1, statsInboundUplink: true },
    })
  })

  it('closes its own ports to whoever comes through the core, before every other rule, and once however often it is made', () => {
    const direct = { tag: 'DIRECT', protocol: 'freedom' }
    const everything = { type: 'field', network: 'tcp,udp', outboundTag: 'DIRECT' }
    const given = { outbounds: [direct], routing: { domainStrategy: 'IPIfNonMatch', rules: [everything] } }
    const ports = { apiPort: 61_000, visionPort: 61_001 }
    const config = effectiveConfig(given, ports)
    expect(config).toMatchObject({
      outbounds: [direct, { tag: 'CAUSEWAY_CLOSED', protocol: 'blackhole' }],
      routing: {
        domainStrategy: 'IPIfNonMatch',
        rules: [...closingRule('61000,61001'), everything],
      },
    })
    expect(effectiveConfig(config, ports)).toEqual(config)
  })

  it('replaces an API of the profile', () => {
    const config = effectiveConfig({ api: { tag: 'mine', listen: '0.0.0.0:1' } }, { apiPort: 4100 })
    expect(config['api']).toMatchObject({ listen: '127.0.0.1:4100', tag: 'CAUSEWAY_API' })
  })
})

describe('userTags', () => {
  it('names the inbounds that carry users', () => {
    const inbounds = ['vless', 'trojan', 'shadowsocks', 'http', 'dokodemo-door', 'wireguard'].map((protocol) => ({
      tag: protocol.toUpperCase(),
      protocol,
    }))
    expect(userTags({ inbounds: [...inbounds, { protocol: 'vless' }] })).toEqual(['VLESS', 'TROJAN', 'SHADOWSOCKS'])
    expect(userTags({})).toEqual([])
  })
})

describe('configuredClients', () => {
  it('gives the clients of an inbound, whatever else stands among them', () => {
    const clients = [{ id: '1', email: 'alice', level: 1 }, null, 'x', { id: 5 }, { password: 'p', email: 'bob' }]
    const config = {
      inbounds: [
        { tag: 'A', protocol: 'vless', settings: { clients } },
        { tag: 'B', protocol: 'vless' },
      ],
    }
    expect(configuredClients(config, 'A')).toEqual([clients[0], clients[4]])
    expect(configuredClients(config, 'B')).toEqual([])
    expect(configuredClients(config, 'C')).toEqual([])
  })
})

describe('withChanges', () => {
  const config = {
    inbounds: [
      { tag: 'A', protocol: 'vless', settings: { decryption: 'none', clients: [{ id: '1', email: 'alice', flow: '' }] } },
      { tag: 'W', protocol: 'wireguard', settings: { peers: [] } },
    ],
  }
  const clients = (changes: ClientChange[]) => {
    const settings = withChanges(config, changes).inbounds?.[0]?.settings
    return settings
  }

  it.each<[string, ClientChange[], unknown[]]>([
    ['nothing', [], [{ id: '1', email: 'alice', flow: '' }]],
    [
      'a user added',
      [{ kind: 'add', tag: 'A', client: vless('bob', '2') }],
      [
        { id: '1', email: 'alice', flow: '' },
        { id: '2', email: 'bob', flow: '' },
      ],
    ],
    ['a user removed, whatever the case of the name', [{ kind: 'remove', tag: 'A', username: 'ALICE' }], []],
    [
      'a user removed and added with a new key',
      [
        { kind: 'remove', tag: 'A', username: 'alice' },
        { kind: 'add', tag: 'A', client: vless('alice', '3') },
      ],
      [{ id: '3', email: 'alice', flow: '' }],
    ],
    [
      'a user added and removed',
      [
        { kind: 'add', tag: 'A', client: vless('bob', '2') },
        { kind: 'remove', tag: 'A', username: 'bob' },
      ],
      [{ id: '1', email: 'alice', flow: '' }],
    ],
    [
      'changes of inbounds that are not there',
      [{ kind: 'add', tag: 'Z', client: vless('bob', '2') }],
      [{ id: '1', email: 'alice', flow: '' }],
    ],
  ])('applies %s', (_, changes, expected) => {
    expect(clients(changes)).toEqual({ decryption: 'none', clients: expected })
  })

  it('never makes two users of one name, which Xray would refuse', () => {
    const twice: ClientChange[] = ['Bob', 'bob'].map((name) => ({ kind: 'add', tag: 'A', client: vless(name, '2') }))
    expect(clients(twice)).toMatchObject({ clients: [{ email: 'alice' }, { email: 'bob' }] })
  })

  it('writes each protocol as Xray reads it, with the id that hashes are built from', () => {
    const inbounds = [
      { tag: 'T', protocol: 'trojan', settings: {} },
      { tag: 'S', protocol: 'shadowsocks', settings: { clients: [] } },
    ]
    const changes: ClientChange[] = [
      { kind: 'add', tag: 'T', client: { protocol: 'trojan', email: 'a', level: 2, hashId: 'h', password: 'p' } },
      {
        kind: 'add',
        tag: 'S',
        client: { protocol: 'shadowsocks', email: 'a', level: 0, hashId: 'h', password: 'p', cipherType: 5, ivCheck: false },
      },
    ]
    expect(withChanges({ inbounds }, changes).inbounds?.map(({ settings }) => settings)).toEqual([
      { clients: [{ password: 'p', email: 'a', id: 'h', level: 2 }] },
      { clients: [{ password: 'p', method: 'aes-128-gcm', email: 'a', id: 'h' }] },
    ])
  })
})
