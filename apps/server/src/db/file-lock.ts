import { spawnSync } from 'node:child_process'
import { closeSync, fchmodSync, openSync } from 'node:fs'

/** An advisory lock of the kernel on an open file. Whoever inherits the file holds the lock too, until the last one ends. */
export interface FileLock {
  fd: number
  /** `unsupported`: this file system has no locks, or grants one twice. */
  state: 'taken' | 'held' | 'unsupported'
  close(): void
}

/**
 * Takes the lock of a file, which holds in every container of this kernel whatever namespaces they have, and which the
 * kernel takes back however its holders end. Node.js knows no flock(2), so flock(1) asks for it on a file that it inherits.
 */
export function lockFile(file: string): FileLock {
  // Whoever may open a file may lock it, so nobody else may.
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

/** Some file systems say yes to everybody. */
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
