import { latinDigits } from './digits.ts'

/** What a typed text says: one number, one of two, or none. */
export type NumberReading =
  | { kind: 'empty' }
  | { kind: 'number'; value: number }
  /** `1,234` may have thousands or a fraction: only the person knows. */
  | { kind: 'ambiguous'; either: readonly [thousands: number, fraction: number] }
  | { kind: 'unreadable' }
  /** More digits than a number keeps. */
  | { kind: 'tooLong' }

/** A double keeps any decimal fraction of so many digits. */
const MOST_DIGITS = 15

// Marks of direction, which come along when a figure is copied out of a Persian text.
const INVISIBLE = /\p{Cf}/gu
/** What a keyboard of another script writes for the comma and the dot. */
const SAME_AS: readonly (readonly [RegExp, string])[] = [
  [/[،，]/g, ','],
  [/．/g, '.'],
  [/−/g, '-'],
  [/\s/g, ' '],
]
const SHAPE = /^[.,٫]?\d[\d.,٫٬'’ ]*$/
const INTEGER = /^\d+$/
const GROUPED = /^[1-9]\d{0,2}(?:([.,٬'’ ])\d{3})(?:\1\d{3})*$/
const WITH_FRACTION = /^(?<whole>.*)(?<mark>[.,٫])(?<fraction>\d*)$/

/**
 * A number as people write it: Latin, Persian, Arabic or full-width digits, a dot or a comma before the fraction, thousands in
 * groups of three, and beside it one of the given units. What is not certain is not guessed.
 */
export function readNumber(typed: string, units: readonly string[] = []): NumberReading {
  const plain = SAME_AS.reduce((text, [from, to]) => text.replaceAll(from, to), latinDigits(typed).replaceAll(INVISIBLE, ''))
  const text = withoutUnit(plain.trim(), units)
  if (text === '') return { kind: 'empty' }
  const sign = text.startsWith('-') ? '-' : ''
  const body = text.replace(/^[-+] */, '')
  if (!SHAPE.test(body)) return { kind: 'unreadable' }
  const thousands = wholeOf(body)
  const fraction = fractionOf(body)
  if (thousands !== undefined && fraction !== undefined) return eitherOf(sign + thousands, sign + fraction)
  const only = thousands ?? fraction
  return only === undefined ? { kind: 'unreadable' } : toReading(sign + only)
}

/** Digits alone or in groups of three. */
function wholeOf(body: string): string | undefined {
  return INTEGER.test(body) || GROUPED.test(body) ? body.replaceAll(/\D/g, '') : undefined
}

/** The last mark stands before the fraction; the same mark may not separate thousands too. */
function fractionOf(body: string): string | undefined {
  const { whole = '', mark = '', fraction = '' } = WITH_FRACTION.exec(body)?.groups ?? {}
  if (mark === '' || whole.includes(mark) || (whole === '' && fraction === '')) return undefined
  const digits = whole === '' ? '0' : wholeOf(whole)
  return digits === undefined ? undefined : `${digits}.${fraction}`
}

function eitherOf(thousands: string, fraction: string): NumberReading {
  const [one, other] = [toReading(thousands), toReading(fraction)]
  if (one.kind !== 'number' || other.kind !== 'number') return { kind: 'tooLong' }
  return { kind: 'ambiguous', either: [one.value, other.value] }
}

/** `canonical` has at most a sign, digits and one dot. */
function toReading(canonical: string): NumberReading {
  const value = Number(canonical) + 0
  const digits = canonical.replaceAll(/\D/g, '').replace(/^0+/, '')
  const isKept = canonical.includes('.')
    ? digits.replace(/0+$/, '').length <= MOST_DIGITS && Math.abs(value) <= Number.MAX_SAFE_INTEGER
    : Number.isSafeInteger(value)
  return isKept ? { kind: 'number', value } : { kind: 'tooLong' }
}

function withoutUnit(text: string, units: readonly string[]): string {
  const lower = text.toLowerCase()
  for (const unit of units.map((one) => one.toLowerCase()).toSorted((one, other) => other.length - one.length)) {
    if (lower.endsWith(unit)) return text.slice(0, -unit.length).trim()
    if (lower.startsWith(unit)) return text.slice(unit.length).trim()
  }
  return text
}
