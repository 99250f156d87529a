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
  /** Calls the server's API inside, with the last session, and gives the `response`. */
  api<T>(method: string, path: string, body?: unknown): T
  /** Registers the administrator, or signs in. */
  signIn(): void
  reboot(): Promise<void>
  /** Ends every process at once, as a loss of power does. */
  cutPower(): void
  /** Boots after a loss of power. */
  boot(): Promise<void>
  /** Folder of its files, seen from outside. */
  files: string
  stop(): void
}

const SUITES = { 12: 'bookworm', 13: 'trixie' }
export type DebianVersion = keyof typeof SUITES
export const DEBIAN_IMAGE = imageOf(12)
const ACCOUNT = { username: 'admin', password: 'Correct4horse1' }
const TOKEN = '/root/token'
/** Of the dashboard's calls, with the account that signed in. */
export const HEADERS = `-H 'content-type: application/json' -H 'x-remnawave-client-type: browser' -H "authorization: Bearer $(cat ${TOKEN} 2>/dev/null)"`
const MIRROR = 'http://deb.debian.org/debian'
const INSIDE = 'systemd,systemd-sysv,dbus,curl,iproute2,libstdc++6,procps'
/** Where an older kernel or a container around this one allows no more. */
export const LIMITS = ['--runtime=runc', '--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=4000:4000']
/** The same for programs that run podman themselves, in the form of containers.conf(5). */
export const RUNTIME_SETTINGS = '[engine]\nruntime="runc"\n[containers]\ndefault_ulimits=["nofile=1024:1024","nproc=4000:4000"]\n'
const BOOT_MS = 60_000

/** `folder` is at /files of the machine. */
export async function bootDebian(folder: string, version: DebianVersion = 12): Promise<Machine> {
  await makeDebianImage(version)
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
    imageOf(version),
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
  const inside = (script: string) => {
    const { code, text } = attempt(script)
    if (code !== 0) throw new Error(`${script}\nended with ${code}:\n${text}`)
    return text
  }
  const ask = (method: string, at: string, body?: unknown) => {
    const data = body === undefined ? '' : ` -d '${JSON.stringify(body).replaceAll("'", String.raw`'\''`)}'`
    return JSON.parse(inside(`curl -s -m 30 -X ${method} ${HEADERS}${data} 'http://127.0.0.1:3000/api/${at}'`))
  }
  return {
    attempt,
    run: inside,
    api: (method, at, body) => {
      const reply = ask(method, at, body)
      if (!('response' in reply)) throw new Error(`${method} ${at}: ${JSON.stringify(reply)}`)
      return reply.response
    },
    signIn: () => {
      const registered = ask('POST', 'auth/register', ACCOUNT)
      const { response } = 'response' in registered ? registered : ask('POST', 'auth/login', ACCOUNT)
      inside(`umask 077; echo ${response.accessToken} > ${TOKEN}`)
    },
    background: (script) =>
      new Promise((resolve) => {
        spawn('podman', args(script), { stdio: 'ignore' }).once('close', resolve)
      }),
    reboot: async () => {
      podman(['restart', '--time=20', name])
      await booted()
    },
    cutPower: () => void podman(['kill', '--signal=KILL', name]),
    boot: async () => {
      podman(['start', name])
      await booted()
    },
    files: podman(['mount', name]).trim(),
    stop: () => void podman(['rm', '-f', name]),
  }
}

export async function makeDebianImage(version: DebianVersion = 12): Promise<void> {
  const image = imageOf(version)
  if (spawnSync('podman', ['image', 'exists', image]).status === 0) return
  const folder = mkdtempSync(path.join(tmpdir(), 'causeway-debian-'))
  const tree = path.join(folder, 'root')
  execFileSync('debootstrap', ['--variant=minbase', `--include=${INSIDE}`, SUITES[version], tree, MIRROR], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const archive = path.join(folder, 'root.tar')
  const tar = spawn('tar', ['-C', tree, '-cf', '-', '.'], { stdio: ['ignore', 'pipe', 'inherit'] })
  await pipeline(tar.stdout, createWriteStream(archive))
  podman(['import', archive, image])
  rmSync(folder, { recursive: true })
}

export function imageOf(version: DebianVersion): string {
  return `localhost/causeway-debian:${version}`
}

function podman(args: string[]): string {
  return execFileSync('podman', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}
