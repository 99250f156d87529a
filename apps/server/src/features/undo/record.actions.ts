import { UNDO_ACTION, type HistoryKind } from '@causeway/contract'
import type { Caller, Ctx } from '../../ctx.ts'
import type { Tx } from '../../db/driver/connect.ts'
import { recordAtOnce } from '../audit/audit.actions.ts'
import type { Undone } from './rows.actions.ts'
import { markUndone } from './undo.queries.ts'

export const MOST_LEFT = 100

export interface Held {
  id: number
  kind: HistoryKind
  target: string | null
  name: string | null
  count: number
  touched: string[] | null
}

/** What was left, with the conflicts that were not chosen. */
export function leftOf({ left, conflicts, steps }: Undone) {
  const done = new Set(
    steps.flatMap(({ table, key, row }) => [`${table}:${key}`, ...Object.keys(row).map((name) => `${table}:${key}:${name}`)]),
  )
  const kept = conflicts.filter(
    ({ id, field }) => !(field === null ? steps.some((step) => `${step.table}:${step.key}` === id) : done.has(id)),
  )
  return [...left, ...kept.map(({ table, name, field }) => ({ table, name, field, reason: 'changed' as const }))]
}

/** The undo's own entry, by which it can be undone itself. */
export async function recordUndo(
  ctx: Ctx,
  tx: Tx,
  caller: Caller,
  held: Held,
  undone: Undone,
  { jobId, isPartial = false }: { jobId?: string; isPartial?: boolean } = {},
): Promise<number> {
  const { id, kind, name, count, touched, target } = held
  const left = leftOf(undone)
  const made = await recordAtOnce(ctx, tx, caller, {
    action: UNDO_ACTION,
    target: target ?? '',
    kind,
    name,
    count,
    touched,
    undoes: id,
    rows: { thing: 'user', ids: [], before: undone.before, after: undone.after },
    details: {
      ...(left.length > 0 ? { left: left.slice(0, MOST_LEFT), leftTotal: left.length } : {}),
      ...(jobId === undefined ? {} : { jobId }),
    },
  })
  // Others of the entry can still be undone, which leaves alone what is back already.
  if (!isPartial) await markUndone(tx, [id], made)
  return made
}
