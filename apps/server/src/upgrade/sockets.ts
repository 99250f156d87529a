import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Config } from '../config.ts'
import { streamAddress } from '../lib/systemd/inherited-sockets.ts'

/** Units of one run of the machine; the first start after a boot writes them again. */
const RUNTIME_UNITS = '/run/systemd/system'
/** The kernel's own limit (net.core.somaxconn) applies too. */
const BACKLOG = 4096

/**
 * Lets systemd hold the ports of the server (systemd.socket(5)). They stay open from then on, until the settings name
 * others. Does nothing while they are what they should be.
 */
export function holdSockets(unit: string, config: Pick<Config, 'HOST' | 'PORT' | 'ROLE' | 'redirectPort'>): void {
  const file = path.join(RUNTIME_UNITS, `${unit}.socket`)
  const wanted = socketUnit(unit, config)
  const held = existsSync(file) ? readFileSync(file, 'utf8') : undefined
  if (held === wanted && isActive(`${unit}.socket`)) return
  // A socket is not opened again while the unit that it starts is active.
  if (held !== undefined) spawnSync('systemctl', ['stop', `${unit}.socket`, `${unit}-waiting.service`])
  if (wanted === undefined) return
  writeFileSync(file, wanted)
  execFileSync('systemctl', ['daemon-reload'])
  execFileSync('systemctl', ['start', `${unit}.socket`])
}

/** Undefined where the server opens its ports itself: under a name, or without an address of its own. */
export function socketUnit(
  unit: string,
  { HOST, PORT, ROLE, redirectPort }: Pick<Config, 'HOST' | 'PORT' | 'ROLE' | 'redirectPort'>,
): string | undefined {
  if (ROLE === 'jobs') return undefined
  const addresses = [PORT, redirectPort].map((port) => streamAddress(HOST, port)).filter((address) => address !== undefined)
  if (addresses.length === 0) return undefined
  const lines = [
    '[Unit]',
    `Description=Ports of ${unit}, which stay open while it restarts`,
    '[Socket]',
    ...addresses.map((address) => `ListenStream=${address}`),
    'BindIPv6Only=both',
    `Backlog=${BACKLOG}`,
    'NoDelay=yes',
    // A connection that finds the server stopped does not start it: a backup or an upgrade may be going on.
    `Service=${unit}-waiting.service`,
  ]
  return `${lines.join('\n')}\n`
}

function isActive(unit: string): boolean {
  return spawnSync('systemctl', ['is-active', '--quiet', unit]).status === 0
}
