import type { BillingNode, BillingRecord } from '@causeway/contract'
import { instantOf, localDay } from '../../lib/calendar.ts'
import { csvText } from '../../lib/csv.ts'
import { relativeTime } from '../../lib/dates.ts'
import { relativeFormat } from '../../lib/formats.ts'

export type BillingDateState = 'farPast' | 'yesterday' | 'today' | 'tomorrow' | 'approaching' | 'later'

/** So many days ahead a bill is spoken of. */
const APPROACHING_DAYS = 7

/** Where a bill stands, by calendar days of the reader, and its colour. */
export function billingDate(
  at: Date,
  now: Date,
): { state: BillingDateState; color: 'red' | 'blue' | 'gray'; isThisMonth: boolean } {
  const state = stateOf(daysAhead(at, now))
  const color = state === 'later' ? 'gray' : state === 'tomorrow' || state === 'approaching' ? 'blue' : 'red'
  return { state, color, isThisMonth: at.getFullYear() === now.getFullYear() && at.getMonth() === now.getMonth() }
}

function stateOf(days: number): BillingDateState {
  if (days < -1) return 'farPast'
  if (days === -1) return 'yesterday'
  if (days === 0) return 'today'
  if (days === 1) return 'tomorrow'
  return days <= APPROACHING_DAYS ? 'approaching' : 'later'
}

/** Bills that are overdue or due within a week, the oldest first. */
export function dueBills(bills: readonly BillingNode[], now: Date): BillingNode[] {
  return bills
    .filter(({ nextBillingAt }) => daysAhead(new Date(nextBillingAt), now) <= APPROACHING_DAYS)
    .toSorted((one, other) => one.nextBillingAt.localeCompare(other.nextBillingAt))
}

/** When a bill is due in words such as 'tomorrow': bills have days, and the hours of today are nothing to count by. */
export function dueText(at: Date, now: Date, locale: string): string {
  if (daysAhead(at, now) === 0) return relativeFormat(locale, { numeric: 'auto' }).format(0, 'day')
  return relativeTime(new Date(instantOf(localDay(at))), instantOf(localDay(now)), locale)
}

/** Days counted by the calendar, not by hours: a change of the clocks makes no difference. */
function daysAhead(at: Date, now: Date): number {
  return localDay(at) - localDay(now)
}

/** Only addresses of the web become links, whatever an older record holds. */
export function webLink(link: string | null): string | undefined {
  return link !== null && URL.canParse(link) && /^https?:$/.test(new URL(link).protocol) ? link : undefined
}

/** What stands for a provider without icon. */
export function initialOf(name: string): string {
  return (Array.from(name.trim())[0] ?? '?').toLocaleUpperCase()
}

export interface CsvHeads {
  date: string
  provider: string
  amount: string
  id: string
}

/** The payments as a table for the bookkeeper: the dates of the reader, amounts with two decimals and a point. */
export function recordsCsv(records: readonly BillingRecord[], heads: CsvHeads): string {
  const rows = records.map(({ uuid, billedAt, provider, amount }) => [
    isoDay(new Date(billedAt)),
    provider.name,
    amount.toFixed(2),
    uuid,
  ])
  return csvText([[heads.date, heads.provider, heads.amount, heads.id], ...rows])
}

/** The calendar day of the reader, YYYY-MM-DD. */
export function isoDay(at: Date): string {
  const two = (part: number) => String(part).padStart(2, '0')
  return `${String(at.getFullYear()).padStart(4, '0')}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
}
