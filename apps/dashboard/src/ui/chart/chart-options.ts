import type { TFunction } from 'i18next'
import { dayTotals, tooltipEntries, type ChartSeries } from './chart-series.ts'
import { chartTooltip } from './chart-tooltip.ts'
import { formatCount, periodName, type ChartFigures, type ChartLine, type ChartUnit } from './chart-unit.ts'

export type ChartMode = 'stacked' | 'grouped' | 'lines'

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
  height: number
  /** Has room for names beside the lines. */
  isWide: boolean
  /** The series that stands out; the others step back. */
  highlighted: string | undefined
  looks: ChartColors
  locale: string
  t: TFunction<'chart'>
}

/** More bars than these have no room for a line of surface between them. */
const MOST_PARTED_BARS = 62
const DIMMED = 0.12
const RUNNING = 0.45
/** More points than these would be a rope of beads. */
const MOST_MARKED_POINTS = 31
/** The part of the height that a panel below the bars takes, and the room of its name. */
const BELOW_PART = 0.3
const BELOW_GAP = 34
const TITLE_ROOM = 28
const BELOW_SIDE = 76
/** The room of a name at the end of its line. */
const NAME_ROOM = 120
/** Between names that would lie upon each other. */
const NAME_GAP = 10

/** Options of the drawing library for these figures. */
export function chartOptions(figures: ChartFigures, { mode, height, isWide, highlighted, looks, locale, t }: Drawn) {
  const { days, series, drawn, unit, line, before, running, colorOf } = figures
  const { dimmed, border, ink, surface } = looks
  const isStacked = mode === 'stacked'
  const isBelow = line?.isBelow ?? false
  const totals = dayTotals(series, days.length)
  const earlier = before && isStacked ? before.values : []
  const largest = Math.max(0, ...(isStacked ? totals : drawn.flatMap(({ values }) => values)), ...earlier)
  const isDimmed = (key: string) => highlighted !== undefined && highlighted !== key
  const splitLine = { lineStyle: { color: border, opacity: 0.6 } }
  // Two panels share their sides, however long the marks of either are.
  const side = isBelow
    ? { left: BELOW_SIDE, right: 8, outerBoundsMode: 'none' }
    : {
        left: 8,
        right: mode === 'lines' && isWide ? NAME_ROOM + 16 : 8,
        outerBoundsMode: 'same',
        outerBoundsContain: 'axisLabel',
      }
  const below = Math.round(height * BELOW_PART)
  const axisOfTime = {
    type: 'category',
    data: days.map((day) => periodName(day, unit, locale, 'axis')),
    axisTick: { show: false },
    axisLine: { lineStyle: { color: border } },
    axisLabel: { color: dimmed, hideOverlap: true },
  }
  const titled = (name: string) => ({
    name,
    nameGap: 14,
    nameTextStyle: { color: dimmed, align: 'left', padding: [0, 0, 0, 2 - BELOW_SIDE] },
  })
  return {
    animation: false,
    textStyle: { fontFamily: looks.font },
    aria: { enabled: true, label: { enabled: false } },
    grid: isBelow
      ? [
          { ...side, top: TITLE_ROOM, bottom: below + BELOW_GAP },
          { ...side, top: height - below, bottom: TITLE_ROOM },
        ]
      : [{ ...side, top: 12, bottom: 4 }],
    ...(isBelow ? { axisPointer: { link: [{ xAxisIndex: 'all' }] } } : {}),
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
    xAxis: isBelow
      ? [
          { ...axisOfTime, axisLabel: { show: false } },
          { ...axisOfTime, gridIndex: 1 },
        ]
      : [axisOfTime],
    yAxis: [
      { ...axisOf(unit, largest, dimmed, locale), splitLine, ...(isBelow ? titled(figures.label) : {}) },
      ...(line
        ? [
            {
              ...axisOf(line.unit, Math.max(0, ...counts(line.values), ...counts(line.before ?? [])), dimmed, locale),
              ...(isBelow
                ? { gridIndex: 1, splitLine, ...titled(line.name) }
                : { position: 'right', splitLine: { show: false } }),
            },
          ]
        : []),
    ],
    series: [
      ...(mode === 'lines' ? drawn : []).flatMap((one) =>
        linesOf(one, running, { color: colorOf(one.key), isDimmed: isDimmed(one.key), hasName: isWide, ink }),
      ),
      ...(mode === 'lines' ? [] : drawn).map(({ key, name, values }) => ({
        type: 'bar',
        name,
        ...(isStacked ? { stack: 'day' } : {}),
        data: values.map((value, place) =>
          place === running && value > 0
            ? { value, itemStyle: unfinished(colorOf(key), isDimmed(key), drawn.length === 1) }
            : value,
        ),
        barCategoryGap: '22%',
        barMaxWidth: 56,
        itemStyle: {
          color: colorOf(key),
          opacity: isDimmed(key) ? DIMMED : 1,
          ...(isStacked && days.length <= MOST_PARTED_BARS ? { borderColor: surface, borderWidth: 0.5 } : {}),
        },
        emphasis: { disabled: true },
        cursor: 'pointer',
      })),
      ...(before && isStacked ? [earlierOf(before.name, before.values, dimmed, 0)] : []),
      ...(line && isBelow ? panelOf(line, ink, dimmed) : line ? [lineOf(line, ink)] : []),
    ],
  }
}

