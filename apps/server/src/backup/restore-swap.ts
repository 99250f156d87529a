import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { BACKUPS } from '../config.ts'
import { LAST_BACKUP, TARGET_STATES } from './kept-backups.ts'
import { syncFile } from './backup-copy.ts'

// A restored folder takes the place of what a data folder held in two steps, each of which goes on where it was cut off.

/** Being unpacked and proven: nothing of it counts. */
export const STAGE = 'restoring.part'
/** Proven: what was there moves away. */
const READY = 'restoring'
/** All that was there has moved away: its contents move in. */
const MOVING = 'restored'
/** The folder that gets what is replaced. */
const RECORD = 'restoring.json'
const REPLACED = /^replaced-\d/
const STAYS = new Set([
  STAGE,
  READY,
  MOVING,
  RECORD,
  BACKUPS,
  LAST_BACKUP,
  TARGET_STATES,
  'server.lock',
  'server.json',
  'lost+found',
])

/** Parts of restores, which no backup holds. */
export function isOfRestore(name: string): boolean {
  return [STAGE, READY, MOVING, RECORD].includes(name) || REPLACED.test(name)
}

export function isHalfRestored(dataDir: string): boolean {
  return [READY, MOVING].some((name) => existsSync(path.join(dataDir, name)))
}

/** @throws Error with a sentence: a server would begin anew on what is there of the data */
export function refuseHalfRestored(dataDir: string): void {
  if (isHalfRestored(dataDir))
    throw new Error(`A restore into ${dataDir} was cut off. Run "causeway restore" again: it ends what was begun.`)
}

/** Puts a proven folder in the place of what is there. Gives the folder that keeps the latter, if there was anything. */
export function swapIn(dataDir: string, proven: string, now: Date): string | undefined {
  const replaced = `replaced-${now.toISOString().slice(0, 19).replaceAll(':', '-')}Z`
  writeFileSync(path.join(dataDir, RECORD), JSON.stringify({ replaced }), { mode: 0o600 })
  renameSync(proven, path.join(dataDir, READY))
  syncFile(dataDir)
  return finishSwap(dataDir)
}

export function finishSwap(dataDir: string): string | undefined {
  const at = (...names: string[]) => path.join(dataDir, ...names)
  const { replaced } = JSON.parse(readFileSync(at(RECORD), 'utf8')) as { replaced: string } // written above
  if (existsSync(at(READY))) {
    const old = readdirSync(dataDir).filter((name) => !STAYS.has(name) && !REPLACED.test(name))
    if (old.length > 0) mkdirSync(at(replaced), { recursive: true, mode: 0o700 })
    for (const name of old) renameSync(at(name), at(replaced, name))
    renameSync(at(READY), at(MOVING))
    syncFile(dataDir)
  }
  for (const name of readdirSync(at(MOVING))) renameSync(at(MOVING, name), at(name))
  syncFile(dataDir)
  rmSync(at(MOVING), { recursive: true })
  rmSync(at(RECORD))
  return existsSync(at(replaced)) ? at(replaced) : undefined
}

/** Folders with what earlier restores have replaced. */
export function listReplaced(dataDir: string): string[] {
  return existsSync(dataDir)
    ? readdirSync(dataDir)
        .filter((name) => REPLACED.test(name))
        .map((name) => path.join(dataDir, name))
    : []
}
