import { useTranslation } from 'react-i18next'
import { formatBytes } from '../../../lib/numbers/bytes.ts'
import { numberFormat } from '../../../lib/numbers/formats.ts'
import { useNow } from '../../../lib/time/now.ts'
import { FlagNameCell, NoValue } from '../../../ui/rows/cells.tsx'
import type { DataColumn } from '../../../ui/table/data-table-columns.ts'
import { emptyView, type TableView } from '../../../ui/table/data-table-view.ts'
import { TrafficBar } from '../../../ui/traffic/traffic-bar.tsx'
import { forecastBytes, trackedTraffic, type TrackedNode } from './tracked-nodes.ts'
import classes from './bandwidth.module.css'

export const bandwidthColumns = [
  {
    id: 'name',
    grow: 2,
    isFixed: true,
    isSortable: true,
    filter: 'text',
    value: ({ name }) => name,
    cell: (node) => <FlagNameCell countryCode={node.countryCode} name={node.name} />,
  },
  {
    id: 'cycle',
    isSortable: true,
    value: ({ trafficResetDay }) => trafficResetDay,
    cell: (node) => <Cycle node={node} />,
  },
  {
    id: 'used',
    grow: 3,
    isSortable: true,
    value: ({ trafficUsedBytes }) => trafficUsedBytes,
    cell: (node) => <Used node={node} />,
  },
  {
    id: 'limit',
    isSortable: true,
    align: 'end',
    value: ({ trafficLimitBytes }) => trafficLimitBytes,
    cell: (node) => <Size bytes={node.trafficLimitBytes ?? 0} />,
  },
  {
    id: 'left',
    isSortable: true,
    align: 'end',
    value: (node) => trackedTraffic(node).left,
    cell: (node) => <Size bytes={trackedTraffic(node).left} />,
  },
  {
    id: 'forecast',
    isSortable: true,
    align: 'end',
    value: (node) => forecastBytes(node, new Date()),
    cell: (node) => <Forecast node={node} />,
  },
] as const satisfies readonly DataColumn<TrackedNode>[]

/** The default arrangement of the table; columns of remaining and forecast bytes are optional. */
export const bandwidthDefaultView: TableView = { ...emptyView, visibility: { left: false, forecast: false } }

export function Cycle({ node }: { node: TrackedNode }) {
  const { t } = useTranslation('node-bandwidth')
  return <span>{t('cycle', { day: node.trafficResetDay ?? 1 })}</span>
}

export function Used({ node }: { node: TrackedNode }) {
  const { t, i18n } = useTranslation('node-bandwidth')
  const { used, limit, percent } = trackedTraffic(node)
  const share = numberFormat(i18n.language, { style: 'percent' }).format(percent / 100)
  const usedText = formatBytes(used, i18n.language)
  return (
    <div className={classes['used']}>
      <div className={classes['figures']}>
        <bdi>{usedText}</bdi>
        <bdi>{share}</bdi>
      </div>
      <TrafficBar
        usedBytes={used}
        limitBytes={limit}
        label={t('usedOf', { used: usedText, limit: formatBytes(limit, i18n.language), percent: share })}
      />
    </div>
  )
}

export function Size({ bytes }: { bytes: number }) {
  const { i18n } = useTranslation()
  return <bdi className={classes['size']}>{formatBytes(bytes, i18n.language)}</bdi>
}

function Forecast({ node }: { node: TrackedNode }) {
  const bytes = forecastBytes(node, new Date(useNow()))
  if (bytes === null) return <NoValue />
  const isOver = bytes > trackedTraffic(node).limit
  return (
    <span className={classes['forecast']} data-over={isOver || undefined}>
      <Size bytes={bytes} />
    </span>
  )
}
