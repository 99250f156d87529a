import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo, useState } from 'react'
import {
  isLookedAt,
  isTypedOn,
  lastingView,
  readAddress,
  readFilters,
  withFilterChanges,
  withoutView,
  writeAddress,
  type ViewPosition,
  type ViewKeys,
} from './address-view.ts'
import { readView, usePersistedView, type TableView, type TableViewChange } from './data-table-view.ts'

/** How the view of one table is kept: under which name, and what stands in the address. A constant of a module. */
export interface StoredView {
  key: string
  /** Raised when the meaning of what is kept changes. */
  version: number
  defaults: TableView
  keys: ViewKeys
}

/**
 * The view of a table, kept in the address, so that Back, reload and links show the same rows. All of it but the
 * search text is remembered for the next visit without a view; `isRemembered` tells of filters that were left on. The
 * page's route must name the keys among its search keys.
 */
export function useAddressView({ key, version, defaults, keys }: StoredView) {
  const [stored, changeStored, resetStored] = usePersistedView(key, version, defaults)
  const remembered = useMemo(() => lastingView(stored, keys), [stored, keys])
  const search: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()
  const asked = readAddress(search, keys, stored.pageSize)
  const [isRemembered, setRemembered] = useState(asked === undefined && Object.keys(remembered.filters).length > 0)
  // Opening a dialog changes the address too, and so does the view that was found below: neither draws the rows again.
  const looked = asked ?? remembered
  const text = JSON.stringify(looked)
  const view = useMemo<TableView>(
    () => ({ ...stored, ...looked }),
    // oxlint-disable-next-line react/exhaustive-deps -- `text` stands for `looked`
    [stored, text],
  )
  const isSilent = asked === undefined

  const show = useCallback(
    (next: (now: ViewPosition) => ViewPosition, replace: boolean) =>
      void navigate({
        to: '.',
        search: (old) => ({
          ...withoutView(old, keys),
          ...writeAddress(next(readAddress(old, keys, stored.pageSize) ?? remembered), keys),
        }),
        replace,
        resetScroll: false,
      }),
    [navigate, keys, stored.pageSize, remembered],
  )

  // A visit without a view restores the last one and writes it into the address.
  useEffect(() => {
    if (isSilent) show((now) => now, true)
  }, [isSilent, show])

  const changeView = useCallback<TableViewChange>(
    (change) => {
      if (!isLookedAt(change)) return changeStored(change)
      const next = { ...view, ...change }
      const isReplaced = isTypedOn(writeAddress(view, keys), writeAddress(next, keys), keys.typed)
      changeStored({ ...change, ...lastingView(next, keys) })
      if ('filters' in change) setRemembered(false)
      // The page may not be drawn yet with the filters that the last click has put into the address.
      const filters = (now: ViewPosition) => withFilterChanges(now.filters, view.filters, next.filters)
      show((now) => ({ ...now, ...change, filters: filters(now) }), isReplaced)
    },
    [view, keys, changeStored, show],
  )
  const resetView = useCallback(() => {
    resetStored()
    setRemembered(false)
    show(() => defaults, false)
  }, [resetStored, show, defaults])

  return { view, changeView, resetView, isRemembered }
}

/** The view that a table will be opened with at an address. */
export function viewAt(search: Record<string, unknown>, { key, version, defaults, keys }: StoredView): TableView {
  const stored = readView(localStorage.getItem(key), version, defaults)
  return { ...stored, ...(readAddress(search, keys, stored.pageSize) ?? lastingView(stored, keys)) }
}

/** Filters of a list that has no table: those that are set stand in the address under these names. `names` must be a constant. */
export function useAddressFilters<const Name extends string>(names: readonly Name[], typed: readonly Name[]) {
  const search: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()
  const text = JSON.stringify(readFilters(search, names))
  const filters = useMemo(
    () => readFilters(search, names),
    // oxlint-disable-next-line react/exhaustive-deps -- `text` stands for what of `search` matters here
    [text, names],
  )
  const change = useCallback(
    (next: Partial<Record<Name, string>>) => {
      const known = readFilters(next, names)
      void navigate({
        to: '.',
        search: (old) => ({ ...withoutView(old, { filters: names }), ...known }),
        replace: isTypedOn(filters, known, typed),
        resetScroll: false,
      })
    },
    [navigate, filters, names, typed],
  )
  return [filters, change] as const
}
