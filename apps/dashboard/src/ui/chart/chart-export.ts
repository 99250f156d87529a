import { dayTotals, type ChartSeries } from './chart-series.ts'
import type { ChartLine } from './chart-unit.ts'

/** Headings of the file's first columns. */
interface Heads {
  period: string
  total: string
}

/** The figures behind a chart as rows: one for each day, hour or month, oldest first, a column for each series. */
export function chartRows(
  days: readonly string[],
  series: readonly ChartSeries[],
  heads: Heads,
  line: ChartLine | undefined,
  isApart = false,
): (string | number)[][] {
  const totals = dayTotals(series, days.length)
  return [
    [heads.period, ...(isApart ? [] : [heads.total]), ...(line ? [line.name] : []), ...series.map(({ name }) => name)],
    ...days.map((day, place) => [
      day,
      ...(isApart ? [] : [totals[place] ?? 0]),
      ...(line ? [line.values[place] ?? ''] : []),
      ...series.map(({ values }) => values[place] ?? 0),
    ]),
  ]
}

/** A file name of what the chart is called, in whatever script. */
export function fileName(label: string, days: readonly string[], ending: 'csv' | 'png'): string {
  const words = label
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
  const span = [days[0], days.at(-1)].map((day) => (day ?? '').slice(0, 10)).join('_')
  return `${words}_${span}.${ending}`
}
