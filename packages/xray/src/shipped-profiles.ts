import type { XrayObject } from './config.ts'
import { localNetworksRule, NAMES_LOOKED_UP } from './local-networks.ts'

/** Secrets of a shipped profile, made by the server: every profile begun from it has its own. */
export interface ProfileSecrets {
  /** Tags are unique over all profiles. */
  number: number
  /** X25519, as REALITY uses it. */
  privateKey: string
  /** Some bytes in hexadecimal. */
  shortId: string
}

export interface ShippedProfile {
  variant: string
  name: string
  /** Complete and ready to run, with secrets of its own. */
  config: (secrets: ProfileSecrets) => XrayObject
}

/** Protocols that the core sniffs to see where a connection goes. */
const sniffing = { enabled: true, destOverride: ['http', 'tls', 'quic'] }
/** Subscribers reach neither the node's own networks nor its mail port. */
const closed = [localNetworksRule('BLOCK'), { type: 'field', port: '25', outboundTag: 'BLOCK' }]
const AD_DOMAINS = ['doubleclick.net', 'googleadservices.com', 'googlesyndication.com', 'adnxs.com', 'criteo.com', 'taboola.com']

/** Profiles to begin from, for nodes; each starts as it is. */
export const shippedProfiles: readonly ShippedProfile[] = [
  {
    variant: 'reality',
    name: 'VLESS with REALITY',
    config: (secrets) => profile([reality(secrets)], closed),
  },
  {
    variant: 'web',
    name: 'VLESS behind a web server, over WebSocket and XHTTP',
    config: ({ number, shortId }) =>
      profile(
        [
          behindWebServer(`VLESS_WS_${number}`, 10_001, { network: 'ws', wsSettings: { path: `/${shortId}w` } }),
          behindWebServer(`VLESS_XHTTP_${number}`, 10_002, { network: 'xhttp', xhttpSettings: { path: `/${shortId}x` } }),
        ],
        closed,
      ),
  },
  {
    variant: 'shadowsocks',
    name: 'Shadowsocks',
    config: ({ number }) =>
      profile(
        [
          {
            tag: `Shadowsocks_${number}`,
            port: 1234,
            protocol: 'shadowsocks',
            settings: { clients: [], network: 'tcp,udp' },
            sniffing,
          },
        ],
        closed,
      ),
  },
  ...(['ir', 'ru', 'cn'] as const).map((country) => ({
    variant: `closed-${country}`,
    name: `VLESS with REALITY, nothing back to ${{ ir: 'Iran', ru: 'Russia', cn: 'China' }[country]}`,
    // Traffic that would show a country's own services that the machine is a proxy.
    config: (secrets: ProfileSecrets) =>
      profile([reality(secrets)], [...closed, { type: 'field', domain: [`domain:${country}`], outboundTag: 'BLOCK' }]),
  })),
  {
    variant: 'reality-no-ads',
    name: 'VLESS with REALITY, without advertisements',
    config: (secrets) =>
      profile(
        [reality(secrets)],
        [...closed, { type: 'field', domain: AD_DOMAINS.map((name) => `domain:${name}`), outboundTag: 'BLOCK' }],
      ),
  },
]

function profile(inbounds: XrayObject[], rules: XrayObject[]): XrayObject {
  return {
    log: { loglevel: 'warning' },
    inbounds,
    outbounds: [
      { protocol: 'freedom', tag: 'DIRECT' },
      { protocol: 'blackhole', tag: 'BLOCK' },
    ],
    routing: { domainStrategy: NAMES_LOOKED_UP, rules },
  }
}

function reality({ number, privateKey, shortId }: ProfileSecrets): XrayObject {
  const realitySettings = {
    target: 'www.cloudflare.com:443',
    serverNames: ['www.cloudflare.com'],
    privateKey,
    shortIds: [shortId],
  }
  return {
    tag: `VLESS_REALITY_${number}`,
    port: 443,
    protocol: 'vless',
    settings: { clients: [], decryption: 'none' },
    streamSettings: { network: 'raw', security: 'reality', realitySettings },
    sniffing,
  }
}

/** The web server in front has the certificate; these ports are not reachable from outside. */
function behindWebServer(tag: string, port: number, streamSettings: XrayObject): XrayObject {
  return {
    tag,
    listen: '127.0.0.1',
    port,
    protocol: 'vless',
    settings: { clients: [], decryption: 'none' },
    streamSettings: { ...streamSettings, security: 'none' },
    sniffing,
  }
}
