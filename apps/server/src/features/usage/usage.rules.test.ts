import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bandwidthPeriods, inWholeDays } from './usage.rules.ts'
import { dayIn, isTimeZone, startOfDay, utcDay } from '../../lib/days.ts'

const spans = (now: string, zone: string) => {
  const periods = bandwidthPeriods(new Date(now), zone)
  const text = ({ from, to }: { from: Date; to: Date }) => `${from.toISOString().slice(0, 16)} ${to.toISOString().slice(0, 16)}`
  return Object.fromEntries(
    Object.entries(periods).map(([name, { current, previous }]) => [name, [text(current), text(previous)]]),
  )
}

describe('periods of bandwidth', () => {
  it('are days of the zone that end with today, and as much of those before as has passed of these', () => {
    expect(spans('2026-03-05T10:00:00Z', 'UTC')).toEqual({
      two: ['2026-03-05T00:00 2026-03-06T00:00', '2026-03-04T00:00 2026-03-04T10:00'],
      seven: ['2026-02-27T00:00 2026-03-06T00:00', '2026-02-20T00:00 2026-02-26T10:00'],
      thirty: ['2026-02-04T00:00 2026-03-06T00:00', '2026-01-05T00:00 2026-02-03T10:00'],
      month: ['2026-03-01T00:00 2026-03-06T00:00', '2026-02-01T00:00 2026-02-05T10:00'],
      year: ['2026-01-01T00:00 2026-03-06T00:00', '2025-01-01T00:00 2025-03-05T10:00'],
    })
  })

  it('follow the zone over midnight and over a change of its clocks', () => {
    expect(spans('2026-03-04T20:00:00Z', 'Asia/Tehran')['two']).toEqual([
      '2026-03-03T20:30 2026-03-04T20:30',
      '2026-03-02T20:30 2026-03-03T20:00',
    ])
    expect(spans('2026-03-29T12:00:00Z', 'Europe/Berlin')['two']).toEqual([
      '2026-03-28T23:00 2026-03-29T22:00',
      '2026-03-27T23:00 2026-03-28T12:00',
    ])
  })

  it('never reach into the current one, as when the month before is shorter', () => {
    expect(spans('2026-03-31T10:00:00Z', 'UTC')['month']).toEqual([
      '2026-03-01T00:00 2026-04-01T00:00',
      '2026-02-01T00:00 2026-03-01T00:00',
    ])
  })

  it('know zones from nonsense', () => {
    expect([isTimeZone('Asia/Tehran'), isTimeZone('UTC'), isTimeZone('Mars/Base')]).toEqual([true, true, false])
  })
})

it.each([
  ['2026-01-31', '2026-01-31'],
  ['2026-01-31T23:30:00-02:00', '2026-02-01'],
  ['yesterday', undefined],
  ['+275760-09-13', undefined],
  ['-000001-01-01', undefined],
])('the UTC day of %s is %s', (text, day) => {
  expect(utcDay(text)).toBe(day)
})

it('a period is whole days of the installation and the parts before and after them, without a gap, in any two zones', () => {
  const zone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'))
  const instant = fc.date({ min: new Date('2024-01-01'), max: new Date('2028-01-01'), noInvalidDate: true })
  const ms = ({ from, to }: { from: Date; to: Date }) => to.getTime() - from.getTime()
  fc.assert(
    fc.property(zone, instant, fc.integer({ min: 1, max: 90 * 86_400_000 }), (name, from, length) => {
      const to = new Date(from.getTime() + length)
      const { fromDay, untilDay, edges } = inWholeDays({ from, to }, name, to)
      const start = (day: string) => {
        const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
        return startOfDay(name, year, month, date)
      }
      const whole = fromDay < untilDay ? ms({ from: start(fromDay), to: start(untilDay) }) : 0
      expect(edges.reduce((sum, edge) => sum + ms(edge), whole)).toBe(length)
      for (const edge of edges) expect(dayIn(name, edge.from)).toBe(edge.day)
    }),
    { numRuns: 500 },
  )
})
