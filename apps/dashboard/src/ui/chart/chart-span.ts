import type { ChartSeries } from './chart-series.ts'
import type { ChartFigures, ChartUnit } from './chart-unit.ts'

/** Some of a chart's days, by the places of the first and the last. */
export interface ChartSpan {
  from: number
  to: number
}

type Cut = Pick<ChartFigures, 'days' | 'series' | 'line' | 'before' | 'running'>

/** The figures of these days alone, as if the chart had been asked for no others. */
export function cutTo(figures: Cut, unit: ChartUnit, span: ChartSpan | undefined): Cut {
  if (!span) return figures
  const { days, series, line, before, running } = figures
  const of = <One>(values: readonly One[]) => values.slice(span.from, span.to + 1)
  return {
    days: of(days),
    series: series.map((one): ChartSeries => {
      const values = of(one.values)
      return { ...one, values, total: totalOf(values, unit) }
    }),
    line: line && { ...line, values: of(line.values), ...(line.before ? { before: of(line.before) } : {}) },
    before: before && { ...before, values: of(before.values) },
    running: running !== undefined && running >= span.from && running <= span.to ? running - span.from : undefined,
  }
}

/** The one figure for all of these bars. */
function totalOf(values: readonly number[], { isPeak, isMean }: ChartUnit): number {
  if (isPeak) return Math.max(0, ...values)
  const sum = values.reduce((all, value) => all + value, 0)
  return isMean ? sum / Math.max(1, values.length) : sum
}

/** Both ends in their order; nothing where that is one day, which opens by itself. */
export function spanOf(one: number, other: number, last: number): ChartSpan | undefined {
  const within = (place: number) => Math.max(0, Math.min(last, place))
  const [from, to] = [within(Math.min(one, other)), within(Math.max(one, other))]
  return from === to || (from === 0 && to === last) ? undefined : { from, to }
}