function counts(values: readonly (number | null)[]): number[] {
  return values.map((value) => value ?? 0)
}

function tooltipOf(
  { days, series, unit, line, before, running, colorOf }: ChartFigures,
  totals: readonly number[],
  day: number,
  locale: string,
  t: TFunction<'chart'>,
): HTMLElement {
  const { entries, more } = tooltipEntries(series, day, unit.smallestEntry)
  const title = periodName(days[day] ?? '', unit, locale, 'title')
  return chartTooltip({
    title: day === running ? t('soFar', { period: title }) : title,
    total: unit.isApart ? undefined : unit.format(totals[day] ?? 0, locale),
    entries: entries.map(({ key, name, value }) => ({ name, value: unit.format(value, locale), color: colorOf(key) })),
    asides: [
      ...(before ? [{ name: before.name, value: unit.format(before.values[day] ?? 0, locale) }] : []),
      ...(line ? [{ name: line.name, value: formatCount(line, day, locale) }] : []),
      ...(line?.before && before
        ? [{ name: before.name, value: formatCount({ ...line, values: line.before }, day, locale) }]
        : []),
    ],
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

interface LineLooks {
  color: string
  isDimmed: boolean
  hasName: boolean
  ink: string
}

/** A line with its name at its end. The way to what is not over yet is dotted, since it always falls. */
function linesOf({ name, values }: ChartSeries, running: number | undefined, { color, isDimmed, hasName, ink }: LineLooks) {
  const line = {
    type: 'line',
    name,
    symbol: 'circle',
    symbolSize: 5,
    showSymbol: values.length <= MOST_MARKED_POINTS,
    itemStyle: { color, opacity: isDimmed ? DIMMED : 1 },
    emphasis: { disabled: true },
    cursor: 'pointer',
    z: 5,
  }
  const opacity = isDimmed ? DIMMED : 1
  const named = {
    endLabel: {
      show: hasName && !isDimmed,
      formatter: () => name,
      color: ink,
      minMargin: NAME_GAP,
      width: NAME_ROOM,
      overflow: 'truncate',
    },
    labelLayout: { moveOverlap: 'shiftY' },
  }
  const solid = { color, width: 2, opacity }
  if (running === undefined || running < 1) return [{ ...line, ...named, data: [...values], lineStyle: solid }]
  return [
    { ...line, data: values.map((value, place) => (place < running ? value : null)), lineStyle: solid },
    {
      ...line,
      ...named,
      data: values.map((value, place) => (place < running - 1 ? null : value)),
      lineStyle: { ...solid, type: 'dotted' },
    },
  ]
}

/** Over the bars, dotted, so that it is not taken for the edge of one. */
function lineOf({ name, values }: Pick<ChartLine, 'name' | 'values'>, color: string) {
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

/** In a panel of its own: a filled line, and the period before. */
function panelOf({ name, values, before }: ChartLine, ink: string, dimmed: string) {
  return [
    {
      ...lineOf({ name, values }, ink),
      xAxisIndex: 1,
      showSymbol: false,
      lineStyle: { color: ink, width: 1.75 },
      areaStyle: { color: ink, opacity: 0.1 },
    },
    ...(before ? [{ ...earlierOf(name, before, dimmed, 1), yAxisIndex: 1 }] : []),
  ]
}

/** A period earlier: thin and dashed, as a line in any case. */
function earlierOf(name: string, values: readonly (number | null)[], color: string, xAxisIndex: number) {
  return {
    type: 'line',
    name,
    xAxisIndex,
    data: [...values],
    showSymbol: false,
    lineStyle: { color, width: 1.25, type: [4, 3] },
    itemStyle: { color },
    emphasis: { disabled: true },
    cursor: 'pointer',
    z: 4,
  }
}

/** A bar that still grows is a shade; alone it has a dashed edge, too. */
function unfinished(color: string, isDimmed: boolean, isAlone: boolean) {
  const edge = isAlone ? { borderColor: color, borderWidth: 1.5, borderType: 'dashed' } : {}
  return { color, opacity: isDimmed ? DIMMED : RUNNING, ...edge }
}
