import { existsSync } from 'node:fs'
import { X509Certificate } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import type { NoticeCondition } from '@causeway/contract'
import { findLastBackup } from '../../backup/kept-backups.ts'
import type { Ctx } from '../../ctx.ts'
import type { Tx } from '../../db/driver/connect.ts'
import { readTimeZone } from '../../ground/installation.queries.ts'
import type { RecurringJob } from '../../jobs/kinds.ts'
import { DAY_MS, dayIn } from '../../lib/days.ts'
import { freeBytes } from '../../postgres/disk-room.ts'
import { findLastFailure } from '../backups/backups.queries.ts'
import { isLogBehind } from '../backups/backups.rules.ts'
import { listServerCertificates } from '../certificates/certificates.queries.ts'
import { countAddresses } from '../connections/connections.actions.ts'
import { newNotice } from './collecting.actions.ts'
import { dueAt, lastMonday } from './due.rules.ts'
import { deleteHeldNotices, deleteOldNotices, insertNotices, mendNodeTroubles } from './notices.queries.ts'
import { listActiveRules, type ActiveRule } from './rules.queries.ts'
import {
  billsDue,
  failedRollouts,
  foundStates,
  manyAddresses,
  markStates,
  sharedAccounts,
  usersExpiring,
  usersNearLimit,
  type Present,
} from './states.queries.ts'
import type { Facts } from './texts.rules.ts'
import { readWeek } from './week.queries.ts'

const GIGABYTE = 2 ** 30
const BATCH_SIZE = 2000
const PEM = /\.(pem|crt|cer)$/

type Found = { thing: string; text: string; facts: Facts }[]
/** The present state by a rule: a query, or facts that this process finds out. */
type Check = (ctx: Ctx, rule: ActiveRule, zone: string) => Present | Promise<Present>

const amountOf = ({ amount }: ActiveRule) => amount ?? 0

/** Cheap ones, looked at every minute. */
const checks: Partial<Record<NoticeCondition, Check>> = {
  billsDue: ({ now }, rule, zone) => billsDue(dayIn(rule.zone ?? zone, now()), amountOf(rule)),
  rolloutFailed: (_, rule) => failedRollouts(rule.createdAt),
  certificateEnding: async (ctx, rule) => foundStates(await endingCertificates(ctx, amountOf(rule))),
  backupOld: async (ctx, rule) => foundStates(await oldBackup(ctx, amountOf(rule))),
  diskLow: (ctx, rule) => foundStates(lowDisk(ctx, amountOf(rule))),
}
/** Those that look at every user. */
const userChecks: Partial<Record<NoticeCondition, Check>> = {
  userTraffic: (_, rule) => usersNearLimit(amountOf(rule)),
  usersExpiring: ({ now }, rule) => usersExpiring(amountOf(rule), now()),
  sharedAccount: (_, rule) => sharedAccounts(amountOf(rule)),
  manyAddresses: async (ctx, rule) =>
    manyAddresses(rule.id, await countAddresses(ctx, amountOf(rule)), new Date(ctx.now().getTime() - DAY_MS)),
}

/** Tells of the state of things, and of the week on Mondays. */
export async function reviewNotices(ctx: Ctx): Promise<void> {
  await review(ctx, checks)
  const { db } = ctx
  await eachRule(ctx, 'weekSummary', (rule, zone) => db.transaction().execute((tx) => tellWeek(ctx, tx, rule, zone)))
  await eachRule(ctx, 'nodeDown', (rule) => db.transaction().execute((tx) => mendNodeTroubles(tx, rule.id, ctx.now())))
}

export const reviewUsersForNotices = (ctx: Ctx) => review(ctx, userChecks)

async function review(ctx: Ctx, of: Partial<Record<NoticeCondition, Check>>): Promise<void> {
  for (const [condition, check] of Object.entries(of) as [NoticeCondition, Check][])
    // keys of that very object
    await eachRule(ctx, condition, async (rule, zone) => {
      const present = await check(ctx, rule, zone) // which may ask nodes: no transaction waits for that
      const marking = { now: ctx.now(), dueAt: dueAt(rule, rule.zone ?? zone, ctx.now()) }
      await ctx.db.transaction().execute((tx) => markStates(tx, rule, present, marking))
    })
}

async function eachRule(
  ctx: Ctx,
  condition: NoticeCondition,
  run: (rule: ActiveRule, zone: string) => Promise<void>,
): Promise<void> {
  const rules = (await listActiveRules(ctx.db)).filter((rule) => rule.condition === condition)
  if (rules.length === 0) return
  const zone = await readTimeZone(ctx.db)
  for (const rule of rules) await run(rule, zone)
}

