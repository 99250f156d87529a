// What days are, in UTC and in the time zone of somebody else. Never in that of the process: its servers may stand anywhere.

export const DAY_MS = 86_400_000
const FIRST_YEAR = 1970
const LAST_YEAR = 9999

/** The UTC day, YYYY-MM-DD, of an instant in the caller's words; nothing for what is none, or of a year that no day is kept of. */
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
 * When the clocks of a zone show a time since midnight: the first time, if they show it twice; if they pass over it, the moment they do.
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
const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  if (formats.size >= KNOWN_FORMATS) formats.clear()
  formats.set(zone, format)
  return format
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

/** When the calendar period began in which a moment lies, its day, its week from Monday on or its month: its first day and the instant. */
export function periodStart(zone: string, strategy: 'DAY' | 'WEEK' | 'MONTH', at: Date): { day: string; since: Date } {
  const { year, month, day } = dateIn(zone, at)
  const weekday = (new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 6) % 7
  const first = { DAY: day, WEEK: day - weekday, MONTH: 1 }[strategy]
  return { day: dayName(year, month, first), since: startOfDay(zone, year, month, first) }
}
