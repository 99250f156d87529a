import { describe, expect, it } from 'vitest'
import { checkProfile } from './profile-check.ts'

const vless = { tag: 'A', protocol: 'vless', settings: { clients: [] } }

function messages(config: Record<string, unknown>): string[] {
  return checkProfile(config).map((problem) => `${problem.path}: ${problem.message}`)
}

describe('the check of a config profile', () => {
  it.each(['vless', 'trojan', 'shadowsocks', 'dokodemo-door', 'http', 'mixed', 'wireguard'])(
    'accepts the protocol %s',
    (protocol) => {
      expect(checkProfile({ inbounds: [{ tag: 'A', protocol }] })).toEqual([])
    },
  )

  it.each(['tcp', 'raw', 'ws', 'httpupgrade', 'xhttp'])('accepts the network %s', (network) => {
    expect(checkProfile({ inbounds: [{ ...vless, streamSettings: { network } }] })).toEqual([])
  })

  it.each(['grpc', 'kcp', 'h2', 'quic', 'splithttp', 'TCP', ''])('refuses the network "%s" and names the inbound', (network) => {
    expect(messages({ inbounds: [{ ...vless, streamSettings: { network } }] })).toEqual([
      `inbounds[0].streamSettings.network: Inbound "A" has the network "${network}". Use one of: tcp, raw, ws, httpupgrade, xhttp.`,
    ])
  })

  it.each([{}, { inbounds: [] }, { inbounds: {} }, { inbounds: null }])('refuses a config without inbounds: %j', (config) => {
    expect(messages(config)).toEqual(['inbounds: The config has no inbounds. Add at least one inbound.'])
  })

  it('names every problem with its place, not only the first', () => {
    const inbounds = [
      vless,
      { ...vless, protocol: 'vmess' },
      { protocol: 'http' },
      { ...vless, tag: 'a,b' },
      7,
      { ...vless, tag: 'S', settings: [] },
    ]
    expect(messages({ inbounds })).toEqual([
      'inbounds[1].tag: Inbound 2 has the tag "A" of inbound 1. Tags must be unique.',
      'inbounds[1].protocol: Inbound "A" has the protocol "vmess". Use one of: vless, trojan, shadowsocks, dokodemo-door, http, mixed, wireguard.',
      'inbounds[2].tag: Inbound 3 has no tag. Give it a tag that no other inbound has.',
      'inbounds[3].tag: Inbound "a,b" has a comma in its tag. Remove the comma.',
      'inbounds[4]: Inbound 5 is not a JSON object.',
      'inbounds[5].settings: Inbound "S" has settings that are not a JSON object.',
    ])
  })

  it('refuses stream settings and networks of the wrong type', () => {
    expect(messages({ inbounds: [{ ...vless, streamSettings: [] }] })).toEqual([
      'inbounds[0].streamSettings: Inbound "A" has streamSettings that are not a JSON object.',
    ])
    expect(messages({ inbounds: [{ ...vless, streamSettings: { network: 1 } }] })[0]).toContain('a network that is not text')
    expect(messages({ inbounds: [{ tag: 'A' }] })[0]).toContain('Inbound "A" has no protocol.')
  })
})
