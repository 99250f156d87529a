import type { TrafficPeriod } from '@causeway/contract'
import { DAY_MS } from '../../lib/days.ts'

interface KeptSums {
  trafficDay: string | null
  dayBytes: number
  weekBytes: number
  thirtyDaysBytes: number
  monthBytes: number
}

/** What a user moved in each period that ends with this UTC day: the running day and the closed ones before it. */
export function trafficOf(usage: KeptSums, today: string): Record<TrafficPeriod, number> {
  const running = usage.trafficDay === today ? usage.dayBytes : 0
  return {
    today: running,
    week: usage.weekBytes + running,
    thirtyDays: usage.thirtyDaysBytes + running,
    month: usage.monthBytes + running,
  }
}

/** When the period that runs on this UTC day began. */
export function periodBegin(period: TrafficPeriod, today: string): Date {
  const at = new Date(`${today}T00:00:00.000Z`)
  switch (period) {
    case 'today':
      return at
    case 'week':
      return new Date(at.getTime() - 6 * DAY_MS)
    case 'thirtyDays':
      return new Date(at.getTime() - 29 * DAY_MS)
    case 'month':
      return new Date(`${today.slice(0, 8)}01T00:00:00.000Z`)
  }
}
