import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { parse, stringify } from 'yaml'
import {
  compileTemplates,
  renderSubscription,
  shippedTemplates,
  type ProxyEntry,
  type ShippedTemplate,
  type SubscriptionFormat,
} from '@causeway/subscription'
import { objectAt, type XrayObject } from '@causeway/xray'
import { customer, customerEntries, neededApp, singBoxTemplates } from './stage/client-apps.ts'
import { needsEngine, xray } from './stage/engine.ts'
import { emptyCountryDatabase, geoIpFile } from './stage/geo-files.ts'
import { startNameServer, type NameServer } from './stage/name-server.ts'
import { freePorts, run, tail, until } from './stage/processes.ts'
import { areListening, PATIENT, PROXY_ADDRESS, startProxyServer, type ProxyServer } from './stage/proxy-server.ts'
import { answerThrough } from './stage/through-proxy.ts'

// Whether what comes with the server carries traffic as it is: each template rendered for a user with hosts of every kind, run
// by the apps it is for with its own rules, groups and DNS. What an app does with each kind of host is in clients-traffic.e2e.ts;
// here each template begins with another kind, and is asked for what goes through the proxy, past it, and nowhere. Of what is
// rendered only this machine's side is other: free ports, no interface of the system, and a DNS server of its own.

const AT_ONCE = 4
const past = { iran: 'shop.ir', russia: 'shop.ru', china: 'shop.cn' } as const
const advertisement = 'ads.doubleclick.net'

const tls = { security: 'tls' }
const ways: Record<string, XrayObject> = {
  'vless raw tls': { protocol: 'vless', settings: { decryption: 'none' }, streamSettings: { network: 'raw', ...tls } },
  'trojan ws tls': { protocol: 'trojan', settings: {}, streamSettings: { network: 'ws', wsSettings: { path: '/t' }, ...tls } },
  'vmess httpupgrade': {
    protocol: 'vmess',
    settings: {},
    streamSettings: { network: 'httpupgrade', httpupgradeSettings: { path: '/u' } },
  },
  'trojan grpc tls': {
    protocol: 'trojan',
    settings: {},
    streamSettings: { network: 'grpc', grpcSettings: { serviceName: 'service' }, ...tls },
  },
  shadowsocks: { protocol: 'shadowsocks', settings: { network: 'tcp,udp' }, streamSettings: {} },
  'vless reality': {
    protocol: 'vless',
    settings: { decryption: 'none' },
    streamSettings: { network: 'raw', security: 'reality' },
  },
  'shadowsocks 2022': {
    protocol: 'shadowsocks',
    settings: { method: '2022-blake3-aes-256-gcm', password: Buffer.alloc(32, 7).toString('base64'), network: 'tcp,udp' },
    streamSettings: {},
  },
  hysteria: {
    protocol: 'hysteria',
    settings: { version: 2 },
    streamSettings: { network: 'hysteria', hysteriaSettings: { version: 2 }, tlsSettings: { alpn: ['h3'] }, ...tls },
  },
  'vless xhttp': {
    protocol: 'vless',
    settings: { decryption: 'none' },
    streamSettings: { network: 'xhttp', xhttpSettings: { path: '/x' } },
  },
}

const folder = mkdtempSync(path.join(tmpdir(), 'causeway-shipped-'))
let server: ProxyServer
let names: NameServer
let entries: ProxyEntry[]

needsEngine()
test.beforeAll(async () => {
  names = await startNameServer()
  server = await startProxyServer(xray, ways, customer)
  entries = customerEntries(server)
})
test.afterAll(async () => {
  await server?.close()
  names?.close()
  rmSync(folder, { recursive: true, force: true })
})

for (const type of ['MIHOMO', 'STASH', 'CLASH'] as const) {
  test(`Mihomo carries traffic by every shipped template of ${type}`, async () => {
    const file = neededApp('mihomo')
    const kind = ({ MIHOMO: 'mihomo', STASH: 'stash', CLASH: 'clash' } as const)[type]
    await expectAll(type, (template, index, port, own) => {
      const config = parse(rendered(template, { kind }, index)) as XrayObject // as: a rendered map
      // Scripts are Stash's own.
      const rules = (config['rules'] as string[]).filter((rule) => !rule.startsWith('SCRIPT')) // as: in every template
      const nameserver = [`127.0.0.1:${names.port}`]
      // Stash always has a DNS of its own, Mihomo where it is switched on.
      const dns = { enable: true, ...objectAt(config, 'dns'), 'default-nameserver': nameserver, nameserver }
      const ports = { 'mixed-port': port, 'socks-port': 0, 'redir-port': 0, 'external-controller': '' }
      writeFileSync(path.join(own, 'Country.mmdb'), emptyCountryDatabase())
      return {
        command: file,
        args: ['-d', own, '-f'],
        config: stringify({ ...config, ...ports, rules, dns, 'log-level': 'warning' }),
      }
    })
  })
}

