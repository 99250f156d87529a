import { createSocket } from 'node:dgram'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { randomBytes } from 'node:crypto'
import { expect, test } from '@playwright/test'
import {
  formatOfClientType,
  prepareHost,
  resolveEntries,
  templateValues,
  type PreparedHost,
  type ProxyEntry,
} from '@causeway/subscription'
import {
  emptyNodeConfig,
  newProfile,
  NodeConfigBuilder,
  objectAt,
  shippedProfiles,
  textAt,
  withLocalNetworksClosed,
  type ProfileSecrets,
  type XrayObject,
} from '@causeway/xray'
import { publicKey } from '../apps/server/src/lib/keys/public-key.ts'
import { makeAuthority, type TestAuthority } from './stage/certificates.ts'
import { customer, neededApp, plainHost } from './stage/client-apps.ts'
import { needsEngine, xray } from './stage/engine.ts'
import { mihomoPorts, portsOf, rendered, singBoxPorts } from './stage/entry-ports.ts'
import { freePorts, run, tail, until, type Running } from './stage/processes.ts'
import { areListening, PATIENT } from './stage/proxy-server.ts'
import { answerThrough } from './stage/through-proxy.ts'
import { startWebServer, type WebServer } from './stage/web-server.ts'

// Whether the profiles that come with the server carry traffic as they are: each made ready for a node, with a user on every
// inbound, run by a real Xray, and used by the apps with what the subscription gives them. Only this machine's side is other: free
// ports, names without a network, a site of its own to pretend to be, and one server in place of the rest of the world.

const SITE = 'web.test'
const BYTES = 1_000_000
const names = {
  'open.test': '203.0.113.7',
  'shop.ir': '203.0.113.8',
  'shop.ru': '203.0.113.9',
  'shop.cn': '203.0.113.10',
  'ads.doubleclick.net': '203.0.113.11',
  'printer.lan.test': '10.1.2.3',
  'loopback.test': '::1',
}
const asked = {
  open: 'open.test:80',
  openAddress: '203.0.113.7:8080',
  ir: 'shop.ir:80',
  ru: 'shop.ru:80',
  cn: 'shop.cn:80',
  ads: 'ads.doubleclick.net:80',
  // By name and by address, since a name that leads inside is as good.
  inside: 'printer.lan.test:80',
  ownMachine: '127.0.0.1:80',
  ownMachineV6: '[::1]:80',
  ownMachineByName: 'loopback.test:80',
  ownMachineMapped: '[::ffff:127.0.0.1]:80',
  metadata: '169.254.169.254:80',
  neighbour: '[fe80::1]:80',
  site: '[fd12:3456::1]:80',
  mail: 'open.test:25',
}
type Answers = Record<keyof typeof asked, 'reached' | 'nowhere'>
const everywhere: Answers = {
  open: 'reached',
  openAddress: 'reached',
  ir: 'reached',
  ru: 'reached',
  cn: 'reached',
  ads: 'reached',
  inside: 'nowhere',
  ownMachine: 'nowhere',
  ownMachineV6: 'nowhere',
  ownMachineByName: 'nowhere',
  ownMachineMapped: 'nowhere',
  metadata: 'nowhere',
  neighbour: 'nowhere',
  site: 'nowhere',
  mail: 'nowhere',
}
const expected: Record<string, Answers> = {
  reality: everywhere,
  web: everywhere,
  shadowsocks: everywhere,
  'closed-ir': { ...everywhere, ir: 'nowhere' },
  'closed-ru': { ...everywhere, ru: 'nowhere' },
  'closed-cn': { ...everywhere, cn: 'nowhere' },
  'reality-no-ads': { ...everywhere, ads: 'nowhere' },
  new: { ...everywhere, mail: 'reached' },
  changed: { ...everywhere, mail: 'reached' },
}
/** What "New config profile" gives, and an older profile after the click on Home. */
const ownProfiles: { variant: string; config: (secrets: ProfileSecrets) => XrayObject }[] = [
  { variant: 'new', config: ({ number }) => newProfile(number) },
  {
    variant: 'changed',
    config: ({ number }) => {
      const everything = { type: 'field', network: 'tcp,udp', outboundTag: 'DIRECT' }
      return withLocalNetworksClosed({ ...newProfile(number), routing: { rules: [everything] } })
    },
  },
]

const folder = mkdtempSync(path.join(tmpdir(), 'causeway-profiles-'))
const ending: (() => unknown)[] = []
let authority: TestAuthority
let entries: ProxyEntry[]

