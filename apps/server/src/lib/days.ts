// What days are, in UTC, in the server's own time and in the time zone of somebody else.

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
    new Intl.DateTimeFormat('en', { timeZone: zone }).format()
    return true
  } catch {
    return false
  }
}

/** The instant at which a day begins in a zone. Days and months out of range count on, as in Date. */
export function startOfDay(zone: string, year: number, month: number, day: number): Date {
  const midnight = Date.UTC(year, month - 1, day)
  // Around a change of the clocks the offset at the first guess may be that of the other side.
  const guess = midnight - offsetMs(zone, midnight)
  return new Date(midnight - offsetMs(zone, guess))
}

function offsetMs(zone: string, instant: number): number {
  const local = dateIn(zone, new Date(instant))
  return (
    Date.UTC(local.year, local.month - 1, local.day, local.hour, local.minute, local.second) - Math.floor(instant / 1000) * 1000
  )
}

export function dateIn(zone: string, instant: Date) {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(instant)
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

/** When the calendar period began in which a moment lies: its day, its week from Monday on, its month; in local time. */
export function periodStart(strategy: 'DAY' | 'WEEK' | 'MONTH', at: Date): Date {
  const [year, month, day] = [at.getFullYear(), at.getMonth(), at.getDate()]
  switch (strategy) {
    case 'DAY':
      return new Date(year, month, day)
    case 'WEEK':
      return new Date(year, month, day - ((at.getDay() + 6) % 7))
    case 'MONTH':
      return new Date(year, month, 1)
  }
}
