import { type AgentPayload, agentPayload } from '@causeway/contract/agent'
import { accessSync, constants, existsSync } from 'node:fs'
import path from 'node:path'
import { assertWhole, identityFile } from './identity.ts'

const DEFAULT_PORT = 2222
const DEFAULT_API_PORT = 61_000
const DEFAULT_XRAY = '/usr/local/bin/xray'
const DEFAULT_FOLDER = '/var/lib/causeway-agent'
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']

export interface AgentConfig {
  port: number
  /** Of the secret key; undefined where the node has made its key itself, which lies in the data folder. */
  payload: AgentPayload | undefined
  xray: string
  apiPort: number
  /** Port on the loopback address for programs of this machine that block addresses; none unless set. */
  visionPort: number | undefined
  folder: string
  logLevel: string
  /** Every start request restarts the core, whatever the hashes say. */
  isHashCheckDisabled: boolean
  /** For trying out: the core ends with the agent. On a node it goes on. */
  isCoreEndedOnExit: boolean
  /** The panel that this agent calls and holds connections to, where that cannot call it. */
  calledPanel?: string | undefined
  /** The folder of the installed program; undefined where there is none to update, as in a checkout. */
  base?: string | undefined
}

/** Reads the environment, or throws all that is wrong with it, a sentence each. */
export function readConfig(environment: Record<string, string | undefined>): AgentConfig {
  const mistakes: string[] = []
  const attempt = <T>(read: () => T, fallback: T): T => {
    try {
      return read()
    } catch (error) {
      mistakes.push(error instanceof Error ? error.message : String(error))
      return fallback
    }
  }
  const folder = dataFolder(environment)
  const config = {
    port: attempt(() => port(environment, ['NODE_PORT', 'APP_PORT'], DEFAULT_PORT), DEFAULT_PORT),
    payload: attempt(() => payload(environment, folder), undefined),
    xray: attempt(() => xray(environment['XRAY_BIN'] || DEFAULT_XRAY), DEFAULT_XRAY),
    apiPort: attempt(() => port(environment, ['XTLS_PORT'], DEFAULT_API_PORT), DEFAULT_API_PORT),
    visionPort: environment['VISION_PORT'] ? attempt(() => port(environment, ['VISION_PORT'], 0), 0) : undefined,
    folder,
    logLevel: attempt(() => logLevel(environment['LOG_LEVEL'] || 'info'), 'info'),
    isHashCheckDisabled: attempt(() => flag(environment, 'DISABLE_HASHED_SET_CHECK'), false),
    isCoreEndedOnExit: attempt(() => flag(environment, 'STOP_CORE_ON_EXIT'), false),
    calledPanel: attempt(() => calledPanel(environment), undefined),
    base: environment['CAUSEWAY_BASE'],
  }
  if (mistakes.length > 0) throw new Error(mistakes.join('\n'))
  return config
}

function calledPanel(environment: Record<string, string | undefined>): string | undefined {
  if (!flag(environment, 'CALLS_PANEL')) return undefined
  const url = environment['PANEL_URL']?.trim() ?? ''
  if (/^https?:$/.test(URL.parse(url)?.protocol ?? '')) return url
  throw new Error(`CALLS_PANEL needs the address of the panel in PANEL_URL, such as https://panel.example; it is "${url}".`)
}

/** Of this agent: its identity, what its core runs, and updates. */
export function dataFolder(environment: Record<string, string | undefined>): string {
  return path.resolve(environment['DATA_DIR'] || DEFAULT_FOLDER)
}

/** The first of the names that is set; later ones are those of earlier agents. */
function first(environment: Record<string, string | undefined>, names: string[]): { name: string; text: string } | undefined {
  for (const name of names) {
    const text = environment[name]?.trim()
    if (text) return { name, text }
  }
  return undefined
}

function port(environment: Record<string, string | undefined>, names: string[], fallback: number): number {
  const given = first(environment, names)
  if (!given) return fallback
  const value = Number(given.text)
  if (!Number.isInteger(value) || value < 1 || value > 65_535) {
    throw new Error(`${given.name} must be a port from 1 to 65535, not "${given.text}".`)
  }
  return value
}

function payload(environment: Record<string, string | undefined>, folder: string): AgentPayload | undefined {
  const given = first(environment, ['SECRET_KEY', 'SSL_CERT'])
  if (!given && existsSync(identityFile(folder))) return undefined
  if (!given)
    throw new Error(
      'SECRET_KEY is not set, and this node has not joined. Paste the line that the Nodes page of your dashboard shows, or copy the key from there.',
    )
  const parsed = agentPayload.safeParse(decoded(given.text))
  if (!parsed.success) {
    throw new Error(`${given.name} is not what the Nodes page of the dashboard shows; copy it again, whole and in one line.`)
  }
  try {
    assertWhole(parsed.data)
  } catch (error) {
    throw new Error(`The certificates in ${given.name} do not belong together; copy it again from the Nodes page.`, {
      cause: error,
    })
  }
  return parsed.data
}

/** Takes the bare value as well as a whole copied line such as SSL_CERT="...". */
function decoded(text: string): unknown {
  const base64 = text.replace(/^(SECRET_KEY|SSL_CERT)=/, '').replace(/^"(.*)"$/, '$1')
  try {
    return JSON.parse(Buffer.from(base64, 'base64').toString('utf8'))
  } catch {
    return undefined
  }
}

function xray(file: string): string {
  try {
    accessSync(file, constants.X_OK)
    return path.resolve(file)
  } catch {
    throw new Error(`There is no Xray binary at ${file}. Build one with \`npm run engine\` or name yours in XRAY_BIN.`)
  }
}

function logLevel(text: string): string {
  if (LOG_LEVELS.includes(text)) return text
  throw new Error(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}, not "${text}".`)
}

function flag(environment: Record<string, string | undefined>, name: string): boolean {
  const text = environment[name]?.trim() || 'false'
  if (text === 'true' || text === 'false') return text === 'true'
  throw new Error(`${name} must be true or false, not "${text}".`)
}
