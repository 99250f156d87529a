import type { Reply, getUsageHistory } from '@causeway/contract'
import { dayIn } from '../../../lib/time/dates.ts'
import type { ChartSeries } from '../../../ui/chart/chart-series.ts'

type History = Reply<typeof getUsageHistory>

/** Labels of the steps: hours by the instant they begin at, days by their date in their zone. */
export function stepNames({ step, starts, timeZone }: Pick<History, 'step' | 'starts' | 'timeZone'>): string[] {
  return step === 'hour' ? starts : starts.map((instant) => dayIn(timeZone, new Date(instant)))
}

/** A series per node, largest first. */
export function trafficSeries({ nodes }: Pick<History, 'nodes'>): ChartSeries[] {
  return nodes
    .map(({ uuid, name, bytes }) => ({ key: uuid, name, values: bytes, total: sum(bytes) }))
    .sort((one, other) => other.total - one.total)
}

/** Bytes of all nodes in the steps that are over, and in the same steps of the period before where it is known. */
export function finishedTotals({ nodes, before }: Pick<History, 'nodes' | 'before'>): {
  now: number
  before: number | undefined
} {
  return {
    now: sum(nodes.map(({ bytes }) => sum(bytes.slice(0, -1)))),
    before: before && sum(before.bytes.slice(0, -1)),
  }
}

/** Whole days only: a line that ends in a part of a day would always end in a fall. */
export function wholeDays({ step, nodes, starts }: History, most: number): number[] | undefined {
  if (step !== 'day') return undefined
  const totals = starts.map((_, place) => sum(nodes.map(({ bytes }) => bytes[place] ?? 0)))
  return totals.slice(0, -1).slice(-most)
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
