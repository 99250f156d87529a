import { flag, listOf, object, oneOf, port, text } from './schema-parts.ts'

const texts = (description: string) => listOf(description, text('One of them'))

const sniffing = object('Reads the name out of a connection’s first bytes', {
  enabled: flag('Whether it does'),
  destOverride: listOf('In which protocols', oneOf('A protocol', ['http', 'tls', 'quic', 'fakedns', 'fakedns+others'])),
  routeOnly: flag('Only for the rules; the connection itself keeps its address'),
  metadataOnly: flag('Without the first bytes'),
})

const rule = object('The first that fits decides', {
  type: oneOf('Always field', ['field']),
  domain: texts('Names: domain:example.com, full:, keyword:, regexp:, geosite:'),
  ip: texts('Addresses: networks, geoip:private, geoip:ir'),
  port: { description: 'Ports, such as 53,443,1000-2000', type: ['string', 'integer'] },
  network: oneOf('TCP or UDP', ['tcp', 'udp', 'tcp,udp']),
  protocol: listOf('What sniffing found', oneOf('A protocol', ['http', 'tls', 'quic', 'bittorrent'])),
  inboundTag: texts('Where it came in'),
  outboundTag: text('Where it leaves'),
  balancerTag: text('The balancer that chooses where it leaves'),
})

/** The form of Xray JSON: one configuration per host. */
export const xraySchema = object('A configuration of Xray for apps. The outbound of each host is put before those here.', {
  log: object('What is logged', {
    loglevel: oneOf('How much', ['debug', 'info', 'warning', 'error', 'none']),
    access: text('File of connections, or none'),
    error: text('File of errors, or none'),
    dnsLog: flag('Names that were asked for'),
  }),
  dns: object('How names are resolved', {
    servers: listOf('Servers that are asked, in order', {
      description: 'An address or a server with its names',
      type: ['string', 'object'],
    }),
    hosts: { type: 'object', description: 'Addresses of names' },
    queryStrategy: oneOf('Which addresses are asked for', ['UseIP', 'UseIPv4', 'UseIPv6', 'UseSystem']),
    disableCache: flag('Ask every time'),
    disableFallback: flag('Ask no other server than the one for the name'),
    tag: text('By this name rules know questions of DNS'),
  }),
  routing: object('Which way traffic takes', {
    domainStrategy: oneOf('Whether names are resolved for rules by address', ['AsIs', 'IPIfNonMatch', 'IPOnDemand']),
    rules: listOf('From top to bottom; what fits none leaves by the first outbound, the user’s host', rule),
    balancers: listOf('Choices among outbounds', { type: 'object' }),
  }),
  inbounds: listOf(
    'Where traffic comes in',
    object('One way in', {
      tag: text('By this name rules call it'),
      listen: text('Address it is opened on; 127.0.0.1 for this device only'),
      port: port('Its port'),
      protocol: oneOf('Its kind', ['socks', 'http', 'mixed', 'dokodemo-door', 'tunnel', 'tun']),
      settings: { type: 'object', description: 'Of the protocol' },
      sniffing,
    }),
  ),
  outbounds: listOf(
    'Where traffic leaves, after the user’s host',
    object('One way out', {
      tag: text('By this name rules call it'),
      protocol: oneOf('Its kind', [
        'freedom',
        'blackhole',
        'dns',
        'loopback',
        'socks',
        'http',
        'shadowsocks',
        'vmess',
        'vless',
        'trojan',
      ]),
      settings: { type: 'object', description: 'Of the protocol' },
      streamSettings: { type: 'object', description: 'Transport and security' },
      mux: { type: 'object', description: 'Several connections in one' },
    }),
  ),
  policy: { type: 'object', description: 'Times and limits' },
  stats: { type: 'object', description: 'Counts traffic' },
  remarks: text('The name of the configuration; the panel writes the host’s'),
})
