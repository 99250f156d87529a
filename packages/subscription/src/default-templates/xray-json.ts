const sniffing = { enabled: true, destOverride: ['http', 'tls', 'quic'], routeOnly: false }

/** A local SOCKS and HTTP proxy. The outbound of each host is put before those here, so it is the default one. */
export const xrayJsonTemplate = {
  dns: { servers: ['1.1.1.1', '8.8.8.8'], queryStrategy: 'UseIP' },
  routing: {
    domainStrategy: 'IPIfNonMatch',
    rules: [{ type: 'field', protocol: ['bittorrent'], outboundTag: 'direct' }],
  },
  inbounds: [
    { tag: 'socks', listen: '127.0.0.1', port: 10808, protocol: 'socks', settings: { auth: 'noauth', udp: true }, sniffing },
    { tag: 'http', listen: '127.0.0.1', port: 10809, protocol: 'http', settings: { allowTransparent: false }, sniffing },
  ],
  outbounds: [
    { tag: 'direct', protocol: 'freedom' },
    { tag: 'block', protocol: 'blackhole' },
  ],
}
