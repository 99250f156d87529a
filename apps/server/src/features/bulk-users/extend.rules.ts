import { NEVER_YEAR, neverExpires } from '@causeway/contract'
import { clockTime, dateIn } from '../../lib/days.ts'

export interface Extension {
  months: number
  days: number
  /** Whose calendar counts. */
  timeZone: string
}

export const NEVER_FROM = new Date(Date.UTC(NEVER_YEAR, 0, 1))
/**
 * The expiry after an extension, which counts from the later of now and what it is: nobody loses what is paid, and nobody
 * pays for days that have passed. Undefined for access that never ends. A month later is the same day, or the last of a
 * shorter month, and the same time of the day.
 */
export function extendedExpiry(expireAt: Date, { months, days, timeZone }: Extension, now: Date): Date | undefined {
  if (neverExpires(expireAt)) return undefined
  const start = expireAt > now ? expireAt : now
  const { year, month, day, hour, minute, second } = dateIn(timeZone, start)
  const lastDay = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  const timeMs = ((hour * 60 + minute) * 60 + second) * 1000 + start.getMilliseconds()
  return clockTime(timeZone, year, month + months, Math.min(day, lastDay) + days, timeMs)
}
