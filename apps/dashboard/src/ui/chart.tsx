import {
  Alert,
  Button,
  Center,
  Group,
  Loader,
  MultiSelect,
  SegmentedControl,
  Stack,
  Text,
  useComputedColorScheme,
} from '@mantine/core'
import { IconChartBar, IconTable } from '@tabler/icons-react'
import { Suspense, useCallback, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ChartMode } from './chart-canvas.tsx'
import { lazyPart } from '../lib/fetch-code.ts'
import { ChartDayModal } from './chart-day-modal.tsx'
import { ChartExportMenu } from './chart-export-menu.tsx'
import { ChartLegend } from './chart-legend.tsx'
import { pickSeries, seriesColor, type ChartSeries } from './chart-series.ts'
import { BYTES_BY_DAY, type ChartLine, type ChartUnit } from './chart-unit.ts'
import { ChartTable } from './chart-table.tsx'
import './chart.css'

// The drawing library is large and is fetched when the first chart is opened.
const ChartCanvas = lazyPart(async () => (await import('./chart-canvas.tsx')).ChartCanvas)

interface Props {
  /** What the figures are, such as 'Traffic by node'. */
  label: string
  /** Days as YYYY-MM-DD, or instants at which hours begin; without gaps. */
  days: readonly string[]
  series: readonly ChartSeries[]
  /** Bytes by day where nothing else is said. */
  unit?: ChartUnit
  /** Figures of another kind over the same days, with a scale of their own on the right. */
  line?: ChartLine
  /** What the filter by series is called; none where there is only one series, which needs no legend either. */
  filterLabel?: string
  /** Which bar is not over yet and is drawn dashed. */
  running?: number
  /** Where the legend would be longer than the chart it is opened by those who want it. */
  isLegendClosed?: boolean
  /** Over long periods draw only the ten largest: for users, of whom there are many. */
  isTopOnlyWhenLong?: boolean
  /** Entries that are not even among the series, because the server sends the largest only. */
  leftOutElsewhere?: number
  height?: number
  emptyText?: string
  allSmallText?: string
}

/** Figures per day or month as bars: the one chart of all pages and drawers. Its state goes when it is closed. */
export function Chart(props: Props) {
  const {
    label,
    days,
    series,
    unit = BYTES_BY_DAY,
    line,
    filterLabel,
    running,
    isLegendClosed = false,
    isTopOnlyWhenLong = false,
    leftOutElsewhere = 0,
    height = 400,
    ...texts
  } = props
  const { t } = useTranslation('chart')
  const [mode, setMode] = useState<ChartMode>('stacked')
  const [isTable, setTable] = useState(false)
  const [wanted, setWanted] = useState<string[]>([])
  const [highlighted, setHighlighted] = useState<string>()
  const [openDay, setOpenDay] = useState<number>()
  const pictureRef = useRef<() => string>(undefined)

  const picked = useMemo(
    () => pickSeries(series, days.length, isTopOnlyWhenLong, unit.smallestSeries),
    [series, days.length, isTopOnlyWhenLong, unit],
  )
  const places = useMemo(() => new Map(picked.drawn.map(({ key }, i) => [key, i])), [picked])
  // By the place among all series: a filter must not change anybody's colour.
  const scheme = useComputedColorScheme('dark')
  const colorOf = useCallback((key: string) => seriesColor(places.get(key) ?? 0, scheme), [places, scheme])
  const shown = useMemo(
    () => (wanted.length === 0 ? picked.drawn : picked.drawn.filter(({ key }) => wanted.includes(key))),
    [picked, wanted],
  )
  const leftOut = picked.leftOut + leftOutElsewhere
  const marked = shown.some(({ key }) => key === highlighted) ? highlighted : undefined

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
      <Group gap="xs">
        {filterLabel !== undefined && (
          <SegmentedControl
            size="xs"
            aria-label={t('mode.label')}
            value={mode}
            // The control offers the two modes and nothing else.
            onChange={(value) => setMode(value as ChartMode)}
            data={[
              { value: 'stacked', label: t('mode.stacked') },
              { value: 'grouped', label: t('mode.grouped') },
            ]}
          />
        )}
        {filterLabel !== undefined && (
          <MultiSelect
            size="xs"
            flex="1 1 180px"
            aria-label={filterLabel}
            placeholder={wanted.length === 0 ? filterLabel : ''}
            data={picked.drawn.map(({ key, name }) => ({ value: key, label: name }))}
            value={wanted}
            onChange={setWanted}
            searchable
            clearable
          />
        )}
        <Button
          size="xs"
          variant="default"
          aria-pressed={isTable}
          leftSection={isTable ? <IconChartBar size={16} /> : <IconTable size={16} />}
          onClick={() => setTable(!isTable)}
        >
          {isTable ? t('view.chart') : t('view.table')}
        </Button>
        <ChartExportMenu
          label={label}
          days={days}
          series={wanted.length === 0 ? series : shown}
          unit={unit}
          line={line}
          colorOf={colorOf}
          pictureRef={pictureRef}
          isTable={isTable}
        />
      </Group>
      {isTable ? (
        <ChartTable
          label={label}
          days={days}
          series={shown}
          unit={unit}
          line={line}
          running={running}
          height={height}
          onDay={setOpenDay}
        />
      ) : (
        <Suspense
          fallback={
            <Center h={height}>
              <Loader size="sm" />
            </Center>
          }
        >
          <ChartCanvas
            label={label}
            days={days}
            series={shown}
            unit={unit}
            line={line}
            colorOf={colorOf}
            highlighted={marked}
            mode={mode}
            running={running}
            height={height}
            pictureRef={pictureRef}
            onDay={setOpenDay}
          />
        </Suspense>
      )}
      {line && !isTable && <span className="chart-second-scale">{t('secondScale', { name: line.name })}</span>}
      {filterLabel !== undefined && (
        <ChartLegend
          isClosed={isLegendClosed}
          series={shown}
          unit={unit}
          colorOf={colorOf}
          highlighted={marked}
          onHighlight={(key) => setHighlighted(key === marked ? undefined : key)}
        />
      )}
      {leftOut > 0 && (
        <Alert p="xs" variant="default">
          {t('leftOut', { count: leftOut })}
        </Alert>
      )}
      <ChartDayModal
        days={days}
        series={shown}
        unit={unit}
        line={line}
        running={running}
        colorOf={colorOf}
        day={openDay}
        onDayChange={setOpenDay}
      />
    </Stack>
  )
}
