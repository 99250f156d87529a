import { DAY_MS } from '../../lib/days.ts'

/** No chart has more days. */
export const MOST_DAYS = 1000

/** The days from one to another, both included; none where the end comes first. */
export function daysBetween(start: string, end: string): string[] {
  const count = Math.floor((Date.parse(end) - Date.parse(start)) / DAY_MS) + 1
  return Array.from({ length: Math.max(0, count) }, (_, index) =>
    new Date(Date.parse(start) + index * DAY_MS).toISOString().slice(0, 10),
  )
}

export interface DayBytes {
  /** Of node or user. */
  id: number
  day: string
  bytes: number
}

/** Bytes of each day, over all and of each, and the sum of each. */
export function chartOf(days: readonly string[], rows: readonly DayBytes[]) {
  const place = new Map(days.map((day, index) => [day, index]))
  const all = days.map(() => 0)
  const series = new Map<number, { total: number; data: number[] }>()
  for (const { id, day, bytes } of rows) {
    const index = place.get(day)
    if (index === undefined) continue
    const own = series.get(id) ?? { total: 0, data: days.map(() => 0) }
    own.data[index] = (own.data[index] ?? 0) + bytes
    own.total += bytes
    series.set(id, own)
    all[index] = (all[index] ?? 0) + bytes
  }
  return { sparklineData: all, series }
}
