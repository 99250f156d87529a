import { createInfraBillingRecord } from '@causeway/contract'
import { describe, expect, it } from 'vitest'
import {
  datePresets,
  earliestNextBilling,
  emptyRecord,
  latestBilledAt,
  latestNextBilling,
  monthAfter,
  recordProblem,
  toBillBody,
  toRecordBody,
} from './billing-forms.ts'

const TODAY = '2026-01-31'

describe('billing records', () => {
  const form = { ...emptyRecord(TODAY), providerUuid: 'p', amount: 12.5, billedAt: '2026-01-31' }

  it.each([
    ['UTC', '2026-01-31T00:00:00.000Z'],
    ['Europe/Moscow', '2026-01-30T21:00:00.000Z'],
    ['Asia/Kathmandu', '2026-01-30T18:15:00.000Z'],
    ['America/Los_Angeles', '2026-01-31T08:00:00.000Z'],
    ['Pacific/Chatham', '2026-01-30T10:15:00.000Z'],
  ])('BILL-026 the date is sent as the instant at which the day begins for the installation: %s', (zone, billedAt) => {
    expect(toRecordBody(form, zone)).toEqual({ providerUuid: 'p', amount: 12.5, billedAt })
  })

  it('what is no amount or no day becomes nothing that the wire takes', () => {
    const body = toRecordBody(
      {
        providerUuid: '11111111-1111-4111-8111-111111111111',
        amount: { typed: '1,234' },
        billedAt: { typed: 'soon' },
      },
      'UTC',
    )
    expect(
      createInfraBillingRecord.body
        .safeParse(body)
        .error?.issues.map(({ path }) => path[0])
        .toSorted(),
    ).toEqual(['amount', 'billedAt'])
  })

  it.each([
    [{}, undefined],
    [{ amount: 0.01 }, undefined],
    [{ billedAt: '2026-02-01' }, undefined],
    [{ billedAt: '1970-01-01' }, undefined],
    [{ billedAt: null }, 'dateMissing'],
    [{ billedAt: '2026-02-02' }, 'dateTooLate'],
    [{ billedAt: '9999-12-31' }, 'dateTooLate'],
    [{ amount: '' }, 'amountTooSmall'],
    [{ amount: 0 }, 'amountTooSmall'],
    [{ amount: 0.001 }, 'amountTooSmall'],
    [{ amount: -5 }, 'amountTooSmall'],
    [{ amount: 12.345 }, 'amountUntaken'],
    [{ amount: 1_000_000_000_000 }, 'amountUntaken'],
    [{ amount: { typed: '1,234' } }, 'amountUntaken'],
    [{ billedAt: { typed: '24.13.2026' } }, 'dateUntaken'],
  ] as const)('BILL-025 BILL-027 %o: %s', (fields, problem) => expect(recordProblem({ ...form, ...fields }, TODAY)).toBe(problem))
})

it('BILL-031 the date of the next bill is sent as the beginning of the day', () => {
  expect(toBillBody({ providerUuid: 'p', nodeUuid: 'n', nextBillingAt: '2026-04-24' }, 'Africa/Cairo')).toEqual({
    providerUuid: 'p',
    nodeUuid: 'n',
    nextBillingAt: '2026-04-23T22:00:00.000Z', // clocks go from midnight to one
  })
})

it('a monthly bill of the 31st is due on the last of shorter months and on the 31st again', () => {
  const days = ['2026-01-31']
  for (let count = 0; count < 4; count++) days.push(monthAfter(days.at(-1) ?? '', 31))
  expect(days).toEqual(['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31'])
  expect(monthAfter('2028-01-30', 30)).toBe('2028-02-29')
  expect(monthAfter('2026-12-15', 15)).toBe('2027-01-15')
})

it('where a server does not say which day a bill was made for, it is that of its date', () => {
  expect(monthAfter('2026-01-31')).toBe('2026-02-28')
  expect(monthAfter('2026-02-28')).toBe('2026-03-28')
})

it('the days that can be chosen, and those one press away', () => {
  expect([latestBilledAt(TODAY), earliestNextBilling(TODAY), latestNextBilling(TODAY)]).toEqual([
    '2026-02-01',
    '2026-01-30',
    '2028-01-31',
  ])
  expect(latestNextBilling('2024-02-29')).toBe('2026-02-28')
  expect(datePresets(TODAY)).toEqual({ today: '2026-01-31', tomorrow: '2026-02-01', nextMonth: '2026-02-28' })
})
