import type { FastifyInstance } from 'fastify'
import { X509Certificate } from 'node:crypto'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { Logger } from 'pino'
import { buildApp, buildLoopbackApp } from './app.ts'
import type { AgentConfig } from './config.ts'
import { Filters } from './features/filters/filters.ts'
import { torrentSocket } from './features/filters/torrents.ts'
import type { Candidate } from './features/parts/parts.actions.ts'
import { LogMemory } from './features/log/log-memory.ts'
import { Identity, nodeOf } from './identity.ts'
import { PanelLink } from './panel-link.ts'
import { HeldParts } from './parts/held-parts.ts'
import { AGENT_VERSION } from './version.ts'
import { ASSETS, xrayVersion } from './xray/core-checks.ts'
import { CoreFiles, writeAtomically } from './xray/core-files.ts'
import { Core } from './xray/core.ts'
import { isAlive, processIdentity, startMark } from './xray/process.ts'

const DAY_MS = 24 * 3600 * 1000
const EXPIRY_NOTICE_MS = 60 * DAY_MS
/** For calls that are under way when the agent stops. */
const CLOSE_PATIENCE_MS = 2000

export interface Agent {
  core: Core
  /** Parts that came as updates; undefined where the program is not one that can be updated. */
  parts: HeldParts | undefined
  /** With `isForExchange` another agent follows at once: the core goes on, and the data folder is free. */
  stop(how?: { isForExchange: boolean }): Promise<void>
}

export interface AgentHooks {
  exchange?: (candidate: Candidate) => void
  onReached?: (() => void) | undefined
  /** Holds the end of what `log` writes. */
  memory?: LogMemory
}

/** Builds everything that lives as long as the agent, in order; `stop` takes it down in reverse. */
export async function startAgent(config: AgentConfig, log: Logger, hooks: AgentHooks = {}): Promise<Agent> {
  const { exchange, onReached, memory = new LogMemory() } = hooks
  const { apiPort, visionPort, isHashCheckDisabled } = config
  const files = openFolder(config.folder)
  const identity = new Identity(config.payload, config.folder, log)
  const parts = await openParts(config)
  const xray = parts?.xray ?? config.xray
  const torrentWebhook = `${torrentSocket(files.folder)}:/`
  const binary = { xray, version: await xrayVersion(xray), assets: parts?.assets }
  const core = new Core({ ...binary, apiPort, visionPort, torrentWebhook, files, log })
  const filters = new Filters({ core, port: config.port, folder: files.folder, log })
  const updates = parts && exchange && { parts, exchange }
  const app = await buildApp({ core, filters, identity, isHashCheckDisabled, logs: { files, memory }, updates, onReached, log })
  const loopback = config.visionPort === undefined ? undefined : buildLoopbackApp({ core, log })
  await filters.open()
  await core.open()
  try {
    await listen(app, config.port)
    if (config.visionPort !== undefined) await loopback?.listen({ port: config.visionPort, host: '127.0.0.1' })
  } catch (error) {
    await core.close()
    await filters.close()
    throw error
  }
  const link = openLink(config, identity, log)
  warnOfExpiry(identity.payload.nodeCertPem, log)
  const daily = setInterval(() => warnOfExpiry(identity.payload.nodeCertPem, log), DAY_MS).unref()
  log.info({ port: config.port, version: AGENT_VERSION, xray: core.version, folder: files.folder }, 'agent ready')
  return {
    core,
    parts,
    async stop({ isForExchange } = { isForExchange: false }) {
      clearInterval(daily)
      link?.close()
      // Connections that have not asked for anything yet would be waited for as long as the server keeps them.
      const impatience = setTimeout(() => app.server.closeAllConnections(), CLOSE_PATIENCE_MS)
      await Promise.all([app.close(), loopback?.close(), filters.close()])
      clearTimeout(impatience)
      if (config.isCoreEndedOnExit && !isForExchange) await core.exclusive(() => core.stop())
      await core.close()
      if (isForExchange) rmSync(holderFile(config.folder), { force: true })
    },
  }
}

/** Secret keys name no node that could call. */
function openLink({ calledPanel: panel, port }: AgentConfig, identity: Identity, log: Logger): PanelLink | undefined {
  if (panel === undefined) return undefined
  const uuid = nodeOf(identity.payload.nodeCertPem)
  if (uuid !== undefined) return new PanelLink({ panel, uuid, port, identity: () => identity.payload, log })
  log.error('CALLS_PANEL is set, and this node has a secret key, which names no node: let it join by the line in its dialog')
  return undefined
}

async function openParts({ base, folder, xray }: AgentConfig): Promise<HeldParts | undefined> {
  if (base === undefined) return undefined
  const versions = { agent: AGENT_VERSION, core: await xrayVersion(xray) }
  return new HeldParts(folder, { base, xray, versions, isGeoFixed: Boolean(process.env[ASSETS]) })
}

/** On all addresses, IPv6 ones too where the machine has any. */
async function listen(app: FastifyInstance, port: number): Promise<void> {
  try {
    await app.listen({ port, host: '::' })
  } catch (error) {
    if (hasCode(error, 'EADDRINUSE')) {
      throw new Error(`Port ${port} is taken by another program. Set NODE_PORT to a free one.`, { cause: error })
    }
    if (hasCode(error, 'EACCES')) {
      throw new Error(`Port ${port} may not be used by an ordinary user. Set NODE_PORT to one above 1023.`, { cause: error })
    }
    if (!hasCode(error, 'EAFNOSUPPORT') && !hasCode(error, 'EADDRNOTAVAIL')) throw error
    await app.listen({ port, host: '0.0.0.0' })
  }
}

/** The server renews the certificate years before; one that cannot reach the node until it ends needs a new secret key. */
function warnOfExpiry(certificate: string, log: Logger): void {
  const expiresAt = new X509Certificate(certificate).validToDate
  if (expiresAt.getTime() - Date.now() > EXPIRY_NOTICE_MS) return
  const when = expiresAt.getTime() < Date.now() ? 'has ended: the server cannot reach this node' : 'ends soon'
  log.warn({ expiresAt }, `the certificate of this node ${when}; copy a new one from the Nodes page of the dashboard`)
}

function openFolder(folder: string): CoreFiles {
  try {
    const files = new CoreFiles(folder)
    claim(folder)
    return files
  } catch (error) {
    if (!hasCode(error)) throw error
    throw new Error(`The data folder ${folder} cannot be used (${error.message}). Set DATA_DIR to one that can.`, {
      cause: error,
    })
  }
}

/** Two agents over one data folder would each take the other's core for a lost one. */
function claim(folder: string): void {
  const file = holderFile(folder)
  const holder = existsSync(file) ? processIdentity.safeParse(readJson(file)).data : undefined
  if (holder && holder.pid !== process.pid && isAlive(holder)) {
    throw new Error(`Another agent (process ${holder.pid}) uses ${folder}. Stop it, or give this one its own DATA_DIR.`)
  }
  writeAtomically(file, JSON.stringify({ pid: process.pid, started: startMark(process.pid) ?? '' }))
}

function holderFile(folder: string): string {
  return path.join(folder, 'agent.json')
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined // half written when the machine lost power
  }
}

/** Whether the operating system refused something, for this reason. */
function hasCode(error: unknown, code?: string): error is Error {
  return error instanceof Error && 'code' in error && (code === undefined || error.code === code)
}
