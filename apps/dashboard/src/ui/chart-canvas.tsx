import { BarChart, LineChart } from 'echarts/charts'
import { AriaComponent, GridComponent, TooltipComponent } from 'echarts/components'
import * as echarts from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'
import { useEffect, useRef, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { dayTotals, tooltipEntries, type ChartSeries } from './chart-series.ts'
import { chartTooltip } from './chart-tooltip.ts'
import { periodName, type ChartLine, type ChartUnit } from './chart-unit.ts'

echarts.use([BarChart, LineChart, GridComponent, TooltipComponent, AriaComponent, CanvasRenderer])

const SUMMARIES = { hour: 'summaryByHour', day: 'summary', month: 'summaryByMonth' } as const

export type ChartMode = 'stacked' | 'grouped'

interface Props {
  label: string
  days: readonly string[]
  series: readonly ChartSeries[]
  unit: ChartUnit
  line: ChartLine | undefined
  colorOf: (key: string) => string
  highlighted: string | undefined
  mode: ChartMode
  /** Which bar is still growing. */
  running: number | undefined
  height: number
  /** Gives what is drawn as the address of a picture, for those who take it along. */
  pictureRef: RefObject<(() => string) | undefined>
  onDay: (day: number) => void
}

/** Patterns tell bars apart without colour. With very many series they would only be noise. */
const MOST_PATTERNED_SERIES = 12
/** More bars than these are drawn as one shape for each series, in a sixth of the time, and no bar has a look of its own then. */
const MOST_SINGLE_BARS = 2000
const DIMMED = 0.12
/** A bar that still grows is a dashed outline, and its inside a shade. */
const RUNNING = 0.45
const PICTURE_SCALE = 2
/** More points than these would be a rope of beads. */
const MOST_MARKED_POINTS = 31

export function ChartCanvas(props: Props) {
  const { label, days, series, unit, line, colorOf, highlighted, mode, running, height, pictureRef, onDay } = props
  const { t, i18n } = useTranslation('chart')
  const box = useRef<HTMLDivElement>(null)
  const chart = useRef<echarts.ECharts>(undefined)
  const click = useRef(onDay)

  // The canvas lives outside React: made once, sized with its box, thrown away with it.
  useEffect(() => {
    if (!box.current) return
    const made = echarts.init(box.current, null, { renderer: 'canvas' })
    chart.current = made
    pictureRef.current = () => made.getDataURL({ type: 'png', pixelRatio: PICTURE_SCALE })
    made.getZr().on('click', ({ offsetX, offsetY }) => {
      if (!made.containPixel('grid', [offsetX, offsetY])) return
      const [day] = made.convertFromPixel('grid', [offsetX, offsetY])
      if (day !== undefined) click.current(day)
    })
    const observer = new ResizeObserver(() => made.resize())
    observer.observe(box.current)
    return () => {
      observer.disconnect()
      pictureRef.current = undefined
      made.dispose()
    }
  }, [pictureRef])

  // Hands what is to be drawn over to the canvas.
  useEffect(() => {
    click.current = onDay
    const style = box.current ? getComputedStyle(box.current) : undefined
    const text = style?.getPropertyValue('--mantine-color-dimmed') ?? '#999'
    const rule = style?.getPropertyValue('--mantine-color-default-border') ?? '#333'
    const ink = style?.getPropertyValue('--mantine-color-text') ?? '#fff'
    const surface = style?.getPropertyValue('--surface-panel') ?? '#000'
    const areMany = series.length > MOST_PATTERNED_SERIES && series.length * days.length > MOST_SINGLE_BARS
    const locale = i18n.language
    const totals = dayTotals(series, days.length)
    const largest = mode === 'stacked' ? Math.max(0, ...totals) : Math.max(0, ...series.flatMap(({ values }) => values))
    const step = unit.step(largest)
    const axisOf = (measured: ChartUnit, most: number, distance: number) => ({
      type: 'value',
      interval: distance,
      max: Math.max(distance, Math.ceil(most / distance) * distance),
      axisLabel: { color: text, formatter: (value: number) => measured.formatAxis(value, locale) },
    })
    const peak = Math.max(0, ...(line?.values ?? []))
    const unmarked = (key: string) => highlighted !== undefined && highlighted !== key
    chart.current?.setOption(
      {
        animation: false,
        textStyle: { fontFamily: style?.fontFamily ?? 'sans-serif' },
        aria: {
          enabled: true,
          label: { enabled: false },
          decal: { show: series.length > 1 && series.length <= MOST_PATTERNED_SERIES },
        },
        grid: { left: 8, right: 8, top: 12, bottom: 4, outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' },
        tooltip: {
          trigger: 'axis',
          axisPointer: { type: 'shadow' },
          confine: true,
          padding: 0,
          borderWidth: 0,
          backgroundColor: 'transparent',
          transitionDuration: 0,
          // Names are typed by people: nodes of the document, never markup.
          formatter: (shown: { dataIndex: number }[]) => {
            const day = shown[0]?.dataIndex ?? 0
            const { entries, more } = tooltipEntries(series, day, unit.smallestEntry)
            const title = periodName(days[day] ?? '', unit, locale, 'title')
            return chartTooltip({
              title: day === running ? t('soFar', { period: title }) : title,
              total: unit.format(totals[day] ?? 0, locale),
              entries: entries.map(({ key, name, bytes }) => ({
                name,
                value: unit.format(bytes, locale),
                color: colorOf(key),
              })),
              aside: line && { name: line.name, value: line.unit.format(line.values[day] ?? 0, locale) },
              more: more > 0 ? t('more', { count: more }) : undefined,
            })
          },
        },
        xAxis: {
          type: 'category',
          data: days.map((day) => periodName(day, unit, locale, 'axis')),
          axisTick: { show: false },
          axisLine: { lineStyle: { color: rule } },
          axisLabel: { color: text, hideOverlap: true },
        },
        yAxis: [
          { ...axisOf(unit, largest, step), splitLine: { lineStyle: { color: rule, opacity: 0.6 } } },
          ...(line ? [{ ...axisOf(line.unit, peak, line.unit.step(peak)), position: 'right', splitLine: { show: false } }] : []),
        ],
        series: [
          ...series.map(({ key, name, values }) => ({
            type: 'bar',
            name,
            ...(mode === 'stacked' ? { stack: 'day' } : {}),
            data: values.map((value, place) =>
              place === running && value > 0 && !areMany ? { value, itemStyle: outline(colorOf(key), unmarked(key)) } : value,
            ),
            large: areMany,
            largeThreshold: 0,
            barCategoryGap: '25%',
            barMaxWidth: 56,
            itemStyle: {
              color: colorOf(key),
              opacity: unmarked(key) ? DIMMED : 1,
            },
            emphasis: { disabled: true },
            cursor: 'pointer',
          })),
          ...(areMany && mode === 'stacked' && running !== undefined ? [veilOf(totals, running, surface, ink)] : []),
          ...(line ? [lineOf(line, ink)] : []),
        ],
      },
      { notMerge: true },
    )
  }, [days, series, unit, line, colorOf, highlighted, mode, running, onDay, t, i18n.language])

  const total = series.reduce((sum, one) => sum + one.total, 0)
  const summaryName = unit.isPeak ? 'summaryOfPeaks' : unit.isMean ? 'summaryOfMeans' : SUMMARIES[unit.period]
  const summary = { label, count: series.length, days: days.length, total: unit.format(total, i18n.language) }
  return (
    <div
      ref={box}
      role="img"
      aria-label={t(summaryName, summary)}
      // Time and figures run from left to right in charts of every language.
      dir="ltr"
      // Until the canvas has followed a narrower window, it must not make the page wider.
      style={{ height, width: '100%', overflow: 'hidden', cursor: 'pointer' }}
    />
  )
}

/** Over the bars, dotted, so that it is not taken for the edge of one. */
function lineOf({ name, values }: ChartLine, color: string) {
  return {
    type: 'line',
    name,
    yAxisIndex: 1,
    data: [...values],
    symbol: 'circle',
    symbolSize: 4,
    showSymbol: values.length <= MOST_MARKED_POINTS,
    lineStyle: { color, width: 1.5, type: 'dotted' },
    itemStyle: { color },
    emphasis: { disabled: true },
    cursor: 'pointer',
    z: 5,
  }
}

/** Where no bar has a look of its own, what still grows is behind a veil with a dashed edge. */
function veilOf(totals: readonly number[], running: number, surface: string, ink: string) {
  return {
    type: 'bar',
    stack: 'running',
    barGap: '-100%', // over the others instead of beside them
    data: totals.map((total, place) => (place === running && total > 0 ? total : null)),
    itemStyle: { color: surface, opacity: 1 - RUNNING, borderColor: ink, borderWidth: 1.5, borderType: 'dashed' },
    emphasis: { disabled: true },
    cursor: 'pointer',
    z: 4,
  }
}

function outline(color: string, isDimmed: boolean) {
  return { color, opacity: isDimmed ? DIMMED : RUNNING, borderColor: color, borderWidth: 1.5, borderType: 'dashed' }
}
