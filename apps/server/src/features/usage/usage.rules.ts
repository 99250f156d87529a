import { dateIn, startOfDay } from '../../lib/days.ts'

export interface Period {
  from: Date
  to: Date
}

export interface Comparison {
  current: Period
  previous: Period
}

/**
 * The periods that bandwidth is compared over, by days of a time zone (docs/wire.md 29). Each ends with today, of which only a
 * part is over: what it is compared with is cut off where now would stand in it.
 */
export function bandwidthPeriods(now: Date, zone: string): Record<'two' | 'seven' | 'thirty' | 'month' | 'year', Comparison> {
  const { year, month, day } = dateIn(zone, now)
  const at = (y: number, m: number, d: number) => startOfDay(zone, y, m, d)
  const tomorrow = at(year, month, day + 1)
  const days = (count: number): Comparison => {
    const from = at(year, month, day - count + 1)
    return since(from, at(year, month, day - 2 * count + 1))
  }
  const since = (from: Date, before: Date): Comparison => ({
    current: { from, to: tomorrow },
    previous: { from: before, to: new Date(Math.min(from.getTime(), before.getTime() + now.getTime() - from.getTime())) },
  })
  return {
    two: days(1),
    seven: days(7),
    thirty: days(30),
    month: since(at(year, month, 1), at(year, month - 1, 1)),
    year: since(at(year, 1, 1), at(year - 1, 1, 1)),
  }
}

/** The last `count` months of a time zone up to that of `now`: their names as YYYY-MM, when each begins, and when the last ends. */
export function lastMonths(count: number, now: Date, zone: string): { names: string[]; starts: Date[]; end: Date } {
  const { year, month } = dateIn(zone, now)
  const months = Array.from({ length: count }, (_, index) => month - count + 1 + index)
  return {
    names: months.map((number) => new Date(Date.UTC(year, number - 1, 1)).toISOString().slice(0, 7)),
    starts: months.map((number) => startOfDay(zone, year, number, 1)),
    end: startOfDay(zone, year, month + 1, 1),
  }
}
