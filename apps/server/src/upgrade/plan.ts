import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'

// The state of an upgrade on disk. After a crash or a loss of power it goes on at the step that stands there; each step
// can be repeated.

/** Of root alone: what lies here is installed by root. */
export const KEPT = '/var/lib/causeway-upgrade'
const PLAN = path.join(KEPT, 'plan.json')
/** While it exists, systemd does not start the server: program and data may not belong together. */
export const AWAY = path.join(KEPT, 'away')
const PRIVATE_FILE = 0o600

const upgradePlan = z.object({
  /** `watch` asks the new version whether it answers, `watchOld` the old one that was put back. */
  step: z.enum(['stop', 'backup', 'install', 'watch', 'back', 'watchOld', 'abandon']),
  kind: z.enum(['package', 'archive']),
  file: z.string(),
  /** Folder of the installed program. */
  root: z.string(),
  oldVersion: z.string(),
  newVersion: z.string(),
  oldMigrations: z.array(z.string()),
  unit: z.string(),
  limitMs: z.number(),
  isWithoutBackup: z.boolean(),
  backup: z.string().optional(),
  /** Why the new version is taken back. */
  why: z.string().optional(),
  /** Where the database goes that the new version changed; undefined where that of the backup is not needed. */
  failedDatabase: z.string().optional(),
  isDatabaseChanged: z.boolean().default(false),
})

export type UpgradePlan = z.output<typeof upgradePlan>

export function readPlan(): UpgradePlan | undefined {
  return existsSync(PLAN) ? upgradePlan.parse(JSON.parse(readFileSync(PLAN, 'utf8'))) : undefined
}

/** Either the old plan or the new one is on disk, whenever power is lost. */
export function writePlan(plan: UpgradePlan): UpgradePlan {
  const next = `${PLAN}.next`
  writeFileSync(next, `${JSON.stringify(plan)}\n`, { mode: PRIVATE_FILE })
  flush(next)
  renameSync(next, PLAN)
  flush(KEPT)
  return plan
}

/** Without a plan nothing goes on at the next start of the machine. */
export function removePlan(): void {
  rmSync(PLAN, { force: true })
  rmSync(AWAY, { force: true })
  flush(KEPT)
}

/** Keeps systemd from starting the server, or allows it again. */
export function setAway(isAway: boolean): void {
  if (isAway) writeFileSync(AWAY, '')
  else rmSync(AWAY, { force: true })
  flush(KEPT)
}

function flush(name: string): void {
  const descriptor = openSync(name, 'r')
  fsyncSync(descriptor)
  closeSync(descriptor)
}
