import { neverExpires, ONLINE_MS } from '@causeway/contract'
import { dateFormat, relativeFormat } from './formats.ts'

/** What the date helpers say when there is no date to show. */
export interface DateFallbacks {
  unknownExpiration: string
  notConnectedYet: string
  invalidDate: string
}

/** Date of an expiry, infinity for never, or the fallback that fits. */
export function expirationText(expireAt: string | null | undefined, locale: string, fallbacks: DateFallbacks): string {
  if (!expireAt) return fallbacks.unknownExpiration
  const date = new Date(expireAt)
  if (Number.isNaN(date.getTime())) return fallbacks.invalidDate
  return neverExpires(date) ? '∞' : calendarDate(date, locale)
}

/** How long ago somebody was last seen, or the fallback that fits. */
export function lastSeenText(seenAt: string | null | undefined, now: number, locale: string, fallbacks: DateFallbacks): string {
  if (!seenAt) return fallbacks.notConnectedYet
  const date = new Date(seenAt)
  if (Number.isNaN(date.getTime())) return fallbacks.invalidDate
  return relativeTime(date, now, locale)
}

/** Teal while seen within the last minute, red later, yellow when never seen. */
export function connectionColor(seenAt: string | null | undefined, now: number): 'teal' | 'red' | 'yellow' {
  if (!seenAt) return 'yellow'
  return now - new Date(seenAt).getTime() <= ONLINE_MS ? 'teal' : 'red'
}

const STEPS: readonly [limitSeconds: number, size: number, unit: Intl.RelativeTimeFormatUnit][] = [
  [60, 1, 'second'],
  [3600, 60, 'minute'],
  [86_400, 3600, 'hour'],
  [86_400 * 30, 86_400, 'day'],
  [86_400 * 365, 86_400 * 30, 'month'],
  [Infinity, 86_400 * 365, 'year'],
]

/** The clock of a screen runs a little behind, and clocks of servers beside it: nothing is seconds ahead. */
export function relativeTime(date: Date, now: number, locale: string): string {
  const ahead = (date.getTime() - now) / 1000
  const away = ahead > 0 && ahead < 60 ? 0 : ahead
  const [, size, unit] = STEPS.find(([limit]) => Math.abs(away) < limit) ?? STEPS[STEPS.length - 1]!
  return relativeFormat(locale, { numeric: 'auto', style: 'short' }).format(Math.trunc(away / size), unit)
}

/** Date and time with seconds and the zone they are given in. */
export function exactTime(date: Date, locale: string, timeZone?: string): string {
  return dateFormat(locale, {
    dateStyle: 'medium',
    timeStyle: 'long',
    ...(timeZone === undefined ? {} : { timeZone }),
  }).format(date)
}

/** A day with its weekday, and the time if asked for. In Persian browsers would begin with the year. */
export function wholeDay(
  date: Date,
  locale: string,
  options: Pick<Intl.DateTimeFormatOptions, 'timeZone' | 'timeStyle'>,
): string {
  if (!locale.startsWith('fa')) return dateFormat(locale, { ...options, dateStyle: 'full' }).format(date)
  const { timeStyle: _, ...zone } = options
  const weekday = dateFormat(locale, { ...zone, weekday: 'long' }).format(date)
  return `${weekday} ${dateFormat(locale, { ...options, dateStyle: 'long' }).format(date)}`
}

function calendarDate(date: Date, locale: string): string {
  return dateFormat(locale, { dateStyle: 'medium' }).format(date)
}

/** The day, YYYY-MM-DD, that a calendar in a time zone shows. */
export function dayIn(timeZone: string, instant: Date): string {
  const parts = dateFormat('en', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).formatToParts(instant)
  const value = (type: Intl.DateTimeFormatPartTypes) => parts.find((part) => part.type === type)?.value ?? ''
  return `${value('year').padStart(4, '0')}-${value('month')}-${value('day')}`
}
