import { X509Certificate } from 'node:crypto'
import { existsSync } from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { nodeOf, readIdentity } from '../identity.ts'
import { CoreFiles } from '../xray/core-files.ts'
import { isAlive, processIdentity } from '../xray/process.ts'
import type { NodeState } from './doctor.rules.ts'
import { readForRoot, readSettings } from './settings.ts'

const DEFAULT_PORT = 2222
const CONNECT_MS = 2000

/** Reads agent, core, port and identity on the machine itself. */
export async function readNodeState(): Promise<NodeState> {
  const settings = readSettings()
  const folder = settings['DATA_DIR'] ?? ''
  const port = Number(settings['NODE_PORT'] || DEFAULT_PORT)
  // Opened first: it says what to do where the folder is for root only.
  const holder = path.join(folder, 'agent.json')
  const agent = existsSync(holder) ? processIdentity.safeParse(JSON.parse(readForRoot(holder))).data : undefined
  const identity = existsSync(path.join(folder, 'identity.json')) ? readIdentity(folder) : undefined
  const core = existsSync(path.join(folder, 'state.json')) ? new CoreFiles(folder).readState()?.core : undefined
  return {
    folder,
    port,
    agentPid: agent && isAlive(agent) ? agent.pid : null,
    isListening: await takesConnections(port),
    core: core && isAlive(core.process) ? { pid: core.process.pid, version: core.version, startedAt: core.startedAt } : null,
    node: (identity && nodeOf(identity.nodeCertPem)) ?? null,
    certificateEndsAt: identity ? new X509Certificate(identity.nodeCertPem).validToDate : null,
    panel: settings['PANEL_URL'] || null,
    isCalling: settings['CALLS_PANEL'] === 'true',
  }
}

function takesConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect({ port, host: '127.0.0.1', timeout: CONNECT_MS })
    const end = (isOpen: boolean) => {
      socket.destroy()
      resolve(isOpen)
    }
    socket.once('connect', () => end(true))
    socket.once('error', () => end(false))
    socket.once('timeout', () => end(false))
  })
}
