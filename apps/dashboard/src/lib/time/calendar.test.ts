import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addMonths, calendarOf, dateOf, dayOf, fromIsoDay, monthLength, toIsoDay, weekdayOf } from './calendar.ts'

const persian = (year: number, month: number, day: number) => {
  const found = dayOf({ year, month, day }, 'persian')
  return found === undefined ? undefined : toIsoDay(found)
}

describe('calendars of our languages', () => {
  it('Persian is read in its own, the others in the Gregorian', () => {
    expect(['en', 'ru', 'fa', 'zh'].map(calendarOf)).toEqual(['gregory', 'gregory', 'persian', 'gregory'])
  })

  it.each([
    [1403, 1, 1, '2024-03-20'],
    [1403, 12, 30, '2025-03-20'],
    [1404, 1, 1, '2025-03-21'],
    [1404, 9, 1, '2025-11-22'],
    [1408, 12, 30, '2030-03-20'],
    [1478, 10, 11, '2099-12-31'],
  ])('%d/%d/%d is %s', (year, month, day, iso) => {
    expect(persian(year, month, day)).toBe(iso)
    expect(dateOf(fromIsoDay(iso), 'persian')).toEqual({ year, month, day })
  })

  it('Esfand has 30 days in 1403 and 1408 and 29 in the years about them', () => {
    expect([1402, 1403, 1404, 1405, 1406, 1407, 1408, 1409].map((year) => monthLength(year, 12, 'persian'))).toEqual([
      29, 30, 29, 29, 29, 29, 30, 29,
    ])
    expect(persian(1404, 12, 30)).toBeUndefined()
    expect(persian(1404, 7, 31)).toBeUndefined()
    expect(persian(1404, 13, 1)).toBeUndefined()
    expect(dayOf({ year: 2027, month: 2, day: 29 }, 'gregory')).toBeUndefined()
  })

  it('a month later than the last day of a longer month is the last day of the shorter', () => {
    const later = (iso: string, count: number, calendar: 'gregory' | 'persian') =>
      toIsoDay(addMonths(fromIsoDay(iso), count, calendar))
    // 31 Shahrivar → 30 Mehr; 30 Bahman → 29 Esfand; back over the new year.
    expect(later(persian(1404, 6, 31) ?? '', 1, 'persian')).toBe(persian(1404, 7, 30))
    expect(later(persian(1404, 11, 30) ?? '', 1, 'persian')).toBe(persian(1404, 12, 29))
    expect(later(persian(1404, 1, 15) ?? '', -1, 'persian')).toBe(persian(1403, 12, 15))
    expect(later('2027-01-31', 1, 'gregory')).toBe('2027-02-28')
    expect(later('2027-01-31', -2, 'gregory')).toBe('2026-11-30')
  })

  it('every day has one date in each calendar, and weeks go on', () => {
    const day = fc.integer({ min: fromIsoDay('1970-01-01'), max: fromIsoDay('2199-12-31') })
    fc.assert(
      fc.property(day, fc.constantFrom('gregory' as const, 'persian' as const), (at, calendar) => {
        expect(dayOf(dateOf(at, calendar), calendar)).toBe(at)
        expect(weekdayOf(at)).toBe(new Date(toIsoDay(at)).getUTCDay())
      }),
      { numRuns: 300 },
    )
  })
})
