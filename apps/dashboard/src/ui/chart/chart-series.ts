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

/** Bytes of a finished day on average, since the first day with traffic: the same for one thing and for all together. */
export function perWholeDay(byDay: readonly number[]): number | null {
  const first = byDay.findIndex((bytes) => bytes > 0)
  const whole = first < 0 ? [] : byDay.slice(first, -1)
  return whole.length === 0 ? null : whole.reduce((sum, bytes) => sum + bytes, 0) / whole.length
}

/** The hues that are told apart at a glance. What is smaller is drawn as one. */
export const MOST_HUES = 6
/** No key of a node or user. */
export const OTHERS_KEY = 'others'

/**
 * The drawn part of these series, largest first: at most six, and the others as one. The marked one is drawn by itself, whatever
 * its size.
 */
export function foldSeries(series: readonly ChartSeries[], othersName: string, marked?: string): ChartSeries[] {
  if (series.length <= MOST_HUES + 1) return [...series]
  const own = new Set(series.slice(0, MOST_HUES).map(({ key }) => key))
  if (marked !== undefined && !own.has(marked)) {
    own.delete(series[MOST_HUES - 1]?.key ?? '')
    own.add(marked)
  }
  const folded = series.filter(({ key }) => !own.has(key))
  const days = folded[0]?.values.length ?? 0
  return [
    ...series.filter(({ key }) => own.has(key)),
    {
      key: OTHERS_KEY,
      name: othersName,
      values: dayTotals(folded, days),
      total: folded.reduce((sum, { total }) => sum + total, 0),
    },
  ]
}

export type ColorScheme = 'light' | 'dark'

/** None of them is the red, amber or green of a state. */
const HUES = {
  dark: ['#22b8cf', '#a78bfa', '#e8995a', '#5b8def', '#f472b6', '#b5bd4c', '#8fd3ff', '#d8a9e8', '#c9a27a', '#7f8ff4'],
  light: ['#0c8599', '#6d48d7', '#bf5f12', '#2f62c9', '#c2357f', '#6f7a0a', '#2a8fc7', '#9c4fb5', '#85603a', '#4350c4'],
} as const
const OTHERS = { dark: '#6b7785', light: '#8a95a1' } as const

/**
 * The hue of each key. A node has the same one in every chart, unless a larger one of the chart has it already; so a filter
 * changes none. `chosen`: keys that a filter names, which get what is left.
 */
export function seriesColors(
  largest: readonly string[],
  chosen: readonly string[],
  scheme: ColorScheme,
): (key: string) => string {
  const hues = HUES[scheme]
  const taken = new Map<number, string>()
  const places = new Map<string, number>()
  for (const key of [...largest.slice(0, MOST_HUES + 1), ...chosen]) {
    if (places.has(key) || places.size === hues.length) continue
    let place = hashOf(key) % hues.length
    while (taken.has(place)) place = (place + 1) % hues.length
    taken.set(place, key)
    places.set(key, place)
  }
  return (key) => hues[places.get(key) ?? -1] ?? OTHERS[scheme]
}

/** FNV-1a, which spreads keys that differ in one digit. */
function hashOf(key: string): number {
  let hash = 2_166_136_261
  for (const letter of key) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16_777_619)
  return (hash ^ (hash >>> 15)) >>> 0
}
