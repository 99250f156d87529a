import type { TFunction } from 'i18next'
import { dayTotals, tooltipEntries } from './chart-series.ts'
import { chartTooltip } from './chart-tooltip.ts'
import { periodName, type ChartFigures, type ChartLine, type ChartUnit } from './chart-unit.ts'

export type ChartMode = 'stacked' | 'grouped'

/** Colours and font of the page around the canvas, as CSS writes them. */
interface ChartColors {
  font: string
  dimmed: string
  border: string
  ink: string
  surface: string
}

interface Drawn {
  mode: ChartMode
  /** The series that stands out; the others step back. */
  highlighted: string | undefined
  looks: ChartColors
  locale: string
  t: TFunction<'chart'>
}

/** Patterns tell bars apart without colour. With very many series they would only be noise. */
const MOST_PATTERNED_SERIES = 12
/** More bars than these are drawn as one shape per series, in a sixth of the time. No bar can have a style of its own then. */
const MOST_SINGLE_BARS = 2000
const DIMMED = 0.12
/** A bar that still grows is a dashed outline, and its inside a shade. */
const RUNNING = 0.45
/** More points than these would be a rope of beads. */
const MOST_MARKED_POINTS = 31

/** Options of the drawing library for these figures. */
export function chartOptions(figures: ChartFigures, { mode, highlighted, looks, locale, t }: Drawn) {
  const { days, series, unit, line, running, colorOf } = figures
  const { dimmed, border, ink, surface } = looks
  const isStacked = mode === 'stacked'
  const totals = dayTotals(series, days.length)
  const largest = Math.max(0, ...(isStacked ? totals : series.flatMap(({ values }) => values)))
  const areMany = series.length > MOST_PATTERNED_SERIES && series.length * days.length > MOST_SINGLE_BARS
  const isDimmed = (key: string) => highlighted !== undefined && highlighted !== key
  const splitLine = { lineStyle: { color: border, opacity: 0.6 } }
  return {
    animation: false,
    textStyle: { fontFamily: looks.font },
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
      formatter: (shown: { dataIndex: number }[]) => tooltipOf(figures, totals, shown[0]?.dataIndex ?? 0, locale, t),
    },
    xAxis: {
      type: 'category',
      data: days.map((day) => periodName(day, unit, locale, 'axis')),
      axisTick: { show: false },
      axisLine: { lineStyle: { color: border } },
      axisLabel: { color: dimmed, hideOverlap: true },
    },
    yAxis: [
      { ...axisOf(unit, largest, dimmed, locale), splitLine },
      ...(line
        ? [
            {
              ...axisOf(line.unit, Math.max(0, ...line.values), dimmed, locale),
              position: 'right',
              splitLine: { show: false },
            },
          ]
        : []),
    ],
    series: [
      ...series.map(({ key, name, values }) => ({
        type: 'bar',
        name,
        ...(isStacked ? { stack: 'day' } : {}),
        data: values.map((value, place) =>
          place === running && value > 0 && !areMany ? { value, itemStyle: outline(colorOf(key), isDimmed(key)) } : value,
        ),
        large: areMany,
        largeThreshold: 0,
        barCategoryGap: '25%',
        barMaxWidth: 56,
        itemStyle: { color: colorOf(key), opacity: isDimmed(key) ? DIMMED : 1 },
        emphasis: { disabled: true },
        cursor: 'pointer',
      })),
      ...(areMany && isStacked && running !== undefined ? [veilOf(totals, running, surface, ink)] : []),
      ...(line ? [lineOf(line, ink)] : []),
    ],
  }
}

function tooltipOf(
  { days, series, unit, line, running, colorOf }: ChartFigures,
  totals: readonly number[],
  day: number,
  locale: string,
  t: TFunction<'chart'>,
): HTMLElement {
  const { entries, more } = tooltipEntries(series, day, unit.smallestEntry)
  const title = periodName(days[day] ?? '', unit, locale, 'title')
  return chartTooltip({
    title: day === running ? t('soFar', { period: title }) : title,
    total: unit.format(totals[day] ?? 0, locale),
    entries: entries.map(({ key, name, value }) => ({ name, value: unit.format(value, locale), color: colorOf(key) })),
    aside: line && { name: line.name, value: line.unit.format(line.values[day] ?? 0, locale) },
    more: more > 0 ? t('more', { count: more }) : undefined,
  })
}

/** An axis that ends with the first of its marks at or above the largest figure. */
function axisOf(unit: ChartUnit, largest: number, color: string, locale: string) {
  const step = unit.step(largest)
  return {
    type: 'value',
    interval: step,
    max: Math.max(step, Math.ceil(largest / step) * step),
    axisLabel: { color, formatter: (value: number) => unit.formatAxis(value, locale) },
  }
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
