import type { UsageHistoryPeriod } from '@causeway/contract'
import { dateIn, startOfDay } from '../../lib/days.ts'

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
