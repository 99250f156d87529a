import { csvText, MOST_HISTORY, type HistoryEntry } from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { readHistory, type Reader } from './history.actions.ts'

const COLUMNS = [
  'id',
  'at',
  'actorKind',
  'actorName',
  'actorUuid',
  'from',
  'action',
  'kind',
  'target',
  'name',
  'count',
  'undoes',
  'undoneBy',
] as const

type HistoryRequest = Parameters<typeof readHistory>[2]

/** The history as filtered, page by page, so that a long one is never held as a whole. */
export async function* exportedHistory(
  ctx: Ctx,
  reader: Reader,
  asked: HistoryRequest,
  format: 'csv' | 'json',
): AsyncGenerator<string> {
  yield format === 'csv' ? csvText([COLUMNS]) : '['
  let cursor: string | undefined
  let isFirst = true
  do {
    const page = await readHistory(ctx, reader, asked, { limit: MOST_HISTORY, cursor })
    for (const entry of page.entries) {
      yield format === 'csv' ? lineOf(entry) : `${isFirst ? '' : ','}\n${JSON.stringify(entry)}`
      isFirst = false
    }
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  if (format === 'json') yield '\n]\n'
}

function lineOf({ actor, ...entry }: HistoryEntry): string {
  const row = { ...entry, actorKind: actor.kind, actorName: actor.name, actorUuid: actor.uuid }
  return csvText([COLUMNS.map((name) => row[name] ?? '')])
}
