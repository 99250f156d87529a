import { errors, type LeftOver, type TakenName } from '@causeway/contract'
import type { Caller, Ctx } from '../../ctx.ts'
import { audited, type AuditedTable, type AuditedThing } from '../../db/audited.ts'
import { keyOf, type KeptRows, type Row } from '../../db/audited-rows.ts'
import type { Tx } from '../../db/driver/connect.ts'
import { MAX_SINGLE_DELIVERIES } from '../../ground/delivery.queries.ts'
import { fail } from '../../http/errors.ts'
import { openRows } from '../audit/opened.actions.ts'
import { watchRows } from '../audit/rows.queries.ts'
import { withConsequences } from './consequences.actions.ts'
import { isAboutFleet, userIdsOf } from '../../db/undo/access.ts'
import { rowsOfThing, type Thing } from '../../db/undo/part.ts'
import { withNames, withoutParts, withoutSecondBills, withReferences } from '../../db/undo/references.ts'
import { nameOfRow } from '../../db/undo/things.ts'
import { stepsOf, type Choice, type Conflict, type Step } from '../../db/undo/steps.ts'
import { findBills, findHolders, findPresent, keepNodeUsage, lockRows, readNow } from './undo.queries.ts'

export interface Resolution extends Choice {
  /** Other names for those that are taken, by the id of the question. */
  names: ReadonlyMap<string, string>
  /** What becomes of a row whose name is taken and that has no other name: a plan shows it under the proposal. */
  onTaken: 'propose' | 'refuse' | 'leave'
  /** Of all that the entry changed, this thing alone. */
  only?: Thing | undefined
}

export interface Undone {
  steps: Step[]
  conflicts: Conflict[]
  taken: TakenName[]
  left: LeftOver[]
  /** The whole rows on both sides. */
  before: KeptRows
  after: KeptRows
}

/** What goes with a row by itself when it is deleted. */
const WHOLE: Partial<Record<AuditedTable, AuditedThing>> = {
  users: 'wholeUser',
  nodes: 'wholeNode',
  internalSquads: 'wholeSquad',
  configProfiles: 'profile',
  infraProviders: 'provider',
  nodePlugins: 'wholeNodePlugin',
  sharedLists: 'sharedList',
  hosts: 'host',
}

export interface UndoableRows {
  before: unknown
  after: unknown
}

/** The rows of an entry with their secrets; of one thing alone where that is wanted. */
export function openEntry(ctx: Ctx, entry: UndoableRows, only?: Thing): { before: KeptRows; after: KeptRows } {
  const rows = { before: openRows(ctx.secrets, entry.before), after: openRows(ctx.secrets, entry.after) }
  return only ? { before: rowsOfThing(rows.before, only), after: rowsOfThing(rows.after, only) } : rows
}

/** Makes the rows of an entry what they were before it, with everything that follows from it, in the caller's transaction. */
export async function undoRows(ctx: Ctx, caller: Caller, tx: Tx, entry: UndoableRows, resolution: Resolution): Promise<Undone> {
  const rows = openEntry(ctx, entry, resolution.only)
  const keys = joined(rows.before, rows.after)
  await lockRows(tx, keys, { withStates: isWide(rows) })
  const now = await readNow(tx, keys)
  const found = withoutParts(stepsOf(rows, now, resolution), now)
  const holders = await findHolders(tx, found.steps, resolution.names)
  const { names, onTaken } = resolution
  const asked = withNames(found.steps, holders, names)
  const named =
    asked.taken.length === 0 ? asked : settled(asked.taken, resolution, (chosen) => withNames(found.steps, holders, chosen))
  const whole = await wholeRows(tx, named.steps)
  const referred = withReferences(named.steps, await findPresent(tx, named.steps))
  const { steps, left } = withoutSecondBills(referred.steps, await findBills(tx, referred.steps))
  const before = joined(now, whole)
  await withConsequences(ctx, caller, tx, steps, before)
  const forgotten = await nodesWithoutUsage(tx, steps)
  const after = await readNow(tx, joined(keys, whole))
  const nameless =
    onTaken === 'leave'
      ? asked.taken.map(({ table, value, field }) => ({ table, name: value, field, reason: 'nameTaken' as const }))
      : []
  return {
    steps,
    conflicts: found.conflicts,
    taken: asked.taken,
    left: [...found.left, ...asked.left, ...referred.left, ...left, ...nameless, ...forgotten],
    before,
    after,
  }
}

