import { exportUsers, userExportColumn, type UserExportColumn } from '@causeway/contract'
import { download, useSaving } from '../../../api/use-download.ts'
import type { TableFormat } from '../../../lib/save-file.ts'
import { ExportMenu } from '../../../ui/export-menu.tsx'
import type { TableView } from '../../../ui/table/data-table-view.ts'
import { toUsersInput } from '../users.queries.ts'
import { USERS_COLUMN_IDS, type UsersColumnId } from './users-columns.tsx'

/** The list as it is filtered and sorted, with the columns that are shown. */
export function UsersExport({ view, total }: { view: TableView; total: number | undefined }) {
  const { isBusy, save } = useSaving(exportUsers)
  const { filters, filterModes, sorting } = toUsersInput(view, USERS_COLUMN_IDS)
  const onExport = (format: TableFormat) => {
    const name = `users-${new Date().toISOString().slice(0, 10)}.${format}`
    const input = { format, columns: exportedColumns(view).join(','), filters, filterModes, sorting }
    void save(() => download(exportUsers, name, input))
  }
  return <ExportMenu count={total} isBusy={isBusy} onExport={onExport} />
}

/** A column that shows two things is exported as two. */
const MORE: Partial<Record<UsersColumnId, UserExportColumn>> = {
  usedTrafficBytes: 'trafficLimitBytes',
  shortUuid: 'subscriptionUrl',
}

/** The shown columns in their order on the screen. */
function exportedColumns({ visibility, order }: Pick<TableView, 'visibility' | 'order'>): UserExportColumn[] {
  const placeOf = (id: UsersColumnId) => (order.includes(id) ? order.indexOf(id) : USERS_COLUMN_IDS.indexOf(id) + order.length)
  return USERS_COLUMN_IDS.filter((id) => visibility[id] !== false)
    .toSorted((one, other) => placeOf(one) - placeOf(other))
    .flatMap((id) => [id, ...(MORE[id] ? [MORE[id]] : [])])
    .filter((id): id is UserExportColumn => userExportColumn.safeParse(id).success)
}
