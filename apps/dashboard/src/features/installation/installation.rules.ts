import { wholeDay } from '../../lib/time/dates.ts'
import { dateFormat } from '../../lib/numbers/formats.ts'

/** Every zone that the browser knows, and the one that is set. */
export function zoneChoices(current: string): string[] {
  const known = Intl.supportedValuesOf('timeZone')
  return [...new Set(['UTC', ...known, current])].sort()
}

/** How far a zone is from UTC now, such as GMT+3. */
export function offsetName(zone: string, at: Date): string {
  const parts = dateFormat('en', { timeZone: zone, timeZoneName: 'shortOffset' }).formatToParts(at)
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
}

/** Clock and calendar of the zone. */
export function timeIn(zone: string, at: Date, locale: string): string {
  return wholeDay(at, locale, { timeZone: zone, timeStyle: 'short' })
}

/** Whether what was typed is found in a zone's name: its words in any order, blanks for underscores. */
export function isFound(zone: string, search: string): boolean {
  const name = zone.toLowerCase().replaceAll('_', ' ')
  return search
    .toLowerCase()
    .replaceAll('_', ' ')
    .split(/[\s/]+/)
    .every((word) => name.includes(word))
}
