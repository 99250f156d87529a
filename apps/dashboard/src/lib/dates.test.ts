import { describe, expect, it } from 'vitest'
import { neverExpires } from '@causeway/contract'
import { connectionColor, exactTime, expirationText, lastSeenText, relativeTime } from './dates.ts'

const now = Date.parse('2026-11-21T12:00:00Z')
const fallbacks = { unknownExpiration: 'unknown expiration', notConnectedYet: 'not connected yet', invalidDate: 'invalid date' }

describe('dates', () => {
  it('CONST-003 an expiry in 2099 shows as infinity', () => {
    expect(expirationText('2099-01-01T00:00:00.000Z', 'en', fallbacks)).toBe('∞')
    expect(expirationText('2098-06-15T00:00:00.000Z', 'en', fallbacks)).toBe('Jun 15, 2098')
    expect(neverExpires(new Date('2098-12-31T23:59:59Z'))).toBe(false)
  })

  it.each([
    ['2026-11-21T11:59:01Z', 'teal'],
    ['2026-11-21T11:59:00Z', 'teal'],
    ['2026-11-21T11:58:59Z', 'red'],
    [null, 'yellow'],
  ])('CONST-004 last seen %s is %s', (seenAt, color) => {
    expect(connectionColor(seenAt, now)).toBe(color)
  })

  it('CONST-007 missing and unreadable dates have their own texts', () => {
    expect(expirationText(null, 'en', fallbacks)).toBe('unknown expiration')
    expect(expirationText('soon', 'en', fallbacks)).toBe('invalid date')
    expect(lastSeenText(null, now, 'en', fallbacks)).toBe('not connected yet')
    expect(lastSeenText('once', now, 'en', fallbacks)).toBe('invalid date')
  })

  it.each([
    ['2026-11-21T11:59:30Z', '30 sec. ago'],
    ['2026-11-21T11:58:20Z', '1 min. ago'],
    ['2026-11-20T11:00:00Z', 'yesterday'],
    ['2026-11-25T12:00:00Z', 'in 4 days'],
    ['2026-11-21T12:00:07Z', 'now'],
    ['2026-11-21T12:01:00Z', 'in 1 min.'],
    ['2024-11-01T12:00:00Z', '2 yr. ago'],
  ])('%s reads %s', (at, text) => {
    expect(relativeTime(new Date(at), now, 'en')).toBe(text)
  })

  it('the exact time names its zone', () => {
    expect(exactTime(new Date(now), 'en', 'UTC')).toBe('Nov 21, 2026, 12:00:00 PM UTC')
  })
})
