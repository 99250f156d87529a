import { csvText, type BillingNode, type BillingRecord } from '@causeway/contract'
import { fromIsoDay } from '../../lib/time/calendar.ts'
import { dayIn, relativeDay } from '../../lib/time/dates.ts'

export type BillingDateState = 'farPast' | 'yesterday' | 'today' | 'tomorrow' | 'approaching' | 'later'

/** So many days ahead a bill is spoken of. */
const APPROACHING_DAYS = 7

/** Where a bill stands by calendar days of the installation, and its colour. */
export function billingDate(
  at: Date,
  now: Date,
  zone: string,
): { state: BillingDateState; color: 'red' | 'blue' | 'gray'; daysOverdue: number; isThisMonth: boolean } {
  const days = daysAhead(at, now, zone)
  const state = stateOf(days)
  const color = state === 'later' ? 'gray' : state === 'tomorrow' || state === 'approaching' ? 'blue' : 'red'
  const isThisMonth = dayIn(zone, at).slice(0, 7) === dayIn(zone, now).slice(0, 7)
  return { state, color, daysOverdue: Math.max(0, -days), isThisMonth }
}

function stateOf(days: number): BillingDateState {
  if (days < -1) return 'farPast'
  if (days === -1) return 'yesterday'
  if (days === 0) return 'today'
  if (days === 1) return 'tomorrow'
  return days <= APPROACHING_DAYS ? 'approaching' : 'later'
}

/** Bills that are overdue or due within a week, the oldest first. */
export function dueBills(bills: readonly BillingNode[], now: Date, zone: string): BillingNode[] {
  return bills
    .filter(({ nextBillingAt }) => daysAhead(new Date(nextBillingAt), now, zone) <= APPROACHING_DAYS)
    .toSorted((one, other) => one.nextBillingAt.localeCompare(other.nextBillingAt))
}

/** When a bill is due in words such as 'tomorrow': bills have days, and the hours of today are nothing to count by. */
export function dueText(at: Date, now: Date, zone: string, locale: string): string {
  return relativeDay(fromIsoDay(dayIn(zone, at)), fromIsoDay(dayIn(zone, now)), locale)
}

function daysAhead(at: Date, now: Date, zone: string): number {
  return fromIsoDay(dayIn(zone, at)) - fromIsoDay(dayIn(zone, now))
}

/** Only addresses of the web become links, whatever an older record holds. */
export function webLink(link: string | null): string | undefined {
  return link !== null && URL.canParse(link) && /^https?:$/.test(new URL(link).protocol) ? link : undefined
}

/** The sign of a provider without an icon. */
export function initialOf(name: string): string {
  return (Array.from(name.trim())[0] ?? '?').toLocaleUpperCase()
}

export interface CsvHeads {
  date: string
  provider: string
  amount: string
  id: string
}

/** The payments as a table for the bookkeeper: days of the installation, amounts with two decimals and a point. */
export function recordsCsv(records: readonly BillingRecord[], heads: CsvHeads, zone: string): string {
  const rows = records.map(({ uuid, billedAt, provider, amount }) => [
    dayIn(zone, new Date(billedAt)),
    provider.name,
    amount.toFixed(2),
    uuid,
  ])
  return csvText([[heads.date, heads.provider, heads.amount, heads.id], ...rows])
}
