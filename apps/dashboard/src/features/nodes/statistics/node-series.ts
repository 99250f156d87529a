import { NODES_PERIODS, type getNodeTopUsers, type listNodesUsageByDay, type Reply } from '@causeway/contract'
import { perWholeDay, type ChartSeries } from '../../../ui/chart/chart-series.ts'
import { SMALLEST_SERIES_BYTES } from '../../../ui/chart/chart-unit.ts'

type NodesUsage = Reply<typeof listNodesUsageByDay>

const DAY_SECONDS = 86_400

/** The period of the address; seven days when it says none that is offered. */
export function periodOf(text: unknown): number {
  return NODES_PERIODS.find((days) => String(days) === text) ?? NODES_PERIODS[0]
}

/** A series per node, largest first. */
export function nodeSeries({ nodes }: Pick<NodesUsage, 'nodes'>): ChartSeries[] {
  return bySize(nodes.map(({ uuid, name, bytes }) => ({ key: uuid, name, values: bytes, total: sum(bytes) })))
}

export function userSeries({ users }: Pick<Reply<typeof getNodeTopUsers>, 'users'>): ChartSeries[] {
  return bySize(users.map(({ uuid, username, bytes, total }) => ({ key: uuid, name: username, values: bytes, total })))
}

/** The same as average speeds in bytes per second: of a day that is not over, since it began. What moved too little is left out. */
export function asSpeeds(series: readonly ChartSeries[], runningSince: string, now: number): ChartSeries[] {
  const passed = Math.max(1, (now - Date.parse(runningSince)) / 1000)
  return series
    .filter(({ total }) => total >= SMALLEST_SERIES_BYTES)
    .map(({ values, total, ...one }) => ({
      ...one,
      values: values.map((bytes, day) => bytes / (day === values.length - 1 ? passed : DAY_SECONDS)),
      total: total / ((values.length - 1) * DAY_SECONDS + passed),
    }))
}

export interface NodeShare {
  uuid: string
  name: string
  countryCode: string
  bytes: readonly number[]
  total: number
  /** Of all that moved, 0 to 1. */
  share: number
  /** Bytes per whole day; nothing on a node's first day. */
  perDay: number | null
}

export function nodeShares({ nodes }: Pick<NodesUsage, 'nodes'>): NodeShare[] {
  const all = sum(nodes.map(({ bytes }) => sum(bytes)))
  return nodes
    .map((node) => {
      const total = sum(node.bytes)
      return { ...node, total, share: all === 0 ? 0 : total / all, perDay: perWholeDay(node.bytes) }
    })
    .sort((one, other) => other.total - one.total)
}

function bySize(series: ChartSeries[]): ChartSeries[] {
  return series.sort((one, other) => other.total - one.total)
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
