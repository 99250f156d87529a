export interface Extension {
  months: number
  days: number
}

/** The year 2099 is how the wire writes that access never ends. */
const NEVER_YEAR = 2099
export const NEVER_FROM = new Date(Date.UTC(NEVER_YEAR, 0, 1))
const DAY_MS = 86_400_000

/**
 * The expiry after an extension, which counts from the later of now and what it is: nobody loses what is paid, and nobody
 * pays for days that have passed. Undefined for access that never ends. A month later is the same day, or the last of a
 * shorter month.
 */
export function extendedExpiry(expireAt: Date, { months, days }: Extension, now: Date): Date | undefined {
  if (expireAt >= NEVER_FROM) return undefined
  const start = expireAt > now ? expireAt : now
  const month = new Date(start)
  month.setUTCMonth(start.getUTCMonth() + months, 1)
  const lastDay = new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1, 0)).getUTCDate()
  month.setUTCDate(Math.min(start.getUTCDate(), lastDay))
  return new Date(month.getTime() + days * DAY_MS)
}
