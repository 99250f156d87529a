import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { dayIn, periodAround } from '../../lib/days.ts'
import { nextRefillAt } from './refill.rules.ts'

const ownZone = process.env['TZ']
afterEach(() => setOwnZone(ownZone))

function setOwnZone(zone: string | undefined) {
  if (zone === undefined) delete process.env['TZ']
  else process.env['TZ'] = zone
}

// 15 June 2025 is a Sunday.
test.each([
  ['DAY', 'Asia/Tehran', '2025-06-15T12:00:00Z', '2025-06-15T20:30:00.000Z'],
  ['DAY', 'Asia/Tehran', '2025-06-15T20:29:59Z', '2025-06-15T20:30:00.000Z'],
  ['DAY', 'Asia/Tehran', '2025-06-15T20:30:00Z', '2025-06-16T20:30:00.000Z'],
  ['DAY', 'Asia/Kathmandu', '2025-12-31T18:14:00Z', '2025-12-31T18:15:00.000Z'],
  ['DAY', 'Africa/Cairo', '2026-04-23T12:00:00Z', '2026-04-23T22:00:00.000Z'], // clocks go from midnight to one
  ['WEEK', 'Asia/Tehran', '2025-06-15T12:00:00Z', '2025-06-15T20:35:00.000Z'],
  ['WEEK', 'Asia/Tehran', '2025-06-15T20:31:00Z', '2025-06-22T20:35:00.000Z'], // this week's has been
  ['WEEK', 'Pacific/Chatham', '2025-06-15T11:14:00Z', '2025-06-15T11:20:00.000Z'],
  ['WEEK', 'America/Los_Angeles', '2025-06-15T23:00:00Z', '2025-06-16T07:05:00.000Z'],
  ['MONTH', 'America/Los_Angeles', '2025-06-15T12:00:00Z', '2025-07-01T07:10:00.000Z'],
  ['MONTH', 'Asia/Yangon', '2025-12-31T12:00:00Z', '2025-12-31T17:40:00.000Z'],
  ['MONTH', 'Asia/Kolkata', '2025-12-31T18:30:00Z', '2026-01-31T18:40:00.000Z'],
] as const)('%s in %s at %s: traffic is refilled at %s, wherever the process stands', (strategy, zone, now, expected) => {
  for (const own of ['UTC', 'America/Los_Angeles', 'Asia/Tehran', 'Pacific/Kiritimati']) {
    setOwnZone(own)
    expect(nextRefillAt(strategy, zone, new Date(now))?.toISOString()).toBe(expected)
  }
})

test('traffic that is never reset is never refilled', () => {
  expect(nextRefillAt('NO_RESET', 'UTC', new Date('2025-06-15T12:00:00Z'))).toBeNull()
})

test('what is announced lies ahead, in the period after this one and in its first minutes, in every zone', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...Intl.supportedValuesOf('timeZone')),
      fc.constantFrom('DAY', 'WEEK', 'MONTH'),
      fc.date({ min: new Date('2020-01-01'), max: new Date('2036-01-01'), noInvalidDate: true }),
      (zone, strategy, now) => {
        const refillAt = nextRefillAt(strategy, zone, now) ?? new Date(0)
        const next = periodAround(zone, strategy, refillAt)
        const sinceMs = refillAt.getTime() - next.since.getTime()
        expect(next.day > periodAround(zone, strategy, now).day).toBe(true)
        expect(dayIn(zone, refillAt)).toBe(next.day)
        expect(refillAt > now && sinceMs >= 0 && sinceMs <= 600_000).toBe(true)
      },
    ),
    { numRuns: 2000 },
  )
})
