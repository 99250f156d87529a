import {
  errors,
  isUuid,
  UNDO_ACTION,
  UNDO_MANY_ACTION,
  undoPlan,
  writePermission,
  type HistoryKind,
  type UndoObstacle,
  type UndoPlan,
} from '@causeway/contract'
import type { Caller, Ctx } from '../../ctx.ts'
import type { Tx } from '../../db/driver/connect.ts'
import { findThing, type Thing } from '../../db/undo/part.ts'
import { nameOfRow } from '../../db/undo/things.ts'
import { GuardError } from '../../http/guards.ts'
import type { Raw } from '../../http/mount.ts'
import { hasForeign } from '../../ground/scope/scope.queries.ts'
import { userIdsOf } from '../../db/undo/access.ts'
import { everyone } from '../../lib/scope.ts'
import { fail, refuseField } from '../../http/errors.ts'
import { recordAtOnce, write } from '../audit/audit.actions.ts'
import { findEntry, type ListedEntry } from '../history/history.queries.ts'
import { kindOf, obstacleOf } from '../history/entries.actions.ts'
import { releaseLeases } from '../../ground/leases.queries.ts'
import { checkNames } from './names.actions.ts'
import { leaveNodes } from './leaving.actions.ts'
import { MOST_LEFT, leftOf, recordUndo } from './record.actions.ts'
import { planOfEntries } from './rehearsal.actions.ts'
import { openEntry, undoRows, type Resolution, type Undone } from './rows.actions.ts'
import { startUndo } from './undo.jobs.ts'
import { findEntryRows, findPartAbout, findThingNow, listOfActor, listParts, lockEntries, markUndone } from './undo.queries.ts'

/** A plan of more would hold its rows for seconds. */
const MOST_ENTRIES = 1000

/** The caller, with the permissions that an undo is checked against. */
type By = Pick<Raw, 'caller' | 'permissions'>
type OpenEntry = ListedEntry & { kind: HistoryKind }

interface HistoryRequest {
  only?: string | undefined
  overwrite?: readonly string[] | undefined
  overwriteAll?: boolean | undefined
  names?: readonly { id: string; value: string }[] | undefined
}

const SENTENCES: Record<UndoObstacle, string> = {
  signIn: 'Signing in and out cannot be undone.',
  password: 'A password is set by its owner alone.',
  factor: 'A second factor is set by its owner alone.',
  colleague: 'Administrators, invitations and roles are changed on their page.',
  restart: 'A restart has happened and left nothing to undo.',
  certificates: 'The old certificates are no longer trusted.',
  byTime: 'Time or traffic has done this; change the date or the limit instead.',
  rollout: 'A roll-out is taken back on the page of its profile.',
  request: 'This changed nothing that could be set back.',
  undone: 'This entry has been undone already.',
  files: 'Files are outside the history.',
  notKept: 'The rows as they were before are not kept for changes this large.',
  nothingChanged: 'This entry changed nothing.',
  unknownAction: 'This version does not know this action.',
}

function resolutionOf(
  { overwrite = [], overwriteAll = false, names = [] }: HistoryRequest,
  onTaken: Resolution['onTaken'],
): Resolution {
  checkNames(names)
  return {
    overwrite: overwriteAll ? 'all' : new Set(overwrite),
    names: new Map(names.map(({ id, value }) => [id, value])),
    onTaken,
  }
}

/** @throws historyEntryGone, undoRefused; GuardError without the permission of the opposite change */
async function undoable(ctx: Ctx, { caller, permissions }: By, id: number): Promise<OpenEntry> {
  const entry = await findEntry(ctx.db, caller.scope, id)
  const kind = kindOf(entry?.kind ?? null)
  if (!entry || !kind) fail(errors.historyEntryGone)
  const needed = writePermission(kind)
  if (!permissions.has(needed)) throw new GuardError('permissionMissing', needed)
  const obstacle = obstacleOf(entry)
  if (obstacle) fail(errors.undoRefused, { message: SENTENCES[obstacle] })
  if (isRequest(entry)) refuseDeletion({ caller, permissions }, mayDelete(entry))
  return { ...entry, kind }
}

/** Whether undoing an entry may delete users, as far as its action tells. */
function mayDelete({ action, kind }: Pick<ListedEntry, 'action' | 'kind'>): boolean {
  return kind === 'user' && ['createUser', 'importUsers', UNDO_ACTION].includes(action)
}

/** What deletes users needs the same permission here as elsewhere. Tokens need none beside their own. */
function refuseDeletion({ caller, permissions }: By, isDeletion: boolean): void {
  if (isDeletion && caller.kind === 'admin' && !permissions.has('users.delete')) throw new GuardError('notOfRole', 'users.delete')
}

