import { execFileSync, spawnSync } from 'node:child_process'
import { until } from '../stage/processes.ts'
import { DEBIAN_IMAGE, LIMITS, makeDebianImage } from './debian.ts'

// Machines that are to become nodes: containers on a network from which the host, where the panel runs, is all that can be reached.

const NETWORK = `causeway-joining-${process.pid}`
const BOOT_MS = 60_000

export interface NodeMachine {
  address: string
  run(script: string): string
  attempt(script: string): { code: number | null; text: string }
  stop(): void
}

export interface MachineOptions {
  /** Without systemd the container runs nothing of itself. */
  hasSystemd?: boolean
  /** Further arguments of podman. */
  options?: string[]
}

let count = 0

export async function startMachine({ hasSystemd = true, options = [] }: MachineOptions = {}): Promise<NodeMachine> {
  await makeDebianImage()
  const name = `${NETWORK}-${++count}`
  const init = hasSystemd
    ? ['--systemd=always', ...options, DEBIAN_IMAGE, '/lib/systemd/systemd']
    : ['--init', ...options, DEBIAN_IMAGE, 'sleep', 'infinity']
  podman(['run', '-d', '--name', name, ...LIMITS, `--network=${NETWORK}`, ...init])
  const attempt = (script: string) => {
    const { status, stdout, stderr } = spawnSync('podman', ['exec', name, 'bash', '-c', script], { encoding: 'utf8' })
    return { code: status, text: stdout + stderr }
  }
  if (hasSystemd)
    await until('the machine has booted', () => /running|degraded/.test(attempt('systemctl is-system-running').text), BOOT_MS)
  return {
    address: podman(['inspect', '-f', '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}', name]).trim(),
    attempt,
    run: (script) => {
      const { code, text } = attempt(script)
      if (code !== 0) throw new Error(`${script}\nended with ${code}:\n${text}`)
      return text
    },
    stop: () => removeContainer(name),
  }
}

/** Gives the address of the host on it. */
export function makeNetwork(): string {
  podman(['network', 'create', '--internal', NETWORK])
  return podman(['network', 'inspect', '-f', '{{range .Subnets}}{{.Gateway}}{{end}}', NETWORK]).trim()
}

export function removeNetwork(): void {
  podman(['network', 'rm', '-f', NETWORK])
}

/** On a busy machine a container may end while it is being killed, which podman takes for a failure. Then it is removed as it lies. */
function removeContainer(name: string): void {
  const isRemoved = spawnSync('podman', ['rm', '-f', '-t', '1', name]).status === 0
  if (!isRemoved) podman(['rm', '-f', name])
}

function podman(args: string[]): string {
  return execFileSync('podman', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}
