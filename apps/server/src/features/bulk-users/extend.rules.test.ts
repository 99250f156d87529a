import fc from 'fast-check'
import { expect, test } from 'vitest'
import { extendedExpiry } from './extend.rules.ts'

const now = new Date('2026-03-10T12:00:00.000Z')
const extended = (expireAt: string, months: number, days = 0) =>
  extendedExpiry(new Date(expireAt), { months, days }, now)?.toISOString()

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
  const extension = fc.record({ months: fc.integer({ min: 0, max: 120 }), days: fc.integer({ min: 0, max: 3650 }) })
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
