import { describe, expect, it, test } from 'vitest'
import { followInbound, isForwardable, misfitsOf, type LinkHost, type RunInbound } from './reach.ts'

const KEY = 'uJyDJcRgR6jKDnNSjFQHzQZsyPWGa_EzK_NHJgGYj3k'
const OTHER_KEY = 'aEPGxJJHdDqQYyq2ZZzW1xbTjEVTHoP7MPXyvdd4nWk'

const host = (given: Partial<LinkHost> = {}): LinkHost => ({
  address: 'vpn.example.com',
  port: 443,
  path: null,
  host: null,
  sni: null,
  securityLayer: 'DEFAULT',
  overrideSniFromAddress: false,
  ...given,
})
const inbound = (stream: object = {}, given: object = {}, type = 'vless'): RunInbound => ({
  type,
  rawInbound: { port: 443, protocol: type, settings: { decryption: 'none' }, streamSettings: stream, ...given },
})
const reality = (given: object = {}) =>
  inbound({
    security: 'reality',
    realitySettings: { privateKey: KEY, serverNames: ['a.example', 'b.example'], shortIds: ['01', '02'], ...given },
  })
const ws = (given: object = {}, security: object = {}) =>
  inbound({ network: 'ws', wsSettings: { path: '/a', ...given }, ...security })

describe('a link that takes over everything fits its inbound', () => {
  it.each<[string, RunInbound]>([
    ['plain', inbound()],
    ['a list of ports', inbound({}, { port: '80,443' })],
    ['a range of ports', inbound({}, { port: '400-500,8443' })],
    ['a port by environment', inbound({}, { port: 'env:PORT' })],
    ['REALITY', reality()],
    ['WebSocket', ws()],
    ['XHTTP', inbound({ network: 'xhttp', xhttpSettings: { path: 'up', host: 'x.example', mode: 'stream-one' } })],
    ['gRPC', inbound({ network: 'grpc', grpcSettings: { serviceName: 'svc' } })],
    [
      'an HTTP header',
      inbound({ rawSettings: { header: { type: 'http', request: { path: ['/x', '/y'], headers: { Host: ['h.example'] } } } } }),
    ],
    ['TLS', inbound({ security: 'tls', tlsSettings: { serverName: 'a.example' } }, {}, 'trojan')],
    ['Shadowsocks 2022', inbound({}, { settings: { method: '2022-blake3-aes-128-gcm', password: 'x' } }, 'shadowsocks')],
    ['mKCP', inbound({ network: 'kcp', kcpSettings: { mtu: 1300 } })],
  ])('%s', (_, running) => {
    expect(misfitsOf(host(), running, running)).toEqual([])
  })
})

test.each<[string, LinkHost, RunInbound, RunInbound, object[], boolean]>([
  ['another port', host(), inbound(), inbound({}, { port: 8443 }), [{ part: 'port', link: '443', inbound: '8443' }], true],
  [
    'a port outside of the range',
    host({ port: 3000 }),
    inbound({}, { port: '1000-2000' }),
    inbound({}, { port: '1000-2000' }),
    [{ part: 'port', link: '3000', inbound: '1000-2000' }],
    true,
  ],
  [
    'another transport',
    host(),
    ws(),
    inbound({ network: 'grpc', grpcSettings: { serviceName: 'a' } }),
    [{ part: 'transport', link: 'ws', inbound: 'grpc' }],
    false,
  ],
  ['another path', host({ path: '/b' }), ws(), ws(), [{ part: 'path', link: '/b', inbound: '/a' }], true],
  ['a path with a query and one without are one', host({ path: '/a?ed=2048' }), ws(), ws(), [], true],
  [
    'another name of the service',
    host({ path: 'old' }),
    inbound({ network: 'grpc', grpcSettings: { serviceName: 'new' } }),
    inbound({ network: 'grpc', grpcSettings: { serviceName: 'new' } }),
    [{ part: 'path', link: 'old', inbound: 'new' }],
    true,
  ],
  [
    'another host name where the inbound demands one',
    host({ host: 'b.example' }),
    ws({ host: 'a.example' }),
    ws({ host: 'a.example' }),
    [{ part: 'host', link: 'b.example', inbound: 'a.example' }],
    true,
  ],
  [
    'no host name where the inbound demands one',
    host(),
    ws({ host: 'a.example' }),
    ws({ host: 'a.example' }),
    [{ part: 'host', link: 'vpn.example.com', inbound: 'a.example' }],
    true,
  ],
  [
    'TLS that ends before the node',
    host({ securityLayer: 'TLS' }),
    ws(),
    ws(),
    [{ part: 'security', link: 'tls', inbound: 'none' }],
    true,
  ],
  [
    'TLS before REALITY, which nothing can end',
    host({ securityLayer: 'TLS' }),
    reality(),
    reality(),
    [{ part: 'security', link: 'tls', inbound: 'reality' }],
    false,
  ],
  [
    'a name that REALITY does not know',
    host({ sni: 'c.example' }),
    reality(),
    reality(),
    [{ part: 'sni', link: 'c.example', inbound: 'a.example, b.example' }],
    false,
  ],
  [
    'the address as name, where REALITY does not know it',
    host({ overrideSniFromAddress: true }),
    reality(),
    reality(),
    [{ part: 'sni', link: 'vpn.example.com', inbound: 'a.example, b.example' }],
    false,
  ],
  [
    'another key of REALITY',
    host(),
    reality(),
    reality({ privateKey: OTHER_KEY }),
    [{ part: 'keys', link: '', inbound: '' }],
    false,
  ],
  ['a short id that is gone', host(), reality(), reality({ shortIds: ['01'] }), [{ part: 'keys', link: '', inbound: '' }], false],
  ['a short id that was added', host(), reality({ shortIds: ['01'] }), reality(), [], true],
  [
    'another protocol',
    host(),
    inbound(),
    inbound({}, {}, 'trojan'),
    [{ part: 'protocol', link: 'vless', inbound: 'trojan' }],
    false,
  ],
  [
    'an own name of TLS, which only the certificate knows',
    host({ sni: 'x.example' }),
    ws({}, { security: 'tls' }),
    ws({}, { security: 'tls' }),
    [],
    true,
  ],
])('%s', (_, link, madeFor, running, misfits, forwardable) => {
  expect(misfitsOf(link, madeFor, running)).toEqual(misfits)
  expect(isForwardable(misfitsOf(link, madeFor, running))).toBe(forwardable)
})