needsEngine()
test.beforeAll(async () => {
  authority = await makeAuthority()
  const world = await startWorld()
  const pretended = await startPretended()
  const hosts: PreparedHost[] = []
  for (const [number, { variant, config }] of [...shippedProfiles, ...ownProfiles].entries()) {
    const profile = config({ number, privateKey: randomBytes(32).toString('base64url'), shortId: randomBytes(8).toString('hex') })
    hosts.push(...(await startNode(variant, profile, { world, pretended })))
  }
  entries = resolveEntries(hosts, customer, templateValues(customer, '', new Date()), Math.random)
})
test.afterAll(async () => {
  for (const end of ending.toReversed()) await end()
  rmSync(folder, { recursive: true, force: true })
})

test('Xray carries traffic through every shipped, new and changed profile, TCP and UDP, and what a profile closes goes nowhere', async () => {
  const configs = JSON.parse(rendered(formatOfClientType('json'), entries)) as { remarks: string; outbounds: XrayObject[] }[] // the format's own shape
  const ports = await portsOf(configs.map(({ remarks }) => remarks))
  const datagrams = await portsOf([...ports.keys()])
  const inbounds = [...ports].flatMap(([tag, port]) => [
    { tag: `to ${tag}`, listen: '127.0.0.1', port, protocol: 'http' },
    {
      tag: `datagrams to ${tag}`,
      listen: '127.0.0.1',
      port: datagrams.get(tag),
      protocol: 'dokodemo-door',
      settings: { address: names['open.test'], port: 4000, network: 'udp' },
    },
  ])
  const rules = [...ports.keys()].map((tag) => ({ inboundTag: [`to ${tag}`, `datagrams to ${tag}`], outboundTag: tag }))
  const outbounds = configs.map(({ remarks, outbounds: [own] }) => ({ ...own, tag: remarks }))
  const config = { log: { loglevel: 'warning' }, policy: PATIENT, inbounds, outbounds, routing: { rules } }
  await expectCarried({ command: xray, args: ['run', '-c'], config: JSON.stringify(config), ports, datagrams })
  expect(ports.size).toBe(entries.length)
})

test('Mihomo carries traffic through every shipped profile', async () => {
  const file = neededApp('mihomo')
  const { config, ports } = await mihomoPorts(entries)
  await expectCarried({ command: file, args: ['-d', folder, '-f'], config, ports })
  expect(ports.size).toBe(entries.length - overXhttp())
})

test('sing-box carries traffic through every shipped profile', async () => {
  const file = neededApp('sing-box', '1.12.8')
  const { config, ports } = await singBoxPorts(entries)
  await expectCarried({ command: file, args: ['run', '-c'], config, ports })
  expect(ports.size).toBe(entries.length - overXhttp())
})

interface Surroundings {
  world: number
  pretended: number
}

/** A core with the profile as a node gets it; gives the hosts that lead there. */
async function startNode(variant: string, profile: XrayObject, { world, pretended }: Surroundings): Promise<PreparedHost[]> {
  const shipped = profile['inbounds'] as (XrayObject & { tag: string; protocol: string })[] // as: in every one
  const ports = await freePorts(shipped.length)
  const inbounds = shipped.map((inbound, index) => {
    const stream = objectAt(inbound, 'streamSettings')
    const reality = { ...objectAt(stream, 'realitySettings'), target: `127.0.0.1:${pretended}` }
    const isReality = stream['security'] === 'reality'
    const streamSettings = isReality ? { ...stream, realitySettings: reality } : inbound['streamSettings']
    return { ...inbound, listen: '127.0.0.1', port: ports[index] ?? 0, ...(streamSettings ? { streamSettings } : {}) }
  })
  const outbounds = (profile['outbounds'] as XrayObject[]) // as above
    .map((outbound) => (outbound['tag'] === 'DIRECT' ? { ...outbound, settings: { redirect: `127.0.0.1:${world}` } } : outbound))
  const tags = inbounds.map(({ tag }) => tag)
  const own = { ...profile, policy: PATIENT, dns: { hosts: names }, inbounds, outbounds }
  const builder = new NodeConfigBuilder(emptyNodeConfig(own, tags))
  builder.add({ ...customer, tags })
  const file = path.join(folder, `${variant}.json`)
  writeFileSync(file, JSON.stringify(builder.build((text) => text).config))
  // Without lists of countries, as a node may be.
  const env = { XRAY_LOCATION_ASSET: '/nonexistent' }
  const core = run({ name: `profile-${variant}`, command: xray, args: ['run', '-c', file], env })
  ending.push(() => core.stop())
  await untilListening(core, ports)
  const front = await startFront(inbounds)
  return inbounds.flatMap((inbound) => {
    const stored = { uuid: '', profileUuid: '', tag: inbound.tag, type: inbound.protocol, rawInbound: inbound }
    const reached = front ? { port: front.port, securityLayer: 'TLS' as const, sni: SITE } : { port: inbound.port }
    return prepareHost({ ...plainHost, remark: `${variant} ${inbound.tag}`, ...reached, inbound: stored }, publicKey) ?? []
  })
}

