import { neverExpires, type User } from '@causeway/contract'
import { dayIn, startOfDayIn } from '../../../lib/time/dates.ts'
import { DAY_MS } from '../../../lib/time/calendar.ts'

/** The day, YYYY-MM-DD, on which the running traffic period of a user ends; undefined where nothing is reset. */
export function nextResetDay(strategy: User['trafficLimitStrategy'], today: string): string | undefined {
  const date = new Date(today)
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
  // Weeks begin on Mondays.
  const untilMonday = ((8 - date.getUTCDay()) % 7) + (date.getUTCDay() === 1 ? 7 : 0)
  switch (strategy) {
    case 'NO_RESET':
      return undefined
    case 'DAY':
      return isoDay(Date.UTC(year, month, day + 1))
    case 'WEEK':
      return isoDay(Date.UTC(year, month, day + untilMonday))
    case 'MONTH':
      return isoDay(Date.UTC(year, month + 1, 1))
  }
}

function isoDay(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10)
}

export interface Coming {
  what: 'reset' | 'usedUp' | 'expiry'
  at: Date
}

/** Coming events of a user, soonest first: the reset of traffic, the end of the traffic at the pace of late, the expiry. */
export function whatComes(
  user: Pick<User, 'trafficLimitStrategy' | 'trafficLimitBytes' | 'usedTrafficBytes' | 'expireAt' | 'status'>,
  { now, zone, bytesPerDay }: { now: Date; zone: string; bytesPerDay: number },
): Coming[] {
  const coming: Coming[] = []
  const day = nextResetDay(user.trafficLimitStrategy, dayIn(zone, now))
  const resetAt = day === undefined ? undefined : startOfDayIn(zone, day)
  if (resetAt) coming.push({ what: 'reset', at: resetAt })
  const left = user.trafficLimitBytes - user.usedTrafficBytes
  const usedUpAt = new Date(now.getTime() + (left / bytesPerDay) * DAY_MS)
  const expiresAt = new Date(user.expireAt)
  // Beyond the reset or the expiry it says nothing.
  const isTold = user.status === 'ACTIVE' && user.trafficLimitBytes > 0 && left > 0 && bytesPerDay > 0
  if (isTold && usedUpAt < expiresAt && (resetAt === undefined || usedUpAt < resetAt))
    coming.push({ what: 'usedUp', at: usedUpAt })
  if (!neverExpires(expiresAt)) coming.push({ what: 'expiry', at: expiresAt })
  return coming.sort((one, other) => one.at.getTime() - other.at.getTime())
}

interface DailySeries {
  key: string
  name: string
  values: readonly number[]
  total: number
}

/** The same series by months, each named by its first day. */
export function byMonths(series: readonly DailySeries[], days: readonly string[]): { months: string[]; series: DailySeries[] } {
  const months = [...new Set(days.map((day) => `${day.slice(0, 7)}-01`))]
  const placeOf = new Map(months.map((month, place) => [month.slice(0, 7), place]))
  return {
    months,
    series: series.map((one) => {
      const values = months.map(() => 0)
      for (const [place, day] of days.entries()) {
        const month = placeOf.get(day.slice(0, 7)) ?? 0
        values[month] = (values[month] ?? 0) + (one.values[place] ?? 0)
      }
      return { ...one, values }
    }),
  }
}

export const HEAT_LEVELS = 5

/** How strong a day is, 0 (nothing) to 4: by quarters of the square root, so that one day of a film does not fade all others. */
export function heatLevel(bytes: number, most: number): number {
  if (bytes <= 0 || most <= 0) return 0
  return Math.max(1, Math.ceil(Math.sqrt(bytes / most) * (HEAT_LEVELS - 1)))
}

/** Weeks of seven places from Monday on; undefined for places before the first day. */
export function weeksOf(days: readonly string[]): (number | undefined)[][] {
  const [first] = days
  if (first === undefined) return []
  const lead = (new Date(first).getUTCDay() + 6) % 7
  const places = [...Array.from({ length: lead }, () => undefined), ...days.map((_, place) => place)]
  return Array.from({ length: Math.ceil(places.length / 7) }, (_, week) => places.slice(week * 7, week * 7 + 7))
}
