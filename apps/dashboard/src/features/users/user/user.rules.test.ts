import { expect, it } from 'vitest'
import { byMonths, heatLevel, nextResetDay, weeksOf, whatComes } from './user.rules.ts'

it.each([
  ['NO_RESET', '2026-11-27', undefined],
  ['DAY', '2026-12-31', '2027-01-01'],
  ['WEEK', '2026-11-27', '2026-11-30'],
  ['WEEK', '2026-11-29', '2026-11-30'],
  ['WEEK', '2026-11-30', '2026-12-07'],
  ['MONTH', '2026-12-01', '2027-01-01'],
] as const)('traffic that is reset %s, on %s, is reset on %s', (strategy, today, next) => {
  expect(nextResetDay(strategy, today)).toBe(next)
})

const GIB = 1024 ** 3
const user = {
  status: 'ACTIVE' as const,
  trafficLimitStrategy: 'MONTH' as const,
  trafficLimitBytes: 100 * GIB,
  usedTrafficBytes: 98 * GIB,
  expireAt: '2027-03-01T00:00:00.000Z',
}
const now = new Date('2026-11-27T12:00:00.000Z')
const coming = (change: object, bytesPerDay: number) =>
  whatComes({ ...user, ...change }, { now, zone: 'UTC', bytesPerDay }).map(({ what, at }) => [
    what,
    at.toISOString().slice(0, 10),
  ])

it('says what comes, soonest first, and when the traffic ends only where nothing comes before', () => {
  expect(coming({}, GIB)).toEqual([
    ['usedUp', '2026-11-29'],
    ['reset', '2026-12-01'],
    ['expiry', '2027-03-01'],
  ])
  expect(coming({}, GIB / 10)).toEqual([
    ['reset', '2026-12-01'],
    ['expiry', '2027-03-01'],
  ])
  expect(coming({ trafficLimitStrategy: 'NO_RESET', trafficLimitBytes: 0, expireAt: '2099-12-31T00:00:00.000Z' }, GIB)).toEqual(
    [],
  )
  expect(coming({ status: 'DISABLED' }, GIB).map(([what]) => what)).toEqual(['reset', 'expiry'])
})

it('adds days up to months, and the months are the whole', () => {
  const days = ['2026-01-30', '2026-01-31', '2026-02-01']
  const series = [{ key: 'a', name: 'a', values: [1, 2, 4], total: 7 }]
  expect(byMonths(series, days)).toEqual({
    months: ['2026-01-01', '2026-02-01'],
    series: [{ key: 'a', name: 'a', values: [3, 4], total: 7 }],
  })
})

it('a heat map is of weeks from Monday, and every day with traffic is seen', () => {
  // A Wednesday.
  expect(weeksOf(['2026-11-25', '2026-11-26', '2026-11-27', '2026-11-28', '2026-11-29', '2026-11-30'])).toEqual([
    [undefined, undefined, 0, 1, 2, 3, 4],
    [5],
  ])
  expect([0, 1, 25, 26, 100].map((bytes) => heatLevel(bytes, 100))).toEqual([0, 1, 2, 3, 4])
})