/** The web server of those that are made to stand behind one. */
async function startFront(inbounds: (XrayObject & { port: number })[]): Promise<WebServer | undefined> {
  const behind = inbounds.flatMap((inbound) => {
    const stream = objectAt(inbound, 'streamSettings')
    const own = textAt(objectAt(stream, `${textAt(stream, 'network')}Settings`), 'path')
    return own === '' ? [] : [{ path: own, port: inbound.port }]
  })
  if (behind.length === 0) return undefined
  const server = await startWebServer(await authority.issue(SITE), behind)
  ending.push(() => server.close())
  return server
}

/** Whoever is asked for, it is this server: it sends bytes, and datagrams back. Gives its port. */
async function startWorld(): Promise<number> {
  const body = 'b'.repeat(BYTES)
  const overTcp = createHttpServer((_, reply) => void reply.setHeader('content-length', BYTES).end(body))
  await new Promise<void>((resolve) => overTcp.listen(0, '127.0.0.1', resolve))
  const { port } = overTcp.address() as AddressInfo // as: listens on TCP
  const overUdp = createSocket('udp4', (datagram, from) => overUdp.send(datagram, from.port, from.address))
  await new Promise<void>((resolve) => overUdp.bind(port, '127.0.0.1', resolve))
  ending.push(
    () => overTcp.close(),
    () => overUdp.close(),
  )
  return port
}

async function startPretended(): Promise<number> {
  const { certificate, key } = await authority.issue('www.cloudflare.com')
  const server = createTlsServer({ cert: certificate, key, minVersion: 'TLSv1.3', ALPNProtocols: ['h2', 'http/1.1'] })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ending.push(() => server.close())
  return (server.address() as AddressInfo).port // as: listens on TCP
}

async function untilListening(program: Running, ports: Iterable<number>): Promise<void> {
  for (const port of ports)
    await until(`port ${port} listens`, () => {
      if (!program.isRunning()) throw new Error(tail(program.logFile))
      return areListening([port])
    })
}

function overXhttp(): number {
  return entries.filter(({ network }) => network === 'xhttp').length
}

interface App {
  command: string
  args: string[]
  config: string
  ports: Map<string, number>
  datagrams?: Map<string, number>
}

async function expectCarried({ command, args, config, ports, datagrams = new Map() }: App): Promise<void> {
  const file = path.join(folder, config.startsWith('{') ? 'client.json' : 'client.yaml')
  writeFileSync(file, config)
  const env = { SSL_CERT_FILE: authority.file, ENABLE_DEPRECATED_MISSING_DOMAIN_RESOLVER: 'true' }
  const app = run({ name: `profiles-${path.basename(command)}`, command, args: [...args, file], env })
  try {
    await untilListening(app, ports.values())
    const [first = 0] = ports.values()
    await until('the app lets something through', async () => (await answerThrough(first, asked.open, '/')).length === BYTES)
    for (const [name, port] of ports) {
      const found = await Promise.all(
        Object.entries(asked).map(async ([what, target]) => {
          const answer = await answerThrough(port, target, '/')
          return [what, answer.length === BYTES ? 'reached' : 'nowhere', answer.slice(0, 200)] as const
        }),
      )
      const said = found.map(([what, , answer]) => `${what}: ${answer.slice(0, 60)}`).join('\n')
      expect(Object.fromEntries(found), `${name}\n${said}`).toEqual(expected[name.split(' ')[0] ?? ''])
    }
    for (const [name, port] of datagrams) expect(await echoed(port, name), name).toBe(name)
  } finally {
    await app.stop()
  }
}

/** What comes back of a datagram. Datagrams may get lost: it is sent until one does. */
async function echoed(port: number, text: string): Promise<string> {
  const socket = createSocket('udp4')
  let answer: string | undefined
  socket.on('message', (datagram) => (answer = datagram.toString()))
  try {
    return await until('a datagram comes back', () => {
      socket.send(text, port, '127.0.0.1')
      return answer
    })
  } finally {
    socket.close()
  }
}
