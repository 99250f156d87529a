import { findHwidDevices, type Reply } from '@causeway/contract'
import { useSaving } from '../../api/use-download.ts'
import { saveTable, type TableFormat } from '../../lib/save-file.ts'
import { ExportMenu } from '../../ui/export-menu.tsx'
import { readAllDevices } from './hwid.queries.ts'

type FoundDevice = Reply<typeof findHwidDevices>['devices'][number]

/** Members of later generations are for programs. */
function toRow({ userId: _userId, requestIp: _requestIp, ...row }: FoundDevice) {
  return row
}

/** The devices that were searched for, on all pages. */
export function DevicesExport({ search, total }: { search: string; total: number | undefined }) {
  const { isBusy, save } = useSaving(findHwidDevices)
  const onExport = (format: TableFormat) =>
    void save(async () => saveTable('devices', format, (await readAllDevices(search)).map(toRow)))
  return <ExportMenu count={total} isBusy={isBusy} onExport={onExport} />
}
