import type { XrayObject } from './config.ts'
import { localNetworksRule, NAMES_LOOKED_UP } from './local-networks.ts'

/** The configuration of the profile that a new panel starts with. */
export function seedProfile(): XrayObject {
  return shadowsocksProfile('Shadowsocks')
}

/** The config of a new profile. Tags are unique over all profiles, hence the number, which the caller draws at random. */
export function newProfile(randomNumber: number): XrayObject {
  return shadowsocksProfile(`Shadowsocks_${randomNumber}`)
}

function shadowsocksProfile(tag: string): XrayObject {
  return {
    log: { loglevel: 'info' },
    inbounds: [
      {
        tag,
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
    routing: { domainStrategy: NAMES_LOOKED_UP, rules: [localNetworksRule('BLOCK')] },
  }
}
