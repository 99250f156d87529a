import { Alert, Center, Loader, Stack, Text, useComputedColorScheme } from '@mantine/core'
import { Suspense, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyPart } from '../../lib/fetch-code.ts'
import { ChartDayModal } from './chart-day-modal.tsx'
import { ChartExportMenu } from './chart-export-menu.tsx'
import { ChartLegend } from './chart-legend.tsx'
import type { ChartMode } from './chart-options.ts'
import { pickSeries, seriesColor } from './chart-series.ts'
import { ChartTable } from './chart-table.tsx'
import { ChartTools } from './chart-tools.tsx'
import { BYTES_BY_DAY, type ChartFigures } from './chart-unit.ts'
import './chart.css'

// The drawing library is large and is fetched when the first chart is opened.
const ChartCanvas = lazyPart(async () => (await import('./chart-canvas.tsx')).ChartCanvas)

interface Props
  extends Pick<ChartFigures, 'label' | 'days' | 'series'>, Partial<Pick<ChartFigures, 'unit' | 'line' | 'running'>> {
  /** The label of the filter by series; absent where there is only one series, which needs no legend either. */
  filterLabel?: string
  /** A legend longer than the chart starts collapsed. */
  isLegendClosed?: boolean
  /** Draws only the ten largest over long periods: for users, of which there are many. */
  isTopOnlyWhenLong?: boolean
  /** Entries that are not even among the series, because the server sends the largest only. */
  leftOutElsewhere?: number
  /** Hears which series are chosen; none means all. */
  onFilter?: (keys: readonly string[]) => void
  height?: number
  emptyText?: string
  allSmallText?: string
}

/** Figures per day or month as bars, bytes by day where nothing else is said: the one chart of all pages and drawers. Its state goes when it is closed. */
export function Chart({
  label,
  days,
  series,
  unit = BYTES_BY_DAY,
  line,
  running,
  filterLabel,
  isLegendClosed = false,
  isTopOnlyWhenLong = false,
  leftOutElsewhere = 0,
  onFilter,
  height = 400,
  ...texts
}: Props) {
  const { t } = useTranslation('chart')
  const [mode, setMode] = useState<ChartMode>('stacked')
  const [isTable, setTable] = useState(false)
  const [wanted, setWanted] = useState<string[]>([])
  const [highlighted, setHighlighted] = useState<string>()
  const [openDay, setOpenDay] = useState<number>()
  const pictureRef = useRef<() => string>(undefined)
  const scheme = useComputedColorScheme('dark')

  const picked = useMemo(
    () => pickSeries(series, days.length, isTopOnlyWhenLong, unit.smallestSeries),
    [series, days.length, isTopOnlyWhenLong, unit],
  )
  // The canvas is drawn anew with other figures, and with nothing else.
  const shown = useMemo((): ChartFigures => {
    // By the index among all series: a filter must not change any colour.
    const places = new Map(picked.drawn.map(({ key }, i) => [key, i]))
    const colorOf = (key: string) => seriesColor(places.get(key) ?? 0, scheme)
    const chosen = wanted.length === 0 ? picked.drawn : picked.drawn.filter(({ key }) => wanted.includes(key))
    return { label, days, series: chosen, unit, line, running, colorOf }
  }, [label, days, picked, unit, line, running, wanted, scheme])
  const leftOut = picked.leftOut + leftOutElsewhere
  const marked = shown.series.some(({ key }) => key === highlighted) ? highlighted : undefined

  if (series.length === 0 || picked.areAllSmall) {
    const text = picked.areAllSmall ? (texts.allSmallText ?? t('allSmall')) : (texts.emptyText ?? t('empty'))
    return (
      <Center h={height}>
        <Text c="dimmed">{text}</Text>
      </Center>
    )
  }
  return (
    <Stack gap="xs">
      <ChartTools
        filterLabel={filterLabel}
        series={picked.drawn}
        wanted={wanted}
        mode={mode}
        isTable={isTable}
        onWanted={(keys) => {
          setWanted(keys)
          onFilter?.(keys)
        }}
        onMode={setMode}
        onTable={setTable}
      >
        <ChartExportMenu figures={wanted.length === 0 ? { ...shown, series } : shown} pictureRef={pictureRef} isTable={isTable} />
      </ChartTools>
      {isTable ? (
        <ChartTable figures={shown} height={height} onDay={setOpenDay} />
      ) : (
        <Suspense
          fallback={
            <Center h={height}>
              <Loader size="sm" />
            </Center>
          }
        >
          <ChartCanvas
            figures={shown}
            highlighted={marked}
            mode={mode}
            height={height}
            pictureRef={pictureRef}
            onDay={setOpenDay}
          />
        </Suspense>
      )}
      {line && !isTable && <span className="chart-second-scale">{t('secondScale', { name: line.name })}</span>}
      {filterLabel !== undefined && (
        <ChartLegend
          figures={shown}
          isClosed={isLegendClosed}
          highlighted={marked}
          onHighlight={(key) => setHighlighted(key === marked ? undefined : key)}
        />
      )}
      {leftOut > 0 && (
        <Alert p="xs" variant="default">
          {t('leftOut', { count: leftOut })}
        </Alert>
      )}
      <ChartDayModal figures={shown} day={openDay} onDayChange={setOpenDay} />
    </Stack>
  )
}
