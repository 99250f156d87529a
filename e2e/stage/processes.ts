import { spawn, type ChildProcess } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export const root = path.resolve(import.meta.dirname, '../..')
const resultsFolder = path.join(root, 'e2e/.results')

/** A program under test in a process of its own, with its output in a file. */
export interface Running {
  pid: number
  logFile: string
  isRunning(): boolean
  /** Asks it to stop and waits. */
  stop(): Promise<void>
  /** As a crash would: it notices nothing. */
  kill(): Promise<void>
}

export interface Program {
  name: string
  args: string[]
  command?: string
  env?: Record<string, string>
  cwd?: string
}

const FIRST_PORT = 10_000
/** Of the ports below the outgoing ones, as many workers as there may be at once. */
const PARTS = 8
const PORTS_EACH = 2750
const drawn = new Set<number>()
/** How long a server gets to end by itself before it counts as hung. */
const STOP_LIMIT_MS = 20_000

export function run({ name, args, command = process.execPath, env = {}, cwd = root }: Program): Running {
  mkdirSync(resultsFolder, { recursive: true })
  const logFile = path.join(resultsFolder, `${name}-${process.pid}.log`)
  const log = openSync(logFile, 'a')
  const child = spawn(command, args, { cwd, stdio: ['ignore', log, log], env: { ...cleanEnvironment(), ...env } })
  closeSync(log)
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null && child.pid !== undefined
  children.add(child)
  void exited.then(() => children.delete(child))
  return {
    pid: child.pid ?? 0,
    logFile,
    isRunning,
    stop: async () => {
      child.kill('SIGTERM')
      const limit = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS)
      await exited
      clearTimeout(limit)
    },
    kill: async () => {
      child.kill('SIGKILL')
      await exited
    },
  }
}

/** Waits until `check` gives something; says what was awaited if it never does. */
export async function until<T>(
  what: string,
  check: () => Promise<T | undefined | false> | T | undefined | false,
  timeoutMs = 30_000,
): Promise<T> {
  let lastError: unknown
  for (const end = Date.now() + timeoutMs; Date.now() < end; await sleep(100)) {
    try {
      const value = await check()
      if (value !== undefined && value !== false) return value
    } catch (error) {
      lastError = error
    }
  }
  throw new Error(`Waited ${timeoutMs / 1000} s in vain until ${what}.`, { cause: lastError })
}

/**
 * A port of the loopback that is free now, and that nobody else draws before a program listens there: each worker has a part of
 * the range, and draws none twice. Not one that the system picks: those lie in the range of outgoing connections, one of which
 * might have it by then, or while the program is restarted.
 */
export async function freePort(): Promise<number> {
  if (drawn.size > PORTS_EACH / 2) drawn.clear()
  const first = FIRST_PORT + (Number(process.env['TEST_PARALLEL_INDEX'] ?? 0) % PARTS) * PORTS_EACH
  for (;;) {
    const port = randomInt(first, first + PORTS_EACH)
    if (drawn.has(port)) continue
    drawn.add(port)
    if (await isFree(port)) return port
  }
}

export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = []
  while (ports.length < count) ports.push(await freePort())
  return ports
}

function isFree(port: number): Promise<boolean> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, () => server.close(() => resolve(true)))
  })
}

const TAIL_LENGTH = 3000

export function tail(file: string): string {
  return readFileSync(file, 'utf8').slice(-TAIL_LENGTH)
}

// A run that ends must not leave servers behind; one that is itself killed is cleaned up after by the next.
const children = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

const OWNER = 'CAUSEWAY_E2E_OWNER'

/** Ends what killed runs left: every program under test, also a core that outlived its agent, carries its owner's number. */
export function endLeftPrograms(): void {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const owner = ownerOf(pid)
    if (owner !== undefined && !existsSync(`/proc/${owner}`)) process.kill(Number(pid), 'SIGKILL')
  }
}

function ownerOf(pid: string): string | undefined {
  try {
    return new RegExp(`(?:^|\\0)${OWNER}=(\\d+)`).exec(readFileSync(`/proc/${pid}/environ`, 'latin1'))?.[1]
  } catch {
    return undefined // it belongs to somebody else, or has just ended
  }
}

/** The product is configured by its environment: nothing of the tester's own may leak in. */
function cleanEnvironment(): Record<string, string> {
  const kept = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'NODE_COMPILE_CACHE', 'NODE_OPTIONS', 'XRAY_BIN', 'KEEP_DASHBOARD']
  const inherited = kept.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]))
  return { ...Object.fromEntries(inherited), [OWNER]: String(process.pid) }
}
