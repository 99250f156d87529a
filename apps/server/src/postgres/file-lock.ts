import { spawnSync } from 'node:child_process'
import { closeSync, fchmodSync, openSync } from 'node:fs'

/** An advisory kernel lock on an open file. A process that inherits the file holds the lock too, until the last one ends. */
export interface FileLock {
  fd: number
  /** `unsupported`: this file system has no locks, or grants one twice. */
  state: 'taken' | 'held' | 'unsupported'
  close(): void
}

/**
 * Takes the lock of a file. It holds in every container of this kernel, whatever their namespaces, and the kernel
 * releases it however its holders end. Node.js has no flock(2), so flock(1) takes it on an inherited file.
 */
export function lockFile(file: string): FileLock {
  // A process that may open a file may lock it, so the file is private.
  const fd = openSync(file, 'a', 0o600)
  try {
    fchmodSync(fd, 0o600)
    const state = flock(fd)
    const isTrue = state !== 'taken' || isRefusedTwice(file)
    return { fd, state: isTrue ? state : 'unsupported', close: () => closeSync(fd) }
  } catch (error) {
    closeSync(fd)
    throw error
  }
}

/** Some file systems grant the lock to every caller. */
function isRefusedTwice(file: string): boolean {
  const second = openSync(file, 'a')
  try {
    return flock(second) === 'held'
  } finally {
    closeSync(second)
  }
}

const HELD = 1

function flock(fd: number): FileLock['state'] {
  const { PATH = '' } = process.env
  const env = { PATH: `${PATH}:/usr/bin:/bin` }
  const { status } = spawnSync('flock', ['-x', '-n', '3'], { stdio: ['ignore', 'ignore', 'ignore', fd], env })
  if (status === 0) return 'taken'
  return status === HELD ? 'held' : 'unsupported'
}
