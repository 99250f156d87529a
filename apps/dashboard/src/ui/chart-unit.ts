import { formatBytes } from '../lib/bytes.ts'
import { dateFormat, numberFormat } from '../lib/formats.ts'
import { axisStep, SMALLEST_ENTRY_BYTES, SMALLEST_SERIES_BYTES } from './chart-series.ts'

/** What the figures of a chart count, and how long each of its bars lasts. */
export interface ChartUnit {
  period: 'day' | 'month'
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

export const BYTES_BY_DAY: ChartUnit = {
  period: 'day',
  format: formatBytes,
  formatAxis: (bytes, locale) => formatBytes(bytes, locale).replace(/[.,٫]00(?=\s)/, ''),
  step: axisStep,
  smallestSeries: SMALLEST_SERIES_BYTES,
  smallestEntry: SMALLEST_ENTRY_BYTES,
}

const USD = { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' } as const

export const MONEY_BY_MONTH: ChartUnit = {
  period: 'month',
  format: (amount, locale) => numberFormat(locale, USD).format(amount),
  formatAxis: (amount, locale) => numberFormat(locale, { ...USD, minimumFractionDigits: 0, notation: 'compact' }).format(amount),
  step: roundStep,
  smallestSeries: 0.01,
  smallestEntry: 0,
}

const AXIS_MARKS = 4

/** A 1, 2 or 5 with zeros, so that at most five marks cover the largest bar. */
function roundStep(largest: number): number {
  for (let unit = 1; ; unit *= 10) {
    const step = [1, 2, 5].find((count) => count * unit * (AXIS_MARKS + 1) >= largest)
    if (step !== undefined) return step * unit
  }
}

/** The whole name of a bar's day or month. */
export function periodTitle(day: string, { period }: ChartUnit, locale: string): string {
  const style = period === 'day' ? ({ dateStyle: 'full' } as const) : ({ month: 'long', year: 'numeric' } as const)
  return day && dateFormat(locale, { ...style, timeZone: 'UTC' }).format(new Date(day))
}
