import type { TrafficPeriod } from '@causeway/contract'
import { DAY_MS } from '../../lib/days.ts'
import { CLOSED_DAYS } from '../traffic/sums.rules.ts'

interface KeptSums {
  trafficDay: string | null
  dayBytes: number
  weekBytes: number
  thirtyDaysBytes: number
  monthBytes: number
}

/** A user's traffic in each period that ends with this day: the running day and the closed ones before it. */
export function trafficOf(usage: KeptSums, today: string): Record<TrafficPeriod, number> {
  const running = usage.trafficDay === today ? usage.dayBytes : 0
  return {
    today: running,
    week: usage.weekBytes + running,
    thirtyDays: usage.thirtyDaysBytes + running,
    month: usage.monthBytes + running,
  }
}

/** The first day of the period that runs on this day. */
export function firstDayOf(period: TrafficPeriod, today: string): string {
  const back = (days: number) => new Date(Date.parse(today) - days * DAY_MS).toISOString().slice(0, 10)
  switch (period) {
    case 'today':
      return today
    case 'week':
      return back(CLOSED_DAYS.week)
    case 'thirtyDays':
      return back(CLOSED_DAYS.thirtyDays)
    case 'month':
      return `${today.slice(0, 8)}01`
  }
}
