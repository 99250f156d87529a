import { numberFormat } from './formats.ts'

const LATIN = '0123456789'

/** How a language writes numbers: its ten digits, and what stands before fractions and between thousands. */
export interface Numerals {
  digits: string
  decimal: string
  group: string
}

export const LATIN_NUMERALS: Numerals = { digits: LATIN, decimal: '.', group: ',' }

/** Persian and Arabic digits as Latin ones; everything else stays. */
export function latinDigits(text: string): string {
  return text.replaceAll(/[۰-۹٠-٩]/g, (digit) => String((digit.codePointAt(0) ?? 0) & 0xf))
}

/** Text in any of these digits and fractions, each letter in its place, as the numerals read it. */
export function readable(text: string, { digits }: Numerals): string {
  const latin = latinDigits(text)
  return digits === LATIN ? latin.replaceAll('٫', '.') : latin
}

export function inDigits(text: string, { digits }: Numerals): string {
  return digits === LATIN ? text : text.replaceAll(/\d/g, (digit) => digits[Number(digit)] ?? digit)
}

/** Languages with Latin digits keep the point and the comma, in which figures are copied to and fro. */
export function numeralsOf(locale: string): Numerals {
  const digits = Array.from(LATIN, (digit) => numberFormat(locale).format(Number(digit))).join('')
  if (digits === LATIN) return LATIN_NUMERALS
  const parts = numberFormat(locale).formatToParts(1_234_567.5)
  const written = (type: 'decimal' | 'group') => parts.find((part) => part.type === type)?.value ?? LATIN_NUMERALS[type]
  return { digits, decimal: written('decimal'), group: written('group') }
}
