import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from '@playwright/test'
import { formatOfClientType, type ProxyEntry } from '@causeway/subscription'
import type { XrayObject } from '@causeway/xray'
import { customer, customerEntries, neededApp } from './stage/client-apps.ts'
import { needsEngine, xray } from './stage/engine.ts'
import { mihomoPorts, portsOf, rendered, singBoxPorts } from './stage/entry-ports.ts'
import { run, tail, until } from './stage/processes.ts'
import { areListening, LATER, PATIENT, startProxyServer, type ProxyServer } from './stage/proxy-server.ts'
import { answerThrough } from './stage/through-proxy.ts'

// Whether entries connect: a real Xray with a way in for each protocol, transport and security, the subscription rendered for
// its hosts, and each app with all its entries at once, in one process with a port per entry. An entry that is shown and does
// not work is a defect, so what a format gives is compared with what gets through, not with a list of exceptions.

test.describe.configure({ mode: 'default' })

const REQUESTS = 5
/** What once lost every second connection is asked more often. */
const MANY_REQUESTS = 25
/** How long an entry may take until its first request is answered. */
const OPENING_MS = 10_000

const transports: Record<string, XrayObject> = {
  raw: { network: 'raw' },
  'tcp-http': {
    network: 'tcp',
    tcpSettings: { header: { type: 'http', request: { path: ['/head'], headers: { Host: ['head.example'] } } } },
  },
  ws: { network: 'ws', wsSettings: { path: '/ws' } },
  grpc: { network: 'grpc', grpcSettings: { serviceName: 'service' } },
  'grpc-multi': { network: 'grpc', grpcSettings: { serviceName: 'several', multiMode: true } },
  httpupgrade: { network: 'httpupgrade', httpupgradeSettings: { path: '/up' } },
  xhttp: { network: 'xhttp', xhttpSettings: { path: '/xh' } },
  kcp: { network: 'kcp' },
}
const alpn = { tlsSettings: { alpn: ['h2', 'http/1.1'] } }
const securities: Record<string, XrayObject> = {
  none: { security: 'none' },
  tls: { security: 'tls' },
  'tls-alpn': { security: 'tls', ...alpn },
  reality: { security: 'reality' },
}
const settings: Record<string, XrayObject> = { vless: { decryption: 'none' }, vmess: {}, trojan: {} }

function ways(): Record<string, XrayObject> {
  const all: Record<string, XrayObject> = {
    'shadowsocks raw none': { protocol: 'shadowsocks', settings: { network: 'tcp,udp' }, streamSettings: {} },
    'shadowsocks-2022 aes-128': shadowsocks2022('128', 16),
    'shadowsocks-2022 aes-256': shadowsocks2022('256', 32),
    'vless-encryption raw none': encrypted(transports['raw'], 'none', { decryption: decryptions.x25519 }),
    'vless-encryption vision raw none': encrypted(transports['raw'], 'none', { decryption: decryptions.x25519, flow }),
    'vless-encryption vision xhttp none': encrypted(transports['xhttp'], 'none', { decryption: decryptions.mlKem, flow }),
    'vless-encryption ws tls': encrypted(transports['ws'], 'tls', { decryption: decryptions.both }),
    'vless-encryption vision raw reality': encrypted(transports['raw'], 'reality', { decryption: decryptions.mlKem }),
    hysteria: hysteria(),
    'hysteria salamander': hysteria([{ type: 'salamander', settings: { password: 'covered' } }]),
  }
  for (const [protocol, own] of Object.entries(settings)) {
    for (const [transport, network] of Object.entries(transports)) {
      for (const [security, secured] of Object.entries(securities)) {
        if (security === 'reality' && !['raw', 'grpc', 'xhttp'].includes(transport)) continue
        const streamSettings = { ...network, ...secured }
        all[`${protocol} ${transport} ${security}`] = { protocol, settings: own, streamSettings }
      }
    }
  }
  return all
}

const flow = 'xtls-rprx-vision'
const x25519 = generateKeyPairSync('x25519').privateKey.export({ format: 'jwk' }).d ?? ''
const seed = randomBytes(64).toString('base64url')
const decryptions = {
  x25519: `mlkem768x25519plus.native.600s.${x25519}`,
  mlKem: `mlkem768x25519plus.random.300-600s.${seed}`,
  both: `mlkem768x25519plus.xorpub.0s.100-111-1111.75-0-111.50-0-3333.${x25519}.${seed}`,
}

function shadowsocks2022(bits: string, bytes: number): XrayObject {
  const password = randomBytes(bytes).toString('base64')
  const own = { method: `2022-blake3-aes-${bits}-gcm`, password, network: 'tcp,udp' }
  return { protocol: 'shadowsocks', settings: own, streamSettings: {} }
}

function encrypted(network: XrayObject | undefined, security: string, own: XrayObject): XrayObject {
  return { protocol: 'vless', settings: own, streamSettings: { ...network, security } }
}

