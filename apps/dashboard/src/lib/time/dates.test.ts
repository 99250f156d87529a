import fc from 'fast-check'
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
    ['2026-11-21T11:58:59Z', 'gray'],
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

  // Tehran is three and a half hours ahead of UTC, Los Angeles eight behind.
  it.each([
    ['Asia/Tehran', '2026-11-23T06:30:00Z', '2026-11-24T21:30:00Z', 'in 2 days'], // 10:00, and 01:00 the day after tomorrow
    ['UTC', '2026-11-23T10:00:00Z', '2026-11-25T01:00:00Z', 'in 2 days'],
    ['UTC', '2026-11-23T10:00:00Z', '2026-11-24T11:00:00Z', 'tomorrow'],
    ['UTC', '2026-11-23T10:00:00Z', '2026-11-24T09:59:59Z', 'in 23 hr.'],
    ['America/Los_Angeles', '2026-11-23T10:00:00Z', '2026-11-25T01:00:00Z', 'tomorrow'], // 02:00, and 17:00 tomorrow
    ['America/Los_Angeles', '2026-11-01T07:30:00Z', '2026-11-02T07:45:00Z', 'in 24 hr.'], // 00:30 and 23:45 of a day of 25 hours
    ['UTC', '2026-11-23T23:30:00Z', '2026-11-22T00:10:00Z', 'yesterday'], // two days of hours ago, nearly
    ['UTC', '2026-11-23T00:10:00Z', '2026-11-21T23:50:00Z', '2 days ago'],
    ['UTC', '2026-11-23T15:00:00Z', '2026-12-23T14:59:57Z', 'in 1 mo.'], // a month sold a few seconds ago
    ['UTC', '2026-11-24T10:00:00Z', '2026-12-23T15:00:00Z', 'in 29 days'],
    ['UTC', '2027-01-31T10:00:00Z', '2027-02-28T10:00:00Z', 'in 1 mo.'],
    ['UTC', '2027-02-28T10:00:00Z', '2027-03-28T10:00:00Z', 'in 1 mo.'],
    ['UTC', '2026-11-30T10:00:00Z', '2027-01-29T10:00:00Z', 'in 1 mo.'],
    ['UTC', '2026-11-30T10:00:00Z', '2027-01-30T10:00:00Z', 'in 2 mo.'],
    ['UTC', '2026-11-23T10:00:00Z', '2026-10-23T12:00:00Z', '1 mo. ago'],
    ['UTC', '2026-11-23T10:00:00Z', '2027-11-23T09:00:00Z', 'in 1 yr.'],
    ['UTC', '2026-11-23T10:00:00Z', '2027-11-22T23:00:00Z', 'in 11 mo.'],
  ])('in %s, seen from %s, %s reads %s', (zone, from, at, text) => {
    inZone(zone, () => expect(relativeTime(new Date(at), Date.parse(from), 'en')).toBe(text))
  })

  it.each([
    ['en', ['in 2 days', 'in 1 mo.', 'in 23 hr.']],
    ['ru', ['послезавтра', 'через 1 мес.', 'через 23 ч']],
    ['fa', ['پس‌فردا', '۱ ماه بعد', '۲۳ ساعت بعد']],
    ['zh', ['后天', '1个月后', '23小时后']],
  ])('in %s the same days have their own words', (locale, texts) => {
    const ends = ['2026-11-25T01:00:00Z', '2026-12-23T10:00:00Z', '2026-11-24T09:30:00Z']
    inZone('UTC', () =>
      expect(ends.map((at) => relativeTime(new Date(at), Date.parse('2026-11-23T10:00:00Z'), locale))).toEqual(texts),
    )
  })

  it('a month that is sold is never told in days of 29, whenever and wherever', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('UTC', 'Asia/Tehran', 'Asia/Kathmandu', 'Pacific/Chatham', 'America/Los_Angeles'),
        fc.date({ min: new Date('2024-01-01'), max: new Date('2032-01-01'), noInvalidDate: true }),
        (zone, now) => {
          inZone(zone, () => {
            const lastDay = new Date(now.getFullYear(), now.getMonth() + 2, 0).getDate()
            const end = new Date(now)
            end.setMonth(now.getMonth() + 1, Math.min(now.getDate(), lastDay))
            expect(relativeTime(end, now.getTime(), 'en')).toBe('in 1 mo.')
          })
        },
      ),
      { numRuns: 500 },
    )
  })

  it('the exact time names its zone', () => {
    expect(exactTime(new Date(now), 'en', 'UTC')).toBe('Nov 21, 2026, 12:00:00 PM UTC')
  })
})

function inZone(zone: string, work: () => void): void {
  const own = process.env['TZ']
  process.env['TZ'] = zone
  try {
    work()
  } finally {
    if (own === undefined) delete process.env['TZ']
    else process.env['TZ'] = own
  }
}
