import { DAY_MS, dayIn } from '../../lib/days.ts'

/** Bookings of a day that has just ended may still be on their way. */
const SETTLING_MS = 10 * 60_000
/** Over longer periods charts draw only the ten largest users. */
const LONG_PERIOD_DAYS = 30

/** The last `count` days of a zone up to that of `now`, as YYYY-MM-DD. */
export function lastDays(count: number, zone: string, now: Date): string[] {
  const today = dayIn(zone, now)
  return Array.from({ length: count }, (_, i) => dayBefore(today, count - 1 - i))
}

/** The last day that is over and booked. */
export function lastWholeDay(zone: string, now: Date): string {
  return dayBefore(dayIn(zone, new Date(now.getTime() - SETTLING_MS)), 1)
}

/** The number of users shown, and the number stored with a margin for users that rise while the day runs. */
export function topUsersOf(days: number): { shown: number; candidates: number } {
  return days > LONG_PERIOD_DAYS ? { shown: 10, candidates: 30 } : { shown: 100, candidates: 150 }
}

/**
 * The first day whose traffic is added at each read: the one after the last computed day. An order that is too old,
 * as after a stopped server, says nothing of this period; then all of it is added.
 */
export function uncountedFrom(countedThrough: string | null, days: readonly string[]): { from: string; isCountKept: boolean } {
  const [first = '', last = ''] = [days[0], days.at(-1)]
  const isCountKept = countedThrough !== null && Date.parse(last) - Date.parse(countedThrough) <= 2 * DAY_MS
  return { from: isCountKept ? dayBefore(countedThrough, -1) : first, isCountKept }
}

export function dayBefore(day: string, count: number): string {
  return new Date(Date.parse(day) - count * DAY_MS).toISOString().slice(0, 10)
}
