import { dayIn } from '../../lib/time/dates.ts'
import { DAY_MS } from '../../lib/time/calendar.ts'

/** One line of bars: what one node or user moved on each of the chart's days. */
export interface ChartSeries {
  key: string
  name: string
  /** One figure for each day of the chart. */
  values: readonly number[]
  total: number
}

export interface UsagePoint {
  key: string
  name: string
  total: number
  /** The day, as the wire writes it: that day in UTC, whatever zone it was counted in. */
  date: string
}

const MOST_SERIES = 100
const LONG_PERIOD_DAYS = 30
const TOP_SERIES = 10
const TOOLTIP_MOST_ENTRIES = 10

/** The last `count` days of a time zone up to and including that of `now`, as YYYY-MM-DD. */
export function lastDays(count: number, now: Date, timeZone = 'UTC'): string[] {
  const today = Date.parse(dayIn(timeZone, now))
  return Array.from({ length: count }, (_, i) => new Date(today - (count - 1 - i) * DAY_MS).toISOString().slice(0, 10))
}

/** The range query of the wire for those days: from the first instant of the first to the last of the last. */
export function rangeOf(days: readonly string[]): { start: string; end: string } {
  return { start: `${days[0]}T00:00:00.000Z`, end: `${days.at(-1)}T23:59:59.999Z` }
}

/** Rows of the wire, one per day and thing, turned into one series per thing, largest first. */
export function toSeries(points: readonly UsagePoint[], days: readonly string[]): ChartSeries[] {
  const dayIndex = new Map(days.map((day, i) => [day, i]))
  const byKey = new Map<string, { key: string; name: string; values: number[]; total: number }>()
  for (const { key, name, total, date } of points) {
    const index = dayIndex.get(date.slice(0, 10))
    if (index === undefined) continue
    let series = byKey.get(key)
    if (!series) byKey.set(key, (series = { key, name, values: days.map(() => 0), total: 0 }))
    series.values[index] = (series.values[index] ?? 0) + total
    series.total += total
  }
  return [...byKey.values()].sort((a, b) => b.total - a.total)
}

/**
 * Which series are drawn: none under the smallest, never more than 100, and of many users over a long period only the
 * largest ten. What is left out is counted, so that the chart can say so.
 */
export function pickSeries(series: readonly ChartSeries[], dayCount: number, isTopOnlyWhenLong: boolean, smallest: number) {
  const large = series.filter(({ total }) => total >= smallest).sort((a, b) => b.total - a.total)
  const isTopOnly = isTopOnlyWhenLong && dayCount > LONG_PERIOD_DAYS && large.length > TOP_SERIES
  const drawn = large.slice(0, isTopOnly ? TOP_SERIES : MOST_SERIES)
  return { drawn, leftOut: series.length - drawn.length, areAllSmall: series.length > 0 && large.length === 0 }
}

/** Rows of a day's tooltip: the ten largest entries above the smallest, and the number of the rest. */
export function tooltipEntries(series: readonly ChartSeries[], day: number, smallest: number) {
  const entries = dayEntries(series, day).filter(({ value }) => value > smallest)
  return { entries: entries.slice(0, TOOLTIP_MOST_ENTRIES), more: Math.max(0, entries.length - TOOLTIP_MOST_ENTRIES) }
}

/** A day's figures, largest first, without those that are nothing. `index` is the series' place, which decides its colour. */
export function dayEntries(series: readonly ChartSeries[], day: number) {
  return series
    .map(({ key, name, values }, index) => ({ key, name, index, value: values[day] ?? 0 }))
    .filter(({ value }) => value > 0)
    .sort((a, b) => b.value - a.value)
}

export function dayTotals(series: readonly ChartSeries[], dayCount: number): number[] {
  return Array.from({ length: dayCount }, (_, day) => series.reduce((sum, { values }) => sum + (values[day] ?? 0), 0))
}

export type ColorScheme = 'light' | 'dark'

const COLORS = {
  dark: ['#22b8cf', '#b197fc', '#ffd43b', '#ff8787', '#63e6be', '#74c0fc', '#ffa94d', '#f783ac', '#a9e34b', '#ced4da'],
  light: ['#0c8599', '#7048e8', '#e6a700', '#e03131', '#099268', '#1971c2', '#e8590c', '#c2255c', '#66a80f', '#868e96'],
} as const

/** Ten colours picked to be told apart on that surface, then hues a golden angle from each other. */
export function seriesColor(index: number, scheme: ColorScheme): string {
  const lightness = (index % 2 ? 58 : 70) - (scheme === 'light' ? 20 : 0)
  return COLORS[scheme][index] ?? `hsl(${Math.round(index * 137.508) % 360} 55% ${lightness}%)`
}