function hysteria(udp?: XrayObject[]): XrayObject {
  const streamSettings = { network: 'hysteria', security: 'tls', tlsSettings: { alpn: ['h3'] }, hysteriaSettings: { version: 2 } }
  return {
    protocol: 'hysteria',
    settings: { version: 2 },
    streamSettings: { ...streamSettings, ...(udp ? { finalmask: { udp } } : {}) },
  }
}

const folder = mkdtempSync(path.join(tmpdir(), 'causeway-carrying-'))
let server: ProxyServer
let entries: ProxyEntry[]

needsEngine()
test.beforeAll(async () => {
  server = await startProxyServer(xray, ways(), customer)
  entries = customerEntries(server)
})
test.afterAll(async () => {
  await server?.close()
  rmSync(folder, { recursive: true, force: true })
})

test('Mihomo carries traffic over everything it is shown', async () => {
  const file = neededApp('mihomo')
  const { config, ports } = await mihomoPorts(entries)
  const failures = await carried(file, ['-d', folder, '-f'], config, ports)
  expect(failures).toEqual([])
  expect(ports.size).toBe(
    entries.length -
      leftOut(['xhttp', 'kcp']) -
      of(/^trojan (tcp-http|\S+ none)|^vmess grpc\S* reality|^vless-encryption/, ['xhttp', 'kcp']),
  )
})

test('sing-box carries traffic over everything it is shown', async () => {
  const file = neededApp('sing-box', '1.12.8')
  const { config, ports } = await singBoxPorts(entries)
  const failures = await carried(file, ['run', '-c'], config, ports)
  expect(failures).toEqual([])
  expect(ports.size).toBe(entries.length - leftOut(['xhttp', 'kcp']) - of(/ tcp-http tls|^vless-encryption/, ['xhttp', 'kcp']))
})

test('Xray carries traffic over everything', async () => {
  const configs = JSON.parse(rendered(formatOfClientType('json'), entries)) as { remarks: string; outbounds: XrayObject[] }[] // the format's own shape
  const ports = await portsOf(configs.map(({ remarks }) => remarks))
  const inbounds = [...ports].map(([tag, port]) => ({ tag: `to ${tag}`, listen: '127.0.0.1', port, protocol: 'http' }))
  const rules = [...ports.keys()].map((tag) => ({ inboundTag: [`to ${tag}`], outboundTag: tag }))
  const outbounds = configs.map(({ remarks, outbounds: [own] }) => ({ ...own, tag: remarks }))
  const config = { log: { loglevel: 'warning' }, policy: PATIENT, inbounds, outbounds, routing: { rules } }
  expect(await carried(xray, ['run', '-c'], JSON.stringify(config), ports)).toEqual([])
  expect(ports.size).toBe(entries.length)
})

function leftOut(networks: string[]): number {
  return entries.filter(({ network }) => networks.includes(network)).length
}

/** Entries whose names match, but for those of the networks that are counted already. */
function of(names: RegExp, counted: string[]): number {
  return entries.filter(({ remark, network }) => names.test(remark) && !counted.includes(network)).length
}

/** Runs an app with a port per entry and says over which entries not every request was answered. */
async function carried(command: string, args: string[], config: string, ports: Map<string, number>): Promise<string[]> {
  const file = path.join(folder, config.startsWith('{') ? 'client.json' : 'client.yaml')
  writeFileSync(file, config)
  const env = { SSL_CERT_FILE: server.authorityFile, ENABLE_DEPRECATED_MISSING_DOMAIN_RESOLVER: 'true' }
  const app = run({ name: `app-${path.basename(command)}`, command, args: [...args, file], env })
  try {
    await until('the app listens', () => {
      if (!app.isRunning()) throw new Error(tail(app.logFile))
      return areListening([...ports.values()])
    })
    const failures: string[] = []
    for (const [name, port] of ports) {
      await opens(port)
      const times = name.includes('httpupgrade none') ? MANY_REQUESTS : REQUESTS
      const addresses = Array.from({ length: times }, (_, index) => `${isHasty(name) ? LATER : '/'}${index}`)
      const answers = await Promise.all(addresses.map((address) => answerThrough(port, server.target, address)))
      const good = answers.filter((answer, index) => answer === addresses[index]).length
      if (good < times) failures.push(`${name}: ${good} of ${times}; ${answers.find((one, index) => one !== addresses[index])}`)
    }
    if (failures.length > 0) failures.push(tail(app.logFile))
    return failures
  } finally {
    await app.stop()
  }
}

/**
 * sing-box notes the salt of a request of Shadowsocks 2022 right after it was sent, and takes an answer that is there before for a
 * wrong one ("bad request salt"). Only a site on the same machine is as quick.
 */
const isHasty = (name: string): boolean => name.startsWith('shadowsocks-2022')

/**
 * Apps listen before they pass anything on, and Xray opens its UDP ports later than the others: a connection in between is
 * cut off. Requests are counted from the first answer on; an entry that gives none fails by its count.
 */
async function opens(port: number): Promise<void> {
  const end = Date.now() + OPENING_MS
  while ((await answerThrough(port, server.target, '/ready')) !== '/ready' && Date.now() < end) await sleep(100)
}
