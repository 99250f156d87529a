import { execFile, type ExecFileException } from 'node:child_process'
import { createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { complaint } from './messages.ts'
import { isAlive } from './process.ts'
import type { RunningCore } from './samples.ts'

const VERSION_PATIENCE_MS = 60_000
/** A million users on a small busy machine take minutes. */
const CHECK_PATIENCE_MS = 300_000
/** Giving up on a slow machine would begin the same again, for ever. */
const READY_MS = 300_000
const READY_POLL_MS = 50
const MAX_OUTPUT_BYTES = 64_000_000
const LONGEST_REASON = 1000

/** A core is started from these. */
export interface CoreBinary {
  xray: string
  version: string
  /** The folder of its geo files; undefined where Xray looks for them in its usual places. */
  assets?: string | undefined
}

/** The environment of an Xray with these geo files. */
export function coreEnvironment(assets: string | undefined): NodeJS.ProcessEnv {
  return assets === undefined ? process.env : { ...process.env, [ASSETS]: assets }
}

/** Names the folder of geo files to Xray. Set by the operator, it keeps files of the panel away. */
export const ASSETS = 'XRAY_LOCATION_ASSET'

/** Xray's refusal of a config file; undefined when it would start with it. */
export function configProblem(
  { xray, assets }: Pick<CoreBinary, 'xray' | 'assets'>,
  file: string,
  patienceMs = CHECK_PATIENCE_MS,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const options = {
      timeout: patienceMs,
      killSignal: 'SIGKILL' as const,
      maxBuffer: MAX_OUTPUT_BYTES,
      env: coreEnvironment(assets),
    }
    execFile(xray, ['run', '-test', '-c', file], options, (error, stdout, stderr) => {
      resolve(error ? reasonOf(error, stdout + stderr, patienceMs) : undefined)
    })
  })
}

function reasonOf(error: ExecFileException, output: string, patienceMs: number): string {
  if (error.killed) return `Xray took longer than ${patienceMs / 1000} seconds to check the configuration.`
  if (error.signal) {
    return `Xray was ended by ${error.signal} while it checked the configuration; the machine may be out of memory.`
  }
  const lastLine = output.trim().split('\n').at(-1)?.slice(0, LONGEST_REASON)
  if (typeof error.code === 'string') return `Xray could not check the configuration: ${error.message}`
  return complaint(output) ?? `Xray refused the configuration${lastLine ? `: ${lastLine}` : ' without a word.'}`
}

/** x.y.z of an Xray binary, read from the first line of what it says of itself. */
export function xrayVersion(xray: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(xray, ['version'], { timeout: VERSION_PATIENCE_MS }, (error, stdout) => {
      const version = /(\d+)\.(\d+)\.(\d+)/.exec(stdout.split('\n')[0] ?? '')?.[0]
      if (version) resolve(version)
      else reject(new Error(`${xray} does not say its version, so it is not an Xray binary.`, { cause: error }))
    })
  })
}

/** Otherwise another program, perhaps another agent's core, would be mistaken for the core about to be started. */
export function assertPortIsFree(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', () =>
      reject(new Error(`Port ${port} of this machine, meant for the API of Xray, is taken. Set XTLS_PORT to a free one.`)),
    )
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve()))
  })
}

/** Waits until the API of a core that was started answers. @throws Error when the core has ended, or stays silent */
export async function untilReady(core: RunningCore): Promise<void> {
  const deadline = performance.now() + READY_MS
  for (;;) {
    if (!isAlive(core.process)) throw new Error('Xray ended while starting.')
    try {
      await core.api.systemStats(READY_POLL_MS * 20)
      return
    } catch (error) {
      if (performance.now() > deadline) throw new Error('Xray runs but its API does not answer.', { cause: error })
    }
    await pause(READY_POLL_MS)
  }
}
