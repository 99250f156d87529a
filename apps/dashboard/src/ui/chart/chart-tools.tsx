import { Button, Group, MultiSelect, SegmentedControl } from '@mantine/core'
import { IconChartBar, IconTable } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { ReactNode } from 'react'
import type { ChartMode } from './chart-options.ts'
import type { ChartSeries } from './chart-series.ts'

interface Props {
  /** The label of the filter by series; absent where there is only one series. */
  filterLabel: string | undefined
  /** All that can be asked for. */
  series: readonly ChartSeries[]
  /** Keys of those that are; none for all. */
  wanted: string[]
  mode: ChartMode
  isTable: boolean
  onWanted: (keys: string[]) => void
  onMode: (mode: ChartMode) => void
  onTable: (isTable: boolean) => void
  /** The export menu of the chart. */
  children: ReactNode
}

/** How the figures of a chart are looked at: beside or upon each other, which of them, as bars or as a table. */
export function ChartTools({ filterLabel, series, wanted, mode, isTable, onWanted, onMode, onTable, children }: Props) {
  const { t } = useTranslation('chart')
  return (
    <Group gap="xs">
      {filterLabel !== undefined && (
        <>
          <SegmentedControl
            size="xs"
            aria-label={t('mode.label')}
            value={mode}
            onChange={onMode}
            data={[
              { value: 'stacked', label: t('mode.stacked') },
              { value: 'grouped', label: t('mode.grouped') },
            ]}
          />
          <MultiSelect
            size="xs"
            flex="1 1 180px"
            aria-label={filterLabel}
            placeholder={wanted.length === 0 ? filterLabel : ''}
            data={series.map(({ key, name }) => ({ value: key, label: name }))}
            value={wanted}
            onChange={onWanted}
            searchable
            clearable
          />
        </>
      )}
      <Button
        size="xs"
        variant="default"
        aria-pressed={isTable}
        leftSection={isTable ? <IconChartBar size={16} /> : <IconTable size={16} />}
        onClick={() => onTable(!isTable)}
      >
        {isTable ? t('view.chart') : t('view.table')}
      </Button>
      {children}
    </Group>
  )
}
