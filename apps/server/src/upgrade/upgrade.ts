import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { readConfig } from '../config.ts'
import { migrationNames } from '../db/migrate.ts'
import { readVersion, ROOT } from '../lib/product.ts'
import { freeBytes } from '../postgres/disk-room.ts'
import { KEPT, readPlan, writePlan } from './plan.ts'
import { examineFile, openProgram } from './program.ts'
import { followProgress, forgetProgress } from './progress.ts'
import { findService } from './service.ts'
import { driverOf } from './steps.ts'
import { installUpgradeUnits, isUpgradeActive, removeUpgradeUnits, startUpgradeUnit } from './units.ts'

/** Room for the program twice, the old one and the new one, beside the one that runs. */
const COPIES = 2
const MEGABYTE = 2 ** 20
const PRIVATE_FOLDER = 0o700

export interface UpgradeOptions {
  file: string
  unit: string
  /** How long the new version may take until it answers. */
  limitMs: number
  /** A database of one's own is backed up by its own tools, before. */
  isWithoutBackup: boolean
  /** Called with a sentence for each step. */
  onStep: (sentence: string) => void
}

/**
 * Puts a new version in the place of this one, whose signature was checked. The steps run in a unit of systemd of their
 * own (`continueUpgrade`), which goes on when this terminal is closed, and after a loss of power.
 * @returns a sentence with the outcome
 * @throws Error with a sentence that says which version serves
 */
export async function upgrade({ file, unit: named, limitMs, isWithoutBackup, onStep }: UpgradeOptions): Promise<string> {
  if (process.getuid?.() !== 0) throw new Error('An upgrade changes the program of all users. Run it as root.')
  const unit = named.replace(/\.service$/, '')
  const { env } = findService(unit)
  const config = readConfig(env)
  const { kind, version: newVersion } = examineFile(file)
  if (config.DATABASE_URL !== null && !isWithoutBackup)
    throw new Error(
      'The database of DATABASE_URL is backed up by its own tools, such as pg_dump. Do that, and add --without-backup.',
    )
  if (readPlan() !== undefined) {
    if (!isUpgradeActive()) startUpgradeUnit()
    throw new Error('Another upgrade is not at its end, and goes on now: journalctl -fu causeway-upgrade. Repeat this one then.')
  }
  refuseFullDisk()
  const [oldVersion, oldMigrations] = [readVersion(), await migrationNames()]
  rmSync(KEPT, { recursive: true, force: true })
  mkdirSync(KEPT, { mode: PRIVATE_FOLDER })
  onStep(`Keeping ${oldVersion} ...`)
  openProgram({ kind, file, root: ROOT, oldVersion, newVersion }).keepOld()
  const driver = copyDriver()
  forgetProgress()
  installUpgradeUnits(unit, driver)
  execFileSync('sync', ['-f', KEPT, ROOT])
  try {
    writePlan({
      step: 'stop',
      kind,
      file,
      root: ROOT,
      oldVersion,
      newVersion,
      oldMigrations,
      unit,
      limitMs,
      isWithoutBackup,
      isDatabaseChanged: false,
    })
    startUpgradeUnit()
  } catch (error) {
    removeUpgradeUnits(unit)
    throw error
  }
  return followProgress(onStep)
}

function refuseFullDisk(): void {
  const [bytes = 0] = execFileSync('du', ['-sb', ROOT], { encoding: 'utf8' }).split('\t').map(Number)
  const free = freeBytes(path.dirname(ROOT))
  if (free < bytes * COPIES)
    throw new Error(
      `An upgrade needs ${megabytes(bytes * COPIES)} MB of room in ${path.dirname(ROOT)}, and ${megabytes(free)} MB are free. Nothing was changed.`,
    )
}

function megabytes(bytes: number): number {
  return Math.ceil(bytes / MEGABYTE)
}

/** The old program in links, which an installer of the new one does not touch: it takes seconds and no room. */
function copyDriver(): string {
  const folder = driverOf(ROOT)
  if (existsSync(folder)) rmSync(folder, { recursive: true })
  execFileSync('cp', ['-al', ROOT, folder])
  return path.join(folder, 'bin/causeway')
}
