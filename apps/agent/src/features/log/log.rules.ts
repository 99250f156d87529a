import { isIpAddress, LOG_LINES, type LogLine } from '@causeway/contract/agent'

const CORE_LINE = /^(\d{4})\/(\d\d)\/(\d\d) (\d\d):(\d\d):(\d\d)(?:\.(\d{1,3})\d*)? (?:\[(Debug|Info|Warning|Error)\] )?(.*)$/
/** Lines that Xray writes for each connection: they name users and destinations, and say nothing of Xray itself. */
const ADMITTED = /^(?:from )?\S+ accepted |^DNS accepted /
const LEVELS = { Debug: 'debug', Info: 'info', Warning: 'warning', Error: 'error' } as const

/** The newest lines of Xray's output. It writes the machine's own time of day, as the agent does. */
export function coreLines(output: string): LogLine[] {
  return output
    .split('\n')
    .flatMap(readCoreLine)
    .slice(-LOG_LINES)
    .map((line) => ({ ...line, text: withoutPrivate(line.text) }))
}

function readCoreLine(line: string): LogLine[] {
  if (line.trim() === '') return []
  const found = CORE_LINE.exec(line)
  if (!found) return [{ at: null, level: null, text: line }]
  const [, year, month, day, hours, minutes, seconds, milliseconds = '0', level, text = ''] = found
  if (ADMITTED.test(text)) return []
  const at = new Date(Number(year), Number(month) - 1, Number(day), Number(hours), Number(minutes), Number(seconds))
  at.setMilliseconds(Number(milliseconds.padEnd(3, '0')))
  const known = level === 'Debug' || level === 'Info' || level === 'Warning' || level === 'Error' ? LEVELS[level] : null
  return [{ at: at.toISOString(), level: known, text }]
}

/** Members of each line of the agent's own log that say nothing of the event. */
const OF_EVERY_LINE = new Set(['level', 'time', 'pid', 'hostname', 'msg'])
const WARNING = 40
const ERROR = 50
const INFO = 30

/** One line of the agent's own log. */
export function agentLine(json: string): LogLine {
  const entry: unknown = parseJson(json)
  if (typeof entry !== 'object' || entry === null) return { at: null, level: null, text: withoutPrivate(json.trim()) }
  const { level, time, msg } = entry as Record<string, unknown> // its members are looked at next
  const fields = Object.entries(entry)
    .filter(([name]) => !OF_EVERY_LINE.has(name))
    .map(([name, value]) => `${name}=${describe(value)}`)
  const rank = typeof level === 'number' ? level : INFO
  return {
    at: typeof time === 'number' ? new Date(time).toISOString() : null,
    level: rank >= ERROR ? 'error' : rank >= WARNING ? 'warning' : rank >= INFO ? 'info' : 'debug',
    text: withoutPrivate([typeof msg === 'string' ? msg : '', ...fields].join(' ').trim()),
  }
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** An error by its message: the stack is for the log of the machine. */
function describe(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'object' && value !== null && 'message' in value && typeof value.message === 'string') return value.message
  return JSON.stringify(value)
}

/** Long words that are written like keys: in hexadecimal, or with capitals and digits mixed. Paths of Go packages have no capitals. */
const isKey = (word: string) => /^[\da-f]+$/i.test(word) || (/\d/.test(word) && /[A-Z]/.test(word))

/** Leaves out secrets, and users: their names, keys and addresses, and where they go. */
export function withoutPrivate(text: string): string {
  return text
    .replaceAll(/\b(email|user|username)([:=] ?)\S+/gi, '$1$2[user]')
    .replaceAll(/\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/gi, '[id]')
    .replaceAll(/\b(tcp|udp):(?!\/)[^\s\]>,]+/gi, '$1:[destination]')
    .replaceAll(
      /\b(sniffed domain|domain|got answer|querying(?: DNS)?(?: for)?|lookup|resolve)(:? )(?!\[)[^\s,]+\.[^\s,]+/gi,
      '$1$2[name]',
    )
    .replaceAll(/(:\/\/)[^\s/"']+/g, '$1[host]')
    .replaceAll(/\b\d{1,3}(?:\.\d{1,3}){3}\b/g, '[address]')
    .replaceAll(/(?<![\w:.])[\da-f:]*:[\da-f:]*:[\da-f:.]*/gi, (word) => (isIpAddress(word) ? '[address]' : word))
    .replaceAll(/[\w+/=-]{32,}/g, (word) => (isKey(word) ? '[secret]' : word))
}
