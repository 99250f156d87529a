import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { tellStatus } from './supervisor.ts'

// Progress of a start that takes long: in a file for `causeway health` and `causeway upgrade`, and in `systemctl status`.

const FILE = 'starting.txt'
/** Longer than the pause between two sentences. An older file is of a start that ended. */
const FRESH_MS = 30_000

/** Also asks systemd for more time. */
export function tellStarting(dataDir: string, sentence: string): void {
  tellStatus(sentence)
  try {
    writeFileSync(path.join(dataDir, FILE), sentence)
  } catch {
    // With a database of its own a server may have no folder; the log says the same.
  }
}

export function tellStarted(dataDir: string): void {
  rmSync(path.join(dataDir, FILE), { force: true })
}

/** Undefined while no start is at work. */
export function readStarting(dataDir: string): string | undefined {
  const file = path.join(dataDir, FILE)
  try {
    return Date.now() - statSync(file).mtimeMs < FRESH_MS ? readFileSync(file, 'utf8') : undefined
  } catch {
    return undefined
  }
}
