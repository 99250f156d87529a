import type { UsageHistoryPeriod } from '@causeway/contract'
import { DAY_MS, dateIn, startOfDay } from '../../lib/days.ts'

const HOUR_MS = 3_600_000
const HOURS = 24
const DAYS = { week: 7, month: 30 } as const

/** When the steps of a period begin: hours or days as clocks of a time zone show them. The last one holds `now`. */
export function historySteps(period: UsageHistoryPeriod, now: Date, zone: string): { step: 'hour' | 'day'; starts: Date[] } {
  if (period === 'day') {
    // In some zones the clock shows full hours at half past those of UTC.
    const { minute, second } = dateIn(zone, now)
    const running = Math.floor(now.getTime() / 1000) * 1000 - (minute * 60 + second) * 1000
    return { step: 'hour', starts: Array.from({ length: HOURS }, (_, i) => new Date(running - (HOURS - 1 - i) * HOUR_MS)) }
  }
  const { year, month, day } = dateIn(zone, now)
  const count = DAYS[period]
  return { step: 'day', starts: Array.from({ length: count }, (_, i) => startOfDay(zone, year, month, day - count + 1 + i)) }
}

export interface Steps {
  starts: Date[]
  /** When the last of them ends. */
  until: Date
}

/** The steps that a period is compared with: hours of the same day a week earlier, or as many days right before. */
export function stepsBefore(period: UsageHistoryPeriod, now: Date, zone: string): Steps {
  if (period === 'day') {
    const starts = historySteps(period, now, zone).starts.map((start) => new Date(start.getTime() - 7 * DAY_MS))
    return { starts, until: new Date((starts.at(-1)?.getTime() ?? 0) + HOUR_MS) }
  }
  const { year, month, day } = dateIn(zone, now)
  const count = DAYS[period]
  const starts = Array.from({ length: count + 1 }, (_, i) => startOfDay(zone, year, month, day - 2 * count + 1 + i))
  return { starts: starts.slice(0, -1), until: starts.at(-1) ?? now }
}
