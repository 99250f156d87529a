/** As versions before 1.12 write it; names of servers are resolved by `local`, everything else gets a made-up address. */
const legacyDns = {
  servers: [
    { tag: 'remote', address: 'tls://1.1.1.1', detour: 'Causeway' },
    { tag: 'local', address: 'tcp://1.1.1.1', strategy: 'ipv4_only', detour: 'direct' },
    { tag: 'fakeip', address: 'fakeip' },
  ],
  rules: [
    { outbound: 'any', server: 'local' },
    { query_type: ['A', 'AAAA'], server: 'fakeip' },
  ],
  fakeip: { enabled: true, inet4_range: '198.18.0.0/15', inet6_range: 'fc00::/18' },
  independent_cache: true,
}
/** The same as later versions write it; 1.14 refuses the older form. */
const dns = {
  servers: [
    { type: 'tls', tag: 'remote', server: '1.1.1.1', detour: 'Causeway' },
    { type: 'tcp', tag: 'local', server: '1.1.1.1' },
    { type: 'fakeip', tag: 'fakeip', inet4_range: '198.18.0.0/15', inet6_range: 'fc00::/18' },
  ],
  rules: [{ query_type: ['A', 'AAAA'], server: 'fakeip' }],
  final: 'remote',
}
const experimental = {
  clash_api: { external_controller: '127.0.0.1:9090' },
  cache_file: { enabled: true, store_fakeip: true },
}
const mixedInbound = { type: 'mixed', tag: 'mixed-in', listen: '127.0.0.1', listen_port: 2412 }
const tunInbound = { type: 'tun', tag: 'tun-in', mtu: 9000, auto_route: true, strict_route: true, stack: 'mixed' }
const [inet4, inet6] = ['172.19.0.1/30', 'fdfe:dcba:9876::1/126']

/** For sing-box 1.12 and newer; clients of 1.11 get its DNS in the form they know. */
export const singBoxTemplate = {
  log: { disabled: true },
  dns,
  inbounds: [{ ...tunInbound, address: [inet4, inet6] }, mixedInbound],
  outbounds: [
    { type: 'selector', tag: 'Causeway', outbounds: [], interrupt_exist_connections: true },
    { type: 'direct', tag: 'direct' },
  ],
  route: {
    rules: [{ action: 'sniff' }, { protocol: 'dns', action: 'hijack-dns' }, { ip_is_private: true, outbound: 'direct' }],
    auto_detect_interface: true,
    final: 'Causeway',
    default_domain_resolver: { server: 'local', strategy: 'ipv4_only' },
  },
  experimental,
}

/** For older ones: DNS goes to an outbound, sniffing is a setting of the inbounds, tun has one address per family. */
export const singBoxLegacyTemplate = {
  log: { disabled: true },
  dns: legacyDns,
  inbounds: [
    { ...tunInbound, inet4_address: inet4, inet6_address: inet6, sniff: true },
    { ...mixedInbound, sniff: true },
  ],
  outbounds: [
    { type: 'selector', tag: 'Causeway', outbounds: [], interrupt_exist_connections: true },
    { type: 'direct', tag: 'direct' },
    { type: 'block', tag: 'block' },
    { type: 'dns', tag: 'dns-out' },
  ],
  route: {
    rules: [
      { protocol: 'dns', outbound: 'dns-out' },
      { ip_is_private: true, outbound: 'direct' },
    ],
    auto_detect_interface: true,
    final: 'Causeway',
  },
  experimental,
}
