import { wireInt } from '@causeway/contract/agent'
import { spawn } from 'node:child_process'
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'

const TICKS_PER_SECOND = 100 // USER_HZ, the same on every Linux we run on
const POLL_MS = 25
const isLinux = process.platform === 'linux'
/** Numbers and start times begin anew with each boot of the machine. */
const bootId = isLinux ? readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim() : ''

/** A process and the moment it started, so that another one with the same number is not mistaken for it. */
export const processIdentity = z.object({ pid: wireInt, started: z.string() })
export type ProcessIdentity = z.output<typeof processIdentity>

/**
 * Starts a program that outlives the agent. It has its own session, so that a terminal's Ctrl-C does not reach it.
 * Output goes to a file rather than a pipe, which would break with the agent.
 */
export async function startProcess(
  program: string,
  args: string[],
  folder: string,
  logFile: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<ProcessIdentity> {
  const log = openSync(logFile, 'a', 0o600)
  try {
    const child = spawn(program, args, { cwd: folder, env, detached: true, stdio: ['ignore', log, log] })
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve)
      child.once('error', reject)
    })
    child.unref()
    const { pid } = child
    if (pid === undefined) throw new Error(`${program} could not be started.`)
    return { pid, started: startMark(pid) ?? 'ended at once' }
  } finally {
    closeSync(log)
  }
}

export function isAlive(identity: ProcessIdentity): boolean {
  try {
    return startMark(identity.pid) === identity.started
  } catch {
    return true // cannot be told now, as with too many open files; a running core must not be taken for dead
  }
}

/** Ends a process: first kindly, then by force. Returns once it is gone. */
export async function endProcess(identity: ProcessIdentity, patienceMs: number): Promise<void> {
  signal(identity, 'SIGTERM')
  const deadline = performance.now() + patienceMs
  while (isAlive(identity)) {
    if (performance.now() > deadline) signal(identity, 'SIGKILL')
    await pause(POLL_MS)
  }
}

/**
 * How long a process has been running, by the kernel's clock, which cannot be set. Undefined where that clock cannot
 * be read, or differs from the one that stamps processes, as in some containers.
 */
export function ageMs(identity: ProcessIdentity): number | undefined {
  if (!isLinux) return undefined
  const upSeconds = Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0])
  const startSeconds = Number(identity.started.split('@')[0]) / TICKS_PER_SECOND
  const age = Math.round((upSeconds - startSeconds) * 1000)
  return age >= 0 ? age : undefined
}

/** Processes this agent or an earlier life of it has lost sight of: those started with a config (`-c`) of its data folder. */
export function strayProcesses(argument: string, known: ProcessIdentity | undefined): ProcessIdentity[] {
  if (!isLinux) return []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && pid !== known?.pid)
    .filter((pid) => commandLine(pid).some((text, index, all) => text.startsWith(argument) && all[index - 1] === '-c'))
    .flatMap((pid) => {
      const started = startMark(pid)
      return started === undefined ? [] : [{ pid, started }]
    })
}

/** The identity of a process's start; undefined when no process has this pid, or only a zombie. */
export function startMark(pid: number): string | undefined {
  if (!isLinux) return isRunning(pid) ? 'running' : undefined
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in parentheses may itself hold spaces and parentheses. After it: state (field 3) ... start time (field 22).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : `${fields[19]}@${bootId}`
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')) return undefined
    throw error
  }
}

function commandLine(pid: number): string[] {
  try {
    return readFileSync(path.join('/proc', String(pid), 'cmdline'), 'utf8').split('\0')
  } catch {
    return [] // ended meanwhile
  }
}

function signal(identity: ProcessIdentity, name: NodeJS.Signals): void {
  if (!isAlive(identity)) return
  try {
    process.kill(identity.pid, name)
  } catch {
    // It ended between the look and the signal.
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
