import type { Insertable } from 'kysely'
import { claimSubmission } from '../../ground/submissions.queries.ts'
import { builtOncePerShape } from '../../db/driver/built-once.ts'
import { hasChanged, type Db, type Tx } from '../../db/driver/connect.ts'
import { isCollision } from '../../db/driver/failures.ts'
import { pipelined } from '../../db/driver/pipeline.ts'
import type { Tables } from '../../db/tables.ts'
import {
  isHistoryAction,
  historyActions,
  type bulkUpdateAllUsers,
  type HistoryAction,
  type HistoryKind,
  type Input,
  type LeftOver,
} from '@causeway/contract'
import { systemCaller, type Caller, type Ctx, type Submission } from '../../ctx.ts'
import { everyone } from '../../lib/scope.ts'
import { bounded } from './bounds.actions.ts'
import { readAgain, type Watched } from './rows.queries.ts'
import { nameOfOwner } from './owners.queries.ts'
import type { Author, OwnRecord } from './recording.queries.ts'
import { audited, type AuditedTable } from '../../db/audited.ts'
import { differenceOf, wrapSecrets, type Difference, type KeptRows } from '../../db/audited-rows.ts'
import { summaryOf } from '../../db/undo/things.ts'

export interface AuditEntry {
  /** The domain verb, for example 'updateUser'. */
  action: HistoryAction
  /** The target: a uuid, or a sentence for bulk changes. */
  target: string
  /** The changed thing. Its state before and after is read from the tables, so that nothing is forgotten. */
  rows?: Watched
  details?: AuditDetails
  /** Of an undo, which has no kind of its own. */
  kind?: HistoryKind
  /** Of the thing, where its rows do not tell. */
  name?: string | null
  /** How many things are changed, where the rows do not tell. */
  count?: number
  touched?: string[] | null
  /** The entry that this one undoes. */
  undoes?: number
}

/** Facts that rows do not hold. Secrets must not be among them. */
export interface AuditDetails {
  /** The way of signing in. */
  method?: string
  /** The session that a sign-in opened, and whether its network or program was new to the account. */
  session?: string
  isNewPlace?: boolean
  /** The job that does it, and records its changes unless they concern all users. */
  jobId?: string | undefined
  /** Of moving in: a rehearsal, or the step that was taken. */
  isDryRun?: boolean
  mark?: string
  /** A job that was ended: what it was, and how far it had come. */
  kind?: string
  done?: number
  total?: number
  /** The rule of a change to many: the new values, and the users concerned. */
  fields?: Input<typeof bulkUpdateAllUsers>
  status?: string
  isForced?: boolean
  /** How many were concerned, where the target is something else. */
  users?: number
  /** Where a node was until now, and what became of its core there. */
  leftAddress?: string
  coreThere?: string
  /** Some of many names. */
  first?: string[]
  /** What an undo left as it was, and how much that is. */
  left?: LeftOver[]
  leftTotal?: number
}

type Change<T> = (tx: Tx, record: (entry: AuditEntry) => void) => Promise<T>

/** The part of the context that a change needs: commands have no more. */
export type WriteCtx = Pick<Ctx, 'db' | 'now' | 'secrets' | 'log'>

const MAX_ATTEMPTS = 4

/**
 * The one way to change something: opens the transaction, runs the change and adds its audit rows (actor, address,
 * action, rows before and after) in the same transaction, with secrets wrapped. A change that collides with another
 * one is rolled back and retried, so its effects must be those of the transaction alone.
 */
export async function write<T>(ctx: WriteCtx, caller: Caller, change: Change<T>): Promise<T> {
  return againWhereTwoCollide(ctx, () => writeOnce(ctx, caller, change))
}

/**
 * The same for a change that is one statement with its audit row in it (`recording`, `recordingChange`). The database
 * makes it a transaction by itself: one round trip.
 */
export async function writeAtOnce<T>(ctx: Ctx, caller: Caller, change: (db: Db) => Promise<T>): Promise<T> {
  const { scope } = caller
  const result = await againWhereTwoCollide(ctx, () => {
    if (scope !== everyone)
      return ctx.db.transaction().execute((tx) => bounded(ctx, tx, scope, () => inOrder(ctx, tx, caller, change)))
    return isToClaim(caller) ? claimed(ctx, caller, change) : change(ctx.db)
  })
  hasChanged(ctx.db)
  return result
}

async function inOrder<T>(ctx: Ctx, tx: Tx, caller: Caller, change: (db: Db) => Promise<T>): Promise<T> {
  if (isToClaim(caller)) await claimSubmission(tx, caller, caller.submission, ctx.now())
  return change(tx)
}

/** A request may change things in several transactions: the first one claims its submission. */
function isToClaim(caller: Caller): caller is Caller & { submission: Submission } {
  return caller.submission !== undefined && !caller.submission.isClaimed
}

async function claimed<T>(ctx: Ctx, caller: Caller & { submission: Submission }, change: (db: Db) => Promise<T>): Promise<T> {
  const result = await ctx.db.transaction().execute(async (tx) => {
    await claimSubmission(tx, caller, caller.submission, ctx.now())
    return change(tx)
  })
  caller.submission.isClaimed = true
  return result
}

