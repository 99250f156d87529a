/** What a new config profile starts with. `tagSuffix` keeps inbound tags unique over all profiles. */
export function defaultConfig(tagSuffix: number): Record<string, unknown> {
  return {
    log: { loglevel: 'info' },
    inbounds: [
      {
        tag: `Shadowsocks_${tagSuffix}`,
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
  }
}

const LARGEST_SUFFIX = 999_999

export function randomTagSuffix(): number {
  return 1 + Math.floor(Math.random() * LARGEST_SUFFIX)
}
