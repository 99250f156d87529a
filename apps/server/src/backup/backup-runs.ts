import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import type { Config } from '../config.ts'
import { backupMessage, type BackupTask } from './backup-process.ts'
import type { Shipping } from './shipping.ts'
import type { Target } from './stores/store.ts'
import { openWalRun, type WalRun } from './wal/wal-run.ts'

/** How far a backup is. */
export interface BackupRun {
  copiedBytes: number
  allBytes: number
  isMade?: boolean | undefined
  /** A sentence; of a backup that is made, about the disk or a target. */
  failure?: string | undefined
}

interface BackupOrder {
  isScheduled?: boolean | undefined
  /** Where it goes besides; absent without targets. */
  shipping?: Shipping | undefined
}

/** Backups that this process makes for jobs, each in a process of its own, one at a time. */
export interface BackupRuns {
  /** The database is elsewhere: its backups are archives. */
  hasOwnDatabase: boolean
  dataDir: string
  backupDir: string
  begin(jobId: string, order: BackupOrder): void
  find(jobId: string): BackupRun | undefined
  stop(jobId: string): void
  /** Of the log between backups. */
  wal: WalRun
  /** Gives a sentence where the target does not work. */
  tryTarget(target: Target): Promise<string | null>
  close(): Promise<void>
}

const PROGRAM = path.join(import.meta.dirname, 'backup-process.ts')
const ENDED = 'The backup ended before it was whole, so nothing is kept. Make it again; the log of the server tells more.'
const TRY_LIMIT_MS = 60_000
const NO_ANSWER = 'The target did not answer within a minute.'

type BackupConfig = Pick<Config, 'DATABASE_URL' | 'MASTER_KEY' | 'dataDir' | 'backupDir' | 'OUTGOING_PRIVATE_HOSTS'>

export function openBackups(config: BackupConfig): BackupRuns {
  const { DATABASE_URL, MASTER_KEY, dataDir, backupDir, OUTGOING_PRIVATE_HOSTS } = config
  // As configured, wherever that came from.
  const env = { ...process.env, DATABASE_URL: DATABASE_URL ?? '', ...(MASTER_KEY === null ? {} : { MASTER_KEY }) }
  let current: { jobId: string; run: BackupRun; child: ChildProcess } | undefined
  const isRunning = () => current?.child.exitCode === null && current.child.signalCode === null
  const wal = openWalRun(env)
  return {
    wal,
    hasOwnDatabase: DATABASE_URL !== null,
    dataDir,
    backupDir,
    begin: (jobId, { isScheduled = false, shipping }) => {
      if (isRunning()) return // one that was cancelled is ending
      const run: BackupRun = { copiedBytes: 0, allBytes: 0 }
      const child = start({ do: 'make', dataDir, backupDir, isScheduled, shipping }, run, ENDED, env)
      current = { jobId, run, child }
    },
    find: (jobId) => (current?.jobId === jobId ? current.run : undefined),
    stop: (jobId) => {
      if (current?.jobId === jobId && isRunning()) current.child.kill('SIGTERM')
    },
    tryTarget: async (target) => {
      const run: BackupRun = { copiedBytes: 0, allBytes: 0 }
      const child = start({ do: 'try', target, allowedPrivateHosts: [...OUTGOING_PRIVATE_HOSTS] }, run, NO_ANSWER, env)
      const limit = setTimeout(() => child.kill('SIGKILL'), TRY_LIMIT_MS)
      await once(child, 'exit').catch(() => {}) // the failure is told
      clearTimeout(limit)
      return run.failure ?? null
    },
    close: async () => {
      await wal.close()
      if (!current || !isRunning()) return
      const ended = once(current.child, 'exit')
      current.child.kill('SIGTERM')
      await ended
    },
  }
}

/** Starts the process, and keeps what it says in `run`. */
function start(task: BackupTask, run: BackupRun, ended: string, env: NodeJS.ProcessEnv): ChildProcess {
  const child = fork(PROGRAM, [], { execArgv: [], env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  child.on('message', (message) => Object.assign(run, backupMessage.parse(message)))
  child.once('error', (error) => (run.failure ??= `${ended} (${error.message})`))
  child.once('exit', () => {
    if (!run.isMade) run.failure ??= ended
  })
  child.send(task)
  return child
}
