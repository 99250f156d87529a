import type { ListedUser } from '@causeway/contract'
import type { RowSelectionState } from '@tanstack/react-table'
import { useMemo, useState } from 'react'
import type { TableView } from '../../../ui/table/data-table-view.ts'
import type { UsersTarget } from '../bulk/users-target.ts'
import { toUsersInput } from '../users.queries.ts'
import { USERS_COLUMN_IDS } from './users-columns.tsx'

interface List {
  users: ListedUser[] | undefined
  total: number
  selection: RowSelectionState
  onSelectionChange: (selection: RowSelectionState) => void
}

/** Chosen rows, or the whole list by its filters. With other filters it is another list, and chosen no more. */
export function useWholeList(view: TableView, { users, total, selection, onSelectionChange }: List) {
  const { filters = [], filterModes = {} } = toUsersInput(view, USERS_COLUMN_IDS)
  const [wholeOf, setWholeOf] = useState<string>()
  const key = JSON.stringify(filters)
  const isSelected = Object.keys(selection).length > 0 && wholeOf === key
  const shown = useMemo<RowSelectionState>(
    () => (isSelected ? Object.fromEntries((users ?? []).map(({ uuid }) => [uuid, true as const])) : selection),
    [isSelected, users, selection],
  )
  const uuids = Object.keys(selection)
  const target: UsersTarget = isSelected
    ? { which: { filters, filterModes }, count: total }
    : { which: { uuids }, count: uuids.length }
  return {
    isSelected,
    selection: shown,
    target,
    select: (next: RowSelectionState) => {
      setWholeOf(undefined)
      onSelectionChange(next)
    },
    selectWhole: () => setWholeOf(key),
  }
}
