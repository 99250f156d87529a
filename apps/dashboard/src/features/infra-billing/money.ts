import type { BillingNode, Provider } from '@causeway/contract'
import { numberFormat } from '../../lib/numbers/formats.ts'
import { dayIn } from '../../lib/time/dates.ts'

// Sums are made of whole cents: 0.1 + 0.2 must be 0.3 wherever money is added up.

const CENTS = 100

/** @throws when the text or number is none that money can be counted with */
export function toCents(amount: number | string): number {
  return Math.round(toNumber(amount) * CENTS)
}

export function sumAmounts(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum + toCents(amount), 0) / CENTS
}

/** US dollars with two decimals, as the reader's language writes them. */
export function formatUsd(amount: number | string, locale: string): string {
  return numberFormat(locale, { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' }).format(toNumber(amount))
}

/** With the thousands separators of the language, in English commas. */
export function formatInteger(count: number | string, locale: string): string {
  return numberFormat(locale, { maximumFractionDigits: 0 }).format(toNumber(count))
}

/** Always with its decimal, so that shares below each other are compared digit by digit. */
export function formatPercent(percent: number | string, locale: string): string {
  return numberFormat(locale, { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(
    toNumber(percent) / 100,
  )
}

export interface ExpectedMonth {
  /** YYYY-MM. */
  month: string
  amount: number
  bills: number
  /** Bills of providers that were never paid: their amounts are not known. */
  unknown: number
}

const EXPECTED_MONTHS = 3

/** Bills of this month and the next ones, each at the average payment to its provider. Overdue ones belong to this month. */
export function expectedMonths(
  bills: readonly Pick<BillingNode, 'providerUuid' | 'nextBillingAt'>[],
  providers: readonly Pick<Provider, 'uuid' | 'billingHistory'>[],
  now: Date,
  zone: string,
): ExpectedMonth[] {
  const average = new Map(
    providers.flatMap(({ uuid, billingHistory: { totalAmount, totalBills } }) =>
      totalBills > 0 ? [[uuid, totalAmount / totalBills] as const] : [],
    ),
  )
  const current = monthNumber(dayIn(zone, now))
  return Array.from({ length: EXPECTED_MONTHS }, (_, ahead) => {
    const due = bills.filter(({ nextBillingAt }) => monthNumber(dayIn(zone, new Date(nextBillingAt))) <= current + ahead)
    const amounts = due.map(({ providerUuid }) => average.get(providerUuid))
    return {
      month: monthName(current + ahead),
      amount: sumAmounts(amounts.map((amount) => amount ?? 0)),
      bills: due.length,
      unknown: amounts.filter((amount) => amount === undefined).length,
    }
  })
}

const YEAR_MONTHS = 12

function monthNumber(day: string): number {
  const [year = 0, month = 1] = day.split('-').map(Number)
  return year * YEAR_MONTHS + month - 1
}

function monthName(number: number): string {
  return `${Math.floor(number / YEAR_MONTHS)}-${String((number % YEAR_MONTHS) + 1).padStart(2, '0')}`
}

function toNumber(value: number | string): number {
  const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value)
  if (!Number.isFinite(number))
    throw new Error('Invalid value. Please provide a valid number or string representation of a number.')
  return number
}
