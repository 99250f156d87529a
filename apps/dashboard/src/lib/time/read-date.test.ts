import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromIsoDay, instantOf, toIsoDay } from './calendar.ts'
import { latinDigits } from '../numbers/digits.ts'
import { readDate, readTime } from './read-date.ts'

const read = (text: string, locale: string) => {
  const found = readDate(text, locale)
  return found && [toIsoDay(found.day), ...(found.time === undefined ? [] : [found.time])].join(' ')
}

describe('dates that are typed', () => {
  it.each([
    ['en', 'Mar 12, 2031', '2031-03-12'],
    ['en', '12 march 2031 7:30 PM', '2031-03-12 19:30'],
    ['en', '3/12/2031', '2031-03-12'],
    ['en', '3.12.2031', '2031-12-03'],
    ['en', '24.11.2026', '2026-11-24'],
    ['en', '24/11/2026', '2026-11-24'],
    ['ru', '11/24/2026', '2026-11-24'],
    ['en', '2031-03-12 09:05', '2031-03-12 09:05'],
    ['ru', '12.03.2031', '2031-03-12'],
    ['ru', '12 марта 2031 г., 12:05', '2031-03-12 12:05'],
    ['ru', '1 мая 2031', '2031-05-01'],
    ['zh', '2031年3月12日 12:05', '2031-03-12 12:05'],
    ['fa', '۲۱ اسفند ۱۴۰۹، ۱۲:۰۵', '2031-03-12 12:05'],
    ['fa', '۱۴۰۹/۱۲/۲۱', '2031-03-12'],
    ['fa', '1409/12/21 07:30', '2031-03-12 07:30'],
    ['fa', '۲۱/۱۲/۱۴۰۹', '2031-03-12'],
    ['fa', '2031-03-12', '2031-03-12'],
    ['fa', '۱۴۰۸/۱۲/۳۰', '2030-03-20'],
    ['en', '1403-12-30', '2025-03-20'],
  ])('%s: %s is %s', (locale, text, expected) => expect(read(text, locale)).toBe(expected))

  it.each([
    ['en', ''],
    ['en', 'soon'],
    ['en', 'Mar 12'],
    ['en', '2031-02-29'],
    ['en', '3/12/31'],
    ['en', '2031-03-12 25:00'],
    ['fa', '۱۴۰۹/۱۲/۳۰'],
    ['fa', '۱۴۰۴/۷/۳۱'],
  ])('%s: “%s” is none', (locale, text) => expect(read(text, locale)).toBeUndefined())

  it('what is shown can be typed, on every day and in every language', () => {
    const day = fc.integer({ min: fromIsoDay('1990-01-01'), max: fromIsoDay('2120-12-31') })
    fc.assert(
      fc.property(
        day,
        fc.constantFrom('en', 'ru', 'fa', 'zh'),
        fc.constantFrom('medium', 'long', 'full'),
        (at, locale, dateStyle) => {
          const format = new Intl.DateTimeFormat(locale, { dateStyle, timeZone: 'UTC' })
          expect(readDate(format.format(instantOf(at)), locale)?.day).toBe(at)
        },
      ),
      { numRuns: 200 },
    )
  })

  it('times are read with and without a colon, by 12 and by 24 hours', () => {
    expect(['7:30', '0730', '۱۸:۰۰', '7', '7:30 pm', '12:05 am', '24:00', '7:61', 'noon'].map(readTime)).toEqual([
      '07:30',
      '07:30',
      '18:00',
      '07:00',
      '19:30',
      '00:05',
      undefined,
      undefined,
      undefined,
    ])
    expect(latinDigits('۱۴۰۴/٠٩/1')).toBe('1404/09/1')
  })
})
