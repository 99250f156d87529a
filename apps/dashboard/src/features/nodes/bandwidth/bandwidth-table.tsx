import type { Node } from '@causeway/contract'
import { Button, Title } from '@mantine/core'
import { IconFileDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { dateFormat } from '../../../lib/numbers/formats.ts'
import { useNow } from '../../../lib/time/now.ts'
import { saveCsv } from '../../../lib/save-file.ts'
import { FlagNameCell } from '../../../ui/rows/cells.tsx'
import { usePersistedView } from '../../../ui/table/data-table-view.ts'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { readingProps } from '../../../ui/table/list-props.ts'
import { EmptyState } from '../../../ui/frames/states.tsx'
import { useDialog } from '../../../ui/frames/use-dialog.ts'
import { nodesQuery } from '../nodes.queries.ts'
import { bandwidthColumns, bandwidthDefaultView, Cycle, Size, Used } from './bandwidth-columns.tsx'
import { rowIdOf, trackedNodes, trackedTraffic, type TrackedNode } from './tracked-nodes.ts'
import classes from './bandwidth.module.css'

const VIEW_KEY = 'bandwidth-table'
const VIEW_VERSION = 1

export function BandwidthTable() {
  const { t, i18n } = useTranslation('node-bandwidth')
  const edit = useDialog('edit')
  const create = useDialog('create')
  const [view, changeView, resetView] = usePersistedView(VIEW_KEY, VIEW_VERSION, bandwidthDefaultView)
  const nodes = useQuery(nodesQuery(edit.value === undefined && create.value === undefined))
  const rows = useMemo(() => nodes.data && trackedNodes(nodes.data), [nodes.data])
  const labels = useMemo(() => Object.fromEntries(bandwidthColumns.map(({ id }) => [id, t(`column.${id}`)])), [t])
  const today = dateFormat(i18n.language, { dateStyle: 'long' }).format(useNow())
  const title = t('today', { date: today })
  return (
    <DataTable<Node>
      label={title}
      columns={bandwidthColumns}
      columnLabels={labels}
      rows={rows}
      rowId={rowIdOf}
      rowLabel={nameOf}
      view={view}
      onViewChange={changeView}
      onResetView={resetView}
      {...readingProps(nodes)}
      onOpen={(node) => edit.open(node.uuid)}
      card={(node) => <NodeCard node={node} />}
      empty={<EmptyState sketch="rows" title={t('empty')} hint={t('emptyHint')} />}
      toolbar={
        <>
          <Title order={2} className={classes['title']!}>
            {title}
          </Title>
          <Button
            size="xs"
            variant="default"
            ms="auto"
            disabled={rows === undefined || rows.length === 0}
            leftSection={<IconFileDownload size={16} aria-hidden />}
            onClick={() => saveCsv(`nodes-bandwidth-${dayOf(new Date())}.csv`, csvRows(rows ?? [], labels))}
          >
            {t('csv')}
          </Button>
        </>
      }
    />
  )
}

const nameOf = ({ name }: TrackedNode) => name

/** Bytes as figures: spreadsheets make their own units. */
function csvRows(nodes: readonly TrackedNode[], labels: Record<string, string>): (string | number)[][] {
  const heads = (['name', 'cycle', 'used', 'limit', 'left'] as const).map((id) => labels[id] ?? id)
  return [
    [...heads, '%'],
    ...nodes.map((node) => {
      const { used, limit, left, percent } = trackedTraffic(node)
      return [node.name, node.trafficResetDay ?? 1, used, limit, left, Math.round(percent)]
    }),
  ]
}

function dayOf(at: Date): string {
  return [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, '0')).join('-')
}

/** A node on a narrow screen. */
function NodeCard({ node }: { node: TrackedNode }) {
  return (
    <div className={classes['card']}>
      <FlagNameCell countryCode={node.countryCode} name={node.name} />
      <Used node={node} />
      <div className={classes['cardLine']}>
        <Cycle node={node} />
        <Size bytes={node.trafficLimitBytes ?? 0} />
      </div>
    </div>
  )
}
