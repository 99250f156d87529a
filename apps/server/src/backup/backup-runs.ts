import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import type { Config } from '../config.ts'
import { backupMessage, SCHEDULED } from './backup-process.ts'

/** How far a backup is. */
export interface BackupRun {
  copiedBytes: number
  allBytes: number
  isMade?: boolean | undefined
  /** A sentence; of a backup that is made, about the disk. */
  failure?: string | undefined
}

/** Backups that this process makes for jobs, each in a process of its own, one at a time. */
export interface BackupRuns {
  /** The database is elsewhere: its backups are archives. */
  hasOwnDatabase: boolean
  dataDir: string
  backupDir: string
  begin(jobId: string, how: { isScheduled?: boolean | undefined }): void
  find(jobId: string): BackupRun | undefined
  stop(jobId: string): void
  close(): Promise<void>
}

const PROGRAM = path.join(import.meta.dirname, 'backup-process.ts')
const ENDED = 'The backup ended before it was whole, so nothing is kept. Make it again; the log of the server tells more.'

export function openBackups({
  DATABASE_URL,
  MASTER_KEY,
  dataDir,
  backupDir,
}: Pick<Config, 'DATABASE_URL' | 'MASTER_KEY' | 'dataDir' | 'backupDir'>): BackupRuns {
  let current: { jobId: string; run: BackupRun; child: ChildProcess } | undefined
  const isRunning = () => current?.child.exitCode === null && current.child.signalCode === null
  return {
    hasOwnDatabase: DATABASE_URL !== null,
    dataDir,
    backupDir,
    begin: (jobId, { isScheduled = false }) => {
      if (isRunning()) return // one that was cancelled is ending
      const child = fork(PROGRAM, [dataDir, backupDir, ...(isScheduled ? [SCHEDULED] : [])], {
        execArgv: [],
        // As configured, wherever that came from.
        env: { ...process.env, DATABASE_URL: DATABASE_URL ?? '', ...(MASTER_KEY === null ? {} : { MASTER_KEY }) },
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      })
      const run: BackupRun = { copiedBytes: 0, allBytes: 0 }
      current = { jobId, run, child }
      child.on('message', (message) => Object.assign(run, backupMessage.parse(message)))
      child.once('error', (error) => (run.failure ??= `${ENDED} (${error.message})`))
      child.once('exit', () => {
        if (!run.isMade) run.failure ??= ENDED
      })
    },
    find: (jobId) => (current?.jobId === jobId ? current.run : undefined),
    stop: (jobId) => {
      if (current?.jobId === jobId && isRunning()) current.child.kill('SIGTERM')
    },
    close: async () => {
      if (!current || !isRunning()) return
      const ended = once(current.child, 'exit')
      current.child.kill('SIGTERM')
      await ended
    },
  }
}
