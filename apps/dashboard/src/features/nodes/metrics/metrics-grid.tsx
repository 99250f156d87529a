import { Button, Group, Select } from '@mantine/core'
import { IconFileDownload } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { saveCsv } from '../../../lib/save-file.ts'
import { SearchField } from '../../../ui/inputs/search-field.tsx'
import { EmptyState } from '../../../ui/frames/states.tsx'
import { MetricsCard } from './metrics-card.tsx'
import { arrangeNodes, metricsRows, ORDERS, type NodeMetrics } from './metrics.rules.ts'
import classes from './metrics.module.css'

interface Props {
  nodes: readonly NodeMetrics[]
  readAt: number
  /** The last read failed: everything is as of the one before. */
  isBehind: boolean
}

/** Every node in detail; what is looked for, and in which order, stands in the address. */
export function MetricsGrid({ nodes, readAt, isBehind }: Props) {
  const { t } = useTranslation('node-metrics')
  const search: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()
  const text = typeof search['search'] === 'string' ? search['search'] : ''
  const order = ORDERS.find((one) => one === search['sort']) ?? 'list'
  const shown = arrangeNodes(nodes, text, order)
  const set = (change: Record<string, string | undefined>) =>
    void navigate({ to: '.', search: (old) => ({ ...old, ...change }), replace: true })

  function exportCsv(): void {
    const heads = [t('csvHead.node'), t('csvHead.direction'), t('tag'), t('upload'), t('download'), t('csvHead.asOf')]
    const words = { inbound: t('inbounds'), outbound: t('outbounds') }
    saveCsv(`nodes-metrics-${new Date().toISOString().slice(0, 10)}.csv`, metricsRows(shown, heads, words))
  }
  return (
    <section aria-label={t('grid')}>
      <Group gap="xs" mb="sm">
        <SearchField
          className={classes['search']!}
          label={t('search')}
          initial={text}
          onSearch={(next) => set({ search: next === '' ? undefined : next })}
        />
        <Select
          size="sm"
          w={190}
          aria-label={t('sort')}
          allowDeselect={false}
          data={ORDERS.map((value) => ({ value, label: t(`order.${value}`) }))}
          value={order}
          onChange={(value) => set({ sort: value === 'list' || value === null ? undefined : value })}
        />
        <Button
          variant="default"
          ms="auto"
          disabled={shown.length === 0}
          leftSection={<IconFileDownload size={16} aria-hidden />}
          onClick={exportCsv}
        >
          {t('csv')}
        </Button>
      </Group>
      {shown.length === 0 && <EmptyState title={t('nothing')} />}
      <div className={classes['grid']}>
        {shown.map((node) => (
          <MetricsCard key={node.uuid} node={node} asOf={isBehind ? new Date(readAt).toISOString() : undefined} />
        ))}
      </div>
    </section>
  )
}
