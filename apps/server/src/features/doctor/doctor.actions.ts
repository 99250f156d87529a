import { lookup } from 'node:dns/promises'
import { existsSync, statSync } from 'node:fs'
import { isIP } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import tls from 'node:tls'
import type { DoctorFinding } from '@causeway/contract'
import { findLastBackup } from '../../backup/kept-backups.ts'
import { SETTINGS, type Config } from '../../config.ts'
import { misspelt, readSettingsFile } from '../../lib/systemd/settings-file.ts'
import { freeBytes } from '../../postgres/disk-room.ts'
import { portsOf } from '../certificates/certificates.actions.ts'
import { sentenceOfFailure } from '../certificates/certificates.rules.ts'
import { readDatabase } from './database-facts.ts'
import { judge, type Facts } from './doctor.rules.ts'

const ASK_LIMIT_MS = 5000
const HTTPS_PORT = 443
const HTTP_PORT = 80
/** Where root starts the server, the database has an account of its own, which passes through. */
const TO_PASS_THROUGH = 0o711
const SECRET_FILE = 0o600

/** Asks a node of the installation which ports it reaches. */
export type AskNode = (ports: Facts['outsidePorts']) => Promise<Facts['outside']>

/** Looks at an installation from its own machine and from a node, and judges what it finds. Starts and changes nothing. */
export async function examine(config: Config, commit: string | null, askNode: AskNode): Promise<DoctorFinding[]> {
  const names = namesOf(config)
  const outsidePorts = publicPorts(config)
  const [database, server, resolved, certificates, outside] = await Promise.all([
    readDatabase(config),
    askServer(config),
    Promise.all(names.map(resolve)),
    Promise.all(httpsHosts(config).map(readCertificate)),
    // Why the database cannot name a node is said by the check of the database.
    outsidePorts.length === 0 ? undefined : askNode(outsidePorts).catch(() => undefined),
  ])
  return judge({
    version: config.version,
    commit,
    settings: examineSettings(config),
    disk: readDisk(config.dataDir),
    memory: { availableBytes: process.availableMemory(), totalBytes: os.totalmem() },
    files: secretFiles(config),
    database,
    server,
    names: resolved,
    certificates,
    outsidePorts,
    outside,
    failedCertificates: ('reason' in database ? [] : database.failedCertificates).map(({ name, failure, nextTryAt }) => ({
      name,
      reason: sentenceOfFailure(failure, name, portsOf(config)),
      nextTryAt,
    })),
    backup: { takenAt: findLastBackup(config.dataDir)?.takenAt },
    trustedProxies: config.TRUSTED_PROXIES,
    now: new Date(),
  })
}

export function examineSettings({ settingsFile }: Pick<Config, 'settingsFile'>): Facts['settings'] {
  const settings = readSettingsFile(settingsFile ?? undefined)
  if (settings === undefined) return undefined
  const { file, lines, unread } = settings
  return { file, count: lines.size, unread, misspelt: misspelt(settings, SETTINGS) }
}

function readDisk(folder: string): Facts['disk'] {
  try {
    return { folder, freeBytes: freeBytes(folder) }
  } catch (error) {
    return { folder, reason: messageOf(error) }
  }
}

function secretFiles({ dataDir }: Config): Facts['files'] {
  const wanted = [
    { path: path.join(dataDir, 'master.key'), shouldBe: SECRET_FILE },
    { path: path.join(dataDir, 'postgres'), shouldBe: TO_PASS_THROUGH },
  ]
  return wanted.filter((file) => existsSync(file.path)).map((file) => ({ ...file, mode: statSync(file.path).mode }))
}

/** Whether the server of this configuration answers on this machine. */
export async function askServer({ HOST, PORT, isTls }: Config): Promise<Facts['server']> {
  const host = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[HOST] ?? (HOST.includes(':') ? `[${HOST}]` : HOST)
  const address = `${isTls ? 'https' : 'http'}://${host}:${PORT}`
  if (isTls) return askOverTls(address, host, PORT)
  try {
    const reply = await fetch(`${address}/health`, { signal: AbortSignal.timeout(ASK_LIMIT_MS) })
    return reply.ok ? { address } : { address, reason: `it answers ${reply.status}: ${await reply.text()}` }
  } catch (error) {
    return { address, reason: messageOf(error instanceof Error && error.cause !== undefined ? error.cause : error) }
  }
}

