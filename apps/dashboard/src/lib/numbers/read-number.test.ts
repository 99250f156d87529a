import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inDigits, latinDigits, numeralsOf, writeNumber } from './digits.ts'
import { readNumber, type NumberReading } from './read-number.ts'

const LANGUAGES = ['en', 'ru', 'fa', 'zh'] as const
const UNITS = ['GiB', 'GB', 'ГБ', '$', '%']
const number = (value: number) => ({ kind: 'number', value })

describe('a number that is typed or pasted', () => {
  it.each([
    ['2.5', 2.5],
    ['2,5', 2.5],
    ['12,34', 12.34],
    ['0,5', 0.5],
    ['0.500', 0.5],
    ['.5', 0.5],
    ['2.', 2],
    ['007', 7],
    ['-5', -5],
    ['−5', -5],
    ['-0', 0],
    ['1234,567', 1234.567],
    ['1.234,56', 1234.56],
    ['1,234.56', 1234.56],
    ['1,234.567', 1234.567],
    ['1,234,567', 1_234_567],
    ['1.234.567', 1_234_567],
    ['1.234.567,8', 1_234_567.8],
    ['1 234', 1234],
    ['1\u202f234\u00a0567,8', 1_234_567.8],
    ['1’234.5', 1234.5],
    ['۲٫۵', 2.5],
    ['۲.۵', 2.5],
    ['۲،۵', 2.5],
    ['٢٫٥', 2.5],
    ['۱٬۲۳۴', 1234],
    ['\u2066۱٬۲۳۴٫۵\u2069', 1234.5],
    ['２．５', 2.5],
    ['2.5 GB', 2.5],
    ['2,5 ГБ', 2.5],
    ['2.5gib', 2.5],
    ['$12.50', 12.5],
    ['9007199254740991', 9_007_199_254_740_991],
    ['999999999999.99', 999_999_999_999.99],
  ])('“%s” is %d', (text, value) => expect(readNumber(text, UNITS)).toEqual(number(value)))

  it.each([
    ['1,234', 1234, 1.234],
    ['1.234', 1234, 1.234],
    ['-1.500', -1500, -1.5],
    ['۱۲.۳۴۵', 12_345, 12.345],
    ['100,000 GB', 100_000, 100],
  ])('“%s” is asked about: %d or %d', (text, ...either) => expect(readNumber(text, UNITS)).toEqual({ kind: 'ambiguous', either }))

  it.each([
    '1e5',
    '5 or 6',
    '2.5.1',
    '1.2.3',
    '1,23,456',
    '12,34,5',
    '1,234.567,8',
    '--5',
    '5-3',
    '10²',
    '½',
    '0x10',
    'NaN',
    '.',
    '-',
    '2.5 MB',
    '1 23',
    '192.168.0.1',
  ])('“%s” is none', (text) => expect(readNumber(text, UNITS)).toEqual({ kind: 'unreadable' }))

  it.each(['12345678901234567890', '9007199254740993', '0.1234567890123456'])('“%s” has more digits than are kept', (text) =>
    expect(readNumber(text)).toEqual({ kind: 'tooLong' }),
  )

  it.each(['', '  ', 'GiB', '\u200e'])('“%s” is empty', (text) => expect(readNumber(text, UNITS)).toEqual({ kind: 'empty' }))
})

/** Whole and fraction as digits, so that the expectation is text put together and no arithmetic. */
const figure = fc.record({
  sign: fc.constantFrom('', '-'),
  whole: fc.nat({ max: 999_999_999 }).map(String),
  fraction: fc.stringMatching(/^\d{0,5}$/),
})
const script = fc.constantFrom('0123456789', '۰۱۲۳۴۵۶۷۸۹', '٠١٢٣٤٥٦٧٨٩', '０１２３４５６７８９')
const marks = fc.constantFrom(
  ['.', ','],
  [',', '.'],
  ['.', ' '],
  [',', ' '],
  [',', '\u00a0'],
  ['.', '’'],
  ['٫', '٬'],
  ['.', ''],
  [',', ''],
)

/** The number that was read, or the two that are asked about. */
function answersOf(reading: NumberReading): readonly number[] {
  if (reading.kind === 'ambiguous') return reading.either
  return reading.kind === 'number' ? [reading.value] : []
}

describe('for every number', () => {
  it('each way of writing it is read as it, or asked about with it among the answers', () => {
    fc.assert(
      fc.property(
        figure,
        script,
        marks,
        fc.constantFrom('', ' GB', 'ГБ'),
        ({ sign, whole, fraction }, digits, [mark = '', group = ''], unit) => {
          const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, group)
          const text = sign + inDigits(grouped + (fraction === '' ? '' : mark + fraction), { digits }) + unit
          const value = Number(`${sign}${whole}.${fraction}`) + 0
          expect(answersOf(readNumber(text, UNITS))).toContain(value)
        },
      ),
      { numRuns: 2000 },
    )
  })

  it('what a field shows of it is read as it, or asked about with it among the answers, in every language', () => {
    const values = fc.oneof(
      fc.integer(),
      fc.integer({ min: -9e9, max: 9e9 }).map((cents) => cents / 100),
      fc.constantFrom(0, 0.001, 4.657, 2 ** 53 - 1),
    )
    fc.assert(
      fc.property(values, fc.constantFrom(...LANGUAGES), (value, language) => {
        expect(answersOf(readNumber(writeNumber(value, numeralsOf(language))))).toContain(value)
      }),
      { numRuns: 2000 },
    )
  })
})

it('of whatever is typed, a number is read only with all its digits: none is swallowed', () => {
  const typed = fc.string({ unit: fc.constantFrom(...Array.from("0123456789۱۲٣٤.,٫٬' -+e%$GBx\u200f")), maxLength: 12 })
  fc.assert(
    fc.property(typed, (text) => {
      const reading = readNumber(text, UNITS)
      if (reading.kind !== 'number') return
      // Either all digits are the whole, or those behind the last mark are the fraction.
      const [before = '', after = ''] = latinDigits(text)
        .split(/[.,٫](?=[^.,٫]*$)/)
        .map((part) => part.replaceAll(/\D/g, ''))
      expect([Number(before + after), Number(`${before}.${after}`)]).toContain(Math.abs(reading.value))
    }),
    { numRuns: 5000 },
  )
})
