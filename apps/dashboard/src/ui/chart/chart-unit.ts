import { formatBytes } from '../../lib/numbers/bytes.ts'
import { wholeDay } from '../../lib/time/dates.ts'
import { dateFormat, numberFormat } from '../../lib/numbers/formats.ts'
import type { ChartSeries } from './chart-series.ts'

/** The unit of a chart's figures, and the duration of each bar. */
export interface ChartUnit {
  /** Hours are named by the reader's own clock, as instants. Days and months are dates, whatever zone they were counted in. */
  period: 'hour' | 'day' | 'month'
  /** Days are the reader's own and not those of UTC. */
  isLocal?: boolean
  /** Figures of bars cannot be added up: each is the most that there was at once. */
  isPeak?: boolean
  /** Nor these: each is a speed, and what stands for all bars is their mean. */
  isMean?: boolean
  /** Figures of one bar have no sum: a user of two nodes is counted by both. */
  isApart?: boolean
  format: (value: number, locale: string) => string
  /** Marks of the axis are round numbers: decimals would say nothing. */
  formatAxis: (value: number, locale: string) => string
  /** Distance of the axis' marks. */
  step: (largest: number) => number
  /** Series with less in total are not drawn. */
  smallestSeries: number
  /** Entries up to this are not named beside the pointer. */
  smallestEntry: number
}

/** Less than this over the whole period is not worth a bar of its own. */
export const SMALLEST_SERIES_BYTES = 102_400
/** Nor is this on one day worth a line beside the pointer. */
const SMALLEST_ENTRY_BYTES = 50_000

export const BYTES_BY_DAY: ChartUnit = {
  period: 'day',
  format: formatBytes,
  formatAxis: (bytes, locale) => formatBytes(bytes, locale).replace(/[.,٫](?:00|۰۰)(?=\s)/, ''),
  step: (largest) => axisStep(largest, BINARY_STEPS, 1024),
  smallestSeries: SMALLEST_SERIES_BYTES,
  smallestEntry: SMALLEST_ENTRY_BYTES,
}
export const BYTES_BY_LOCAL_DAY: ChartUnit = { ...BYTES_BY_DAY, isLocal: true }
export const BYTES_BY_MONTH: ChartUnit = { ...BYTES_BY_DAY, period: 'month' }
export const BYTES_BY_HOUR: ChartUnit = { ...BYTES_BY_LOCAL_DAY, period: 'hour' }

/** Bytes per second, on average over the day. */
export const SPEED_BY_DAY: ChartUnit = {
  ...BYTES_BY_DAY,
  isMean: true,
  format: (speed, locale) => perSecond(formatBytes(speed, locale), locale),
  formatAxis: (speed, locale) => perSecond(BYTES_BY_DAY.formatAxis(speed, locale), locale),
  smallestSeries: 0,
  smallestEntry: 0,
}

const SECOND = { style: 'unit', unit: 'second', unitDisplay: 'narrow' } as const

/** The second as the language writes it, without its number. */
function perSecond(size: string, locale: string): string {
  const second = numberFormat(locale, SECOND)
    .formatToParts(1)
    .find(({ type }) => type === 'unit')?.value
  return `${size}/${second ?? 's'}`
}

const PEOPLE_BY_LOCAL_DAY: ChartUnit = {
  period: 'day',
  isLocal: true,
  isPeak: true,
  format: (count, locale) => numberFormat(locale).format(count),
  formatAxis: (count, locale) => numberFormat(locale, { notation: 'compact' }).format(count),
  step: (largest) => axisStep(largest, DECIMAL_STEPS, 10),
  smallestSeries: 1,
  smallestEntry: 0,
}
/** Users by day. The figure for all days is their mean. */
export const USERS_BY_DAY: ChartUnit = {
  ...PEOPLE_BY_LOCAL_DAY,
  isLocal: false,
  isPeak: false,
  isMean: true,
  isApart: true,
  format: (count, locale) => numberFormat(locale, { maximumFractionDigits: 1 }).format(count),
}
export const PEOPLE = { hour: { ...PEOPLE_BY_LOCAL_DAY, period: 'hour' }, day: PEOPLE_BY_LOCAL_DAY } as const

const USD = { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' } as const

export const MONEY_BY_MONTH: ChartUnit = {
  period: 'month',
  format: (amount, locale) => numberFormat(locale, USD).format(amount),
  formatAxis: (amount, locale) => numberFormat(locale, { ...USD, minimumFractionDigits: 0, notation: 'compact' }).format(amount),
  step: (largest) => axisStep(largest, DECIMAL_STEPS, 10),
  smallestSeries: 0.01,
  smallestEntry: 0,
}

/** Figures of another kind over the same days, drawn as a line with a scale of its own. */
export interface ChartLine {
  name: string
  /** Null where none were counted. */
  values: readonly (number | null)[]
  unit: ChartUnit
  /** In a panel of its own under the bars, on the same axis of time. */
  isBelow?: boolean
  /** The same figures a period earlier. */
  before?: readonly (number | null)[] | undefined
}

export function formatCount({ values, unit }: ChartLine, day: number, locale: string): string {
  const value = values[day] ?? null
  return value === null ? '–' : unit.format(value, locale)
}

/** All bars together a period earlier. */
export interface ChartBefore {
  name: string
  values: readonly number[]
}

/** Contents of a chart, shown as bars, as a table, of one day or in a file. */
export interface ChartFigures {
  /** The name of the figures, such as 'Traffic by node'. */
  label: string
  /** Days as YYYY-MM-DD, or instants at which hours begin; without gaps. */
  days: readonly string[]
  series: readonly ChartSeries[]
  unit: ChartUnit
  /** The drawn part of them: the largest, and the others as one. */
  drawn: readonly ChartSeries[]
  line: ChartLine | undefined
  before: ChartBefore | undefined
  /** Which bar is not over yet. */
  running: number | undefined
  colorOf: (key: string) => string
}

const AXIS_MARKS = 4

const BINARY_STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500]
const DECIMAL_STEPS = [1, 2, 5]

/** Distance of the axis marks: one of these round numbers of a unit, so that at most five marks cover the largest bar. */
function axisStep(largest: number, roundNumbers: readonly number[], base: number): number {
  for (let unit = 1; ; unit *= base) {
    const step = roundNumbers.find((count) => count * unit * (AXIS_MARKS + 1) >= largest)
    if (step !== undefined) return step * unit
  }
}

/** Months are those of the server's calendar. In Persian too, where a month of the reader's begins in the middle of one. */
const COUNTED_MONTH = { calendar: 'gregory' } as const

const STYLES = {
  hour: {
    axis: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
    row: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
    title: { weekday: 'long', day: 'numeric', month: 'long', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  },
  day: { axis: { day: 'numeric', month: 'short' }, row: { dateStyle: 'medium' }, title: 'whole' },
  month: {
    axis: { ...COUNTED_MONTH, month: 'short' },
    row: { ...COUNTED_MONTH, month: 'long', year: 'numeric' },
    title: { ...COUNTED_MONTH, month: 'long', year: 'numeric' },
  },
} as const

/** The label of a bar's hour, day or month: under the axis, in the table, or in full. */
export function periodName(start: string, { period }: ChartUnit, locale: string, place: 'axis' | 'row' | 'title'): string {
  if (start === '') return ''
  const zone = period === 'hour' ? {} : { timeZone: 'UTC' }
  const style = STYLES[period][place]
  if (style === 'whole') return wholeDay(new Date(start), locale, zone)
  return dateFormat(locale, { ...style, ...zone }).format(new Date(start))
}
