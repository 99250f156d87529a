import { flag, listOf, object, oneOf, port, text, wholeNumber } from './schema-parts.ts'

const INBOUND_TYPES = ['tun', 'mixed', 'socks', 'http', 'redirect', 'tproxy', 'direct']
const OUTBOUND_TYPES = [
  'selector',
  'urltest',
  'direct',
  'block',
  'dns',
  'socks',
  'http',
  'shadowsocks',
  'vmess',
  'vless',
  'trojan',
]
const STRATEGIES = ['prefer_ipv4', 'prefer_ipv6', 'ipv4_only', 'ipv6_only']
const DNS_TYPES = ['local', 'hosts', 'tcp', 'udp', 'tls', 'quic', 'https', 'h3', 'dhcp', 'fakeip']

const texts = (description: string) => listOf(description, text('One of them'))

const dnsServer = object('A server that is asked', {
  tag: text('By this name rules call it'),
  type: oneOf('How it is asked, from version 1.12 on', DNS_TYPES),
  server: text('Its address, from version 1.12 on'),
  server_port: port('Its port'),
  address: text('Before version 1.12: where it is and how it is asked, such as tls://1.1.1.1'),
  detour: text('The outbound through which it is asked'),
  domain_resolver: text('The server that resolves its name'),
  strategy: oneOf('Which addresses are asked for', STRATEGIES),
})

const match = {
  protocol: { description: 'What sniffing found', type: ['string', 'array'] },
  network: { description: 'tcp or udp', type: ['string', 'array'] },
  domain: { description: 'Whole names', type: ['string', 'array'] },
  domain_suffix: { description: 'Ends of names', type: ['string', 'array'] },
  domain_keyword: { description: 'Parts of names', type: ['string', 'array'] },
  ip_cidr: { description: 'Networks', type: ['string', 'array'] },
  ip_is_private: flag('Addresses of local networks'),
  port: { description: 'Ports', type: ['integer', 'array'] },
  rule_set: { description: 'Lists of rules', type: ['string', 'array'] },
  clash_mode: text('The mode chosen in the app'),
  inbound: { description: 'Where it came in', type: ['string', 'array'] },
}

const rule = object('The first that fits decides', {
  ...match,
  action: oneOf('What is done, from version 1.11 on', ['route', 'reject', 'hijack-dns', 'sniff', 'resolve', 'route-options']),
  outbound: text('Where it leaves'),
})

/** sing-box, both forms: the panel brings a template into that of the client's version. */
export const singBoxSchema = object('A configuration of sing-box. The panel adds the user’s hosts as outbounds.', {
  log: object('What is logged', {
    disabled: flag('Nothing at all'),
    level: oneOf('How much', ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'panic']),
    timestamp: flag('With the time'),
  }),
  dns: object('How names are resolved', {
    servers: listOf('Servers that are asked', dnsServer),
    rules: listOf('Which server for which name', { type: 'object', description: 'The first that fits decides' }),
    final: text('The server for the rest; the first one where nothing is said'),
    strategy: oneOf('Which addresses are asked for', STRATEGIES),
    independent_cache: flag('Each server remembers for itself'),
    fakeip: { type: 'object', description: 'Before version 1.12: made-up addresses' },
  }),
  inbounds: listOf(
    'Where traffic comes in',
    object('One way in', {
      type: oneOf('Its kind', INBOUND_TYPES),
      tag: text('By this name rules call it'),
      listen: text('Address it is opened on'),
      listen_port: port('Its port'),
      address: texts('tun: addresses of the device, from version 1.10 on'),
      mtu: wholeNumber('tun: largest packet'),
      auto_route: flag('tun: sets the routes itself'),
      strict_route: flag('tun: nothing goes past it'),
      stack: oneOf('tun: whose network stack', ['system', 'gvisor', 'mixed']),
      sniff: flag('Before version 1.11: reads the name out of the first bytes'),
    }),
  ),
  outbounds: listOf(
    'Where traffic leaves. The user’s hosts are added after these.',
    object('One way out', {
      type: oneOf('Its kind. Selectors and url tests are given the names of the user’s hosts.', OUTBOUND_TYPES),
      tag: text('By this name rules and groups call it'),
      outbounds: texts('The names in a group; the panel writes them'),
      url: text('urltest: what is fetched to measure the delay'),
      interval: text('urltest: time between measurements, such as 5m'),
      tolerance: wholeNumber('urltest: milliseconds by which another must be better'),
      interrupt_exist_connections: flag('Close open connections when another is chosen'),
      default: text('selector: what is chosen first'),
    }),
  ),
  endpoints: listOf('WireGuard and Tailscale', { type: 'object' }),
  route: object('Which way traffic takes', {
    rules: listOf('From top to bottom', rule),
    rule_set: listOf('Lists of rules. sing-box does not start without one that it cannot get.', { type: 'object' }),
    final: text('Where the rest leaves'),
    auto_detect_interface: flag('Finds the way out itself'),
    default_domain_resolver: {
      description: 'Who resolves the names of servers, from version 1.12 on',
      type: ['string', 'object'],
    },
  }),
  experimental: object('Control and memory', {
    clash_api: { type: 'object', description: 'Control by apps that know Clash' },
    cache_file: { type: 'object', description: 'What is remembered over a restart' },
  }),
})