/** Whether something speaks TLS there; its certificate is for another name than this address. */
function askOverTls(address: string, host: string, port: number): Promise<Facts['server']> {
  return new Promise((done) => {
    const end = (reason?: string) => {
      socket.destroy()
      done(reason === undefined ? { address } : { address, reason })
    }
    const socket = tls.connect({ host, port, rejectUnauthorized: false, timeout: ASK_LIMIT_MS }, () => end())
    socket.on('timeout', () => end('no answer'))
    socket.on('error', (error) => end(messageOf(error)))
  })
}

function namesOf({ PUBLIC_URL, SUB_PUBLIC_DOMAIN }: Config): { setting: string; host: string }[] {
  return [
    ...(PUBLIC_URL === null ? [] : [{ setting: 'PUBLIC_URL', host: new URL(PUBLIC_URL).hostname }]),
    ...(SUB_PUBLIC_DOMAIN === null
      ? []
      : [{ setting: 'SUB_PUBLIC_DOMAIN', host: new URL(`https://${SUB_PUBLIC_DOMAIN}`).hostname }]),
  ]
}

async function resolve({ setting, host }: { setting: string; host: string }): Promise<Facts['names'][number]> {
  try {
    const found = await lookup(host.replace(/^\[|\]$/g, ''), { all: true })
    return { setting, host, addresses: found.map(({ address }) => address) }
  } catch (error) {
    return { setting, host, addresses: [], reason: messageOf(error) }
  }
}

/** The port of each public name, and the one that certificates are asked for and visitors are redirected from. */
function publicPorts(config: Pick<Config, 'PUBLIC_URL' | 'SUB_PUBLIC_DOMAIN' | 'acme' | 'redirectPort'>): Facts['outsidePorts'] {
  const { PUBLIC_URL, SUB_PUBLIC_DOMAIN, acme, redirectPort } = config
  const urls = [PUBLIC_URL, SUB_PUBLIC_DOMAIN && `https://${SUB_PUBLIC_DOMAIN}`].flatMap((text) => (text ? [new URL(text)] : []))
  const ports = urls.flatMap(({ hostname, port, protocol }) => {
    const host = hostname.replace(/^\[|\]$/g, '')
    const served = { host, port: Number(port) || (protocol === 'https:' ? HTTPS_PORT : HTTP_PORT) }
    return acme?.names.includes(host) && redirectPort !== 0 ? [served, { host, port: HTTP_PORT }] : [served]
  })
  return [...new Map(ports.map((port) => [`${port.host} ${port.port}`, port])).values()]
}

function httpsHosts({ PUBLIC_URL, SUB_PUBLIC_DOMAIN }: Config): URL[] {
  const addresses = [
    ...(PUBLIC_URL?.startsWith('https:') ? [PUBLIC_URL] : []),
    ...(SUB_PUBLIC_DOMAIN === null ? [] : [`https://${SUB_PUBLIC_DOMAIN}`]),
  ]
  return [...new Map(addresses.map((address) => [new URL(address).host, new URL(address)])).values()]
}

function readCertificate({ hostname, port, host }: URL): Promise<Facts['certificates'][number]> {
  return new Promise((done) => {
    const socket = tls.connect({
      host: hostname,
      port: port === '' ? HTTPS_PORT : Number(port),
      ...(isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? { servername: hostname } : {}),
      timeout: ASK_LIMIT_MS,
    })
    const fail = (reason: string) => {
      socket.destroy()
      done({ host, endsAt: null, reason })
    }
    socket.on('timeout', () => fail('no answer'))
    socket.on('error', (error) => fail(messageOf(error)))
    socket.on('secureConnect', () => {
      const { valid_to: end } = socket.getPeerCertificate()
      socket.end()
      done({ host, endsAt: new Date(end) })
    })
  })
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