/** Once for each Monday that a rule has lived to see. */
async function tellWeek(ctx: Ctx, tx: Tx, rule: ActiveRule, installationZone: string): Promise<void> {
  const now = ctx.now()
  const { at, day } = lastMonday(rule.zone ?? installationZone, now)
  if (at < rule.createdAt || now.getTime() - at.getTime() > 2 * DAY_MS) return
  const lines = await readWeek(tx, day, now)
  const notices = lines.map(({ text, facts }) =>
    newNotice(ctx, rule, installationZone, { occasion: `week ${day} ${text}`, at: now, text, facts }),
  )
  await insertNotices(tx, notices)
}

function lowDisk({ config }: Ctx, gigabytes: number): Found {
  const free = freeBytes(existingFolder(config.dataDir))
  if (free >= gigabytes * GIGABYTE) return []
  return [{ thing: 'disk', text: 'diskLow', facts: { name: config.dataDir, freeBytes: free } }]
}

/** A server on another's database makes its own folder only when it has something to keep. */
function existingFolder(folder: string): string {
  return existsSync(folder) || path.dirname(folder) === folder ? folder : existingFolder(path.dirname(folder))
}

async function oldBackup({ backups: { dataDir, wal }, db, now }: Ctx, days: number): Promise<Found> {
  const reason = await findLastFailure(db)
  const behind = wal.progress().find((log) => isLogBehind(log, now()))
  const failed: Found = [
    ...(reason === undefined ? [] : [{ thing: 'backup failure', text: 'backupFailed' as const, facts: { reason } }]),
    ...(behind
      ? [{ thing: 'backup log', text: 'backupLogBehind' as const, facts: { reason: behind.failure ?? behind.place } }]
      : []),
  ]
  const last = findLastBackup(dataDir)?.takenAt
  if (!last) return [...failed, { thing: 'backup', text: 'backupMissing', facts: {} }]
  if (now().getTime() - last.getTime() <= days * DAY_MS) return failed
  return [...failed, { thing: 'backup', text: 'backupOld', facts: { at: last.toISOString() } }]
}

/** Certificates of this server, and those in the folders that profiles may name. */
async function endingCertificates({ config, db, now }: Ctx, days: number): Promise<Found> {
  const until = new Date(now().getTime() + days * DAY_MS)
  const got = config.acme === null ? [] : await listServerCertificates(db, config.acme.names)
  const own = config.tlsFiles === null ? [] : [config.tlsFiles.cert]
  const files = [...own, ...(await Promise.all(config.certificateDirs.map(listCertificates))).flat()]
  const inDatabase = got.flatMap(({ name, endsAt }) => (endsAt === null ? [] : [{ name, endsAt }]))
  const found = [...inDatabase, ...(await Promise.all(files.map(readEnd)))]
  return found.flatMap((certificate) => {
    if (certificate === undefined || certificate.endsAt > until) return []
    const { name, endsAt } = certificate
    return [
      {
        thing: `certificate ${name} ${endsAt.toISOString()}`,
        text: 'certificateEnding',
        facts: { name, dueOn: endsAt.toISOString() },
      },
    ]
  })
}

async function listCertificates(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries
    .filter(({ name }) => PEM.test(name) && !/chain|key/.test(name.replace('fullchain', '')))
    .map((entry) => path.join(entry.parentPath, entry.name))
}

async function readEnd(file: string): Promise<{ name: string; endsAt: Date } | undefined> {
  try {
    if (!(await stat(file)).isFile()) return undefined
    const certificate = new X509Certificate(await readFile(file))
    const name = certificate.subjectAltName?.split(', ')[0]?.replace(/^DNS:/, '') ?? file
    return { name, endsAt: certificate.validToDate }
  } catch {
    return undefined // a key, or none of ours to read
  }
}

/** As long as events and deliveries. */
export async function forgetNotices(ctx: Ctx): Promise<void> {
  const before = new Date(ctx.now().getTime() - ctx.config.EVENT_RETENTION_DAYS * DAY_MS)
  await deleteHeldNotices(ctx.db, before)
  for (let found = BATCH_SIZE; found === BATCH_SIZE;) found = await deleteOldNotices(ctx.db, before, BATCH_SIZE)
}

export const noticesJobs: RecurringJob[] = [
  { name: 'reviewNotices', everyMs: 60_000, run: reviewNotices },
  { name: 'reviewUsersForNotices', everyMs: 300_000, run: reviewUsersForNotices },
  { name: 'forgetNotices', everyMs: 3_600_000, run: forgetNotices },
]
