import type { BillingNode, BillingRecord } from '@causeway/contract'
import { describe, expect, it } from 'vitest'
import { billingDate, dueBills, dueText, initialOf, recordsCsv, webLink } from './infra-billing.rules.ts'

// Of Tehran, three and a half hours ahead of UTC, wherever the reader is.
const ZONE = 'Asia/Tehran'
const NOW = new Date('2026-11-15T20:00:00Z') // 23:30
const days = (count: number, hour = 0) => new Date(Date.UTC(2026, 10, 14 + count, 20 + hour, 30))

describe('the date of the next bill', () => {
  it.each([
    ['BILL-017', -1, 'yesterday', 'red'],
    ['BILL-018', -4, 'farPast', 'red'],
    ['BILL-018', -2, 'farPast', 'red'],
    ['BILL-019', 0, 'today', 'red'],
    ['BILL-020', 1, 'tomorrow', 'blue'],
    ['BILL-021', 2, 'approaching', 'blue'],
    ['BILL-021', 7, 'approaching', 'blue'],
    ['BILL-022', 8, 'later', 'gray'],
    ['BILL-022', 800, 'later', 'gray'],
  ])('%s: in %i days it is %s, %s', (_, count, state, color) => {
    for (const hour of [0, 12, 23]) expect(billingDate(days(count, hour), NOW, ZONE)).toMatchObject({ state, color })
  })

  it('overdue, it says by how many days', () => {
    expect([-4, -1, 0, 3].map((count) => billingDate(days(count), NOW, ZONE).daysOverdue)).toEqual([4, 1, 0, 0])
  })

  it('is marked in its month, and only of the same year', () => {
    expect(billingDate(days(15), NOW, ZONE).isThisMonth).toBe(true)
    expect(billingDate(days(16), NOW, ZONE).isThisMonth).toBe(false)
    expect(billingDate(new Date('2027-11-15T12:00:00Z'), NOW, ZONE).isThisMonth).toBe(false)
  })
})

it('bills are due when overdue or within seven days, the oldest first', () => {
  const bill = (uuid: string, at: Date) => ({ uuid, nextBillingAt: at.toISOString() }) as BillingNode // all that the rule reads
  const bills = [bill('in 8', days(8)), bill('in 7', days(7, 23)), bill('today', days(0)), bill('long ago', days(-400))]
  expect(dueBills(bills, NOW, ZONE).map(({ uuid }) => uuid)).toEqual(['long ago', 'today', 'in 7'])
})

it.each([
  [-9, 0, '9 days ago'],
  [-1, 23, 'yesterday'],
  [0, 0, 'today'],
  [0, 23, 'today'],
  [1, 0, 'tomorrow'],
  [2, 0, 'in 2 days'],
  [7, 1, 'in 7 days'],
])('a bill in %i days at %i o’clock is due %s', (count, hour, words) =>
  expect(dueText(days(count, hour), NOW, ZONE, 'en')).toBe(words),
)

it.each([
  ['https://example.com/login', 'https://example.com/login'],
  ['javascript:alert(1)', undefined],
  ['example.com', undefined],
  [null, undefined],
])('the link %s leads to %s', (link, target) => expect(webLink(link)).toBe(target))

it('a provider without icon has its first letter, of any script', () => {
  expect(['hetzner', ' ярус', '🦄 cloud', ''].map(initialOf)).toEqual(['H', 'Я', '🦄', '?'])
})

it('payments leave as CSV that no spreadsheet takes for a formula', () => {
  const record = (name: string, amount: number): BillingRecord => ({
    uuid: 'an-id',
    providerUuid: 'p',
    amount,
    billedAt: days(0).toISOString(),
    provider: { uuid: 'p', name, faviconLink: null },
  })
  const heads = { date: 'Date', provider: 'Provider', amount: 'Amount, USD', id: 'ID' }
  expect(recordsCsv([record('Hoster', 12.5), record('=1+1, "evil"', 0.1)], heads, ZONE)).toBe(
    `Date,Provider,"Amount, USD",ID\r\n2026-11-15,Hoster,12.50,an-id\r\n2026-11-15,"'=1+1, ""evil""",0.10,an-id\r\n`,
  )
})
