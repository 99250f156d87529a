import { Alert, Select, Skeleton, Stack, Text } from '@mantine/core'
import { useMemo, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ChartSeries } from '../chart/chart-series.ts'
import { BYTES_BY_DAY, type ChartUnit } from '../chart/chart-unit.ts'
import { Chart } from '../chart/chart.tsx'
import { PageSection } from '../frames/page-section.tsx'
import { EmptyState, ErrorState } from '../frames/states.tsx'
import { CompareTable, type ComparedColumn, type ComparedThing } from './compare-table.tsx'
import { MOST_COMPARED } from './compare.rules.ts'
import classes from './compare.module.css'
import type { Compared } from './use-compared.ts'

/** Figures by day of some of the things; a thing that has none yet is left out. */
export interface Measure {
  title: string
  unit: ChartUnit
  valuesOf: (id: string) => readonly number[] | undefined
  /** The one figure for all days of a thing. */
  totalOf: (values: readonly number[]) => number
}

interface Props {
  compared: Compared
  periods: readonly number[]
  /** In the order of the address. */
  things: readonly ComparedThing[]
  /** The days of all charts; undefined until they are known. */
  days: readonly string[] | undefined
  /** The first is the traffic, of which the table tells. */
  measures: readonly [Measure, ...Measure[]]
  columns: readonly ComparedColumn[]
  /** Finds another thing to add. */
  picker: ReactNode
  /** Shown while nothing is chosen. */
  empty: { title: string; hint: string }
  error: Error | null
  onRetry: () => void
}

const CHART_HEIGHT = 320

/** Things side by side over one period: a chart for each measure, and a table whose figures are those of the charts. */
export function Comparison({ compared, periods, things, days, measures, columns, picker, empty, error, onRetry }: Props) {
  const { t } = useTranslation('compare')
  const [traffic] = measures
  const [first] = things
  return (
    <>
      <div className={classes['tools']}>
        {picker}
        <Select
          aria-label={t('period')}
          data={periods.map((count) => ({ value: String(count), label: t('days', { count }) }))}
          value={String(compared.days)}
          onChange={(value) => compared.choose(Number(value))}
          allowDeselect={false}
          w={130}
        />
        {things.length === MOST_COMPARED && (
          <Text size="xs" c="dimmed">
            {t('full')}
          </Text>
        )}
      </div>
      {!first && <EmptyState sketch="chart" title={empty.title} hint={empty.hint} />}
      {first && error && !days && <ErrorState error={error} onRetry={onRetry} />}
      {first && !error && !days && <Skeleton height={CHART_HEIGHT * 2} aria-busy />}
      {first && days && (
        <>
          {things.length === 1 && (
            <Alert variant="default" mb="md" p="xs">
              {t('one', { name: first.name })}
            </Alert>
          )}
          <CompareTable things={things} days={days} valuesOf={traffic.valuesOf} columns={columns} compared={compared} />
          <Stack gap="md">
            {measures.map((measure) => (
              <PageSection key={measure.title} title={measure.title}>
                <MeasureChart measure={measure} things={things} days={days} ids={compared.ids} />
              </PageSection>
            ))}
          </Stack>
        </>
      )}
    </>
  )
}

interface ChartProps {
  measure: Measure
  things: readonly ComparedThing[]
  days: readonly string[]
  ids: readonly string[]
}

function MeasureChart({ measure: { title, unit, valuesOf, totalOf }, things, days, ids }: ChartProps) {
  const { t } = useTranslation('compare')
  const series = useMemo(
    () =>
      things.flatMap(({ id, name }): ChartSeries[] => {
        const values = valuesOf(id)
        return values ? [{ key: id, name, values, total: totalOf(values) }] : []
      }),
    [things, valuesOf, totalOf],
  )
  // One that had nothing is a line at nought among others, and no chart by itself.
  const hasAny = series.some(({ total }) => total > 0)
  const drawnUnit = useMemo(() => ({ ...unit, smallestSeries: hasAny ? 0 : 1, smallestEntry: -1 }), [unit, hasAny])
  return (
    <Chart
      label={title}
      days={days}
      series={series}
      unit={drawnUnit}
      running={days.length - 1}
      filterLabel={title}
      isQuiet
      isCompared
      hueOrder={ids}
      height={CHART_HEIGHT}
      emptyText={t('nothing')}
      allSmallText={t('nothing')}
    />
  )
}

export const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)

/** Of the days that are over: the running one would make it less than it is. */
export const meanOf = (values: readonly number[]) => sumOf(values.slice(0, -1)) / Math.max(1, values.length - 1)

export const TRAFFIC: Pick<Measure, 'unit' | 'totalOf'> = { unit: BYTES_BY_DAY, totalOf: sumOf }
