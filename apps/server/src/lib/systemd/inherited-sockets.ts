import { readFileSync, readlinkSync } from 'node:fs'
import { isIP, isIPv6 } from 'node:net'

// Listening sockets that systemd holds for the server (sd_listen_fds(3)). They stay open while the server restarts, so
// that connections wait in their queue instead of being refused.

const FIRST_DESCRIPTOR = 3
const GROUP_BYTES = 4

/** Address in the form of systemd.socket(5); undefined for a host that is a name, which can stand for several addresses. */
export function streamAddress(host: string, port: number): string | undefined {
  if (isIP(host) === 0 || port === 0) return undefined
  return `${isIPv6(host) ? `[${plainIpv6(host)}]` : host}:${port}`
}

/** Options for `listen` of a server: at the socket that systemd holds for this address, or at one of its own. */
export function listenOptions(host: string, port: number): { host: string; port: number; fd?: number } {
  const fd = inheritedSockets().get(streamAddress(host, port) ?? '')
  return { host, port, ...(fd === undefined ? {} : { fd }) }
}

/** Descriptors by address. Read of the kernel, as systemd's names say nothing of addresses. */
export function inheritedSockets(env: Record<string, string | undefined> = process.env): Map<string, number> {
  const sockets = new Map<string, number>()
  // The variables are inherited by children, for which they are not meant.
  if (env['LISTEN_PID'] !== String(process.pid)) return sockets
  const addresses = new Map([
    ...parseSocketTable(readFileSync('/proc/self/net/tcp', 'utf8')),
    ...parseSocketTable(readFileSync('/proc/self/net/tcp6', 'utf8')),
  ])
  for (let at = 0; at < Number(env['LISTEN_FDS'] ?? 0); at++) {
    const fd = FIRST_DESCRIPTOR + at
    const inode = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/self/fd/${fd}`))?.[1]
    const address = addresses.get(inode ?? '')
    if (address !== undefined) sockets.set(address, fd)
  }
  return sockets
}

/** Local addresses by inode, of the text of /proc/net/tcp or tcp6 (proc_net_tcp in the kernel's documentation). */
export function parseSocketTable(text: string): [inode: string, address: string][] {
  return [...text.matchAll(/^\s*\d+: ([\dA-F]+):([\dA-F]{4}) \S+ \S+ \S+ \S+ \S+\s+\d+\s+\d+ (\d+)/gm)].map(
    ([, hex = '', port = '', inode = '']) => [inode, `${hostOf(hex)}:${Number.parseInt(port, 16)}`],
  )
}

/** The kernel prints groups of four bytes in the order of its processor, which is little-endian on all that are supported. */
function hostOf(hex: string): string {
  const bytes = Buffer.from(hex, 'hex')
  for (let at = 0; at < bytes.length; at += GROUP_BYTES) bytes.subarray(at, at + GROUP_BYTES).reverse()
  if (bytes.length === GROUP_BYTES) return bytes.join('.')
  const groups = bytes.toString('hex').match(new RegExp(`.{${GROUP_BYTES}}`, 'g')) ?? []
  return `[${plainIpv6(groups.join(':'))}]`
}

/** One spelling for each address of IPv6. */
function plainIpv6(host: string): string {
  return new URL(`http://[${host}]`).hostname.slice(1, -1)
}
