import { DAY_MS, dateIn, dayIn, periodAround, startOfDay } from '../../lib/days.ts'

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

/** What moved by the quarter of an hour is kept so long, for the edges of two months in any zone; sums by day much longer. */
export const QUARTERS_KEPT_DAYS = 70

/** Part of a day at the end of a period. */
export interface Edge extends Period {
  day: string
  /** How much of the day it is, 0 to 1; for days whose quarters are not kept any more. */
  share: number
  hasQuarters: boolean
}

export interface Pieces {
  /** Whole days of the installation: from the first through the one before `untilDay`. */
  fromDay: string
  untilDay: string
  edges: Edge[]
}

/** Splits a period into whole days of the installation, whose sums are kept, and the parts of days before and after them. */
export function inWholeDays({ from, to }: Period, zone: string, now: Date): Pieces {
  const first = periodAround(zone, 'DAY', from)
  const last = periodAround(zone, 'DAY', to)
  const begin = first.since.getTime() === from.getTime() ? { day: first.day, at: from } : { day: first.nextDay, at: first.until }
  const oldest = dayIn(zone, new Date(now.getTime() - (QUARTERS_KEPT_DAYS - 1) * DAY_MS))
  const edge = (start: Date, end: Date, of: typeof first): Edge[] => {
    const ms = end.getTime() - start.getTime()
    const share = ms / (of.until.getTime() - of.since.getTime())
    return ms > 0 ? [{ from: start, to: end, day: of.day, share, hasQuarters: of.day >= oldest }] : []
  }
  if (begin.at > last.since) return { fromDay: begin.day, untilDay: begin.day, edges: edge(from, to, first) }
  return { fromDay: begin.day, untilDay: last.day, edges: [...edge(from, begin.at, first), ...edge(last.since, to, last)] }
}