describe('a host follows its inbound in what it has in common with it', () => {
  const old = ws({ path: '/a', host: 'a.example' }, { security: 'tls', tlsSettings: { serverName: 's.example' } })
  const next = inbound(
    { network: 'ws', wsSettings: { path: '/b', host: 'b.example' }, security: 'tls', tlsSettings: { serverName: 't.example' } },
    { port: 8443 },
  )
  it.each<[string, Partial<LinkHost>, object]>([
    ['the port', {}, { port: 8443 }],
    ['an own port stays', { port: 2053 }, {}],
    [
      'what it says in full',
      { path: '/a', host: 'A.example', sni: 's.example' },
      { port: 8443, path: '/b', host: 'b.example', sni: 't.example' },
    ],
    ['what it says otherwise stays', { port: 80, path: '/x', host: 'x.example', sni: 'y.example', securityLayer: 'NONE' }, {}],
  ])('%s', (_, given, changes) => {
    expect(followInbound(host(given), old, next)).toEqual(changes)
  })
  it('the mode of TLS', () => {
    const plain = inbound()
    expect(followInbound(host({ securityLayer: 'TLS' }), ws({}, { security: 'tls' }), ws())).toEqual({ securityLayer: 'DEFAULT' })
    expect(followInbound(host({ securityLayer: 'NONE' }), plain, reality())).toEqual({ securityLayer: 'DEFAULT' })
    expect(followInbound(host({ securityLayer: 'TLS' }), plain, reality())).toEqual({})
    expect(followInbound(host({ securityLayer: 'TLS' }), ws(), ws())).toEqual({})
  })
  it('the path of another transport, and none where that has none', () => {
    const grpc = inbound({ network: 'grpc', grpcSettings: { serviceName: 'svc' } })
    expect(followInbound(host({ path: '/a' }), ws(), grpc)).toEqual({ path: 'svc' })
    expect(followInbound(host({ path: '/a' }), ws(), inbound())).toEqual({ path: '' })
  })
  it('the names of REALITY, where its own is gone', () => {
    expect(followInbound(host({ sni: 'b.example' }), reality(), reality({ serverNames: ['c.example', 'd.example'] }))).toEqual({
      sni: 'c.example',
    })
    expect(followInbound(host({ sni: 'b.example' }), reality(), reality({ serverNames: ['c.example', 'b.example'] }))).toEqual({})
  })
  it('a port that moves into a range or a list, and one that is in it already', () => {
    expect(followInbound(host(), inbound(), inbound({}, { port: '2000-3000' }))).toEqual({ port: 2000 })
    expect(followInbound(host(), inbound(), inbound({}, { port: '80,443' }))).toEqual({})
    expect(followInbound(host(), inbound(), inbound({}, { port: 'env:PORT' }))).toEqual({})
  })
  it('and then fits it', () => {
    const following = {
      ...host({ path: '/a', host: 'a.example' }),
      ...followInbound(host({ path: '/a', host: 'a.example' }), old, next),
    }
    expect(misfitsOf(following, next, next)).toEqual([])
  })
})
