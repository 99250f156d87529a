import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { programOf } from './held-parts.ts'

/** How long a new agent has until the server has reached it. */
const TRIAL_MS = 60_000
/** The message of a new agent to the one before it once the server has reached it. */
const REACHED = 'reached'
const END_PATIENCE_MS = 5000
const SHELL = '/bin/sh'

/** Set for an agent on trial, which ends when the one that has started it does. */
const TRIAL = 'CAUSEWAY_TRIAL'
/** Names the installed program to agents that were started by it. */
export const BASE = 'CAUSEWAY_BASE'

/**
 * Runs another agent in place of this one, whose port and core must be free by now, until the server has reached it. Gives why
 * it is not to be used. It has ended when this returns.
 */
export async function tryAgent(folder: string, limitMs = TRIAL_MS): Promise<string | undefined> {
  const child = spawn(SHELL, [programOf(folder)], {
    env: { ...process.env, [TRIAL]: '1' },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit').catch(() => [])
  const isReached = new Promise<true>((resolve) => {
    child.on('message', (message) => {
      if (message === REACHED) resolve(true)
    })
  })
  const limit = new AbortController()
  try {
    return await Promise.race([
      isReached.then(() => undefined),
      ended.then(([code, signal]) => `It ended by itself (${signal ?? `code ${code}`}).`),
      pause(limitMs, `The server did not reach it within ${limitMs / 1000} seconds.`, { signal: limit.signal }),
    ])
  } finally {
    limit.abort()
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), END_PATIENCE_MS)
    if (child.exitCode === null && child.signalCode === null) await ended
    clearTimeout(timer)
  }
}

/** For an agent on trial: what is to be called when the server has reached it. Ends it with the one that has started it. */
export function trialReport(): (() => void) | undefined {
  if (process.env[TRIAL] !== '1' || !process.send) return undefined
  process.once('disconnect', () => process.exit(1))
  let isReported = false
  return () => {
    if (isReported) return
    isReported = true
    process.send?.(REACHED)
  }
}

/** Goes on as another program, under the same number, so that a supervisor notices nothing. `isAnew` looks for the newest again. */
export function becomeAgent(folder: string, { isAnew }: { isAnew: boolean }): never {
  const { [TRIAL]: _, [BASE]: base, ...rest } = process.env
  const env = isAnew || base === undefined ? rest : { ...rest, [BASE]: base }
  if (!process.execve) process.exit(0) // a supervisor starts it again
  return process.execve(SHELL, [SHELL, programOf(folder)], env)
}
