import { z } from 'zod'
import {
  deletingActions,
  errors,
  isUuid,
  readPermission,
  leftOver,
  type HistoryDetails,
  type Permission,
} from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { fail, refuseField } from '../../http/errors.ts'
import type { Scope } from '../../lib/scope.ts'
import { openRows } from '../audit/opened.actions.ts'
import { findEntry, listEntries, listPartRows, searchDeleted, type HistoryFilter, type Place } from './history.queries.ts'
import {
  TABLES_WITH_TEXTS,
  changesOf,
  isKnownTable,
  isTableVisible,
  nameFor,
  namesOf,
  kindOf,
  toHistoryEntry,
  visibleActions,
} from './entries.actions.ts'

const MOST_CHANGES = 200

/** The rights of the caller, which decide what is shown. */
export interface Reader {
  permissions: ReadonlySet<Permission>
  scope: Scope
}

interface HistoryRequest {
  actor?: string | undefined
  kind?: Parameters<typeof visibleActions>[1]['kind']
  action?: string | undefined
  target?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

export interface Page {
  limit: number
  cursor?: string | undefined
}

/** A page of the history, as far as this reader may see it. */
export async function readHistory(
  ctx: Ctx,
  { permissions, scope }: Reader,
  asked: HistoryRequest & { isOpen?: boolean; actions?: readonly string[] },
  page: Page,
) {
  const { actor, target, from, to, isOpen } = asked
  if (actor !== undefined && actor !== 'system' && !isUuid(actor)) refuseField('actor', 'must be a uuid, or system')
  const visible = visibleActions(permissions, asked)
  const { actions } = asked
  const seen = actions === undefined ? visible : only(visible, actions)
  const filter: HistoryFilter = {
    actor,
    target,
    from: from === undefined ? undefined : new Date(from),
    to: to === undefined ? undefined : new Date(to),
    ...(isOpen ? { isOpen } : {}),
  }
  const rows = await listEntries(ctx.db, scope, filter, seen, { after: placeOf(page.cursor), limit: page.limit + 1 })
  const entries = rows.slice(0, page.limit).map(toHistoryEntry)
  return { entries, nextCursor: cursorOf(rows, page.limit) }
}

/** Deleted things that were not brought back, of the kinds that this reader may see. */
export async function readDeleted(
  ctx: Ctx,
  reader: Reader,
  { kind, search }: { kind?: HistoryRequest['kind']; search?: string | undefined },
  page: Page,
) {
  if (search === undefined || search === '') {
    const { entries, nextCursor } = await readHistory(ctx, reader, { kind, actions: deletingActions, isOpen: true }, page)
    return { entries: entries.map((entry) => ({ ...entry, things: [] })), nextCursor }
  }
  const seen = only(visibleActions(reader.permissions, { kind }), deletingActions)
  const rows = await searchDeleted(ctx.db, reader.scope, search, seen, { after: placeOf(page.cursor), limit: page.limit + 1 })
  const entries = rows.slice(0, page.limit).map((row) => ({ ...toHistoryEntry(row), things: row.things }))
  return { entries, nextCursor: cursorOf(rows, page.limit) }
}

function cursorOf(rows: readonly Place[], limit: number): string | null {
  const last = rows[limit - 1]
  return rows.length > limit && last ? `${last.at.toISOString()}_${last.id}` : null
}

function only({ actions, kinds }: ReturnType<typeof visibleActions>, wanted: readonly string[]) {
  const places = actions.flatMap((action, place) => (wanted.includes(action) ? [place] : []))
  return { actions: places.map((place) => actions[place] ?? ''), kinds: places.map((place) => kinds[place] ?? ''), isAll: false }
}

function placeOf(cursor: string | undefined): Place | undefined {
  if (cursor === undefined) return undefined
  const [at = '', id = ''] = cursor.split('_')
  const place = { at: new Date(at), id: Number(id) }
  if (Number.isNaN(place.at.getTime()) || !Number.isSafeInteger(place.id)) refuseField('cursor', 'must be that of another page')
  return place
}

const details = z.object({ left: z.array(leftOver).optional(), stoppedAt: z.number().optional() }).catch({})

/** An entry field by field. What another permission is needed for is left out. @throws historyEntryGone */
export async function readEntry(ctx: Ctx, { permissions, scope }: Reader, id: number): Promise<HistoryDetails> {
  const entry = await findEntry(ctx.db, scope, id)
  const kind = kindOf(entry?.kind ?? null)
  if (!entry || !kind || !permissions.has(readPermission(kind))) fail(errors.historyEntryGone)
  const isRequest = entry.jobId !== null && entry.actorKind !== 'system'
  const parts = isRequest ? await listPartRows(ctx.db, entry.jobId ?? '') : [entry]
  const told = await Promise.all(
    parts.map(async (part) => {
      const [before, after] = [part.before, part.after].map((side) => openRows(ctx.secrets, side, TABLES_WITH_TEXTS))
      const rows = { before: before ?? {}, after: after ?? {} }
      return changesOf(rows, permissions, MOST_CHANGES, await namesOf(ctx.db, rows, permissions, MOST_CHANGES))
    }),
  )
  const own = details.parse(entry.details ?? {})
  const left = [...(own.left ?? []), ...(isRequest ? parts.flatMap((part) => details.parse(part.details ?? {}).left ?? []) : [])]
  const total = told.reduce((sum, part) => sum + part.total, 0)
  const listed = toHistoryEntry(entry)
  return {
    ...listed,
    // A save of what was there already leaves nothing but its time.
    obstacle: listed.obstacle ?? (total === 0 && left.length === 0 ? 'nothingChanged' : null),
    changes: told
      .flatMap(({ changes }) => changes)
      .slice(0, MOST_CHANGES)
      // Rows that were changed hold the changed columns alone.
      .map((change) => ({
        ...change,
        name: change.name ?? (isKnownTable(change.table) && entry.count === 1 ? nameFor(change.table, kind, entry.name) : null),
      })),
    total,
    left: left.filter(({ table }) => isKnownTable(table) && isTableVisible(table, permissions)),
    stoppedAt: own.stoppedAt ?? null,
  }
}
