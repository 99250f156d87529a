import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { walMessage, type WalProgress, type WalTask } from './wal-process.ts'

const PROGRAM = path.join(import.meta.dirname, 'wal-process.ts')
/** At most so much is lost with the machine, and what the target takes. */
const INTERVAL_MS = 20_000
/** For what is left when the server stops. */
const STOP_LIMIT_MS = 5000

export interface WalRun {
  /** Follows the log with this task; undefined ends that. One that has ended by itself is begun again. */
  follow(task: Omit<WalTask, 'intervalMs'> | undefined): Promise<void>
  /** Empty while nothing is followed, or before the first round. */
  progress(): WalProgress[]
  /** Why it has ended by itself; null while it works. */
  failure(): string | null
  close(): Promise<void>
}

const ENDED = 'The process that sends the log of changes ended. It is started again; the log of the server tells more.'

/** Sends the log of the embedded database in a process of its own. */
export function openWalRun(env: NodeJS.ProcessEnv, intervalMs: number = INTERVAL_MS): WalRun {
  let current: { child: ChildProcess; task: string } | undefined
  let progress: WalProgress[] = []
  let failure: string | null = null
  const end = async (): Promise<void> => {
    const child = current?.child
    current = undefined
    progress = []
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    const limit = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS)
    await ended
    clearTimeout(limit)
  }
  return {
    follow: async (given) => {
      const task = JSON.stringify(given)
      if (current && current.task === task) return
      await end()
      failure = null
      if (given === undefined) return
      const child = fork(PROGRAM, [], { execArgv: [], env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
      current = { child, task }
      const isCurrent = () => current?.child === child
      child.on('message', (message) => {
        const told = walMessage.parse(message)
        if (!isCurrent()) return
        if ('states' in told) [progress, failure] = [told.states, null]
        else failure = told.failure
      })
      child.once('error', (error) => (failure = `${ENDED} (${error.message})`))
      child.once('exit', () => {
        if (!isCurrent()) return
        failure ??= ENDED
        current = undefined
      })
      child.send({ ...given, intervalMs } satisfies WalTask)
    },
    progress: () => progress,
    failure: () => failure,
    close: end,
  }
}
