import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { readConfig, type Config } from '../config.ts'
import { compareMigrations, migrationNames } from '../db/migrate.ts'
import { askServer } from '../features/doctor/doctor.actions.ts'
import { readVersion, ROOT } from '../lib/product.ts'
import { freeBytes } from '../postgres/disk-room.ts'
import { openProgram, type NewProgram } from './program.ts'
import { findService, type Service } from './service.ts'

const PROGRAM = path.join(ROOT, 'bin/causeway')
const DATABASE_FOLDER = 'postgres'
const LOOK_MS = 1000
/** Room for the program twice, the old one and the new one, beside the one that runs. */
const COPIES = 2
const MEGABYTE = 2 ** 20

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
 * Puts a new version in the place of this one, whose signature was checked. A version that does not answer in time is
 * taken back, together with the data.
 * @returns a sentence with the outcome
 * @throws Error with a sentence that says which version serves
 */
export async function upgrade(options: UpgradeOptions): Promise<string> {
  const { file, unit, onStep } = options
  if (process.getuid?.() !== 0) throw new Error('An upgrade changes the program of all users. Run it as root.')
  const service = findService(unit)
  const config = readConfig(service.env)
  const program = openProgram(file)
  if (config.DATABASE_URL !== null && !options.isWithoutBackup)
    throw new Error(
      'The database of DATABASE_URL is backed up by its own tools, such as pg_dump. Do that, and add --without-backup.',
    )
  refuseFullDisk()
  const old = { version: readVersion(), migrations: await migrationNames() }
  program.keepOld()
  onStep(`Stopping ${old.version} ...`)
  service.stop()
  const backup = await backUpOrStart(service, config, options)
  const why = await tryProgram(program, service, config, options)
  if (why === undefined) {
    program.tidy()
    return `Upgraded from ${old.version} to ${program.version}.${backup === undefined ? '' : ` The backup of before is ${backup}.`}`
  }
  onStep(`${why} Going back to ${old.version} ...`)
  service.stop()
  const { newer } = compareMigrations(await installedMigrations(), old.migrations)
  program.putBack()
  const kept = newer.length > 0 && backup !== undefined ? putDataBack(service, config.dataDir, backup) : undefined
  service.start()
  const fails = await untilHealthy(config, options.limitMs)
  if (fails !== undefined)
    throw new Error(
      `${why} Version ${old.version} was put back, and does not answer either: ${fails}. The log says more: journalctl -u ${unit}`,
    )
  program.tidy()
  const data = kept === undefined ? '' : ` What ${program.version} made of the data is in ${kept}, and can be removed.`
  const own = newer.length > 0 && backup === undefined ? ' Its database has new migrations: restore its dump.' : ''
  throw new Error(`${why} Version ${old.version} serves again, with all that was acknowledged.${data}${own}`)
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

const backupReport = z.object({ folder: z.string() })

/** With the server stopped, so that nothing is acknowledged after it. A backup that fails ends the upgrade. */
async function backUpOrStart(service: Service, config: Config, { isWithoutBackup, limitMs, onStep }: UpgradeOptions) {
  if (isWithoutBackup) return undefined
  onStep('Making a backup ...')
  try {
    return backupReport.parse(JSON.parse(service.run(PROGRAM, ['backup', '--json']))).folder
  } catch (error) {
    service.start()
    await untilHealthy(config, limitMs)
    throw new Error(`There is no upgrade without a backup: ${messageOf(error)} Nothing was changed.`, { cause: error })
  }
}

/** Gives a sentence when the new version does not serve. */
async function tryProgram(program: NewProgram, service: Service, config: Config, { limitMs, onStep }: UpgradeOptions) {
  onStep(`Installing ${program.version} ...`)
  try {
    program.install()
    service.start()
  } catch (error) {
    return `Version ${program.version} could not be installed: ${messageOf(error)}`
  }
  onStep(`Waiting until ${program.version} answers ...`)
  const fails = await untilHealthy(config, limitMs)
  return fails === undefined ? undefined : `Version ${program.version} did not answer in ${limitMs / 1000} s (${fails}).`
}

async function untilHealthy(config: Config, limitMs: number): Promise<string | undefined> {
  let fails: string | undefined = 'not asked'
  for (const end = Date.now() + limitMs; Date.now() < end; await sleep(LOOK_MS)) {
    const { reason } = await askServer(config)
    if (reason === undefined) return undefined
    fails = reason
  }
  return fails
}

/** Of the program that is installed now. The folder stays where it is, so what this process has read of it is the old list. */
async function installedMigrations(): Promise<string[]> {
  return migrationNames(path.join(ROOT, 'apps/server/src/db/migrations'))
}

/** Puts the database of a backup in the place of the one there is, which is kept beside. By the account that owns both. */
function putDataBack(service: Service, dataDir: string, backup: string): string {
  const at = path.join(dataDir, DATABASE_FOLDER)
  const kept = `${at}.failed-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}`
  service.run('mv', [at, kept])
  service.run('cp', ['-a', path.join(backup, DATABASE_FOLDER), at])
  return kept
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
