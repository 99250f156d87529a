import { lookup } from 'node:dns/promises'
import { existsSync, statSync } from 'node:fs'
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { isIP } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
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
const HTTP_OK = 200
const HTTPS_PORT = 443
const HTTP_PORT = 80
/** Where root starts the server, the database has an account of its own, which passes through. */
const TO_PASS_THROUGH = 0o711
const SECRET_FILE = 0o600
/** Others may look into the data folder; every secret in it is closed by itself. */
const NOT_FOR_WRITING = 0o755
/** Tools that renew certificates give keys to a group. */
const SHARED_KEY = 0o640

/** Asks a node of the installation which ports it reaches. */
export type AskNode = (ports: Facts['outsidePorts']) => Promise<Facts['outside']>

/** Looks at an installation from its own machine and from a node, and judges what it finds. Starts and changes nothing. */
export async function examine(config: Config, commit: string | null, askNode: AskNode): Promise<DoctorFinding[]> {
  // Before the keys are used, which closes theirs.
  const files = secretFiles(config)
  const names = publicUrls(config).map(({ setting, url }) => ({ setting, host: url.hostname }))
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
    files,
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

function secretFiles({ dataDir, TLS_KEY }: Config): Facts['files'] {
  const wanted = [
    { path: dataDir, shouldBe: NOT_FOR_WRITING },
    ...(TLS_KEY === null ? [] : [{ path: TLS_KEY, shouldBe: SHARED_KEY }]),
    { path: path.join(dataDir, 'master.key'), shouldBe: SECRET_FILE },
    { path: path.join(dataDir, 'postgres'), shouldBe: TO_PASS_THROUGH },
  ]
  return wanted.filter((file) => existsSync(file.path)).map((file) => ({ ...file, mode: statSync(file.path).mode }))
}

/** Whether the server of this configuration is well, asked on this machine. */
export async function askServer({ HOST, PORT, isTls }: Config): Promise<Facts['server']> {
  const host = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[HOST] ?? (HOST.includes(':') ? `[${HOST}]` : HOST)
  const address = `${isTls ? 'https' : 'http'}://${host}:${PORT}`
  try {
    const { status, body } = await askHealth(address)
    return status === HTTP_OK ? { address } : { address, reason: `it answers ${status}: ${body}` }
  } catch (error) {
    return { address, reason: messageOf(error) }
  }
}

/**
 * By a connection of its own: one that waits at a server that is still starting must not hold up the next question. The
 * certificate is for another name than this address.
 */
async function askHealth(address: string): Promise<{ status: number | undefined; body: string }> {
  const signal = AbortSignal.timeout(ASK_LIMIT_MS)
  const options = { agent: false, rejectUnauthorized: false, signal }
  const { get } = address.startsWith('https:') ? https : http
  try {
    const reply = await new Promise<IncomingMessage>((resolve, reject) => {
      get(`${address}/health`, options, resolve).on('error', reject)
    })
    return { status: reply.statusCode, body: await text(reply) }
  } catch (error) {
    if (signal.aborted) throw new Error(`it does not answer within ${ASK_LIMIT_MS / 1000} s`, { cause: error })
    throw error
  }
}

type PublicNames = Pick<Config, 'PUBLIC_URL' | 'SUB_PUBLIC_DOMAIN'>

/** The addresses that the settings name, each with its setting. */
function publicUrls({ PUBLIC_URL, SUB_PUBLIC_DOMAIN }: PublicNames): { setting: string; url: URL }[] {
  return [
    ...(PUBLIC_URL === null ? [] : [{ setting: 'PUBLIC_URL', url: new URL(PUBLIC_URL) }]),
    ...(SUB_PUBLIC_DOMAIN === null ? [] : [{ setting: 'SUB_PUBLIC_DOMAIN', url: new URL(`https://${SUB_PUBLIC_DOMAIN}`) }]),
  ]
}

/** Without the brackets that an IPv6 address has in a URL. */
const bare = (host: string) => host.replace(/^\[|\]$/g, '')

async function resolve({ setting, host }: { setting: string; host: string }): Promise<Facts['names'][number]> {
  try {
    const found = await lookup(bare(host), { all: true })
    return { setting, host, addresses: found.map(({ address }) => address) }
  } catch (error) {
    return { setting, host, addresses: [], reason: messageOf(error) }
  }
}

/** The port of each public name, and the one that certificates are asked for and visitors are redirected from. */
function publicPorts(config: PublicNames & Pick<Config, 'acme' | 'redirectPort'>): Facts['outsidePorts'] {
  const { acme, redirectPort } = config
  const ports = publicUrls(config).flatMap(({ url: { hostname, port, protocol } }) => {
    const host = bare(hostname)
    const served = { host, port: Number(port) || (protocol === 'https:' ? HTTPS_PORT : HTTP_PORT) }
    return acme?.names.includes(host) && redirectPort !== 0 ? [served, { host, port: HTTP_PORT }] : [served]
  })
  return [...new Map(ports.map((port) => [`${port.host} ${port.port}`, port])).values()]
}

function httpsHosts(config: PublicNames): URL[] {
  const urls = publicUrls(config).flatMap(({ url }) => (url.protocol === 'https:' ? [url] : []))
  return [...new Map(urls.map((url) => [url.host, url])).values()]
}

function readCertificate({ hostname, port, host }: URL): Promise<Facts['certificates'][number]> {
  return new Promise((done) => {
    const socket = tls.connect({
      host: hostname,
      port: port === '' ? HTTPS_PORT : Number(port),
      ...(isIP(bare(hostname)) === 0 ? { servername: hostname } : {}),
      timeout: ASK_LIMIT_MS,
      // What is served is read all the same, and judged.
      rejectUnauthorized: false,
    })
    const fail = (reason: string) => {
      socket.destroy()
      done({ host, endsAt: null, reason })
    }
    socket.on('timeout', () => fail('no answer'))
    socket.on('error', (error) => fail(messageOf(error)))
    socket.on('secureConnect', () => {
      const { valid_to: end } = socket.getPeerCertificate()
      // Node adds advice on its own options behind a semicolon.
      const why = socket.authorized
        ? undefined
        : String(socket.authorizationError.message || socket.authorizationError).split(';')[0]
      socket.end()
      done({ host, endsAt: new Date(end), ...(why !== undefined && { untrusted: why }) })
    })
  })
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
