import type { Provider } from '@causeway/contract'
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
  toProviderForm,
  toProviderPatch,
  toRecordBody,
} from './billing-forms.ts'

const NOW = new Date(2026, 0, 31, 18, 30)

describe('billing records', () => {
  const form = { ...emptyRecord(NOW), providerUuid: 'p', amount: 12.5, billedAt: '2026-01-31' }

  it('BILL-026 the date is sent as the instant at which the day begins for the reader', () => {
    expect(toRecordBody(form)).toEqual({ providerUuid: 'p', amount: 12.5, billedAt: new Date(2026, 0, 31).toISOString() })
  })

  it('an amount leaves with whole cents', () => {
    expect(toRecordBody({ ...form, amount: '1234.565' }).amount).toBe(1234.57)
    expect(toRecordBody({ ...form, amount: 0.1 + 0.2 }).amount).toBe(0.3)
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
  ])('BILL-025 BILL-027 %o: %s', (fields, problem) => expect(recordProblem({ ...form, ...fields }, NOW)).toBe(problem))
})

it('BILL-031 the date of the next bill is sent as the beginning of the day', () => {
  expect(toBillBody({ providerUuid: 'p', nodeUuid: 'n', nextBillingAt: '2026-03-01' })).toEqual({
    providerUuid: 'p',
    nodeUuid: 'n',
    nextBillingAt: new Date(2026, 2, 1).toISOString(),
  })
})

it('a month after the last of January is the last of February', () => {
  expect(monthAfter(new Date(2026, 0, 31).toISOString())).toBe('2026-02-28')
  expect(monthAfter(new Date(2026, 11, 15).toISOString())).toBe('2027-01-15')
})

it('the days that can be chosen, and those one press away', () => {
  expect([latestBilledAt(NOW), earliestNextBilling(NOW), latestNextBilling(NOW)]).toEqual([
    '2026-02-01',
    '2026-01-30',
    '2028-01-31',
  ])
  expect(latestNextBilling(new Date(2024, 1, 29))).toBe('2026-02-28')
  expect(datePresets(NOW)).toEqual({ today: '2026-01-31', tomorrow: '2026-02-01', nextMonth: '2026-02-28' })
})

it('an edited provider sends what was changed, and an emptied link as null', () => {
  const form = toProviderForm({ name: 'Hoster', faviconLink: null, loginUrl: 'https://a.example' } as Provider) // all that is read
  expect(form).toEqual({ name: 'Hoster', faviconLink: '', loginUrl: 'https://a.example' })
  const patch = toProviderPatch('u', { values: { ...form, name: ' New ', loginUrl: '' }, changed: new Set(['name', 'loginUrl']) })
  expect(patch).toEqual({ uuid: 'u', name: 'New', loginUrl: null })
})
