import { numberFormat } from './formats.ts'

const LATIN = '0123456789'

/** How a language writes numbers: its ten digits, and what stands before fractions. */
export interface Numerals {
  digits: string
  decimal: string
}

export const LATIN_NUMERALS: Numerals = { digits: LATIN, decimal: '.' }

/** Persian, Arabic and full-width digits as Latin ones; everything else stays. */
export function latinDigits(text: string): string {
  return text.replaceAll(/[۰-۹٠-٩０-９]/g, (digit) => String((digit.codePointAt(0) ?? 0) & 0xf))
}

export function inDigits(text: string, { digits }: Pick<Numerals, 'digits'>): string {
  return digits === LATIN ? text : text.replaceAll(/\d/g, (digit) => digits[Number(digit)] ?? digit)
}

export function numeralsOf(locale: string): Numerals {
  const digits = Array.from(LATIN, (digit) => numberFormat(locale).format(Number(digit))).join('')
  const decimal =
    numberFormat(locale)
      .formatToParts(1.5)
      .find(({ type }) => type === 'decimal')?.value ?? '.'
  return { digits, decimal }
}

const MOST_DECIMALS = 20

/** A number as it can be typed on: without separators of thousands, and with at least so many decimals. */
export function writeNumber(value: number, { digits, decimal }: Numerals, decimals = 0): string {
  const options = { useGrouping: false, minimumFractionDigits: decimals, maximumFractionDigits: MOST_DECIMALS }
  return inDigits(numberFormat('en', options).format(value).replace('.', decimal), { digits })
}
