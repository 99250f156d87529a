import { PAYMENT_BOUNDS, type CallInput, type createInfraBillingNode, type createInfraBillingRecord } from '@causeway/contract'
import type { FormOf } from '../../api/form-table.ts'
import { addMonths, fromIsoDay, monthLength, toIsoDay } from '../../lib/time/calendar.ts'
import { dateText, type DateEntry } from '../../lib/time/date-entry.ts'
import { startOfDayIn } from '../../lib/time/dates.ts'
import { numberOf, numberProblem, type NumberEntry, type NumberRule } from '../../lib/numbers/number-entry.ts'
import { isUntaken } from '../../lib/untaken.ts'

/** Dollars, with cents. */
export const AMOUNT_RULE: NumberRule = { decimals: 2, min: PAYMENT_BOUNDS.least, max: PAYMENT_BOUNDS.most, units: ['$', 'USD'] }
const MAX_YEARS_AHEAD = 2

/** Days are those of the installation, as YYYY-MM-DD; a field of a day is null while it is empty. */
type RecordWire = Required<CallInput<typeof createInfraBillingRecord>>
type BillWire = Required<CallInput<typeof createInfraBillingNode>>
export type RecordForm = FormOf<RecordWire, { providerUuid: string | null; billedAt: DateEntry; amount: NumberEntry }>
export type BillForm = FormOf<BillWire, { providerUuid: string | null; nodeUuid: string | null; nextBillingAt: DateEntry }>

export function emptyRecord(today: string, providerUuid: string | null = null): RecordForm {
  return { providerUuid, billedAt: today, amount: '' }
}

/** What is still against sending it; a provider is asked for in another way, and what cannot be read its field says. */
export function recordProblem(
  { billedAt, amount }: RecordForm,
  today: string,
): 'dateMissing' | 'dateTooLate' | 'dateUntaken' | 'amountTooSmall' | 'amountUntaken' | undefined {
  if (isUntaken(billedAt)) return 'dateUntaken'
  if (billedAt === null || billedAt === '') return 'dateMissing'
  if (billedAt > latestBilledAt(today)) return 'dateTooLate'
  if (amount === '' || (typeof amount === 'number' && amount < PAYMENT_BOUNDS.least)) return 'amountTooSmall'
  return numberProblem(amount, AMOUNT_RULE) === undefined ? undefined : 'amountUntaken'
}

export function toRecordBody(
  { providerUuid, billedAt, amount }: RecordForm & { providerUuid: string },
  zone: string,
): RecordWire {
  return { providerUuid, billedAt: startOfDay(zone, billedAt), amount: numberOf(amount) ?? Number.NaN }
}

export function toBillBody(
  { providerUuid, nodeUuid, nextBillingAt }: BillForm & { providerUuid: string; nodeUuid: string },
  zone: string,
): BillWire {
  return { providerUuid, nodeUuid, nextBillingAt: startOfDay(zone, nextBillingAt) }
}

/** A payment of tomorrow can be entered: where the bookkeeper sits it may be tomorrow already. */
export function latestBilledAt(today: string): string {
  return toIsoDay(fromIsoDay(today) + 1)
}

export function earliestNextBilling(today: string): string {
  return toIsoDay(fromIsoDay(today) - 1)
}

export function latestNextBilling(today: string): string {
  return monthsLater(today, MAX_YEARS_AHEAD * 12)
}

export function datePresets(today: string): Record<'today' | 'tomorrow' | 'nextMonth', string> {
  return { today, tomorrow: latestBilledAt(today), nextMonth: monthsLater(today, 1) }
}

/** The bill after one of this day: a month later, on the day that it was made for, or the last of a shorter month. */
export function monthAfter(day: string, billingDay = Number(day.slice(8, 10))): string {
  const next = monthsLater(day, 1)
  const [year = 0, month = 1] = next.split('-').map(Number)
  const last = monthLength(year, month, 'gregory')
  return `${next.slice(0, 8)}${String(Math.min(billingDay, last)).padStart(2, '0')}`
}

function monthsLater(day: string, count: number): string {
  return toIsoDay(addMonths(fromIsoDay(day), count, 'gregory'))
}

/** The instant at which a day begins for the installation; of what is no day, a text that no schema takes. */
export function startOfDay(zone: string, entry: DateEntry): string {
  const day = dateText(entry)
  return day ? startOfDayIn(zone, day.slice(0, 10)).toISOString() : ''
}
