import type { Node } from '@causeway/contract'
import { trafficPercent } from '../../../ui/traffic/traffic.ts'
import { DAY_MS } from '../../../lib/time/calendar.ts'

export type TrackedNode = Pick<
  Node,
  'uuid' | 'name' | 'countryCode' | 'isTrafficTrackingActive' | 'trafficResetDay' | 'trafficUsedBytes' | 'trafficLimitBytes'
>

/** A table row is the node's own, whatever it is called and wherever it stands. */
export const rowIdOf = ({ uuid }: Pick<TrackedNode, 'uuid'>) => uuid

/** Only what is counted against a limit stands in the table. */
export function trackedNodes<N extends TrackedNode>(nodes: readonly N[]): N[] {
  return nodes.filter((node) => node.isTrafficTrackingActive)
}

/** Used and limit; a limit of 0 is used up whatever was used. */
export function trackedTraffic(node: TrackedNode) {
  const used = node.trafficUsedBytes ?? 0
  const limit = node.trafficLimitBytes ?? 0
  return { used, limit, percent: trafficPercent(used, limit), left: Math.max(0, limit - used) }
}

/** The forecast of a cycle's usage at the present rate; undefined on its first day, which says too little. */
export function forecastBytes(node: TrackedNode, now: Date): number | null {
  const [from, to] = cycle(node.trafficResetDay ?? 1, now)
  const passed = now.getTime() - from
  return passed < DAY_MS ? null : ((node.trafficUsedBytes ?? 0) / passed) * (to - from)
}

/** Beginning and end of the cycle; a month that is too short has the day on its last one. */
function cycle(resetDay: number, now: Date): [from: number, to: number] {
  const inMonth = (month: number) => {
    const lastDay = new Date(now.getFullYear(), month + 1, 0).getDate()
    return new Date(now.getFullYear(), month, Math.min(resetDay, lastDay)).getTime()
  }
  const month = now.getMonth()
  return inMonth(month) <= now.getTime() ? [inMonth(month), inMonth(month + 1)] : [inMonth(month - 1), inMonth(month)]
}
