import { Alert, Button, Center, Group, Loader, Stack, Text, useComputedColorScheme } from '@mantine/core'
import { IconZoomReset } from '@tabler/icons-react'
import { Suspense, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyPart } from '../../lib/fetch-code.ts'
import { ChartDayModal } from './chart-day-modal.tsx'
import { ChartExportMenu } from './chart-export-menu.tsx'
import { ChartLegend } from './chart-legend.tsx'
import type { ChartMode } from './chart-options.ts'
import type { Drawing } from './chart-canvas.tsx'
import { foldSeries, MOST_HUES, pickSeries, seriesColors } from './chart-series.ts'
import { cutTo, spanOf, type ChartSpan } from './chart-span.ts'
import { ChartTable } from './chart-table.tsx'
import { ChartTools } from './chart-tools.tsx'
import { ChartWalk } from './chart-walk.tsx'
import { BYTES_BY_DAY, periodName, type ChartFigures, type ChartUnit } from './chart-unit.ts'
import './chart.css'

// The drawing library is large and is fetched when the first chart is opened.
const ChartCanvas = lazyPart(async () => (await import('./chart-canvas.tsx')).ChartCanvas)

interface Props
  extends Pick<ChartFigures, 'label' | 'days' | 'series'>, Partial<Pick<ChartFigures, 'unit' | 'line' | 'before' | 'running'>> {
  /** The label of the filter by series; absent where there is only one series, which needs no legend either. */
  filterLabel?: string
  /** Without choices of series and bars, and the other tools beside the names: for a chart among other things. */
  isQuiet?: boolean
  /** A drawing alone: nothing in it is opened or walked through. */
  isStill?: boolean
  /** Draws only the ten largest over long periods: for users, of which there are many. */
  isTopOnlyWhenLong?: boolean
  /** The series are compared, not added up: as lines. */
  isCompared?: boolean
  /** Keys in the order in which they take their hues, so that charts beside each other agree; by default the largest first. */
  hueOrder?: readonly string[]
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
  unit = BYTES_BY_DAY,
  filterLabel,
  isQuiet = false,
  isStill = false,
  isTopOnlyWhenLong = false,
  isCompared = false,
  hueOrder,
  leftOutElsewhere = 0,
  onFilter,
  height = 400,
  ...whole
}: Props) {
  const { t } = useTranslation('chart')
  const [mode, setMode] = useState<ChartMode>(isCompared ? 'lines' : 'stacked')
  const [isTable, setTable] = useState(false)
  const [wanted, setWanted] = useState<string[]>([])
  const [highlighted, setHighlighted] = useState<string>()
  const [isLegendOpen, setLegendOpen] = useState(true)
  const [openDay, setOpenDay] = useState<number>()
  // Of other days nothing is chosen yet.
  const [chosen, setChosen] = useState<ChartSpan & { of: readonly string[] }>()
  const span = chosen?.of === whole.days ? chosen : undefined
  const drawingRef = useRef<Drawing>(undefined)
  const scheme = useComputedColorScheme('dark')

  const { days, series, line, before, running } = useMemo(
    () =>
      cutTo(
        { days: whole.days, series: whole.series, line: whole.line, before: whole.before, running: whole.running },
        unit,
        span,
      ),
    [whole.days, whole.series, whole.line, whole.before, whole.running, unit, span],
  )
  const picked = useMemo(
    () => pickSeries(series, days.length, isTopOnlyWhenLong, unit.smallestSeries),
    [series, days.length, isTopOnlyWhenLong, unit],
  )
  // The canvas is drawn anew with other figures, and with nothing else.
  const shown = useMemo((): ChartFigures => {
    const colorOf = seriesColors(
      hueOrder ?? picked.drawn.map(({ key }) => key),
      highlighted === undefined ? wanted : [...wanted, highlighted],
      scheme,
    )
    const chosen = wanted.length === 0 ? picked.drawn : picked.drawn.filter(({ key }) => wanted.includes(key))
    const others = t('others', { count: chosen.length - MOST_HUES })
    const drawn = foldSeries(chosen, others, highlighted)
    return { label, days, series: chosen, drawn, unit, line, before: wanted.length === 0 ? before : undefined, running, colorOf }
  }, [label, days, picked, unit, line, before, running, wanted, highlighted, hueOrder, scheme, t])
  function choose(one: number, other: number): void {
    const next = spanOf(one, other, days.length - 1)
    const start = span?.from ?? 0
    if (next) setChosen({ from: start + next.from, to: start + next.to, of: whole.days })
  }
  const leftOut = picked.leftOut + leftOutElsewhere
  const marked = shown.series.some(({ key }) => key === highlighted) ? highlighted : undefined

  if (series.length === 0 || (picked.areAllSmall && !span)) {
    const text = picked.areAllSmall ? (whole.allSmallText ?? t('allSmall')) : (whole.emptyText ?? t('empty'))
    return (
      <Center h={height}>
        <Text c="dimmed">{text}</Text>
      </Center>
    )
  }
  const tools = (
    <ChartTools
      filterLabel={isQuiet ? undefined : filterLabel}
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
      <ChartExportMenu figures={wanted.length === 0 ? { ...shown, series } : shown} drawingRef={drawingRef} isTable={isTable} />
    </ChartTools>
  )
  return (
    <Stack gap="xs">
      {!isQuiet && tools}
      {span && <SpanNote days={days} unit={unit} onReset={() => setChosen(undefined)} />}
      <div className="chart-frame" data-beside={(filterLabel !== undefined && isLegendOpen) || undefined}>
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
            <div className="chart-drawing">
              <ChartCanvas
                figures={shown}
                highlighted={marked}
                mode={mode}
                height={height}
                drawingRef={drawingRef}
                onDay={setOpenDay}
                onSpan={choose}
              />
              {!isStill && (
                <ChartWalk
                  figures={shown}
                  drawingRef={drawingRef}
                  onDay={setOpenDay}
                  onSpan={choose}
                  onReset={span && (() => setChosen(undefined))}
                />
              )}
            </div>
          </Suspense>
        )}
        {filterLabel !== undefined && (
          <div className="chart-side">
            <ChartLegend
              figures={shown}
              isOpen={isLegendOpen}
              onOpen={setLegendOpen}
              highlighted={marked}
              onHighlight={(key) => setHighlighted(key === marked ? undefined : key)}
            />
            {isQuiet && tools}
          </div>
        )}
      </div>
      {line && !line.isBelow && !isTable && <span className="chart-second-scale">{t('secondScale', { name: line.name })}</span>}
      {leftOut > 0 && (
        <Alert p="xs" variant="default">
          {t('leftOut', { count: leftOut })}
        </Alert>
      )}
      {!isStill && <ChartDayModal figures={shown} day={openDay} onDayChange={setOpenDay} />}
    </Stack>
  )
}

/** Which days are shown, and the way back to all of them. */
function SpanNote({ days, unit, onReset }: { days: readonly string[]; unit: ChartUnit; onReset: () => void }) {
  const { t, i18n } = useTranslation('chart')
  const [from, to] = [days[0], days.at(-1)].map((day) => periodName(day ?? '', unit, i18n.language, 'row'))
  return (
    <Group gap="xs">
      <Text size="xs" role="status">
        {t('span.shown', { from, to })}
      </Text>
      <Button size="compact-xs" variant="subtle" leftSection={<IconZoomReset size={14} aria-hidden />} onClick={onReset}>
        {t('span.reset')}
      </Button>
    </Group>
  )
}
