import { numberFormat } from '../numbers/formats.ts'
/** Plain timing numbers of the specification are seconds; timers and caches want milliseconds (CALL-019). */
export function seconds(count: number): number {
  return count * 1000
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

/** `200000` becomes `2d 7h`, in the given language: the two largest units that say something. */
export function shortDuration(totalSeconds: number, language = 'en'): string {
  const whole = Math.max(0, Math.floor(totalSeconds))
  const parts: string[] = []
  let rest = whole
  // Some of the Persian narrow forms are Latin letters.
  const unitDisplay = language === 'fa' ? 'short' : 'narrow'
  const amount = (unit: (typeof UNITS)[number][0], count: number) =>
    numberFormat(language, { style: 'unit', unit, unitDisplay }).format(count)
  for (const [unit, size] of UNITS) {
    const count = Math.floor(rest / size)
    rest -= count * size
    if (count > 0) parts.push(amount(unit, count))
    else if (parts.length > 0) break
    if (parts.length === 2) break
  }
  return parts.join(' ') || amount('second', 0)
}
