import { describe, expect, it } from 'vitest'
import { checkProfile } from './profile-check.ts'

const vless = { tag: 'A', protocol: 'vless', settings: { clients: [] } }

function messages(config: Record<string, unknown>): string[] {
  return checkProfile(config).map((problem) => `${problem.path}: ${problem.message}`)
}

describe('the check of a config profile', () => {
  it.each(['vless', 'vmess', 'trojan', 'shadowsocks', 'dokodemo-door', 'tunnel', 'http', 'mixed', 'socks', 'wireguard', 'tun'])(
    'accepts the protocol %s',
    (protocol) => {
      expect(checkProfile({ inbounds: [{ tag: 'A', protocol }] })).toEqual([])
    },
  )

  it.each(['tcp', 'raw', 'ws', 'websocket', 'grpc', 'httpupgrade', 'xhttp', 'splithttp', 'kcp', 'mkcp'])(
    'accepts the network %s',
    (network) => {
      expect(checkProfile({ inbounds: [{ ...vless, streamSettings: { network } }] })).toEqual([])
    },
  )

  it.each(['h2', 'quic', 'h3', 'TCP', ''])('refuses the network "%s" and names the inbound', (network) => {
    expect(messages({ inbounds: [{ ...vless, streamSettings: { network } }] })).toEqual([
      `inbounds[0].streamSettings.network: Inbound "A" has the network "${network}". Use one of: tcp, raw, ws, grpc, httpupgrade, xhttp, kcp, hysteria, websocket, splithttp, mkcp.`,
    ])
  })

  it.each([{}, { inbounds: [] }, { inbounds: {} }, { inbounds: null }])('refuses a config without inbounds: %j', (config) => {
    expect(messages(config)).toEqual(['inbounds: The config has no inbounds. Add at least one inbound.'])
  })

  it('takes a thousand inbounds and refuses more in one sentence, without looking at each', () => {
    const inboundsOf = (count: number) => Array.from({ length: count }, (_, index) => ({ tag: `A${index}`, protocol: 'vless' }))
    expect(messages({ inbounds: inboundsOf(1000) })).toEqual([])
    expect(messages({ inbounds: [...inboundsOf(1000), 'wrong'] })).toEqual([
      'inbounds: The config has 1001 inbounds, and 1000 are the most. Split it into several profiles.',
    ])
  })

  it.each([1, 65535, '443', '443, 8443', '1000-2000', '1000-2000,3000', 'env:PORT', null])('takes the port %j', (port) => {
    expect(messages({ inbounds: [{ ...vless, port }] })).toEqual([])
  })

  it.each([0, 65536, 1.5, '', 'abc', '443,', '2000-1000', '1000-70000', '1-2-3', 'env:', true])('refuses the port %j', (port) => {
    expect(messages({ inbounds: [{ ...vless, port }] })).toEqual([
      'inbounds[0].port: Inbound "A" has no port from 1 to 65535. Use one, a list such as "443,8443" or a range such as "1000-2000".',
    ])
  })

  it('refuses a tag that is too long to be looked up', () => {
    expect(messages({ inbounds: [{ ...vless, tag: 'ж'.repeat(500) }] })).toEqual([])
    expect(messages({ inbounds: [{ ...vless, tag: 'ж'.repeat(501) }] })).toEqual([
      'inbounds[0].tag: Inbound 1 has a tag of more than 500 characters.',
    ])
  })

  it('refuses what would be stored as something else, with its place', () => {
    const config = JSON.parse(
      String.raw`{"log": {"a": "x\u0000", "b": 9007199254740993, "c": [1e400, 9007199254740991, 0.1]}, "inbounds": [{"tag": "\ud800", "protocol": "vless"}], "x\u0000": 1}`,
    ) as Record<string, unknown> // as: an object
    expect(messages(config)).toEqual([
      'log.a: log.a has the character U+0000, which cannot be stored. Remove it.',
      'log.b: log.b is a whole number beyond 9007199254740991, which cannot be kept exactly.',
      'log.c[0]: log.c[0] is a number too large to be kept.',
      'inbounds[0].tag: inbounds[0].tag has half a character (a lone surrogate), which cannot be stored. Remove it.',
      ': The config has a key that has the character U+0000, which cannot be stored. Remove it.',
    ])
    expect(messages({ inbounds: [vless], more: Array.from({ length: 100 }, () => Infinity) })).toHaveLength(20)
  })

  it('names every problem with its place, not only the first', () => {
    const inbounds = [
      vless,
      { ...vless, protocol: 'naive' },
      { protocol: 'http' },
      { ...vless, tag: 'a,b' },
      7,
      { ...vless, tag: 'S', settings: [] },
    ]
    expect(messages({ inbounds })).toEqual([
      'inbounds[1].tag: Inbound 2 has the tag "A" of inbound 1. Tags must be unique.',
      'inbounds[1].protocol: Inbound "A" has the protocol "naive". Use one of: vless, vmess, trojan, shadowsocks, hysteria, dokodemo-door, tunnel, http, mixed, socks, wireguard, tun.',
      'inbounds[2].tag: Inbound 3 has no tag. Give it a tag that no other inbound has.',
      'inbounds[3].tag: Inbound "a,b" has a comma in its tag. Remove the comma.',
      'inbounds[4]: Inbound 5 is not a JSON object.',
      'inbounds[5].settings: Inbound "S" has settings that are not a JSON object.',
    ])
  })

  const hysteria = { network: 'hysteria', security: 'tls', hysteriaSettings: { version: 2 } }
  it('takes Hysteria with its own network inside TLS, and nothing else', () => {
    const refusal = (protocol: string, streamSettings: object) => messages({ inbounds: [{ tag: 'A', protocol, streamSettings }] })
    expect(refusal('hysteria', hysteria)).toEqual([])
    expect(refusal('hysteria', {})).toEqual([expect.stringContaining('streamSettings.network: Inbound "A" mixes "hysteria"')])
    expect(refusal('vless', hysteria)).toEqual([expect.stringContaining('hysteria go together only')])
    expect(refusal('hysteria', { ...hysteria, security: 'none' })).toEqual([expect.stringContaining('inside TLS only')])
  })

  it.each(['ws', 'httpupgrade', 'kcp'])('refuses REALITY over %s, which no core has', (network) => {
    expect(messages({ inbounds: [{ ...vless, streamSettings: { network, security: 'reality' } }] })).toEqual([
      `inbounds[0].streamSettings.security: Inbound "A" uses REALITY with the network "${network}". REALITY exists for tcp, grpc, xhttp only.`,
    ])
  })

  it.each([
    ['2022-blake3-aes-128-gcm', 16],
    ['2022-blake3-aes-256-gcm', 32],
    ['2022-blake3-chacha20-poly1305', 32],
  ])('takes Shadowsocks with %s and a key of %i bytes, no other', (method, bytes) => {
    const refusal = (password: unknown) =>
      messages({ inbounds: [{ tag: 'A', protocol: 'shadowsocks', settings: { method, password } }] })
    const keyOf = (length: number) => 'A'.repeat(Math.ceil((length * 4) / 3)).padEnd(Math.ceil(length / 3) * 4, '=')
    expect(refusal(keyOf(bytes))).toEqual([])
    for (const wrong of [
      keyOf(bytes - 1),
      keyOf(bytes + 1),
      keyOf(bytes).replaceAll('=', ''),
      `${keyOf(bytes)}\n`,
      'secret',
      undefined,
    ])
      expect(refusal(wrong)).toEqual([
        `inbounds[0].settings.password: Inbound "A" needs a password that is the Base64 of ${bytes} random bytes. "openssl rand -base64 ${bytes}" makes one.`,
      ])
  })

  it('refuses methods of Shadowsocks 2022 that the core has not', () => {
    const inbound = { tag: 'A', protocol: 'shadowsocks', settings: { method: '2022-blake3-aes-192-gcm' } }
    expect(messages({ inbounds: [inbound] })).toEqual([expect.stringContaining('inbounds[0].settings.method: ')])
  })

  const key = 'A'.repeat(43)
  it.each([
    'none',
    `mlkem768x25519plus.native.600s.${key}`,
    `mlkem768x25519plus.xorpub.300-600s.${key}.${'A'.repeat(86)}`,
    `mlkem768x25519plus.random.0s.100-111-1111.75-0-111.${key}`,
  ])('takes the decryption %s', (decryption) => {
    expect(messages({ inbounds: [{ ...vless, settings: { decryption } }] })).toEqual([])
  })

  it.each([
    'mlkem768x25519plus.native.600s',
    `mlkem768x25519plus.plain.600s.${key}`,
    `mlkem768x25519plus.native.long.${key}`,
    `mlkem768x25519plus.native.600s.${key}A`,
    `mlkem768x25519plus.native.600s.${key}.100-111-1111`,
    `other.native.600s.${key}`,
  ])('refuses the decryption %s', (decryption) => {
    expect(messages({ inbounds: [{ ...vless, settings: { decryption } }] })).toEqual([
      'inbounds[0].settings.decryption: Inbound "A" has a decryption that Xray cannot use. Say "none", or take one that "xray vlessenc" makes.',
    ])
  })

  it.each([1, 65535, '443', '443,8443', '1000-2000, 3000', 'env:PORT', null, undefined])('accepts the port %j', (port) => {
    expect(messages({ inbounds: [{ ...vless, port }] })).toEqual([])
  })

  it.each([0, 65536, 1.5, '0', '70000', '1-70000', 'x', '', [443]])('refuses the port %j', (port) => {
    expect(messages({ inbounds: [{ ...vless, port }] })).toEqual([expect.stringContaining('has no port from 1 to 65535')])
  })

  it('refuses stream settings and networks of the wrong type', () => {
    expect(messages({ inbounds: [{ ...vless, streamSettings: [] }] })).toEqual([
      'inbounds[0].streamSettings: Inbound "A" has streamSettings that are not a JSON object.',
    ])
    expect(messages({ inbounds: [{ ...vless, streamSettings: { network: 1 } }] })[0]).toContain('a network that is not text')
    expect(messages({ inbounds: [{ tag: 'A' }] })[0]).toContain('Inbound "A" has no protocol.')
  })
})
