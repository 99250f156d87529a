import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { expectedMonths, formatInteger, formatPercent, formatUsd, sumAmounts, toCents } from './money.ts'

describe('money', () => {
  it('BILL-028 is shown in US dollars with two decimals', () => {
    expect([formatUsd(1234.5, 'en'), formatUsd('0.01', 'en'), formatUsd(0, 'en')]).toEqual(['$1,234.50', '$0.01', '$0.00'])
    expect(formatUsd(1234.5, 'ru').replaceAll(/\s/g, ' ')).toBe('1 234,50 $')
  })

  it.each(['', ' ', 'ten', '12,5', Number.NaN, Infinity])('BILL-052 what is no number is refused in a sentence: %j', (value) => {
    for (const read of [toCents, formatUsd, formatInteger, formatPercent])
      expect(() => read(value, 'en')).toThrow(
        'Invalid value. Please provide a valid number or string representation of a number.',
      )
  })

  it('BILL-056 counts and shares separate thousands by commas', () => {
    expect([formatInteger(1_234_567, 'en'), formatInteger('1000', 'en')]).toEqual(['1,234,567', '1,000'])
    expect([formatPercent(1234.5, 'en'), formatPercent('12', 'en')]).toEqual(['1,234.5%', '12.0%'])
  })

  it('adds up without drift, in whatever order', () => {
    expect(sumAmounts(Array.from({ length: 1000 }, () => 0.01))).toBe(10)
    const cents = fc.array(fc.integer({ min: 0, max: 1e9 }), { maxLength: 300 })
    fc.assert(
      fc.property(cents, (all) => {
        const exact = all.reduce((sum, one) => sum + one, 0) / 100
        expect(sumAmounts(all.map((one) => one / 100))).toBe(exact)
      }),
    )
  })
})

it('the coming months cost what providers were paid on average, for each bill once a month, over the end of a year', () => {
  const bill = (providerUuid: string, at: string) => ({ providerUuid, nextBillingAt: at })
  const provider = (uuid: string, totalAmount: number, totalBills: number) => ({
    uuid,
    billingHistory: { totalAmount, totalBills },
  })
  const bills = [
    bill('a', '2026-10-01T12:00:00Z'), // overdue
    bill('a', '2026-11-30T12:00:00Z'),
    // Already December there.
    bill('b', '2026-11-30T21:00:00Z'),
    bill('new', '2027-01-10T12:00:00Z'),
  ]
  const providers = [provider('a', 0.3, 3), provider('b', 10, 4), provider('new', 0, 0), provider('bystander', 999, 1)]
  expect(expectedMonths(bills, providers, new Date('2026-11-15T20:00:00Z'), 'Asia/Tehran')).toEqual([
    { month: '2026-11', amount: 0.2, bills: 2, unknown: 0 },
    { month: '2026-12', amount: 2.7, bills: 3, unknown: 0 },
    { month: '2027-01', amount: 2.7, bills: 4, unknown: 1 },
  ])
})
