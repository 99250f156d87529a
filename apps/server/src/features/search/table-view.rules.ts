import { isUuid } from '@causeway/contract'

// Filters and orders of a table by its columns, as those of the users list are read (docs/wire.md 7).

export type TextMode = 'contains' | 'startsWith' | 'endsWith' | 'equals'
export type ColumnKind = 'text' | 'instant' | 'uuid' | 'number'

/** One condition. All of them must hold. */
export type TableFilter<Id extends string> = { column: Id } & (
  | { kind: 'text'; mode: TextMode; text: string }
  | { kind: 'equal'; value: string | number | Date }
)

export interface TableView<Id extends string> {
  start: number
  size: number
  filters: TableFilter<Id>[]
  sorting: { column: Id; isDescending: boolean }[]
}

interface TableQuery<Id extends string> {
  start?: number | undefined
  size?: number | undefined
  filters?: { id: Id; value?: unknown }[] | undefined
  filterModes?: Record<string, string> | undefined
  sorting?: { id: Id; desc: boolean }[] | undefined
}

const DEFAULT_SIZE = 25

/** The view that a query asks for, or which of its filters cannot be asked, and why. */
export function toTableView<Id extends string>(
  { start = 0, size = DEFAULT_SIZE, filters = [], filterModes = {}, sorting = [] }: TableQuery<Id>,
  kinds: Record<Id, ColumnKind>,
): TableView<Id> | { refusal: { path: string; message: string } } {
  if (!Number.isInteger(size)) return { refusal: { path: 'size', message: 'must be a whole number' } }
  const read: TableFilter<Id>[] = []
  for (const [index, { id, value }] of filters.entries()) {
    const filter = toFilter(id, kinds[id], value, filterModes[id])
    if (typeof filter === 'string') return { refusal: { path: `filters.${index}`, message: `${id} is filtered by ${filter}` } }
    read.push(filter)
  }
  return { start, size, filters: read, sorting: sorting.map(({ id, desc }) => ({ column: id, isDescending: desc })) }
}

/** The condition, or what the column would be filtered by. */
function toFilter<Id extends string>(column: Id, kind: ColumnKind, value: unknown, mode?: string): TableFilter<Id> | string {
  const text = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
  switch (kind) {
    case 'instant': {
      const at = text === undefined ? undefined : new Date(typeof value === 'number' ? value : text)
      const isOne = at !== undefined && !Number.isNaN(at.getTime())
      return isOne ? { column, kind: 'equal', value: at } : 'a date-time such as 2026-01-31T12:00:00Z'
    }
    case 'uuid':
      return text !== undefined && isUuid(text) ? { column, kind: 'equal', value: text } : 'one uuid'
    case 'number':
      return text !== undefined && /^\d{1,15}$/.test(text) ? { column, kind: 'equal', value: Number(text) } : 'a whole number'
    case 'text':
      return text === undefined || text.includes('\u0000') ? 'a text' : { column, kind: 'text', mode: toTextMode(mode), text }
  }
}

function toTextMode(mode: string | undefined): TextMode {
  return mode === 'startsWith' || mode === 'endsWith' || mode === 'equals' ? mode : 'contains'
}
