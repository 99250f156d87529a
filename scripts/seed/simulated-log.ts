import type { LogLine, NodeLog } from '@causeway/contract'

const SECOND_MS = 1000
const HOUR_MS = 3_600_000

const OF_THE_CORE: readonly (readonly [LogLine['level'], string])[] = [
  ['warning', 'REALITY: processed invalid connection from [address]:49152: server name mismatch'],
  ['info', 'app/proxyman/inbound: connection ends > proxy/vless/encoding: failed to read request version > EOF'],
  ['info', 'app/proxyman/outbound: failed to process outbound traffic > dial tcp:[destination]: i/o timeout'],
  ['warning', 'proxy/shadowsocks: failed to create session from [address]:51004 > failed to match an user > EOF'],
  ['info', 'app/dispatcher: taking detour [DIRECT] for [tcp:[destination]]'],
  ['error', 'transport/internet/tcp: failed to accept connection > too many open files'],
]
const OF_THE_AGENT: readonly (readonly [LogLine['level'], string])[] = [
  ['info', 'users changed added=2 removed=0'],
  ['info', 'sample handed over'],
  ['warning', 'call without a valid token from=[address] path=/'],
]

/** The end of a log as of a node that has run for some hours: about a line a minute, more of some kinds than of others. */
export function simulatedLog(log: NodeLog, now: number): LogLine[] {
  const kinds = log === 'core' ? OF_THE_CORE : OF_THE_AGENT
  const from = now - 2 * HOUR_MS
  const start: LogLine = {
    at: new Date(from).toISOString(),
    level: 'warning',
    text: log === 'core' ? 'core: Xray 25.8.3 started' : 'agent ready port=2222 version=2.1.4',
  }
  const lines = Array.from({ length: 118 }, (_, minute): LogLine => {
    const [level, text] = kinds[(minute * minute) % kinds.length] ?? (['info', ''] as const)
    const at = from + (minute + 1) * 60 * SECOND_MS + ((minute * 37) % 60) * SECOND_MS
    return { at: new Date(at).toISOString(), level, text }
  })
  return [start, ...lines]
}
