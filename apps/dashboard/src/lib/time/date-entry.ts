import { fromIsoDay, localDay, type Day } from './calendar.ts'
import { readDate } from './read-date.ts'
import { isUntaken, type Untaken } from '../untaken.ts'

/** YYYY-MM-DD, with the time `YYYY-MM-DD HH:mm:ss`, by the clock of this machine; null or empty: none. */
export type DateEntry = string | null | Untaken

/** The first and the last that may be chosen: instants, or days as YYYY-MM-DD. */
export interface DateBounds {
  min: Date | string | undefined
  max: Date | string | undefined
}

export type DateProblem = 'missing' | 'unreadable' | 'tooEarly' | 'tooLate'

/** Why what was typed is not taken. */
export function dateProblem(entry: DateEntry, { max }: Pick<DateBounds, 'max'>, locale: string): DateProblem | undefined {
  if (!isUntaken(entry)) return undefined
  if (entry.typed.trim() === '') return 'missing'
  const read = readDate(entry.typed, locale)
  if (read === undefined) return 'unreadable'
  const last = dayOfBound(max)
  return last !== undefined && read.day > last ? 'tooLate' : 'tooEarly'
}

/** For the wire: null for none, and for what was not taken a text that no schema takes. */
export function dateText(entry: DateEntry): string | null {
  return isUntaken(entry) ? '' : entry
}

export function dayOfBound(bound: Date | string | undefined): Day | undefined {
  return bound instanceof Date ? localDay(bound) : bound === undefined ? undefined : fromIsoDay(bound)
}
