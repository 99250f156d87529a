import type { TrafficPeriod } from '@causeway/contract'
import { DAY_MS } from '../../lib/days.ts'
import { CLOSED_DAYS } from '../traffic/sums.rules.ts'
import type { UserSort } from './list.rules.ts'

interface KeptSums {
  trafficDay: string | null
  dayBytes: number
  weekBytes: number
  thirtyDaysBytes: number
  monthBytes: number
}

/** What a user moved in each period that ends with this day: the running day and the closed ones before it. */
export function trafficOf(usage: KeptSums, today: string): Record<TrafficPeriod, number> {
  const running = usage.trafficDay === today ? usage.dayBytes : 0
  return {
    today: running,
    week: usage.weekBytes + running,
    thirtyDays: usage.thirtyDaysBytes + running,
    month: usage.monthBytes + running,
  }
}

/** A page of a kept order goes by what has been booked since: what it shows never contradicts how it is sorted. */
export function asBooked<Row extends KeptSums>(users: Row[], [sort, ...more]: UserSort[]): Row[] {
  if (sort?.period === undefined || more.length > 0) return users
  const { period, today, isDescending } = sort
  const rows = users.map((user) => ({ user, bytes: trafficOf(user, today)[period] }))
  return rows.toSorted((one, other) => (isDescending ? other.bytes - one.bytes : one.bytes - other.bytes)).map(({ user }) => user)
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
