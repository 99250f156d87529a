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
 * The expiry after an extension, counted from the later of now and the present expiry. So no paid day is lost and no
 * past day is charged. Undefined for access that never ends. A month later is the same day, or the last of a shorter
 * month, at the same time of day.
 */
export function extendedExpiry(expireAt: Date, { months, days, timeZone }: Extension, now: Date): Date | undefined {
  if (neverExpires(expireAt)) return undefined
  const start = expireAt > now ? expireAt : now
  const { year, month, day, hour, minute, second } = dateIn(timeZone, start)
  const lastDay = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  const timeMs = ((hour * 60 + minute) * 60 + second) * 1000 + start.getMilliseconds()
  return clockTime(timeZone, year, month + months, Math.min(day, lastDay) + days, timeMs)
}
