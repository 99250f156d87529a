import { dateFormat } from '../numbers/formats.ts'

/** A day as its number since 1 January 1970, in any calendar. */
export type Day = number

/** As people count: the first month is 1. */
export interface CalendarDate {
  year: number
  month: number
  day: number
}

/** The calendars of our languages. */
export type Calendar = 'gregory' | 'persian'

export const DAY_MS = 86_400_000
const MONTHS = 12
/** Numbers of years tell the calendars apart for as long as either is used: 1700 to 2400 here, 1079 to 1699 there. */
const FIRST_GREGORIAN_YEAR = 1700
const PERSIAN_YEARS_BEHIND = 621

/** The calendar in which a language's dates are written. */
export function calendarOf(locale: string): Calendar {
  return dateFormat(locale, {}).resolvedOptions().calendar === 'persian' ? 'persian' : 'gregory'
}

/** A Gregorian year in a Persian date is a Gregorian date, and the other way round. */
export function calendarOfYear(year: number): Calendar {
  return year < FIRST_GREGORIAN_YEAR ? 'persian' : 'gregory'
}

export function dateOf(day: Day, calendar: Calendar): CalendarDate {
  // Intl knows the calendars; numbers are read from it in Latin digits.
  const parts = dateFormat(`en-u-ca-${calendar}-nu-latn`, {
    timeZone: 'UTC',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
  }).formatToParts(day * DAY_MS)
  const number = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((part) => part.type === type)?.value)
  return { year: number('year'), month: number('month'), day: number('day') }
}

/** undefined: there is no such day, as 30 Esfand in most years. */
export function dayOf({ year, month, day }: CalendarDate, calendar: Calendar): Day | undefined {
  if (month < 1 || month > MONTHS || day < 1 || day > 31) return undefined
  const guess = calendar === 'gregory' ? gregorianDay(year, month, day) : persianGuess(year, month, day)
  // The beginning of a Persian year is a day sooner or later; what comes out is asked of Intl again.
  for (const found of [guess, guess - 1, guess + 1]) {
    const date = dateOf(found, calendar)
    if (date.year === year && date.month === month && date.day === day) return found
  }
  return undefined
}

export function monthLength(year: number, month: number, calendar: Calendar): number {
  return [31, 30, 29, 28].find((day) => dayOf({ year, month, day }, calendar) !== undefined) ?? 28
}

/** Of a shorter month, the last day. */
export function addMonths(day: Day, count: number, calendar: Calendar): Day {
  const from = dateOf(day, calendar)
  const months = from.year * MONTHS + from.month - 1 + count
  const [year, month] = [Math.floor(months / MONTHS), (months % MONTHS) + 1]
  return dayOf({ year, month, day: Math.min(from.day, monthLength(year, month, calendar)) }, calendar) ?? day
}

/** How many months of the Gregorian calendar, by which access is sold, have passed. The end of a shorter month counts as one. */
export function wholeMonths(from: Day, to: Day): number {
  const [start, end] = [new Date(from * DAY_MS), new Date(to * DAY_MS)]
  const months = (end.getUTCFullYear() - start.getUTCFullYear()) * MONTHS + end.getUTCMonth() - start.getUTCMonth()
  const lastOfEnd = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate()
  return end.getUTCDate() < Math.min(start.getUTCDate(), lastOfEnd) ? months - 1 : months
}

/** 0 is Sunday. */
export function weekdayOf(day: Day): number {
  return (((day + 4) % 7) + 7) % 7
}

/** YYYY-MM-DD of the Gregorian calendar, as forms hold days. */
export function toIsoDay(day: Day): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}

export function fromIsoDay(text: string): Day {
  return Math.floor(Date.parse(`${text.slice(0, 10)}T00:00:00Z`) / DAY_MS)
}

/** The day that a clock on this machine shows. */
export function localDay(date: Date): Day {
  return Math.floor(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / DAY_MS)
}

/** For formatting a day with `timeZone: 'UTC'`. */
export function instantOf(day: Day): number {
  return day * DAY_MS
}

function gregorianDay(year: number, month: number, day: number): Day {
  return Math.floor(Date.UTC(year, month - 1, day) / DAY_MS)
}

/** Six months of 31 days and then of 30, from about 21 March. */
function persianGuess(year: number, month: number, day: number): Day {
  const newYear = gregorianDay(year + PERSIAN_YEARS_BEHIND, 3, 21)
  return newYear + (month - 1) * 30 + Math.min(month - 1, 6) + day - 1
}
