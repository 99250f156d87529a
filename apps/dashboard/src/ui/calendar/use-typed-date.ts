import { useState } from 'react'
import { fromIsoDay, localDay, toIsoDay, type Day } from '../../lib/time/calendar.ts'
import { dayOfBound, type DateBounds, type DateEntry } from '../../lib/time/date-entry.ts'
import { dateFormat } from '../../lib/numbers/formats.ts'
import { readDate } from '../../lib/time/read-date.ts'
import { isSameEntry, isUntaken } from '../../lib/untaken.ts'

export interface TypedDate {
  value: DateEntry
  onChange: (value: DateEntry) => void
  withTime: boolean
  bounds: DateBounds
  /** There may be none: a field that was emptied has none. */
  isClearable: boolean
  locale: string
}

const MIDNIGHT = '00:00:00'

/**
 * What a field shows of its date, and what is typed for it. A text that can be read is the date at once, and written as the
 * language does when the field is left; any other text is the entry itself, so that no form sends the date before it.
 */
export function useTypedDate({ value, onChange, withTime, bounds, isClearable, locale }: TypedDate) {
  const [draft, setDraft] = useState<{ text: string; entry: DateEntry }>()
  const taken = isUntaken(value) || value === null || value === '' ? undefined : value
  const day = taken === undefined ? undefined : fromIsoDay(taken)
  const time = taken?.slice(11) || MIDNIGHT
  const days = { min: dayOfBound(bounds.min), max: dayOfBound(bounds.max) }
  const format = dateFormat(locale, { dateStyle: 'medium', ...(withTime ? { timeStyle: 'short' } : {}) })
  const inWords = (on: Day, at: string) => format.format(new Date(`${toIsoDay(on)}T${at}`))
  const written = isUntaken(value) ? value.typed : day === undefined ? '' : inWords(day, time)
  // A date that came from elsewhere while something was typed is the date.
  const isTyping = draft !== undefined && isSameEntry(draft.entry, value)

  /** `isSaid`: this very time is meant, and is refused where it is past. Any other becomes the earliest there may be. */
  function entryOf(on: Day, at: string, typed: string, isSaid: boolean): DateEntry {
    if ((days.min !== undefined && on < days.min) || (days.max !== undefined && on > days.max)) return { typed }
    if (!withTime) return toIsoDay(on)
    const local = `${toIsoDay(on)} ${at}`
    if (!(bounds.min instanceof Date) || new Date(local.replace(' ', 'T')) >= bounds.min) return local
    return isSaid ? { typed } : localText(bounds.min)
  }
  function type(text: string): void {
    const read = readDate(text, locale)
    const at = read?.time === undefined ? time : `${read.time}:00`
    const entry = read === undefined ? { typed: text } : entryOf(read.day, at, text, read.time !== undefined)
    setDraft({ text, entry })
    onChange(entry)
  }
  function choose(next: Day, nextTime?: string): void {
    setDraft(undefined)
    const at = nextTime ?? time
    onChange(entryOf(next, at, inWords(next, at), nextTime !== undefined))
  }
  function clear(): void {
    setDraft(undefined)
    onChange(null)
  }
  /** What was typed is over. */
  function settle(): void {
    setDraft(undefined)
    if (isTyping && draft.text.trim() === '' && isClearable) onChange(null)
  }
  return { text: isTyping ? draft.text : written, isTyping, isSet: written !== '', day, time, days, type, choose, clear, settle }
}

function localText(at: Date): string {
  const two = (part: number) => String(part).padStart(2, '0')
  return `${toIsoDay(localDay(at))} ${[at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(':')}`
}
