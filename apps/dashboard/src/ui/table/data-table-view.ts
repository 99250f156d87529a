import { useCallback, useState } from 'react'

export type Density = 'xs' | 'md' | 'xl'

/** How many rows a page may have. */
export const PAGE_SIZES: readonly number[] = [25, 50, 100, 200, 500]

/** A reader's arrangement of a table, kept in local storage. */
export interface TableView {
  sorting: { id: string; desc: boolean }[]
  /** Column id to the text or option filtered by. Only filters in force are in here. */
  filters: Record<string, string>
  visibility: Record<string, boolean>
  pinning: { start: string[]; end: string[] }
  sizes: Record<string, number>
  order: string[]
  pageIndex: number
  pageSize: number
  density: Density
  areFiltersOpen: boolean
}

export type TableViewChange = (change: Partial<TableView>) => void

export const emptyView: TableView = {
  sorting: [],
  filters: {},
  visibility: {},
  pinning: { start: [], end: [] },
  sizes: {},
  order: [],
  pageIndex: 0,
  pageSize: 25,
  density: 'xs',
  areFiltersOpen: false,
}

/** The filters with this one set, or without it. */
export function withFilter(filters: TableView['filters'], id: string, value: string): TableView['filters'] {
  const { [id]: _, ...others } = filters
  return value === '' ? others : { ...others, [id]: value }
}

/**
 * State that outlives the page. `version` is raised when the meaning of the state changes: what an older version
 * stored is then dropped instead of being misread. `defaults` must be a constant of the module.
 */
export function usePersistedView<View extends object>(key: string, version: number, defaults: View) {
  const [view, setView] = useState(() => readView(localStorage.getItem(key), version, defaults))

  const changeView = useCallback(
    (change: Partial<View>) =>
      setView((before) => {
        const after = { ...before, ...change }
        localStorage.setItem(key, JSON.stringify({ version, state: after }))
        return after
      }),
    [key, version],
  )
  const resetView = useCallback(() => {
    localStorage.removeItem(key)
    setView(defaults)
  }, [key, defaults])

  return [view, changeView, resetView] as const
}

/** Reads what was stored. Anything unreadable, of another version or of another kind falls back to the default. */
export function readView<View extends object>(stored: string | null, version: number, defaults: View): View {
  if (stored === null) return defaults
  try {
    const parsed: unknown = JSON.parse(stored)
    if (!isStored(parsed) || parsed.version !== version) return defaults
    const { state } = parsed
    const known = Object.entries(defaults).map(([name, value]) => [name, isAlike(value, state[name]) ? state[name] : value])
    // Every key of View is present, each with its default or with a stored value of the same kind.
    return Object.fromEntries(known) as View
  } catch {
    return defaults
  }
}

function isStored(value: unknown): value is { version: unknown; state: Record<string, unknown> } {
  return (
    typeof value === 'object' && value !== null && 'state' in value && typeof value.state === 'object' && value.state !== null
  )
}

function isAlike(sample: unknown, value: unknown): boolean {
  return typeof sample === typeof value && Array.isArray(sample) === Array.isArray(value) && value !== null
}
