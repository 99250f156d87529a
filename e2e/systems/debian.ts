import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { until } from '../stage/processes.ts'

/** Debian that boots systemd in a container of podman, without Node and without a network. Needs podman, runc, debootstrap, root. */
export interface Machine {
  /** Runs a script of the shell, and gives what it printed. @throws Error when it fails */
  run(script: string): string
  /** The same, with its end and all that it printed. */
  attempt(script: string): { code: number | null; text: string }
  /** Runs on while the test goes on. */
  background(script: string): Promise<number | null>
  reboot(): Promise<void>
  stop(): void
}

export const DEBIAN_IMAGE = 'localhost/causeway-debian:12'
const MIRROR = 'http://deb.debian.org/debian'
const INSIDE = 'systemd,systemd-sysv,dbus,curl,iproute2,libstdc++6,procps'
/** Where an older kernel or a container around this one allows no more. */
export const LIMITS = ['--runtime=runc', '--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=4000:4000']
const BOOT_MS = 60_000

/** `folder` is at /files of the machine. */
export async function bootDebian(folder: string): Promise<Machine> {
  await makeDebianImage()
  const name = `causeway-systems-${process.pid}-${Date.now()}`
  const mounts = ['-v', `${folder}:/files:ro`]
  podman([
    'run',
    '-d',
    '--name',
    name,
    ...LIMITS,
    '--network=none',
    '--systemd=always',
    ...mounts,
    DEBIAN_IMAGE,
    '/lib/systemd/systemd',
  ])
  const booted = () =>
    until(
      'the machine has booted',
      () =>
        /running|degraded/.test(
          spawnSync('podman', ['exec', name, 'systemctl', 'is-system-running'], { encoding: 'utf8' }).stdout,
        ),
      BOOT_MS,
    )
  await booted()
  const args = (script: string) => ['exec', name, 'bash', '-c', script]
  const attempt = (script: string) => {
    const { status, stdout, stderr } = spawnSync('podman', args(script), { encoding: 'utf8' })
    return { code: status, text: stdout + stderr }
  }
  return {
    attempt,
    run: (script) => {
      const { code, text } = attempt(script)
      if (code !== 0) throw new Error(`${script}\nended with ${code}:\n${text}`)
      return text
    },
    background: (script) =>
      new Promise((resolve) => {
        spawn('podman', args(script), { stdio: 'ignore' }).once('close', resolve)
      }),
    reboot: async () => {
      podman(['restart', '--time=20', name])
      await booted()
    },
    stop: () => void podman(['rm', '-f', name]),
  }
}

export async function makeDebianImage(): Promise<void> {
  if (spawnSync('podman', ['image', 'exists', DEBIAN_IMAGE]).status === 0) return
  const folder = mkdtempSync(path.join(tmpdir(), 'causeway-debian-'))
  const tree = path.join(folder, 'root')
  execFileSync('debootstrap', ['--variant=minbase', `--include=${INSIDE}`, 'bookworm', tree, MIRROR], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const archive = path.join(folder, 'root.tar')
  const tar = spawn('tar', ['-C', tree, '-cf', '-', '.'], { stdio: ['ignore', 'pipe', 'inherit'] })
  await pipeline(tar.stdout, createWriteStream(archive))
  podman(['import', archive, DEBIAN_IMAGE])
  rmSync(folder, { recursive: true })
}

function podman(args: string[]): string {
  return execFileSync('podman', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}
