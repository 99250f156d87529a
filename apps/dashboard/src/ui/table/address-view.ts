import { PAGE_SIZES, type TableView } from './data-table-view.ts'

// The address holds the view: filters, order, page and page size, as plain words that can be read and shared
// (`?status=ACTIVE&sort=-expireAt&page=3&size=50`). The arrangement of columns is personal and stays in the browser.

/** The part of a table's view that says which rows are shown. */
export type ViewPosition = Pick<TableView, 'filters' | 'sorting' | 'pageIndex' | 'pageSize'>

/** Search keys of one table. */
export interface ViewKeys {
  filters: readonly string[]
  /** Filters that are typed letter by letter. */
  typed: readonly string[]
  /** Filters of one visit: in the address like all others, but not restored at the next visit. */
  passing: readonly string[]
  sorts: readonly string[]
}

/** Search keys of a table beside those of its filters; its route names both. */
export const TABLE_KEYS = ['sort', 'page', 'size'] as const

const HIGHEST_PAGE = 100_000

type Search = Record<string, unknown>

export function isLookedAt(change: Partial<TableView>): boolean {
  return 'filters' in change || 'sorting' in change || 'pageIndex' in change || 'pageSize' in change
}

/** The view in the address, or undefined where the address names none. */
export function readAddress(search: Search, keys: ViewKeys, defaultSize: number): ViewPosition | undefined {
  const filters = textsOf(search, keys.filters)
  const isSilent = Object.keys(filters).length === 0 && TABLE_KEYS.every((key) => typeof search[key] !== 'string')
  return isSilent
    ? undefined
    : {
        filters,
        sorting: readSorting(search['sort'], keys.sorts),
        pageIndex: readWhole(search['page'], 1, HIGHEST_PAGE, 1) - 1,
        pageSize: PAGE_SIZES.find((size) => String(size) === search['size']) ?? defaultSize,
      }
}

/** Only what is known and set. */
export function readFilters<Name extends string>(search: Search, names: readonly Name[]): Partial<Record<Name, string>> {
  const filters: Partial<Record<Name, string>> = {}
  for (const name of names) {
    const value = search[name]
    if (isSet(value)) filters[name] = value
  }
  return filters
}

function textsOf(search: Search, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = search[name]
      return isSet(value) ? [[name, value] as const] : []
    }),
  )
}

function isSet(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function readSorting(text: unknown, known: readonly string[]): TableView['sorting'] {
  if (typeof text !== 'string') return []
  const sorting = text.split(',').map((part) => ({ id: part.replace(/^-/, ''), desc: part.startsWith('-') }))
  return sorting.filter(({ id }, place) => known.includes(id) && sorting.findIndex((one) => one.id === id) === place)
}

function readWhole(text: unknown, least: number, most: number, otherwise: number): number {
  const number = typeof text === 'string' && /^\d+$/.test(text) ? Number(text) : Number.NaN
  return number >= least && number <= most ? number : otherwise
}

/** The search keys that say all of this. The page size is always among them, so that no address of a list is silent. */
export function writeAddress({ filters, sorting, pageIndex, pageSize }: ViewPosition, keys: ViewKeys): Record<string, string> {
  return {
    ...textsOf(filters, keys.filters),
    ...(sorting.length > 0 ? { sort: sorting.map(({ id, desc }) => `${desc ? '-' : ''}${id}`).join(',') } : {}),
    ...(pageIndex > 0 ? { page: String(pageIndex + 1) } : {}),
    size: String(pageSize),
  }
}

/** The part of a view that a later visit restores: a page number of search results is meaningless without the search. */
export function lastingView({ filters, sorting, pageIndex, pageSize }: ViewPosition, { passing }: ViewKeys): ViewPosition {
  const lasting = Object.entries(filters).filter(([name]) => !passing.includes(name))
  const isWhole = lasting.length === Object.keys(filters).length
  return { filters: Object.fromEntries(lasting), sorting, pageIndex: isWhole ? pageIndex : 0, pageSize }
}

/** What changed between `before` and `after`, put into `now`: filters that another click has set meanwhile stay. */
export function withFilterChanges(now: ViewPosition['filters'], before: ViewPosition['filters'], after: ViewPosition['filters']) {
  const gone = Object.keys(before).filter((name) => !Object.hasOwn(after, name))
  const set = Object.entries(after).filter(([name, value]) => before[name] !== value)
  const kept = Object.entries(now).filter(([name]) => !gone.includes(name))
  return Object.fromEntries([...kept, ...set])
}

/** The search without what a view put there: open dialogs stay. */
export function withoutView<S extends Search>(search: S, keys: Pick<ViewKeys, 'filters'>): Partial<S> {
  const gone: readonly string[] = [...keys.filters, ...TABLE_KEYS]
  return Object.fromEntries(Object.entries(search).filter(([name]) => !gone.includes(name))) as Partial<S> // keys of S only
}

/** Only one typed text differs, and it stood there before: more letters of it, not another view to come back to. */
export function isTypedOn(before: Search, after: Search, typed: readonly string[]): boolean {
  const differing = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => before[name] !== after[name])
  const [name] = differing
  if (name === undefined || differing.length > 1) return false
  return typed.includes(name) && before[name] !== undefined && after[name] !== undefined
}
