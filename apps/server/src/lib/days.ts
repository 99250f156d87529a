import { Cache } from './cache.ts'

// Days in UTC and in a given time zone, never in that of the process: servers may stand anywhere.

export const DAY_MS = 86_400_000
const FIRST_YEAR = 1970
const LAST_YEAR = 9999

/**
 * Returns the UTC day, YYYY-MM-DD, of an instant in the caller's form. Returns undefined for invalid text and for
 * years outside the supported range.
 */
export function utcDay(text: string): string | undefined {
  const instant = new Date(text)
  const year = instant.getUTCFullYear()
  return year >= FIRST_YEAR && year <= LAST_YEAR ? instant.toISOString().slice(0, 10) : undefined
}

export function isTimeZone(zone: string): boolean {
  try {
    formatOf(zone)
    return true
  } catch {
    return false
  }
}

/** A zone by its proper name, however it was written. An offset such as +03:00 is none: it knows nothing of summer time. */
export function namedTimeZone(zone: string): string | undefined {
  if (!/^[a-z]/i.test(zone) || !isTimeZone(zone)) return undefined
  return formatOf(zone).resolvedOptions().timeZone
}

/** The instant at which a day begins in a zone. Days and months out of range count on, as in Date. */
export function startOfDay(zone: string, year: number, month: number, day: number): Date {
  return clockTime(zone, year, month, day, 0)
}

/**
 * Returns the instant at which the clocks of a zone show a time after midnight. A time shown twice is the first; for
 * one that is skipped it is the moment of the skip.
 */
export function clockTime(zone: string, year: number, month: number, day: number, timeMs: number): Date {
  const shown = Date.UTC(year, month - 1, day) + timeMs
  // Clocks change by a few hours at most, and not twice within two days: the offset is that of the day before or after.
  const [before, after] = [offsetMs(zone, shown - DAY_MS), offsetMs(zone, shown + DAY_MS)]
  const candidates = [shown - before, shown - after].sort((one, other) => one - other)
  return new Date(candidates.find((instant) => instant + offsetMs(zone, instant) === shown) ?? shown - before)
}

function offsetMs(zone: string, instant: number): number {
  const local = dateIn(zone, new Date(instant))
  return (
    Date.UTC(local.year, local.month - 1, local.day, local.hour, local.minute, local.second) - Math.floor(instant / 1000) * 1000
  )
}

export function dateIn(zone: string, instant: Date) {
  const parts = formatOf(zone).formatToParts(instant)
  const value = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((part) => part.type === type)?.value)
  return {
    year: value('year'),
    month: value('month'),
    day: value('day'),
    hour: value('hour'),
    minute: value('minute'),
    second: value('second'),
  }
}

const KNOWN_FORMATS = 20
/** Making one costs fifty times as much as using it. */
const formats = new Cache<Intl.DateTimeFormat>({ most: KNOWN_FORMATS })

function formatOf(zone: string): Intl.DateTimeFormat {
  return formats.find(
    zone,
    () =>
      new Intl.DateTimeFormat('en-US', {
        timeZone: zone,
        hourCycle: 'h23',
        year: 'numeric',
        month: 'numeric',
        day: 'numeric',
        hour: 'numeric',
        minute: 'numeric',
        second: 'numeric',
      }),
  )
}

let lastDay = { zone: '', second: Number.NaN, day: '' }

/** The day, YYYY-MM-DD, that a calendar in a zone shows. Requests of one second ask for the same. */
export function dayIn(zone: string, instant: Date): string {
  const second = Math.floor(instant.getTime() / 1000)
  if (lastDay.zone !== zone || lastDay.second !== second) {
    const { year, month, day } = dateIn(zone, instant)
    lastDay = { zone, second, day: dayName(year, month, day) }
  }
  return lastDay.day
}

/** A day by its name; days and months out of range count on. */
export function dayName(year: number, month: number, day: number): string {
  return new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10)
}

/** How many calendar days of a zone lie between two instants. */
export function daysBetween(zone: string, from: Date, to: Date): number {
  return (Date.parse(dayIn(zone, to)) - Date.parse(dayIn(zone, from))) / DAY_MS
}

export interface Period {
  /** Its first day. */
  day: string
  since: Date
  /** The instant at which the next one begins, and the day it is called by. */
  until: Date
  nextDay: string
}

const KNOWN_PERIODS = 20
const periods = new Map<string, Period>()

/** Returns the calendar period around a moment: its day, its week from Monday on, or its month. */
export function periodAround(zone: string, strategy: 'DAY' | 'WEEK' | 'MONTH', at: Date): Period {
  const key = `${strategy} ${zone}`
  const known = periods.get(key)
  if (known && known.since <= at && at < known.until) return known
  const { year, month, day } = dateIn(zone, at)
  const weekday = (new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 6) % 7
  const first = { DAY: day, WEEK: day - weekday, MONTH: 1 }[strategy]
  const next = { DAY: [month, first + 1], WEEK: [month, first + 7], MONTH: [month + 1, 1] } as const
  const [nextMonth, nextFirst] = next[strategy]
  const period = {
    day: dayName(year, month, first),
    since: startOfDay(zone, year, month, first),
    until: startOfDay(zone, year, nextMonth, nextFirst),
    nextDay: dayName(year, nextMonth, nextFirst),
  }
  if (periods.size >= KNOWN_PERIODS) periods.clear()
  periods.set(key, period)
  return period
}