/** Where to undo one thing of many: the entry or the batch that holds it. @throws undoNotAmong */
async function placeOf(ctx: Ctx, entry: ListedEntry, uuid: string): Promise<{ id: number; only: Thing }> {
  const id = isRequest(entry) ? await findPartAbout(ctx.db, entry.jobId ?? '', uuid) : entry.id
  const rows = id === undefined ? undefined : await findEntryRows(ctx.db, id)
  if (id === undefined || !rows) fail(errors.undoNotAmong)
  const only = findThing(openEntry(ctx, rows), uuid) ?? (await findThingNow(ctx.db, uuid))
  if (!only) fail(errors.undoNotAmong)
  const { before, after } = openEntry(ctx, rows, only)
  if ([before, after].every((side) => Object.keys(side).length === 0)) fail(errors.undoNotAmong)
  return { id, only }
}

const isRequest = ({ jobId, actorKind }: ListedEntry) => jobId !== null && actorKind !== 'system'

/** The effect of undoing an entry: it is done and rolled back. */
export async function planUndo(ctx: Ctx, by: By, id: number, asked: HistoryRequest): Promise<UndoPlan> {
  const { permissions } = by
  const entry = await undoable(ctx, by, id)
  if (asked.only !== undefined) {
    const place = await placeOf(ctx, entry, asked.only)
    const resolution = { ...resolutionOf(asked, 'propose'), only: place.only }
    return planOfEntries(ctx, permissions, [place.id], { resolution, isJob: false, stops: false })
  }
  const isJob = isRequest(entry)
  const ids = isJob ? (await listParts(ctx.db, [entry.jobId ?? ''])).map((part) => part.id) : [id]
  return planOfEntries(ctx, permissions, ids, { resolution: resolutionOf(asked, 'propose'), isJob, stops: false })
}

/** Undoes an entry in one transaction, or by a job what a job has done. @throws undoStale, undoWithoutEffect, undoNameTaken */
export async function undo(
  ctx: Ctx,
  by: By,
  { id, fingerprint, ...asked }: HistoryRequest & { id: number; fingerprint?: string | undefined },
) {
  const { caller } = by
  const entry = await undoable(ctx, by, id)
  if (fingerprint !== undefined) {
    // As it was shown: before anything was chosen, or with what was.
    const plan = await planUndo(ctx, by, id, { only: asked.only })
    const hasChoices = [asked.overwrite, asked.overwriteAll, asked.names].some((choice) => choice !== undefined)
    const isTrue = async () =>
      plan.fingerprint === fingerprint || (hasChoices && (await planUndo(ctx, by, id, asked)).fingerprint === fingerprint)
    if (!(await isTrue())) refuseStale(plan)
  }
  if (asked.only !== undefined) {
    const place = await placeOf(ctx, entry, asked.only)
    return undoAtOnce(ctx, by, entry, { ...asked, place: { ...place, uuid: asked.only } })
  }
  if (isRequest(entry)) return undoByJob(ctx, caller, entry, asked)
  const leases = await leaveNodes(ctx, id)
  try {
    return await undoAtOnce(ctx, by, entry, asked)
  } finally {
    await releaseLeases(ctx.db, leases)
  }
}

/** The refusal of a plan that is no longer true carries the one that is. @throws undoStale */
function refuseStale(plan: UndoPlan): never {
  fail(errors.undoStale, { details: { plan: undoPlan.parse(plan) } })
}

/** An entry or batch, held against a second undo. @throws historyEntryGone, undoRefused */
async function holdOpen(tx: Tx, id: number) {
  const [held] = await lockEntries(tx, [id])
  if (!held) fail(errors.historyEntryGone)
  if (held.undoneBy !== null) fail(errors.undoRefused, { message: SENTENCES.undone })
  return held
}

/** The whole of an entry, or the one thing that `place` says, which leaves the entry open for the others. */
function undoAtOnce(
  ctx: Ctx,
  { caller, permissions }: By,
  entry: OpenEntry,
  { place, ...asked }: HistoryRequest & { place?: { id: number; only: Thing; uuid: string } },
) {
  return write(ctx, caller, async (tx) => {
    const held = await holdOpen(tx, place?.id ?? entry.id)
    // Its users may have been moved out meanwhile.
    if (!(await findEntry(tx, caller.scope, entry.id))) fail(errors.historyEntryGone)
    const undone = await undoRows(ctx, caller, tx, held, { ...resolutionOf(asked, 'refuse'), only: place?.only })
    if (undone.steps.length === 0) fail(errors.undoWithoutEffect)
    refuseDeletion(
      { caller, permissions },
      undone.steps.some(({ table, change }) => table === 'users' && change === 'delete'),
    )
    await refuseForeign(tx, caller, undone)
    const { kind } = entry
    const made = place
      ? await recordUndo(ctx, tx, caller, { id: entry.id, kind, ...ofOne(undone, place) }, undone, { isPartial: true })
      : await recordUndo(ctx, tx, caller, { ...held, kind }, undone)
    caller.entries?.push(made)
    return { id: made, jobId: null, left: leftOf(undone).slice(0, MOST_LEFT) }
  })
}

