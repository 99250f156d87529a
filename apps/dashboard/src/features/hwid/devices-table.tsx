import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isAbsent } from '../../api/call-error.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import { listProps } from '../../ui/table/list-props.ts'
import { SearchField } from '../../ui/inputs/search-field.tsx'
import { EmptyState, ErrorState } from '../../ui/frames/states.tsx'
import { useAddressView, type StoredView } from '../../ui/table/use-address-view.ts'
import { DeviceCard } from './device-card.tsx'
import { devicesColumns, devicesDefaultView } from './devices-columns.tsx'
import { DevicesExport } from './devices-export.tsx'
import { devicesTableQuery, type FoundDevice } from './hwid.queries.ts'
import { devicesViewKeys, SEARCH_COLUMN } from './hwid.view.ts'
import classes from './hwid.module.css'

const KEPT: StoredView = { key: 'devices-table', version: 1, defaults: devicesDefaultView, keys: devicesViewKeys }

export function DevicesTable() {
  const { t } = useTranslation('hwid')
  const address = useAddressView(KEPT)
  const { view, changeView } = address
  const list = useQuery(devicesTableQuery(view))
  const labels = useMemo(() => Object.fromEntries(devicesColumns.map(({ id }) => [id, t(`column.${id}`)])), [t])
  const search = view.filters[SEARCH_COLUMN] ?? ''
  // The last typed text: the field resets only when the search was changed or cleared elsewhere.
  const [typed, setTyped] = useState(search)
  if (list.error && isAbsent(list.error)) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  return (
    <DataTable
      label={t('title')}
      columns={devicesColumns}
      columnLabels={labels}
      rows={list.data?.devices}
      total={list.data?.total ?? 0}
      rowId={idOf}
      rowLabel={nameOf}
      {...listProps(list, address)}
      card={(device) => <DeviceCard device={device} />}
      empty={<EmptyState sketch="rows" title={t('empty.title')} hint={t('empty.hint')} />}
      toolbar={
        <>
          <SearchField
            key={search === typed ? 'typed' : search}
            className={classes['search']!}
            label={t('search')}
            initial={search}
            onSearch={(text) => {
              setTyped(text)
              changeView({ filters: text === '' ? {} : { [SEARCH_COLUMN]: text }, pageIndex: 0 })
            }}
          />
          <DevicesExport search={search} total={list.data?.total} />
        </>
      }
    />
  )
}

// Two users may share one device.
const idOf = (device: FoundDevice) => `${device.userUuid} ${device.hwid}`
const nameOf = (device: FoundDevice) => device.hwid
