import { numberFormat } from './formats.ts'
import type { NumberRule } from './number-entry.ts'

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const
export const GIB = 1024 ** 3

/** A limit in GiB. People write and sell GB and mean the same. The bytes of the largest are still counted exactly. */
export const GIB_RULE: NumberRule = {
  decimals: 3,
  min: 0,
  max: Math.floor(Number.MAX_SAFE_INTEGER / GIB),
  units: ['GiB', 'GB', 'G', 'ГиБ', 'ГБ', 'گیگابایت', 'گیگ'],
}

/** Binary units with two decimals, whole bytes without: `976.56 KiB`. */
export function formatBytes(bytes: number, locale: string): string {
  const { amount, unit } = splitBytes(bytes, locale)
  return isolateText(`${amount} ${unit}`, locale)
}

/** Kept from left to right where the text around it runs the other way: the unit is Latin, the figures are not. */
function isolateText(text: string, locale: string): string {
  return locale.startsWith('fa') ? `\u2066${text}\u2069` : text
}

/** The figure and its unit apart, for places that set the unit smaller. */
export function splitBytes(bytes: number, locale: string): { amount: string; unit: string } {
  const size = Math.abs(bytes)
  let step = 0
  // 1023.999 KiB would be written as 1024.00 KiB: step up before rounding does.
  while (step < UNITS.length - 1 && size / 1024 ** step >= 1023.995) step += 1
  const digits = step === 0 ? 0 : 2
  const amount = numberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(
    bytes / 1024 ** step,
  )
  // step never leaves the list: the loop stops at its last index.
  return { amount, unit: UNITS[step]! }
}

export function bytesToGib(bytes: number): number {
  return bytes / GIB
}

export function gibToBytes(gib: number): number {
  return Math.round(gib * GIB)
}
