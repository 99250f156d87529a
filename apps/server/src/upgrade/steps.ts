import { execFileSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { readConfig, type Config } from '../config.ts'
import { compareMigrations, migrationNames } from '../db/migrate.ts'
import { askServer } from '../features/doctor/doctor.actions.ts'
import { readStarting } from '../lib/systemd/start-progress.ts'
import { KEPT, readPlan, removePlan, setAway, writePlan, type UpgradePlan } from './plan.ts'
import { openProgram, type NewProgram } from './program.ts'
import { tellProgress } from './progress.ts'
import { findService, type Service } from './service.ts'
import { removeUpgradeUnits } from './units.ts'

const DATABASE_FOLDER = 'postgres'
const LOOK_MS = 1000
/** For the version that is put back, however little patience there was for the new one. */
const OLD_LIMIT_MS = 120_000

interface Upgrade {
  service: Service
  config: Config
  program: NewProgram
}

/** Where the copy of the old program lies that makes the upgrade. */
export function driverOf(root: string): string {
  return `${root}.upgrade`
}

/** Goes on at the step of the plan until its end. Runs in the unit of the upgrade; tells the outcome, good or bad. */
export async function continueUpgrade(): Promise<void> {
  let plan = readPlan()
  if (plan === undefined) throw new Error('There is no upgrade to go on with. `causeway upgrade <file>` begins one.')
  const service = findService(plan.unit)
  const upgrade = { service, config: readConfig(service.env), program: openProgram(plan) }
  for (;;) {
    const next = await takeStep(plan, upgrade)
    if (!('step' in next)) return finish(plan, upgrade.program, next)
    plan = writePlan(next)
  }
}

interface Outcome {
  sentence: string
  isUpgraded: boolean
  /** Kept for a person, where even the old version does not answer. */
  isKept?: boolean
}

/** Every step can be repeated: it may have been cut off anywhere. Gives the plan with the next step, or the outcome. */
async function takeStep(plan: UpgradePlan, { service, config, program }: Upgrade): Promise<UpgradePlan | Outcome> {
  const { oldVersion, newVersion, why = '' } = plan
  switch (plan.step) {
    case 'stop':
      tellProgress(`Stopping ${oldVersion} ...`)
      setAway(true)
      service.stop()
      return { ...plan, step: plan.isWithoutBackup ? 'install' : 'backup' }
    case 'backup':
      tellProgress('Making a backup ...')
      return attempt(
        () => ({ ...plan, backup: backUp(service, plan.root), step: 'install' }),
        (reason) => ({ ...plan, step: 'abandon', why: `There is no upgrade without a backup: ${reason}` }),
      )
    case 'install':
      tellProgress(`Installing ${newVersion} ...`)
      return attempt(
        () => {
          program.install()
          return { ...plan, step: 'watch' }
        },
        (reason) => ({ ...plan, step: 'back', why: `Version ${newVersion} could not be installed: ${reason}` }),
      )
    case 'watch':
      return watchNew(plan, service, config)
    case 'back':
      tellProgress(`${why} Going back to ${oldVersion} ...`)
      setAway(true)
      service.stop()
      program.putBack()
      putDataBack(plan, service, config.dataDir)
      return { ...plan, step: 'watchOld' }
    case 'watchOld':
      setAway(false)
      service.start()
      return outcomeOfOld(plan, await untilHealthy(config, Math.max(plan.limitMs, OLD_LIMIT_MS), service))
    case 'abandon':
      setAway(false)
      service.start()
      await untilHealthy(config, plan.limitMs)
      return { sentence: `${why} Nothing was changed.`, isUpgraded: false }
    default:
      return plan.step satisfies never
  }
}

function attempt(take: () => UpgradePlan, otherwise: (reason: string) => UpgradePlan): UpgradePlan {
  try {
    return take()
  } catch (error) {
    return otherwise(error instanceof Error ? error.message : String(error))
  }
}

const backupReport = z.object({ folder: z.string() })

/** With the server stopped, so that nothing is acknowledged after it. */
function backUp(service: Service, root: string): string {
  const program = path.join(driverOf(root), 'bin/causeway')
  return backupReport.parse(JSON.parse(service.run(program, ['backup', '--json']))).folder
}

async function watchNew(plan: UpgradePlan, service: Service, config: Config): Promise<UpgradePlan | Outcome> {
  const { oldVersion, newVersion, backup, limitMs } = plan
  tellProgress(`Waiting until ${newVersion} answers ...`)
  setAway(false)
  service.start()
  const begun = Date.now()
  const fails = await untilHealthy(config, limitMs)
  const seconds = Math.round((Date.now() - begun) / 1000)
  if (fails === undefined)
    return {
      sentence: `Upgraded from ${oldVersion} to ${newVersion}.${backup === undefined ? '' : ` The backup of before is ${backup}.`}`,
      isUpgraded: true,
    }
  const { newer } = compareMigrations(await installedMigrations(plan.root), plan.oldMigrations)
  const ended = service.ended()
  const why = `Version ${newVersion} did not answer in ${seconds} s (${fails}${ended === undefined ? '' : `; ${ended}`}).`
  const isDatabaseChanged = newer.length > 0
  const at = path.join(config.dataDir, DATABASE_FOLDER)
  const failedDatabase = `${at}.failed-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}`
  return {
    ...plan,
    step: 'back',
    why,
    isDatabaseChanged,
    ...(isDatabaseChanged && backup !== undefined ? { failedDatabase } : {}),
  }
}

/** The time of a version that is known to work counts from the end of its start, which a busy machine makes long. */
async function untilHealthy(config: Config, limitMs: number, known?: Service): Promise<string | undefined> {
  let fails: string | undefined = 'not asked'
  let told: string | undefined
  for (let end = Date.now() + limitMs; Date.now() < end; await sleep(LOOK_MS)) {
    const { reason } = await askServer(config)
    if (reason === undefined) return undefined
    fails = reason
    // Migrations of a large database take longer than any limit; the time counts from their end.
    const starting = readStarting(config.dataDir) ?? (known?.isStarting() ? 'Its unit is still starting ...' : undefined)
    if (starting === undefined) continue
    end = Date.now() + limitMs
    if (starting !== told) tellProgress(starting)
    told = starting
  }
  return fails
}

async function installedMigrations(root: string): Promise<string[]> {
  return migrationNames(path.join(root, 'apps/server/src/db/migrations'))
}

/**
 * Puts the database of a backup in the place of the one there is, which is kept beside. By the account that owns both. The
 * copy gets its name when it is whole, so that a repeated step sees how far the last one came.
 */
function putDataBack({ backup, failedDatabase }: UpgradePlan, service: Service, dataDir: string): void {
  if (backup === undefined || failedDatabase === undefined) return
  const at = path.join(dataDir, DATABASE_FOLDER)
  const copy = `${at}.copy`
  if (!existsSync(failedDatabase)) service.run('mv', [at, failedDatabase])
  if (existsSync(at)) return
  service.run('rm', ['-rf', copy])
  service.run('cp', ['-a', path.join(backup, DATABASE_FOLDER), copy])
  execFileSync('sync', ['-f', copy])
  service.run('mv', [copy, at])
}

function outcomeOfOld(plan: UpgradePlan, fails: string | undefined): Outcome {
  const { why = '', oldVersion, newVersion, unit, failedDatabase, isDatabaseChanged } = plan
  if (fails !== undefined)
    return {
      sentence: `${why} Version ${oldVersion} was put back, and does not answer either: ${fails}. The log says more: journalctl -u ${unit}`,
      isUpgraded: false,
      isKept: true,
    }
  const data =
    failedDatabase === undefined ? '' : ` What ${newVersion} made of the data is in ${failedDatabase}, and can be removed.`
  const own = isDatabaseChanged && failedDatabase === undefined ? ' Its database has new migrations: restore its dump.' : ''
  return {
    sentence: `${why} Version ${oldVersion} serves again, with all that was acknowledged.${data}${own}`,
    isUpgraded: false,
  }
}

/** The plan goes first: what is left behind by a loss of power from here on is room on disk. */
function finish({ unit, root }: UpgradePlan, program: NewProgram, { sentence, isUpgraded, isKept = false }: Outcome): void {
  removePlan()
  removeUpgradeUnits(unit)
  if (!isKept) {
    program.tidy()
    rmSync(KEPT, { recursive: true, force: true })
  }
  rmSync(driverOf(root), { recursive: true, force: true })
  tellProgress(sentence, isUpgraded ? 'upgraded' : 'failed')
}
