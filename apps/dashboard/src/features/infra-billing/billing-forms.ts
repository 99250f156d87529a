import {
  PAYMENT_BOUNDS,
  type CallInput,
  type createInfraBillingNode,
  type createInfraBillingRecord,
  type createInfraProvider,
  type Provider,
  type updateInfraProvider,
} from '@causeway/contract'
import type { Change } from '../../api/use-edit-form.ts'
import { addMonths, fromIsoDay, monthLength, toIsoDay } from '../../lib/time/calendar.ts'
import { dateText, type DateEntry } from '../../lib/time/date-entry.ts'
import { startOfDayIn } from '../../lib/time/dates.ts'
import { numberOf, numberProblem, type NumberEntry, type NumberRule } from '../../lib/numbers/number-entry.ts'
import { isUntaken } from '../../lib/untaken.ts'

/** Dollars, with cents. */
export const AMOUNT_RULE: NumberRule = { decimals: 2, min: PAYMENT_BOUNDS.least, max: PAYMENT_BOUNDS.most, units: ['$', 'USD'] }
const MAX_YEARS_AHEAD = 2

/** Days are those of the installation, as YYYY-MM-DD; a field of a day is null while it is empty. */
export type RecordForm = { providerUuid: string | null; billedAt: DateEntry; amount: NumberEntry }
export type BillForm = { providerUuid: string | null; nodeUuid: string | null; nextBillingAt: DateEntry }
export type ProviderForm = { name: string; faviconLink: string; loginUrl: string }

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
): CallInput<typeof createInfraBillingRecord> {
  return { providerUuid, billedAt: startOfDay(zone, billedAt), amount: numberOf(amount) ?? Number.NaN }
}

export function toBillBody(
  { providerUuid, nodeUuid, nextBillingAt }: BillForm & { providerUuid: string; nodeUuid: string },
  zone: string,
): CallInput<typeof createInfraBillingNode> {
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

export const emptyProvider: ProviderForm = { name: '', faviconLink: '', loginUrl: '' }

export function toProviderForm({ name, faviconLink, loginUrl }: Provider): ProviderForm {
  return { name, faviconLink: faviconLink ?? '', loginUrl: loginUrl ?? '' }
}

export function toProviderBody({ name, faviconLink, loginUrl }: ProviderForm): CallInput<typeof createInfraProvider> {
  return { name: name.trim(), faviconLink: faviconLink.trim(), loginUrl: loginUrl.trim() }
}

/** Only what was changed; an emptied link is taken away. */
export function toProviderPatch(
  uuid: string,
  { values, changed }: Pick<Change<ProviderForm>, 'values' | 'changed'>,
): CallInput<typeof updateInfraProvider> {
  const { name, ...links } = toProviderBody(values)
  const patch = { name, faviconLink: links.faviconLink || null, loginUrl: links.loginUrl || null }
  const names: ReadonlySet<string> = changed
  return { uuid, ...Object.fromEntries(Object.entries(patch).filter(([field]) => names.has(field))) }
}
