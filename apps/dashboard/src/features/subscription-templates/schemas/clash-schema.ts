import { flag, listOf, object, oneOf, orNothing, port, text, wholeNumber } from './schema-parts.ts'

const GROUP_TYPES = ['select', 'url-test', 'fallback', 'load-balance', 'relay']
const LOG_LEVELS = ['silent', 'error', 'warning', 'info', 'debug']

const control = object('What the panel does with this group. Clients never see it.', {
  'include-proxies': flag('false: none of the user’s hosts is added'),
  'select-random-proxy': flag('One host, drawn anew for each fetch, instead of all'),
  'shuffle-proxies-order': flag('The hosts in another order for each fetch'),
})

const group = object(
  'A choice among proxies. The user’s hosts are added to its proxies.',
  {
    name: text('By this name rules and other groups call it'),
    type: oneOf('Who chooses: the person (select) or the app, by measured delay or order', GROUP_TYPES),
    proxies: orNothing(listOf('Names that stand before the user’s hosts: groups, DIRECT, REJECT', text('A name'))),
    use: listOf('Names of proxy providers', text('A name')),
    url: text('What is fetched to measure the delay'),
    interval: wholeNumber('Seconds between measurements'),
    tolerance: wholeNumber('Milliseconds by which another must be better before the app changes'),
    lazy: flag('Measure only while the group is used'),
    strategy: oneOf('How load-balance spreads connections', ['consistent-hashing', 'round-robin', 'sticky-sessions']),
    filter: text('Regular expression for the names of proxies from providers'),
    hidden: flag('Not shown in the app'),
    icon: text('Address of an image'),
    remnawave: control,
  },
  ['name', 'type'],
)

const dns = object('How names are resolved', {
  enable: flag('false: the system resolves'),
  listen: text('Address and port for others, such as 127.0.0.1:1053'),
  ipv6: flag('Whether names have IPv6 addresses'),
  'use-hosts': flag('Answer from hosts first'),
  'enhanced-mode': oneOf('fake-ip: made-up addresses, names stay with the proxy; redir-host: real ones', [
    'fake-ip',
    'redir-host',
    'normal',
  ]),
  'fake-ip-range': text('Where made-up addresses come from'),
  'fake-ip-filter': listOf('Names that need their real address', text('A name, * and + stand for parts')),
  'default-nameserver': listOf('Plain servers that resolve the names of the others', text('An IP address')),
  nameserver: listOf('Servers that are asked', text('An address, udp, tls:// or https://')),
  fallback: listOf('Servers asked as well, for names from abroad', text('An address')),
  'nameserver-policy': { type: 'object', description: 'Servers for certain names' },
  'proxy-server-nameserver': listOf('Servers that resolve the names of proxies', text('An address')),
})

/** Mihomo, Stash and Clash: what they have in common, and the widest known of it. */
export const clashSchema = object('A configuration of the Clash family. The panel fills in the user’s hosts as proxies.', {
  'mixed-port': port('Port for HTTP and SOCKS'),
  port: port('Port for HTTP'),
  'socks-port': port('Port for SOCKS'),
  'redir-port': port('Port for redirected TCP, on Linux and macOS'),
  'tproxy-port': port('Port for TProxy, on Linux'),
  'allow-lan': flag('Whether other devices may use the ports'),
  'bind-address': text('Address the ports are opened on; * for all'),
  mode: oneOf('rule: by the rules; global: everything through one group; direct: past all proxies', ['rule', 'global', 'direct']),
  'log-level': oneOf('How much is logged', LOG_LEVELS),
  ipv6: flag('Whether IPv6 is used'),
  'external-controller': text('Address and port of the app’s own control, such as 127.0.0.1:9090'),
  secret: text('Password of the control'),
  'unified-delay': flag('Measure without the time of connecting'),
  'tcp-concurrent': flag('Try all addresses of a name at once'),
  'find-process-mode': oneOf('When the program behind a connection is looked for', ['always', 'strict', 'off']),
  'global-client-fingerprint': text('Whose TLS greeting is imitated, such as chrome'),
  profile: object('What is remembered', {
    'store-selected': flag('The chosen proxy'),
    'store-fake-ip': flag('Made-up addresses'),
  }),
  sniffer: { type: 'object', description: 'Reads the name out of a connection’s first bytes' },
  tun: object('Takes all traffic of the device', {
    enable: flag('Whether it does'),
    stack: oneOf('Whose network stack', ['system', 'gvisor', 'mixed']),
    'auto-route': flag('Sets the routes itself'),
    'auto-detect-interface': flag('Finds the way out itself'),
    'dns-hijack': listOf('Where DNS questions are taken', text('Such as any:53')),
  }),
  hosts: { type: 'object', description: 'Addresses of names, as in a hosts file' },
  dns,
  proxies: orNothing(listOf('Own proxies. The user’s hosts are added after them.', { type: 'object' })),
  'proxy-groups': orNothing(listOf('Choices among proxies, as the app shows them', group)),
  'proxy-providers': { type: 'object', description: 'Lists of proxies fetched by the app' },
  'rule-providers': { type: 'object', description: 'Lists of rules fetched by the app' },
  script: { type: 'object', description: 'Stash: short names for conditions' },
  rules: orNothing(
    listOf('From top to bottom, the first that fits decides: KIND,what,where', text('Such as DOMAIN-SUFFIX,example.com,DIRECT')),
  ),
})
