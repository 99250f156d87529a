import { numberFormat } from '../../lib/numbers/formats.ts'

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

function toNumber(value: number | string): number {
  const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value)
  if (!Number.isFinite(number))
    throw new Error('Invalid value. Please provide a valid number or string representation of a number.')
  return number
}