for (const [type, version] of singBoxTemplates) {
  test(`sing-box ${version} carries traffic by every shipped template of ${type}`, async () => {
    const file = neededApp('sing-box', version)
    const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
    await expectAll(type, (template, index, port) => {
      // The builds of the last two versions lack what REALITY and Hysteria need, that of the first QUIC.
      const isBuilt = ({ protocol, security }: ProxyEntry) =>
        version === '1.12.8' || (protocol !== 'hysteria' && security !== 'reality')
      const format = { kind: 'sing-box', version: [major, minor, patch] } as const
      const config = JSON.parse(rendered(template, format, index, isBuilt)) as XrayObject // as: a rendered object
      const dns = JSON.parse(
        JSON.stringify(config['dns'])
          .replaceAll(/"server":"1\.1\.1\.1"/g, `"server":"127.0.0.1","server_port":${names.port}`)
          .replaceAll('://1.1.1.1', `://127.0.0.1:${names.port}`),
      ) as XrayObject // as: was one
      const inbounds = (config['inbounds'] as XrayObject[]) // as: in every template
        .filter((inbound) => inbound['type'] === 'mixed')
        .map((inbound) => ({ ...inbound, listen_port: port }))
      const route = { ...objectAt(config, 'route'), auto_detect_interface: false }
      const { experimental: _ports, ...rest } = config
      return {
        command: file,
        args: ['run', '-c'],
        config: JSON.stringify({ ...rest, log: { level: 'warn' }, dns, inbounds, route }),
      }
    })
  })
}

test('Xray carries traffic by every shipped template of XRAY_JSON', async () => {
  writeFileSync(path.join(folder, 'geoip.dat'), geoIpFile(['IR', 'RU', 'CN']))
  await expectAll('XRAY_JSON', (template, index, port) => {
    const [config = {}] = JSON.parse(rendered(template, { kind: 'xray-json' }, index)) as XrayObject[] // as: one for each host
    const outbounds = (config['outbounds'] as XrayObject[]) // as: in every template
      .map((outbound) => (outbound['tag'] === 'direct' ? { ...outbound, settings: { domainStrategy: 'UseIPv4' } } : outbound))
    const inbounds = (config['inbounds'] as XrayObject[])
      .filter(({ tag }) => tag === 'http')
      .map((inbound) => ({ ...inbound, port })) // as above
    const dns = { ...objectAt(config, 'dns'), servers: [{ address: '127.0.0.1', port: names.port }] }
    return {
      command: xray,
      args: ['run', '-c'],
      config: JSON.stringify({ ...config, policy: PATIENT, dns, inbounds, outbounds }),
    }
  })
})

interface Start {
  command: string
  args: string[]
  config: string
}

/** Runs an app by each template of a type, a few at a time, and says what did not go where it should. */
async function expectAll(
  type: ShippedTemplate['type'],
  start: (template: ShippedTemplate, index: number, port: number, own: string) => Start,
): Promise<void> {
  const shipped = shippedTemplates().filter((template) => template.type === type)
  const ports = await freePorts(shipped.length)
  const found: Record<string, unknown> = {}
  const waiting = shipped.entries()
  const work = async () => {
    for (const [index, template] of waiting) {
      const port = ports[index] ?? 0
      const own = mkdtempSync(path.join(folder, 'app-'))
      found[template.variant] = await reached(start(template, index, port, own), port, own)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  const everywhere = {
    through: PROXY_ADDRESS,
    iran: PROXY_ADDRESS,
    russia: PROXY_ADDRESS,
    china: PROXY_ADDRESS,
    ads: PROXY_ADDRESS,
  }
  const direct = '127.0.0.1'
  expect(found).toEqual({
    plain: everywhere,
    iran: { ...everywhere, iran: direct },
    russia: { ...everywhere, russia: direct },
    china: { ...everywhere, china: direct },
    'no-ads': { ...everywhere, ads: 'nowhere' },
  })
}

/** From where each kind of address is reached. */
async function reached({ command, args, config }: Start, port: number, own: string): Promise<Record<string, string>> {
  const file = path.join(own, config.startsWith('{') ? 'config.json' : 'config.yaml')
  writeFileSync(file, config)
  const env = {
    SSL_CERT_FILE: server.authorityFile,
    XRAY_LOCATION_ASSET: folder,
    ENABLE_DEPRECATED_MISSING_DOMAIN_RESOLVER: 'true',
  }
  const app = run({ name: `shipped-${path.basename(command)}-${port}`, command, args: [...args, file], env })
  const from = async (name: string): Promise<string> => {
    const answer = await answerThrough(port, `${name}:${server.target.split(':')[1]}`, '/whence')
    return answer.replace('::ffff:', '')
  }
  try {
    await until('the app lets something through', async () => {
      if (!app.isRunning()) throw new Error(tail(app.logFile))
      return (await areListening([port])) && (await from('target.test')) === PROXY_ADDRESS
    })
    const kinds = { through: 'target.test', ...past, ads: advertisement }
    const answers = await Promise.all(Object.entries(kinds).map(async ([kind, name]) => [kind, await from(name)] as const))
    return Object.fromEntries(answers.map(([kind, answer]) => [kind, /^127\.0\.0\.\d$/.test(answer) ? answer : 'nowhere']))
  } finally {
    await app.stop()
  }
}

/** With another kind of host first for each template. */
function rendered(
  { type, text }: ShippedTemplate,
  format: SubscriptionFormat,
  index: number,
  isShown = (_entry: ProxyEntry) => true,
): string {
  const isJson = text.startsWith('{')
  const source = { templateYaml: isJson ? null : text, templateJson: isJson ? (JSON.parse(text) as unknown) : null }
  const shown = entries.filter(isShown)
  const turned = [...shown.slice((index * 2) % shown.length), ...shown.slice(0, (index * 2) % shown.length)]
  const options = { templates: compileTemplates({ [type]: source }), isHapp: false, random: () => 0 }
  return renderSubscription(format, turned, options).body
}
