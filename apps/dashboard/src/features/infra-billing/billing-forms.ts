import type {
  CallInput,
  createInfraBillingNode,
  createInfraBillingRecord,
  createInfraProvider,
  Provider,
  updateInfraProvider,
} from '@causeway/contract'
import type { Change } from '../../api/use-edit-form.ts'
import { isoDay } from './infra-billing.rules.ts'
import { toCents } from './money.ts'

const MIN_CENTS = 1
const MAX_YEARS_AHEAD = 2

/** Days are the reader's, as YYYY-MM-DD; a field of a day is null while it is empty. */
export type RecordForm = { providerUuid: string | null; billedAt: string | null; amount: number | string }
export type BillForm = { providerUuid: string | null; nodeUuid: string | null; nextBillingAt: string | null }
export type ProviderForm = { name: string; faviconLink: string; loginUrl: string }

export function emptyRecord(now: Date, providerUuid: string | null = null): RecordForm {
  return { providerUuid, billedAt: isoDay(now), amount: '' }
}

/** What is still against sending it; a provider is asked for in another way. */
export function recordProblem(
  { billedAt, amount }: RecordForm,
  now: Date,
): 'dateMissing' | 'dateTooLate' | 'amountTooSmall' | undefined {
  if (billedAt === null || billedAt === '') return 'dateMissing'
  if (billedAt > latestBilledAt(now)) return 'dateTooLate'
  return amount === '' || toCents(amount) < MIN_CENTS ? 'amountTooSmall' : undefined
}

export function toRecordBody(
  form: RecordForm & { providerUuid: string; billedAt: string },
): CallInput<typeof createInfraBillingRecord> {
  return { providerUuid: form.providerUuid, billedAt: startOfDay(form.billedAt), amount: toCents(form.amount) / 100 }
}

export function toBillBody(form: {
  providerUuid: string
  nodeUuid: string
  nextBillingAt: string
}): CallInput<typeof createInfraBillingNode> {
  return { providerUuid: form.providerUuid, nodeUuid: form.nodeUuid, nextBillingAt: startOfDay(form.nextBillingAt) }
}

/** A payment of tomorrow can be entered: where the bookkeeper sits it may be tomorrow already. */
export function latestBilledAt(now: Date): string {
  return dayFrom(now, { days: 1 })
}

export function earliestNextBilling(now: Date): string {
  return dayFrom(now, { days: -1 })
}

export function latestNextBilling(now: Date): string {
  return dayFrom(now, { years: MAX_YEARS_AHEAD })
}

export function datePresets(now: Date): Record<'today' | 'tomorrow' | 'nextMonth', string> {
  return { today: isoDay(now), tomorrow: dayFrom(now, { days: 1 }), nextMonth: dayFrom(now, { months: 1 }) }
}

/** The bill after one of this day. */
export function monthAfter(at: string): string {
  return dayFrom(new Date(at), { months: 1 })
}

function dayFrom(now: Date, { days = 0, months = 0, years = 0 }: { days?: number; months?: number; years?: number }): string {
  const [year, month, day] = [now.getFullYear() + years, now.getMonth() + months, now.getDate()]
  // A month after January 31 is the last day of February, not some day of March.
  const lastDay = new Date(year, month + 1, 0).getDate()
  return isoDay(new Date(year, month, Math.min(day, months === 0 && years === 0 ? day : lastDay) + days))
}

/** The instant at which a day begins for the reader. */
export function startOfDay(day: string): string {
  const [year = 0, month = 1, date = 1] = day.slice(0, 10).split('-').map(Number)
  return new Date(year, month - 1, date).toISOString()
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
