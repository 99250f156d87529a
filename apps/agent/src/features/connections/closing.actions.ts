import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { PortSpan } from '../../xray/port-spans.ts'

const run = promisify(execFile)
/** More would make a command line too long for the system. */
const ADDRESSES_AT_ONCE = 200
const TIMEOUT_MS = 20_000
const MAX_OUTPUT_BYTES = 50_000_000

/** `error` says why some are still open. */
export interface Closed {
  closed: number
  error: string | null
}

/**
 * Closes TCP connections that come from these addresses to these ports, by way of the kernel: Xray itself has no call for it. Their
 * clients may connect again at once. Other connections of the same addresses stay, such as a shell.
 */
export async function closeConnections(addresses: readonly string[], ports: readonly PortSpan[]): Promise<Closed> {
  if (ports.length === 0) return { closed: 0, error: null }
  const outcome: Closed = { closed: 0, error: null }
  for (let at = 0; at < addresses.length; at += ADDRESSES_AT_ONCE) {
    const filter = filterOf(addresses.slice(at, at + ADDRESSES_AT_ONCE), ports)
    const { closed, error } = await closeMatching(filter)
    outcome.closed += closed
    outcome.error ??= error
  }
  return outcome
}

async function closeMatching(filter: string[]): Promise<Closed> {
  try {
    const before = (await sockets([], filter)).found
    if (before.size === 0) return { closed: 0, error: null }
    const { complaint } = await sockets(['--kill'], filter)
    const after = (await sockets([], filter)).found
    const open = [...before].filter((socket) => after.has(socket)).length
    if (open === 0) return { closed: before.size, error: null }
    const why = complaint || 'the kernel cannot close connections of others'
    return { closed: before.size - open, error: `${open} connections are still open: ${why}. The agent needs CAP_NET_ADMIN.` }
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    if (!isMissing) throw error
    return {
      closed: 0,
      error: 'The program ss, by which connections are closed, is not installed on this node (package iproute2).',
    }
  }
}

/** The sockets of a filter, by both their ends, and what the program complained of. */
async function sockets(flags: string[], filter: string[]): Promise<{ found: Set<string>; complaint: string }> {
  const args = [...flags, '--no-header', '--tcp', '--numeric', '--oneline', ...filter]
  const { stdout, stderr } = await run('ss', args, { timeout: TIMEOUT_MS, maxBuffer: MAX_OUTPUT_BYTES })
  const found = stdout.split('\n').flatMap((line) => {
    const [, , , local, peer] = line.trim().split(/\s+/)
    return local && peer ? [`${local} ${peer}`] : []
  })
  return { found: new Set(found), complaint: stderr.trim().replace(/\.$/, '') }
}

function filterOf(addresses: readonly string[], ports: readonly PortSpan[]): string[] {
  const from = addresses.flatMap((address) => ['or', 'dst', address.includes(':') ? `[${address}]` : address]).slice(1)
  const to = ports
    .flatMap(({ first, last }) => ['or', '(', 'sport', '>=', `:${first}`, 'and', 'sport', '<=', `:${last}`, ')'])
    .slice(1)
  return ['state', 'connected', 'exclude', 'time-wait', '(', ...from, ')', 'and', '(', ...to, ')']
}
