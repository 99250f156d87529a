import type { NoticeDigest } from '@causeway/contract'
import { clockTime, dateIn, DAY_MS } from '../../lib/days.ts'

// When a notice may be sent: after its digest, and not in quiet hours.

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
/** Daily digests and the week's summary go out then, in the zone of the rule. */
const MORNING_MS = 9 * HOUR_MS

interface Timing {
  digest: NoticeDigest
  quietFrom: string | null
  quietTo: string | null
}

export function dueAt({ digest, quietFrom, quietTo }: Timing, zone: string, now: Date): Date {
  const wanted = digest === 'daily' ? nextAt(zone, MORNING_MS, now) : digest === 'hourly' ? nextHour(now) : now
  if (quietFrom === null || quietTo === null || !isQuiet(quietFrom, quietTo, zone, wanted)) return wanted
  return nextAt(zone, timeOf(quietTo), wanted)
}

/** The reason why a notice of this rule is not yet due. */
export function whyHeld({ digest, quietTo }: Timing, zone: string, due: Date): 'quietHours' | 'digest' {
  const { hour, minute } = dateIn(zone, due)
  const isEndOfQuiet = quietTo !== null && timeOf(quietTo) === hour * HOUR_MS + minute * MINUTE_MS
  return digest === 'none' || isEndOfQuiet ? 'quietHours' : 'digest'
}

function isQuiet(from: string, to: string, zone: string, at: Date): boolean {
  const { hour, minute } = dateIn(zone, at)
  const [start, end, time] = [timeOf(from), timeOf(to), hour * HOUR_MS + minute * MINUTE_MS]
  return start <= end ? time >= start && time < end : time >= start || time < end
}

function timeOf(text: string): number {
  const [hours = 0, minutes = 0] = text.split(':').map(Number)
  return hours * HOUR_MS + minutes * MINUTE_MS
}

const nextHour = (now: Date) => new Date((Math.floor(now.getTime() / HOUR_MS) + 1) * HOUR_MS)

/** The next time that the clocks of a zone show this time of day. */
function nextAt(zone: string, timeMs: number, now: Date): Date {
  const { year, month, day } = dateIn(zone, now)
  const today = clockTime(zone, year, month, day, timeMs)
  return today > now ? today : clockTime(zone, year, month, day + 1, timeMs)
}

/** The last Monday morning, and its day as text. */
export function lastMonday(zone: string, now: Date): { at: Date; day: string } {
  const { year, month, day } = dateIn(zone, now)
  const today = new Date(Date.UTC(year, month - 1, day))
  const sinceMonday = (today.getUTCDay() + 6) % 7
  const mondayAt = (back: number) => clockTime(zone, year, month, day - back, MORNING_MS)
  const back = mondayAt(sinceMonday) <= now ? sinceMonday : sinceMonday + 7
  return { at: mondayAt(back), day: new Date(today.getTime() - back * DAY_MS).toISOString().slice(0, 10) }
}
