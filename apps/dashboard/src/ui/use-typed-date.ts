import { useState } from 'react'
import { fromIsoDay, localDay, toIsoDay, type Day } from '../lib/calendar.ts'
import { dateFormat } from '../lib/formats.ts'
import { readDate } from '../lib/read-date.ts'

export interface TypedDate {
  /** YYYY-MM-DD, with the time `YYYY-MM-DD HH:mm:ss`, by the clock of this machine; null or empty: none. */
  value: string | null
  onChange: (value: string | null) => void
  withTime: boolean
  /** The first and the last that may be chosen: instants, or days as YYYY-MM-DD. */
  minDate: Date | string | undefined
  maxDate: Date | string | undefined
  /** There may be none: a field that was emptied has none. */
  isClearable: boolean
  /** What was typed is no date. Without it the field shows again what it held. */
  onUnreadable: (() => void) | undefined
  locale: string
}

const MIDNIGHT = '00:00:00'

/** What a field shows of its date, and what is typed for it: what can be read is the date at once, and written as the language does when it is left. */
export function useTypedDate({ value, onChange, withTime, minDate, maxDate, isClearable, onUnreadable, locale }: TypedDate) {
  const [draft, setDraft] = useState<string>()
  const isSet = value !== null && value !== ''
  const day = isSet ? fromIsoDay(value) : undefined
  const time = isSet ? value.slice(11) || MIDNIGHT : MIDNIGHT
  const bounds = { min: boundOf(minDate), max: boundOf(maxDate) }
  const format = dateFormat(locale, { dateStyle: 'medium', ...(withTime ? { timeStyle: 'short' } : {}) })
  const written = day === undefined ? '' : format.format(new Date(`${toIsoDay(day)}T${time}`))

  function set(next: Day, nextTime: string): void {
    onChange(withTime ? notBefore(`${toIsoDay(next)} ${nextTime}`, minDate) : toIsoDay(next))
  }
  function type(text: string): void {
    setDraft(text)
    const read = readDate(text, locale)
    if (read && isWithin(read.day, bounds)) set(read.day, read.time === undefined ? time : `${read.time}:00`)
  }
  function choose(next: Day, nextTime = time): void {
    setDraft(undefined)
    set(next, nextTime)
  }
  function clear(): void {
    setDraft(undefined)
    onChange(null)
  }
  /** What was typed is over. */
  function settle(): void {
    if (draft === undefined) return
    setDraft(undefined)
    if (draft.trim() === '') {
      if (isClearable) onChange(null)
    } else if (readDate(draft, locale) === undefined) onUnreadable?.()
  }
  return { text: draft ?? written, isTyping: draft !== undefined, isSet, day, time, bounds, type, choose, clear, settle }
}

function boundOf(bound: Date | string | undefined): Day | undefined {
  return bound instanceof Date ? localDay(bound) : bound === undefined ? undefined : fromIsoDay(bound)
}

function isWithin(day: Day, { min, max }: { min: Day | undefined; max: Day | undefined }): boolean {
  return (min === undefined || day >= min) && (max === undefined || day <= max)
}

/** On the first day that may be chosen, not every time may. */
function notBefore(local: string, min: Date | string | undefined): string {
  if (!(min instanceof Date) || new Date(local.replace(' ', 'T')) >= min) return local
  const two = (part: number) => String(part).padStart(2, '0')
  return `${toIsoDay(localDay(min))} ${[min.getHours(), min.getMinutes(), min.getSeconds()].map(two).join(':')}`
}
