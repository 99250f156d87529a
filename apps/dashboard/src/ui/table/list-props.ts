import type { TableView, TableViewChange } from './data-table-view.ts'

/** A list that is read again and again. */
interface List {
  isError: boolean
  dataUpdatedAt: number
  refetch: () => Promise<unknown>
}

/** Props of a table that follow from the state of its read. */
export function readingProps(list: List) {
  return { hasFailed: list.isError, updatedAt: list.dataUpdatedAt, onRetry: () => void list.refetch() }
}

interface AddressView {
  view: TableView
  changeView: TableViewChange
  resetView: () => void
}

/** The same, with the view that is kept in the address. */
export function listProps(list: List, { view, changeView, resetView }: AddressView) {
  return { ...readingProps(list), view, onViewChange: changeView, onResetView: resetView }
}
