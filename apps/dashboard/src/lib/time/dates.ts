import { neverExpires, ONLINE_MS } from '@causeway/contract'
import { localDay, wholeMonths, type Day } from './calendar.ts'
import { dateFormat, relativeFormat } from '../numbers/formats.ts'

/** Texts of the date helpers where there is no date. */
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

/** Relative time of the last contact, or the fitting fallback. */
export function lastSeenText(seenAt: string | null | undefined, now: number, locale: string, fallbacks: DateFallbacks): string {
  if (!seenAt) return fallbacks.notConnectedYet
  const date = new Date(seenAt)
  if (Number.isNaN(date.getTime())) return fallbacks.invalidDate
  return relativeTime(date, now, locale)
}

/** Teal while seen within the last minute, gray later, which is no trouble; yellow when never seen. */
export function connectionColor(seenAt: string | null | undefined, now: number): 'teal' | 'gray' | 'yellow' {
  if (!seenAt) return 'yellow'
  return now - new Date(seenAt).getTime() <= ONLINE_MS ? 'teal' : 'gray'
}

const [MINUTE, HOUR, DAY] = [60, 3600, 86_400]
const YEAR_MONTHS = 12

/**
 * Returns how long ago or ahead an instant is. From a day on it counts days, months and years of the reader's calendar, not
 * hours: the day after tomorrow at one in the morning is in two days, and what was sold for a month now ends in a month.
 */
export function relativeTime(date: Date, now: number, locale: string): string {
  const ahead = (date.getTime() - now) / 1000
  // The clock of a screen runs a little behind, and clocks of servers beside it: nothing is seconds ahead.
  const away = ahead > 0 && ahead < MINUTE ? 0 : ahead
  if (Math.abs(away) < MINUTE) return inUnits(locale, away, 'second')
  if (Math.abs(away) < HOUR) return inUnits(locale, away / MINUTE, 'minute')
  const [today, day] = [localDay(new Date(now)), localDay(date)]
  return Math.abs(away) < DAY || day === today ? inUnits(locale, away / HOUR, 'hour') : relativeDay(day, today, locale)
}

/** Returns how many days, months or years lie between two days, in words. */
export function relativeDay(day: Day, today: Day, locale: string): string {
  const months = day < today ? -wholeMonths(day, today) : wholeMonths(today, day)
  if (months === 0) return inUnits(locale, day - today, 'day')
  // In words it would be the calendar month after this one, which may be the one after that.
  const isYear = Math.abs(months) >= YEAR_MONTHS
  const format = relativeFormat(locale, { numeric: 'always', style: 'short' })
  return isYear ? format.format(Math.trunc(months / YEAR_MONTHS), 'year') : format.format(months, 'month')
}

function inUnits(locale: string, count: number, unit: Intl.RelativeTimeFormatUnit): string {
  return relativeFormat(locale, { numeric: 'auto', style: 'short' }).format(Math.trunc(count), unit)
}

/** Date and time with seconds and the zone they are given in. */
export function exactTime(date: Date, locale: string, timeZone?: string): string {
  return dateFormat(locale, {
    dateStyle: 'medium',
    timeStyle: 'long',
    ...(timeZone === undefined ? {} : { timeZone }),
  }).format(date)
}

/** Date and time to the minute, of the reader's own zone. */
export function shortTime(date: Date, locale: string): string {
  return dateFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(date)
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

export function calendarDate(date: Date, locale: string): string {
  return dateFormat(locale, { dateStyle: 'medium' }).format(date)
}

const QUARTER_MS = 900_000
/** No zone is farther ahead of UTC. */
const MOST_AHEAD_MS = 14 * HOUR * 1000

/** Returns the first instant at which a calendar in a time zone shows the day, YYYY-MM-DD. Clocks change on quarters of an hour. */
export function startOfDayIn(timeZone: string, day: string): Date {
  let at = Date.parse(`${day}T00:00:00Z`) - MOST_AHEAD_MS
  while (dayIn(timeZone, new Date(at)) < day) at += QUARTER_MS
  return new Date(at)
}

/** The day, YYYY-MM-DD, that a calendar in a time zone shows. */
export function dayIn(timeZone: string, instant: Date): string {
  const parts = dateFormat('en', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).formatToParts(instant)
  const value = (type: Intl.DateTimeFormatPartTypes) => parts.find((part) => part.type === type)?.value ?? ''
  return `${value('year').padStart(4, '0')}-${value('month')}-${value('day')}`
}
