import { executeNodePlugin } from '@causeway/contract'
import { Button } from '@mantine/core'
import { IconShieldOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useMay } from '../../api/rights/may.tsx'
import { useNow } from '../../lib/time/now.ts'
import { EmptyState } from '../../ui/frames/states.tsx'
import { FlagNameCell, TextCell, TimeCell } from '../../ui/rows/cells.tsx'
import type { ViewKeys } from '../../ui/table/address-view.ts'
import type { DataColumn } from '../../ui/table/data-table-columns.ts'
import { emptyView } from '../../ui/table/data-table-view.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import { listProps } from '../../ui/table/list-props.ts'
import { useAddressView, type StoredView } from '../../ui/table/use-address-view.ts'
import { torrentsQuery, useTorrentActions, type TorrentRecord } from './node-plugins.queries.ts'
import classes from './node-plugins.module.css'

const viewKeys = { filters: ['username'], typed: ['username'], passing: [], sorts: [] } as const satisfies ViewKeys
const KEPT: StoredView = { key: 'torrents-table', version: 1, defaults: emptyView, keys: viewKeys }

const columns = [
  { id: 'username', size: 160, grow: 1, filter: 'text', isFixed: true, cell: (record) => <UserCell record={record} /> },
  { id: 'node', size: 160, grow: 1, cell: ({ node }) => <FlagNameCell countryCode={node.countryCode} name={node.name} /> },
  { id: 'ip', size: 150, cell: ({ report }) => <TextCell text={report.actionReport.ip} /> },
  { id: 'destination', size: 190, grow: 1, cell: ({ report }) => <TextCell text={report.xrayReport.destination} /> },
  { id: 'at', size: 130, cell: ({ report }) => <TimeCell at={report.actionReport.processedAt} /> },
  { id: 'block', size: 190, isFixed: true, cell: (record) => <BlockCell record={record} /> },
] as const satisfies readonly DataColumn<TorrentRecord>[]

export function TorrentsTable() {
  const { t } = useTranslation('node-plugins')
  const address = useAddressView(KEPT)
  const list = useQuery(torrentsQuery(address.view))
  const labels = useMemo(() => Object.fromEntries(columns.map(({ id }) => [id, t(`torrents.column.${id}`)])), [t])
  return (
    <DataTable
      label={t('torrents.title')}
      columns={columns}
      columnLabels={labels}
      rows={list.data?.records}
      total={list.data?.total ?? 0}
      rowId={(record) => String(record.id)}
      rowLabel={(record) => record.user.username}
      {...listProps(list, address)}
      card={(record) => <TorrentCard record={record} />}
      empty={<EmptyState icon={IconShieldOff} title={t('torrents.empty')} hint={t('torrents.emptyHint')} />}
    />
  )
}

function UserCell({ record }: { record: TorrentRecord }) {
  return (
    <Link className={classes['who']!} to="/dashboard/management/users" search={{ edit: record.user.uuid ?? '' }}>
      <bdi>{record.user.username}</bdi>
    </Link>
  )
}

function BlockCell({ record }: { record: TorrentRecord }) {
  const { t } = useTranslation('node-plugins')
  const now = useNow()
  const mayUnblock = useMay()(executeNodePlugin)
  const { unblock } = useTorrentActions()
  const { blocked, ip, willUnblockAt } = record.report.actionReport
  if (!blocked) return <span className={classes['note']}>{t('torrents.notBlocked')}</span>
  if (new Date(willUnblockAt).getTime() <= now) return <span className={classes['note']}>{t('torrents.over')}</span>
  return (
    <Button
      size="compact-xs"
      variant="default"
      disabled={!mayUnblock}
      loading={unblock.isPending}
      onClick={() =>
        unblock.mutate({
          command: { command: 'unblockIps', ips: [ip] },
          targetNodes: { target: 'specificNodes', nodeUuids: [record.node.uuid] },
        })
      }
    >
      {t('torrents.unblock')}
    </Button>
  )
}

function TorrentCard({ record }: { record: TorrentRecord }) {
  return (
    <div className={classes['torrent']}>
      <UserCell record={record} />
      <FlagNameCell countryCode={record.node.countryCode} name={record.node.name} />
      <span dir="ltr">{record.report.actionReport.ip}</span>
      <TimeCell at={record.report.actionReport.processedAt} />
      <BlockCell record={record} />
    </div>
  )
}
