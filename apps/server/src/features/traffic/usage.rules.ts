export interface Period {
  from: Date
  to: Date
}

export interface Comparison {
  current: Period
  previous: Period
}

/** The periods that bandwidth is compared over, by days of a time zone (nodes reference 15.2). Each ends with today. */
export function bandwidthPeriods(now: Date, zone: string): Record<'two' | 'seven' | 'thirty' | 'month' | 'year', Comparison> {
  const { year, month, day } = dateIn(zone, now)
  const at = (y: number, m: number, d: number) => startOfDay(zone, y, m, d)
  const tomorrow = at(year, month, day + 1)
  const days = (count: number): Comparison => {
    const from = at(year, month, day - count + 1)
    return { current: { from, to: tomorrow }, previous: { from: at(year, month, day - 2 * count + 1), to: from } }
  }
  const since = (from: Date, before: Date): Comparison => ({
    current: { from, to: tomorrow },
    previous: { from: before, to: from },
  })
  return {
    two: days(1),
    seven: days(7),
    thirty: days(30),
    month: since(at(year, month, 1), at(year, month - 1, 1)),
    year: since(at(year, 1, 1), at(year - 1, 1, 1)),
  }
}

/** The last `count` months of a time zone up to that of `now`: their names as YYYY-MM, when each begins, and when the last ends. */
export function lastMonths(count: number, now: Date, zone: string): { names: string[]; starts: Date[]; end: Date } {
  const { year, month } = dateIn(zone, now)
  const months = Array.from({ length: count }, (_, index) => month - count + 1 + index)
  return {
    names: months.map((number) => new Date(Date.UTC(year, number - 1, 1)).toISOString().slice(0, 7)),
    starts: months.map((number) => startOfDay(zone, year, number, 1)),
    end: startOfDay(zone, year, month + 1, 1),
  }
}

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
function startOfDay(zone: string, year: number, month: number, day: number): Date {
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

function dateIn(zone: string, instant: Date) {
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
