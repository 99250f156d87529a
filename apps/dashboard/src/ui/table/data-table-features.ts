import {
  columnOrderingFeature,
  columnPinningFeature,
  columnResizingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  rowSelectionFeature,
  rowSortingFeature,
  tableFeatures,
  type Column,
  type ReactTable,
  type Updater,
} from '@tanstack/react-table'

/** Features of our tables. Rows arrive filtered, sorted and paged, so no row models are needed. */
export const features = tableFeatures({
  columnOrderingFeature,
  columnPinningFeature,
  columnResizingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  rowSelectionFeature,
  rowSortingFeature,
})

export type DataTableInstance<Row extends object> = ReactTable<typeof features, Row>
export type DataTableColumn<Row extends object> = Column<typeof features, Row>

export function updated<State>(updater: Updater<State>, before: State): State {
  // An updater is the new state or a function of the old one; none of the table's states is itself a function.
  return typeof updater === 'function' ? (updater as (before: State) => State)(before) : updater
}
