import fc from 'fast-check'
import { expect, test } from 'vitest'
import { clockTime, dayIn, dayName, namedTimeZone, periodAround, startOfDay } from './days.ts'

const HOUR_MS = 3_600_000

test('a day begins at the first instant at which a calendar in the zone shows it, in every zone and over every change of the clocks', () => {
  const zone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'))
  const day = fc.integer({ min: 0, max: 16 * 366 })
  fc.assert(
    fc.property(zone, day, (name, offset) => {
      const start = startOfDay(name, 2020, 1, 1 + offset)
      const label = dayName(2020, 1, 1 + offset)
      expect([dayIn(name, start), dayIn(name, new Date(start.getTime() - 1)) < label]).toEqual([label, true])
    }),
    { numRuns: 2000 },
  )
})

test.each([
  ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z'], // clocks go from midnight to one
  ['Africa/Cairo', '2026-10-30', '2026-10-29T22:00:00.000Z'], // and from midnight back to eleven
  ['Asia/Amman', '2021-10-29', '2021-10-28T21:00:00.000Z'], // from one back to midnight: the first of the two
  ['America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z'],
  ['Atlantic/Azores', '2026-10-25', '2026-10-25T00:00:00.000Z'],
  ['Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00.000Z'], // there was no 30th
  ['Asia/Kathmandu', '2026-03-01', '2026-02-28T18:15:00.000Z'],
])('in %s the %s begins at %s', (zone, label, start) => {
  const [year = 0, month = 0, day = 0] = label.split('-').map(Number)
  expect(startOfDay(zone, year, month, day).toISOString()).toBe(start)
})

test('a time that the clocks pass over is the moment they do', () => {
  expect(clockTime('Europe/London', 2026, 3, 29, HOUR_MS).toISOString()).toBe('2026-03-29T01:00:00.000Z')
  expect(clockTime('Europe/London', 2026, 3, 30, HOUR_MS).toISOString()).toBe('2026-03-30T00:00:00.000Z')
})

test('periods begin at midnight, on Monday and on the first, and are called by that day', () => {
  const sunday = new Date('2026-11-22T23:30:00Z')
  const periods = (zone: string) => (['DAY', 'WEEK', 'MONTH'] as const).map((strategy) => periodAround(zone, strategy, sunday))
  const at = (text: string) => new Date(`${text}T00:00:00Z`)
  expect(periods('UTC')).toEqual([
    { day: '2026-11-22', since: at('2026-11-22'), nextDay: '2026-11-23', until: at('2026-11-23') },
    { day: '2026-11-16', since: at('2026-11-16'), nextDay: '2026-11-23', until: at('2026-11-23') },
    { day: '2026-11-01', since: at('2026-11-01'), nextDay: '2026-12-01', until: at('2026-12-01') },
  ])
  // It is Monday already.
  expect(periods('Europe/Berlin').map(({ day }) => day)).toEqual(['2026-11-23', '2026-11-23', '2026-11-01'])
  expect(periodAround('Asia/Tokyo', 'MONTH', new Date('2026-12-31T15:00:00Z')).day).toBe('2027-01-01')
})

test('zones have one name however they are written; offsets and what does not exist are none', () => {
  expect(namedTimeZone('europe/berlin')).toBe('Europe/Berlin')
  expect(namedTimeZone('UTC')).toBe('UTC')
  for (const text of ['+03:00', '-05', 'Europe/Atlantis', '', ' UTC', 'x'.repeat(99), 'Europe/Berlin\u0000'])
    expect(namedTimeZone(text)).toBeUndefined()
})