/** Does a change anew that collided with another one and was rolled back. */
export async function againWhereTwoCollide<T>(ctx: Pick<Ctx, 'log'>, change: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await change()
    } catch (error) {
      if (!isCollision(error) || attempt === MAX_ATTEMPTS) throw error
      ctx.log.info({ err: error, attempt }, 'deadlock between two changes; retrying this one')
    }
  }
}

async function writeOnce<T>(ctx: WriteCtx, caller: Caller, change: Change<T>): Promise<T> {
  // Sent together with the commit, which undoes everything where one of them fails.
  let last: Promise<{ id: number }[][]> = Promise.resolve([])
  const committed = ctx.db.transaction().execute(async (whole) => {
    const tx = await pipelined(whole)
    if (isToClaim(caller)) await claimSubmission(tx, caller, caller.submission, ctx.now())
    const entries: AuditEntry[] = []
    const changing = () => change(tx, (entry) => entries.push(entry))
    const result =
      caller.scope === everyone
        ? await changing()
        : await bounded(ctx, tx, caller.scope, changing, () => entries.flatMap(({ rows: watched }) => usersOf(watched)))
    const rows: NewRow[] = []
    for (const entry of entries) rows.push(await toRow(ctx, tx, caller, entry))
    if (rows.length > 0) last = Promise.all(rows.map((row) => insertEntry(tx, row)))
    last.catch(() => {}) // told below
    return result
  })
  try {
    const result = await committed
    if (caller.submission) caller.submission.isClaimed = true
    if (caller.entries) caller.entries.push(...(await last).flat().map(({ id }) => id))
    return result
  } catch (error) {
    await last // why there was nothing to commit
    throw error
  }
}

/** The users that a change was about: their rows, or rows that hang on them. */
function usersOf(watched: Watched | undefined): number[] {
  const isOfUsers = watched && ['user', 'members', 'userTraffic', 'wholeUser', 'devices', 'userMetadata'].includes(watched.thing)
  return isOfUsers ? watched.ids.map(Number) : []
}

/** Records a job's changes in the transaction of its batch; the request for the job is an entry of its own. */
export function recordForJob(ctx: Ctx, tx: Tx, entry: AuditEntry): Promise<number> {
  return recordAtOnce(ctx, tx, systemCaller, entry)
}

/** Records a change that has been made in this transaction; gives the number of the entry. */
export async function recordAtOnce(ctx: Ctx, tx: Tx, caller: Caller, entry: AuditEntry): Promise<number> {
  const [inserted] = await insertEntry(tx, await toRow(ctx, tx, caller, entry))
  if (!inserted) throw new Error('An insert without a row cannot be.')
  return inserted.id
}

type NewRow = Insertable<Tables['auditLog']>
const insertEntry = builtOncePerShape((tx, row: NewRow) => tx.insertInto('auditLog').values(row).returning('id'))

async function toRow(ctx: WriteCtx, tx: Tx, caller: Caller, entry: AuditEntry): Promise<NewRow> {
  const { action, target, rows, details = {}, undoes } = entry
  const now = rows ? await readAgain(tx, rows) : {}
  const difference = rows ? differenceOf(rows.before, now) : NOTHING
  const { before, after, omitted } = difference
  const summary = rows ? summaryOf(rows, now, difference, target) : { name: null, count: 1, touched: null }
  const wrapped = (kept: KeptRows) => JSON.stringify(withWrappedSecrets(ctx, kept))
  const told = { ...details, ...(omitted.length > 0 ? { omitted } : {}) }
  return {
    at: ctx.now(),
    actorKind: caller.kind,
    actorUuid: caller.uuid,
    actorName: caller.name,
    address: caller.address,
    action,
    target,
    before: rows ? wrapped(before) : null,
    after: rows ? wrapped(after) : null,
    details: Object.keys(told).length > 0 ? JSON.stringify(told) : null,
    kind: entry.kind ?? (isHistoryAction(action) ? historyActions[action].kind : null),
    name:
      entry.name ?? summary.name ?? (rows && summary.count === 1 ? await nameOfOwner(tx, rows.thing, rows.before, now) : null),
    count: entry.count ?? summary.count,
    touched: entry.touched === undefined ? summary.touched : entry.touched,
    ...(details.jobId === undefined ? {} : { jobId: details.jobId }),
    ...(undoes === undefined ? {} : { undoes }),
  }
}

function withWrappedSecrets(ctx: Pick<Ctx, 'secrets'>, rows: KeptRows): KeptRows {
  return wrapSecrets(rows, (column, value) => ({ wrapped: ctx.secrets.wrap(`audit ${column}`, value) }))
}

/** For `recording`: the actor of this row, and its secrets, wrapped. The database must not have the key. */
export function recordOf(ctx: Ctx, caller: Caller, table: AuditedTable, made: object): OwnRecord {
  const isSecret = ([name, value]: [string, unknown]) => audited[table].secret?.includes(name) && typeof value === 'string'
  const secrets = Object.fromEntries(Object.entries(made).filter(isSecret))
  const [wrapped = {}] = withWrappedSecrets(ctx, { [table]: [secrets] })[table] ?? []
  return [...authorOf(ctx, caller), JSON.stringify(wrapped)]
}

/** For `recordingChange`: the actor and the time. */
export function authorOf(ctx: Ctx, caller: Caller): Author {
  return [ctx.now(), caller.kind, caller.uuid, caller.name, caller.address]
}

const NOTHING: Difference = { before: {}, after: {}, omitted: [] }
