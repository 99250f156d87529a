import { describe, expect, test } from 'vitest'
import { concernsNodes, statusAfterEdit, statusAfterReset, statusByItself, statusesKept } from './user-status.rules.ts'

const NOW = new Date('2026-11-21T12:00:00Z')
const PAST = new Date('2026-11-20T00:00:00Z')
const FUTURE = new Date('2027-01-01T00:00:00Z')
const GIB = 1024 ** 3

const active = { status: 'ACTIVE', trafficLimitBytes: 10 * GIB, usedTrafficBytes: 5 * GIB, expireAt: FUTURE } as const
const limited = { ...active, status: 'LIMITED', usedTrafficBytes: 10 * GIB } as const
const expired = { ...active, status: 'EXPIRED', expireAt: PAST } as const
const disabled = { ...active, status: 'DISABLED' } as const

describe('the status after an edit', () => {
  test.each([
    ['an edit of other things keeps it', active, {}, 'ACTIVE'],
    ['an administrator disables', active, { status: 'DISABLED' }, 'DISABLED'],
    ['an administrator enables a disabled user', disabled, { status: 'ACTIVE' }, 'ACTIVE'],
    ['an administrator enables a limited user without new room', limited, { status: 'ACTIVE' }, 'ACTIVE'],
    ['an administrator enables an expired user', expired, { status: 'ACTIVE' }, 'ACTIVE'],
    ['a limit raised over the usage', limited, { trafficLimitBytes: 20 * GIB }, 'ACTIVE'],
    ['a limit raised to exactly the usage', limited, { trafficLimitBytes: 10 * GIB }, 'LIMITED'],
    [
      'a limit raised, but below the usage',
      { ...limited, usedTrafficBytes: 30 * GIB },
      { trafficLimitBytes: 20 * GIB },
      'LIMITED',
    ],
    ['no limit any more', limited, { trafficLimitBytes: 0 }, 'ACTIVE'],
    ['a limit lowered below the usage', active, { trafficLimitBytes: GIB }, 'LIMITED'],
    ['a limit of a disabled user', disabled, { trafficLimitBytes: 0 }, 'DISABLED'],
    ['a limit of an expired user', expired, { trafficLimitBytes: 0 }, 'EXPIRED'],
    ['a new date for an expired user', expired, { expireAt: FUTURE }, 'ACTIVE'],
    ['a new date with a status sent', expired, { expireAt: FUTURE, status: 'DISABLED' }, 'DISABLED'],
    ['a date already past', expired, { expireAt: PAST }, 'EXPIRED'],
    ['a new date for a limited user', limited, { expireAt: FUTURE }, 'LIMITED'],
    ['a new date for a disabled user', disabled, { expireAt: FUTURE }, 'DISABLED'],
  ] as const)('%s', (_, user, edit, status) => {
    expect(statusAfterEdit(user, edit, NOW)).toBe(status)
    expect(statusesKept(edit).includes(user.status) && status !== user.status).toBe(false)
  })
})

test('a reset brings back limited users only', () => {
  expect((['ACTIVE', 'LIMITED', 'EXPIRED', 'DISABLED'] as const).map(statusAfterReset)).toEqual([
    'ACTIVE',
    'ACTIVE',
    'EXPIRED',
    'DISABLED',
  ])
})

describe('what time and traffic make of a user', () => {
  test.each([
    ['nothing', active, 'ACTIVE'],
    ['the limit reached', { ...active, usedTrafficBytes: 10 * GIB }, 'LIMITED'],
    ['one byte below the limit', { ...active, usedTrafficBytes: 10 * GIB - 1 }, 'ACTIVE'],
    ['no limit', { ...active, trafficLimitBytes: 0, usedTrafficBytes: 99 * GIB }, 'ACTIVE'],
    ['the date passed', { ...active, expireAt: PAST }, 'EXPIRED'],
    ['the date of a limited user passed', { ...limited, expireAt: PAST }, 'EXPIRED'],
    ['both at once', { ...limited, status: 'ACTIVE', expireAt: PAST }, 'EXPIRED'],
    ['exactly the date', { ...active, expireAt: NOW }, 'ACTIVE'],
    ['disabled users stay', { ...disabled, expireAt: PAST, usedTrafficBytes: 99 * GIB }, 'DISABLED'],
    ['expired users stay', { ...expired, usedTrafficBytes: 99 * GIB }, 'EXPIRED'],
  ] as const)('%s', (_, user, status) => {
    expect(statusByItself(user, NOW)).toBe(status)
  })
})

test('nodes are told when a user comes or goes, and of an active user whose access changed', () => {
  expect(concernsNodes('ACTIVE', 'LIMITED')).toBe(true)
  expect(concernsNodes('EXPIRED', 'ACTIVE')).toBe(true)
  expect(concernsNodes('ACTIVE', 'ACTIVE')).toBe(false)
  expect(concernsNodes('ACTIVE', 'ACTIVE', true)).toBe(true)
  expect(concernsNodes('LIMITED', 'EXPIRED', true)).toBe(false)
})
