import type { listNodesUsageByDay, Reply } from '@causeway/contract'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { formatBytes } from '../../../lib/numbers/bytes.ts'
import { numberFormat } from '../../../lib/numbers/formats.ts'
import { FlagNameCell, NoValue } from '../../../ui/rows/cells.tsx'
import type { DataColumn } from '../../../ui/table/data-table-columns.ts'
import { emptyView, usePersistedView } from '../../../ui/table/data-table-view.ts'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { ShareBar } from '../../../ui/frames/share-bar.tsx'
import { Sparkline } from '../../../ui/chart/sparkline.tsx'
import { useDialog } from '../../../ui/frames/use-dialog.ts'
import { nodeShares, type NodeShare } from './node-series.ts'
import classes from './statistics.module.css'

const VIEW_KEY = 'nodes-statistics-table'
const VIEW_VERSION = 1

const columns = [
  {
    id: 'name',
    grow: 2,
    isFixed: true,
    isSortable: true,
    filter: 'text',
    value: ({ name }) => name,
    cell: ({ name, countryCode }) => <FlagNameCell countryCode={countryCode} name={name} />,
  },
  {
    id: 'total',
    isSortable: true,
    align: 'end',
    value: ({ total }) => total,
    cell: ({ total }) => <Size bytes={total} />,
  },
  { id: 'share', grow: 1, isSortable: true, value: ({ share }) => share, cell: ({ share }) => <Share share={share} /> },
  {
    id: 'perDay',
    isSortable: true,
    align: 'end',
    value: ({ perDay }) => perDay,
    cell: ({ perDay }) => (perDay === null ? <NoValue /> : <Size bytes={perDay} />),
  },
  { id: 'trend', cell: ({ bytes }) => <Sparkline values={bytes.slice(0, -1)} width={120} /> },
] as const satisfies readonly DataColumn<NodeShare>[]

/** Every node with its part of the whole; a press shows whose traffic it was. */
export function SharesTable({ usage }: { usage: Reply<typeof listNodesUsageByDay> }) {
  const { t } = useTranslation('node-statistics')
  const { open } = useDialog('node')
  const [view, changeView, resetView] = usePersistedView(VIEW_KEY, VIEW_VERSION, emptyView)
  const shares = useMemo(() => nodeShares(usage), [usage])
  const labels = useMemo(() => Object.fromEntries(columns.map(({ id }) => [id, t(`column.${id}`)])), [t])
  return (
    <DataTable
      label={t('shares')}
      columns={columns}
      columnLabels={labels}
      rows={shares}
      rowId={idOf}
      rowLabel={nameOf}
      view={view}
      onViewChange={changeView}
      onResetView={resetView}
      onOpen={({ uuid }) => open(uuid)}
      card={(node) => <Card node={node} />}
      toolbar={<span className={classes['hint']}>{t('openHint')}</span>}
    />
  )
}

const idOf = ({ uuid }: NodeShare) => uuid
const nameOf = ({ name }: NodeShare) => name

function Size({ bytes }: { bytes: number }) {
  const { i18n } = useTranslation()
  return <bdi className={classes['size']}>{formatBytes(bytes, i18n.language)}</bdi>
}

function Share({ share }: { share: number }) {
  const { i18n } = useTranslation()
  return (
    <span className={classes['share']}>
      <ShareBar part={share} />
      <span className={classes['percent']}>
        {numberFormat(i18n.language, { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(share)}
      </span>
    </span>
  )
}

function Card({ node }: { node: NodeShare }) {
  return (
    <div className={classes['card']}>
      <div className={classes['cardLine']}>
        <FlagNameCell countryCode={node.countryCode} name={node.name} />
        <Size bytes={node.total} />
      </div>
      <Share share={node.share} />
    </div>
  )
}
