import { spawn } from 'node:child_process'
import { existsSync, globSync, readFileSync, statfsSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { lockFile, type FileLock } from './file-lock.ts'

/** The lock that the database itself holds: it outlives a killed server for exactly as long as the database does. */
export interface DatabaseLock {
  /** Waits a moment for one that is ending. @throws Error with a sentence when a database goes on running somewhere */
  take(): Promise<void>
  /** The file descriptor that a started database inherits to hold the lock. */
  inherited(): number[]
  /** Ends the database `pid` of the folder `data` together with this process where no lock would tell others that it runs. */
  guard(pid: number, data: string): void
  release(): void
}

const LOCK = 'database.lock'

/**
 * Magic numbers of file systems with locks that are visible to all users of the files: ext, XFS, Btrfs, ZFS, F2FS,
 * tmpfs, overlay, NFS.
 */
const LOCKING = [0xef53, 0x58465342, 0x9123683e, 0x2fc12fc1, 0xf2f52010, 0x01021994, 0x794c7630, 0x6969]

/** `patienceMs`: how long the workers of a killed database may take to notice. */
export function lockDatabase(folder: string, patienceMs: number): DatabaseLock {
  let lock: FileLock | undefined
  return {
    take: async () => {
      for (const end = Date.now() + patienceMs; lock === undefined;) {
        const tried = lockFile(path.join(folder, LOCK))
        if (tried.state !== 'held') lock = tried
        else {
          tried.close()
          if (Date.now() > end) throw stillRuns(folder)
          await sleep(100)
        }
      }
    },
    inherited: () => (lock?.state === 'taken' ? [lock.fd] : []),
    guard: (pid, data) => {
      if (lock?.state !== 'taken' || !LOCKING.includes(statfsSync(folder).type)) endWithUs(pid, data)
    },
    release: () => {
      lock?.close()
      lock = undefined
    },
  }
}

function stillRuns(folder: string): Error {
  const [file] = globSync('postgres/pg*/postmaster.pid', { cwd: folder })
  const at = file === undefined ? '' : path.join(folder, file)
  const pid = existsSync(at) ? ` as process ${readFileSync(at, 'utf8').split('\n')[0]} of its container` : ''
  return new Error(
    `The database in ${folder} still runs${pid}, out of reach from here (${os.hostname()}), although its server has ended. Stop that container, then start again.`,
  )
}

/**
 * A shell waits for the end of the pipe that this process holds, which comes however the process ends. It then stops
 * the database, unless that has ended and its pid belongs to another program.
 */
export function endWithUs(pid: number, data: string): void {
  const script =
    'read -r _; { [ "$(readlink "/proc/$1/cwd")" = "$2" ] || tr "\\0" "\\n" < "/proc/$1/cmdline" | grep -qxF -- "$2"; } && kill -INT "$1"'
  const child = spawn('/bin/sh', ['-c', script, 'sh', String(pid), data], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
  child.on('error', () => {}) // without a shell nothing can be done
  child.unref()
  child.stdin.on('error', () => {})
  if ('unref' in child.stdin && typeof child.stdin.unref === 'function') child.stdin.unref()
}
