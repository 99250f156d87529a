import { PAYMENT_BOUNDS } from '@causeway/contract'
import { dateIn, dayIn, dayName, periodAround } from '../../lib/days.ts'

/** Real links are shorter; browsers and logs have trouble with longer ones. */
const MAX_LINK_LENGTH = 2000

/** The problem of an amount of money, if any. Zero is allowed: some months are free. */
export function amountProblem(amount: number): string | undefined {
  if (amount > PAYMENT_BOUNDS.most) return 'must be at most 999,999,999,999.99'
  if (amount !== 0 && amount < PAYMENT_BOUNDS.least) return 'must be 0 or at least 0.01'
  return undefined
}

const MIN_NAME = 2

/** The problem of a provider's name, if any: spaces alone are no name, and lists have one line for it. */
export function nameProblem(name: string): string | undefined {
  if (name.trim().length < MIN_NAME) return `must have at least ${MIN_NAME} characters besides spaces`
  return /[\p{Cc}\u2028\u2029]/u.test(name) ? 'must be one line' : undefined
}

/** The problem of a provider's link, if any: it is opened by administrators and fetched by the server. */
export function linkProblem(link: string): string | undefined {
  if (link.length > MAX_LINK_LENGTH) return `must have at most ${MAX_LINK_LENGTH} characters`
  if (!/^https?:$/.test(new URL(link).protocol)) return 'must begin with https:// or http://'
  return undefined
}

interface MonthBounds {
  today: string
  monthStart: string
  nextMonthStart: string
}

/** The day of a moment, and the first days of its month and the next, in a time zone (docs/wire.md 30). */
export function monthBounds(now: Date, zone: string): MonthBounds {
  const { day: monthStart, nextDay: nextMonthStart } = periodAround(zone, 'MONTH', now)
  return { today: dayIn(zone, now), monthStart, nextMonthStart }
}

/** Names the last months, YYYY-MM, up to that of `now` in a time zone. */
export function lastMonths(count: number, now: Date, zone: string): string[] {
  const { year, month } = dateIn(zone, now)
  return Array.from({ length: count }, (_, index) => dayName(year, month - count + 1 + index, 1).slice(0, 7))
}

const DEFAULT_PAGE = 50
/** Beyond it no list reaches, and the database's offset takes no larger number. */
const MAX_START = 1e12

type PageQuery = { start?: number | undefined; size?: number | undefined }

/** Which number of the query makes no sense, if any. */
export function pageProblem({ start = 0, size = DEFAULT_PAGE }: PageQuery): { path: string; message: string } | undefined {
  if (!(Number.isInteger(start) && start >= 0 && start <= MAX_START))
    return { path: 'start', message: 'must be a whole number from 0' }
  return Number.isInteger(size) ? undefined : { path: 'size', message: 'must be a whole number' }
}

export function toPage({ start = 0, size = DEFAULT_PAGE }: PageQuery): { start: number; size: number } {
  return { start, size }
}

const ICON_BEGINNINGS: readonly [type: string, bytes: readonly number[]][] = [
  ['image/png', [0x89, 0x50, 0x4e, 0x47]],
  ['image/jpeg', [0xff, 0xd8, 0xff]],
  ['image/gif', [0x47, 0x49, 0x46, 0x38]],
  ['image/x-icon', [0x00, 0x00, 0x01, 0x00]],
]

/**
 * The kind of picture, by the first bytes: names that servers give are often wrong. Only SVG has no
 * beginning of its own and must be called so. A browser that shows one as a picture runs nothing in it and fetches nothing.
 */
export function iconType(body: Uint8Array, contentType: string): string | undefined {
  const known = ICON_BEGINNINGS.find(([, bytes]) => bytes.every((byte, index) => body[index] === byte))
  if (known) return known[0]
  const text = (from: number, to: number) => String.fromCharCode(...body.subarray(from, to))
  if (text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP') return 'image/webp'
  const isSvg = /^image\/svg\+xml\b/i.test(contentType) && /<svg[\s>]/i.test(text(0, 1000))
  return isSvg ? 'image/svg+xml' : undefined
}