/** Nodes that come back without what their users moved through them, which has gone meanwhile. */
async function nodesWithoutUsage(tx: Tx, steps: readonly Step[]): Promise<LeftOver[]> {
  const back = steps.filter(({ table, change }) => table === 'nodes' && change === 'insert')
  if (back.length === 0) return []
  const kept = await keepNodeUsage(
    tx,
    back.map(({ row }) => Number(row['id'])),
  )
  const moved = new Set(steps.flatMap(({ table, row }) => (table === 'nodeUsageDays' ? [row['nodeId']] : [])))
  return back
    .filter(({ row }) => moved.has(row['id'] ?? null) && !kept.has(Number(row['id'])))
    .map(({ row }) => ({ table: 'userNodeUsage', name: nameOfRow('nodes', row), field: null, reason: 'notKept' as const }))
}

/** Users are held and all nodes will be told of them. */
function isWide(rows: { before: KeptRows; after: KeptRows }): boolean {
  const users = userIdsOf(rows).length
  return users > MAX_SINGLE_DELIVERIES || (users > 0 && isAboutFleet(rows))
}

/** Of a name that nothing can have (RFC 6761). */
const UNUSED_ADDRESS = 'another-address.invalid'

type Named = ReturnType<typeof withNames>

function settled(
  taken: TakenName[],
  { names, onTaken }: Resolution,
  again: (names: ReadonlyMap<string, string>) => Named,
): Named {
  if (onTaken === 'refuse') {
    const [first] = taken
    fail(errors.undoNameTaken, { message: `The name "${first?.value ?? ''}" is taken by now. Choose another one.` })
  }
  // An address has no proposal; the plan shows what comes back under another one.
  const proposals = taken
    .filter(() => onTaken === 'propose')
    .map(({ id, proposal }) => [id, proposal === '' ? UNUSED_ADDRESS : proposal] as const)
  const next = again(new Map([...names, ...proposals]))
  const nameless = new Set(next.taken.map(({ id }) => id.split(':').slice(0, 2).join(' ')))
  return { ...next, steps: next.steps.filter(({ table, key }) => !nameless.has(`${table} ${key}`)) }
}

/** Rows that are deleted with others are part of what an undo of this would bring back. */
async function wholeRows(tx: Tx, steps: readonly Step[]): Promise<KeptRows> {
  let whole: KeptRows = {}
  for (const [table, thing] of Object.entries(WHOLE)) {
    const ids = steps.flatMap((step) => (step.table === table && step.change === 'delete' ? [Number(step.row['id'])] : []))
    if (ids.length === 0) continue
    const { before } = await watchRows(tx, thing, ids)
    const kept = Object.entries(before).flatMap(([part, rows]) => (Array.isArray(rows) ? [[part, rows] as const] : []))
    whole = joined(whole, Object.fromEntries(kept))
  }
  return whole
}

/** Rows of both, each once. */
function joined(one: KeptRows, other: KeptRows): KeptRows {
  const tables = Object.keys(audited) as AuditedTable[] // the type of keys() does not tell
  const rowsOf = (table: AuditedTable): Row[] => {
    const rows = [...(one[table] ?? []), ...(other[table] ?? [])]
    return [...new Map(rows.toReversed().map((row) => [keyOf(table, row), row])).values()].toReversed()
  }
  return Object.fromEntries(tables.map((table) => [table, rowsOf(table)] as const).filter(([, rows]) => rows.length > 0))
}