/** A user that would come back outside the caller's scope rolls all of it back. */
async function refuseForeign(tx: Tx, { scope }: Caller, { before, after }: Undone): Promise<void> {
  if (scope !== everyone && (await hasForeign(tx, scope, userIdsOf({ before, after })))) fail(errors.userWithoutSquad)
}

function ofOne({ before, after }: Undone, { only: { table, id }, uuid }: { only: Thing; uuid: string }) {
  const row = [...(after[table] ?? []), ...(before[table] ?? [])].find((each) => Number(each['id']) === id)
  return { target: uuid, name: nameOfRow(table, row), count: 1, touched: null }
}

async function undoByJob(ctx: Ctx, caller: Caller, entry: OpenEntry, asked: HistoryRequest) {
  checkNames(asked.names ?? [])
  return write(ctx, caller, async (tx) => {
    const held = await holdOpen(tx, entry.id)
    const { overwrite = [], overwriteAll = false, names = [] } = asked
    const work = {
      jobIds: [entry.jobId ?? ''],
      entries: [],
      overwrite: overwriteAll ? ('all' as const) : [...overwrite],
      names: [...names],
      stops: false,
    }
    const jobId = await startUndo(tx, work, entry.count, ctx.now())
    const made = await recordAtOnce(ctx, tx, caller, {
      action: UNDO_ACTION,
      target: entry.target ?? '',
      kind: entry.kind,
      name: entry.name,
      count: entry.count,
      touched: held.touched,
      undoes: entry.id,
      details: { jobId },
    })
    await markUndone(tx, [entry.id], made)
    caller.entries?.push(made)
    return { id: made, jobId, left: [] }
  })
}

interface OfActor {
  actor: string
  from: string
  to?: string | undefined
}

/** Everything that an actor did in a time and that can be undone, newest first; jobs by their batches. */
async function entriesOf(ctx: Ctx, by: By, { actor, from, to }: OfActor): Promise<number[]> {
  if (actor !== 'system' && !isUuid(actor)) refuseField('actor', 'must be a uuid, or system')
  const found = await listOfActor(ctx.db, actor, new Date(from), to === undefined ? ctx.now() : new Date(to), MOST_ENTRIES + 1)
  const wanted: number[] = []
  for (const { id } of found) {
    const entry = await findEntry(ctx.db, by.caller.scope, id)
    const kind = kindOf(entry?.kind ?? null)
    if (!entry || !kind || obstacleOf(entry) !== null) continue
    const needed = writePermission(kind)
    if (!by.permissions.has(needed)) throw new GuardError('permissionMissing', needed)
    refuseDeletion(by, mayDelete(entry))
    if (isRequest(entry)) wanted.push(...(await listParts(ctx.db, [entry.jobId ?? ''])).map((part) => part.id))
    else wanted.push(id)
  }
  if (wanted.length === 0) fail(errors.undoOfNothing)
  if (wanted.length > MOST_ENTRIES || found.length > MOST_ENTRIES) fail(errors.undoTooMany)
  return wanted
}

export async function planUndoOfActor(ctx: Ctx, by: By, which: OfActor): Promise<UndoPlan> {
  const { permissions } = by
  const ids = await entriesOf(ctx, by, which)
  return planOfEntries(ctx, permissions, ids, { resolution: resolutionOf({}, 'propose'), isJob: true, stops: true })
}

/** By a job, which stops at the first conflict. @throws undoStale */
export async function undoOfActor(ctx: Ctx, by: By, { fingerprint, ...which }: OfActor & { fingerprint: string }) {
  const { caller, permissions } = by
  const ids = await entriesOf(ctx, by, which)
  const plan = await planOfEntries(ctx, permissions, ids, { resolution: resolutionOf({}, 'propose'), isJob: true, stops: true })
  if (plan.fingerprint !== fingerprint) refuseStale(plan)
  return write(ctx, caller, async (tx) => {
    const jobId = await startUndo(tx, { jobIds: [], entries: ids, overwrite: [], names: [], stops: true }, ids.length, ctx.now())
    const made = await recordAtOnce(ctx, tx, caller, {
      action: UNDO_MANY_ACTION,
      target: which.actor,
      kind: 'job',
      count: ids.length,
      details: { jobId },
    })
    caller.entries?.push(made)
    return { id: made, jobId, left: [] }
  })
}
