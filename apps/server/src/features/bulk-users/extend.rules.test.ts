import fc from 'fast-check'
import { expect, test } from 'vitest'
import { extendedExpiry } from './extend.rules.ts'

const now = new Date('2026-03-10T12:00:00.000Z')
const extended = (expireAt: string, months: number, days = 0, timeZone = 'UTC') =>
  extendedExpiry(new Date(expireAt), { months, days, timeZone }, now)?.toISOString()

test.each([
  ['what is paid ahead is kept', '2027-02-12T08:00:00.000Z', 1, 0, '2027-03-12T08:00:00.000Z'],
  ['what has passed starts now', '2025-01-01T00:00:00.000Z', 1, 0, '2026-04-10T12:00:00.000Z'],
  ['a shorter month ends on its last day', '2027-01-31T08:00:00.000Z', 1, 0, '2027-02-28T08:00:00.000Z'],
  ['days count beside months', '2026-12-31T08:00:00.000Z', 2, 1, '2027-03-01T08:00:00.000Z'],
  ['what never ends stays', '2099-01-01T00:00:00.000Z', 1, 0, undefined],
])('%s', (_, expireAt, months, days, after) => {
  expect(extended(expireAt, months, days)).toBe(after)
})

test('an extension never moves a date back and gives at least its days', () => {
  const instant = fc.date({ min: new Date('2000-01-01T00:00:00Z'), max: new Date('2098-12-31T00:00:00Z'), noInvalidDate: true })
  const extension = fc.record({
    timeZone: fc.constant('UTC'),
    months: fc.integer({ min: 0, max: 120 }),
    days: fc.integer({ min: 0, max: 3650 }),
  })
  fc.assert(
    fc.property(instant, instant, extension, (expireAt, at, by) => {
      const after = extendedExpiry(expireAt, by, at)
      if (!after) throw new Error('access that ends is extended')
      const start = Math.max(expireAt.getTime(), at.getTime())
      const days = (after.getTime() - start) / 86_400_000
      expect(days).toBeGreaterThanOrEqual(by.days + by.months * 28)
      expect(days).toBeLessThanOrEqual(by.days + by.months * 31)
    }),
  )
})

test.each([
  // The 31st of January, half past midnight, in Berlin.
  ['UTC', '2027-02-28T23:30:00.000Z'],
  ['Europe/Berlin', '2027-02-27T23:30:00.000Z'],
])('a month is one of the calendar in %s', (timeZone, after) => {
  expect(extended('2027-01-30T23:30:00.000Z', 1, 0, timeZone)).toBe(after)
})

test('the time of the day stays over a change of the clocks', () => {
  expect(extended('2027-03-01T11:00:00.250Z', 1, 0, 'Europe/Berlin')).toBe('2027-04-01T10:00:00.250Z')
})
