import type { FastifyInstance } from 'fastify'
import { X509Certificate } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Logger } from 'pino'
import { buildApp, buildLoopbackApp } from './app.ts'
import type { AgentConfig } from './config.ts'
import { Identity } from './identity.ts'
import { AGENT_VERSION } from './version.ts'
import { xrayVersion } from './xray/core-checks.ts'
import { CoreFiles, writeAtomically } from './xray/core-files.ts'
import { Core } from './xray/core.ts'
import { isAlive, processIdentity, startMark } from './xray/process.ts'

const DAY_MS = 24 * 3600 * 1000
const EXPIRY_NOTICE_MS = 60 * DAY_MS

export interface Agent {
  core: Core
  stop(): Promise<void>
}

/** Builds everything that lives as long as the agent, in order; `stop` takes it down in reverse. */
export async function startAgent(config: AgentConfig, log: Logger): Promise<Agent> {
  const { xray, apiPort, visionPort, isHashCheckDisabled } = config
  const files = openFolder(config.folder)
  const identity = new Identity(config.payload, config.folder, log)
  const core = new Core({ xray, version: await xrayVersion(xray), apiPort, visionPort, files, log })
  const app = await buildApp({ core, identity, isHashCheckDisabled, log })
  const loopback = config.visionPort === undefined ? undefined : buildLoopbackApp({ core, log })
  await core.open()
  try {
    await listen(app, config.port)
    if (config.visionPort !== undefined) await loopback?.listen({ port: config.visionPort, host: '127.0.0.1' })
  } catch (error) {
    await core.close()
    throw error
  }
  warnOfExpiry(identity.payload.nodeCertPem, log)
  const daily = setInterval(() => warnOfExpiry(identity.payload.nodeCertPem, log), DAY_MS).unref()
  log.info({ port: config.port, version: AGENT_VERSION, xray: core.version, folder: files.folder }, 'agent ready')
  return {
    core,
    async stop() {
      clearInterval(daily)
      await Promise.all([app.close(), loopback?.close()])
      if (config.isCoreEndedOnExit) await core.exclusive(() => core.stop())
      await core.close()
    },
  }
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
  const file = path.join(folder, 'agent.json')
  const holder = existsSync(file) ? processIdentity.safeParse(readJson(file)).data : undefined
  if (holder && holder.pid !== process.pid && isAlive(holder)) {
    throw new Error(`Another agent (process ${holder.pid}) uses ${folder}. Stop it, or give this one its own DATA_DIR.`)
  }
  writeAtomically(file, JSON.stringify({ pid: process.pid, started: startMark(process.pid) ?? '' }))
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
