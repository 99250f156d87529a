const ZERO = 48
const SECONDS_END = '2026-11-22 18:26:00'.length
const ZONE = '+00'

/**
 * Parses a timestamp of the database in UTC, "2026-11-22 18:26:00.123456+00", years 1000 to 9999. Returns undefined
 * for any other form. The driver's regular expression, which takes every form, is twice as slow.
 */
export function timestampOf(text: string): Date | undefined {
  const end = text.length - ZONE.length
  if (end < SECONDS_END || text[4] !== '-' || text[10] !== ' ' || text[0] === '0' || !text.endsWith(ZONE)) return undefined
  const [year, month, day] = [digits(text, 0, 4), digits(text, 5, 7), digits(text, 8, 10)]
  const time = Date.UTC(year, month - 1, day, digits(text, 11, 13), digits(text, 14, 16), digits(text, 17, SECONDS_END))
  return Number.isNaN(time) ? undefined : new Date(time + thousandths(text, end))
}

function digits(text: string, from: number, to: number): number {
  let number = 0
  for (let at = from; at < to; at++) number = number * 10 + text.charCodeAt(at) - ZERO
  return number
}

/** Digits finer than a millisecond are dropped; the database omits trailing zeros. */
function thousandths(text: string, end: number): number {
  if (end <= SECONDS_END + 1) return 0
  const to = Math.min(end, SECONDS_END + 4)
  return digits(text, SECONDS_END + 1, to) * 10 ** (SECONDS_END + 4 - to)
}
