import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'

/** The server as systemd runs it. */
export interface Service {
  unit: string
  user: string
  /** What the unit gives the server. */
  env: Record<string, string>
  stop(): void
  /** Begins the start, and does not wait for its end. */
  start(): void
  /** Whether systemd has begun its start and not ended it; a program that it starts again and again is not starting. */
  isStarting(): boolean
  /** What systemd says of a program that ended by itself since the start; undefined where it did not. */
  ended(): string | undefined
  /** Runs a program as the server would, and gives its output. @throws Error with what it said */
  run(program: string, args: string[]): string
}

/** @throws Error with a sentence where there is no such unit */
export function findService(unit: string): Service {
  const { user, env } = readUnit(unit)
  return {
    unit,
    user,
    env,
    stop: () => void execFileSync('systemctl', ['stop', unit], { stdio: 'ignore' }),
    // A unit that failed often is refused a start until that is forgotten.
    start: () => {
      spawnSync('systemctl', ['reset-failed', unit], { stdio: 'ignore' })
      execFileSync('systemctl', ['start', '--no-block', unit], { stdio: 'ignore' })
    },
    isStarting: () =>
      isStart(spawnSync('systemctl', ['show', unit, '-p', 'ActiveState', '-p', 'SubState'], { encoding: 'utf8' }).stdout ?? ''),
    ended: () =>
      endOf(spawnSync('systemctl', ['show', unit, '-p', 'NRestarts', '-p', 'ExecMainStatus'], { encoding: 'utf8' }).stdout ?? ''),
    run: (program, args) => {
      const { status, stdout, stderr, error } = spawnSync('runuser', ['-u', user, '--', program, ...args], {
        encoding: 'utf8',
        env: { PATH: process.env['PATH'], ...env },
      })
      if (status !== 0) throw new Error(error?.message ?? stderr.trim())
      return stdout
    },
  }
}

function readUnit(unit: string): { user: string; env: Record<string, string> } {
  const asked = ['LoadState', 'User', 'Environment', 'EnvironmentFiles'].flatMap((name) => ['-p', name])
  const { stdout, error } = spawnSync('systemctl', ['show', unit, ...asked], { encoding: 'utf8' })
  const told = parseUnit(stdout ?? '')
  if (error || told.LoadState !== 'loaded')
    throw new Error(
      `There is no systemd unit ${unit}; --unit names another one. Without systemd, stop the server, unpack the release beside this one, and start that.`,
    )
  const files = told.files.filter((file) => existsSync(file)).map((file) => readFileSync(file, 'utf8'))
  const env = Object.assign({}, told.env, ...files.map((text) => parseEnv(text))) as Record<string, string> // texts only
  return { user: told.User === '' ? 'root' : told.User, env }
}

/** Of what `systemctl show` prints. */
export function isStart(text: string): boolean {
  return /^ActiveState=activating$/m.test(text) && !/^SubState=auto-restart/m.test(text)
}

/** In words, of what `systemctl show` prints. */
export function endOf(text: string): string | undefined {
  const [restarts, status] = ['NRestarts', 'ExecMainStatus'].map((name) =>
    Number(new RegExp(`^${name}=(\\d+)$`, 'm').exec(text)?.[1] ?? 0),
  )
  if (!restarts) return undefined
  return `systemd has started it again ${restarts} ${restarts === 1 ? 'time' : 'times'}${status ? `, as it ended with ${status}` : ''}`
}

/** Reads what `systemctl show` prints. */
export function parseUnit(text: string): { LoadState: string; User: string; env: Record<string, string>; files: string[] } {
  const valueOf = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(text)?.[1] ?? ''
  const files = [...text.matchAll(/^EnvironmentFiles=(\S+)/gm)].map(([, file = '']) => file)
  const pairs = valueOf('Environment')
    .split(' ')
    .filter((pair) => pair.includes('='))
    .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)] as const)
  return { LoadState: valueOf('LoadState'), User: valueOf('User'), env: Object.fromEntries(pairs), files }
}
