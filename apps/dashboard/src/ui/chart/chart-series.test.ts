import { describe, expect, it } from 'vitest'
import {
  dayEntries,
  dayTotals,
  foldSeries,
  lastDays,
  pickSeries,
  rangeOf,
  seriesColors,
  tooltipEntries,
  toSeries,
  type ChartSeries,
} from './chart-series.ts'
import { BYTES_BY_DAY, MONEY_BY_MONTH } from './chart-unit.ts'

const { smallestSeries, smallestEntry } = BYTES_BY_DAY

const series = (count: number, bytes: (i: number) => number): ChartSeries[] =>
  Array.from({ length: count }, (_, i) => ({ key: `k${i}`, name: `n${i}`, values: [bytes(i)], total: bytes(i) }))

describe('days of a chart', () => {
  it('end with the UTC day of now, whatever the hour', () => {
    expect(lastDays(3, new Date('2026-03-01T00:30:00Z'))).toEqual(['2026-02-27', '2026-02-28', '2026-03-01'])
    expect(lastDays(1, new Date('2026-03-01T23:59:59Z'))).toEqual(['2026-03-01'])
  })

  it('make a range query with UTC day bounds', () => {
    expect(rangeOf(['2026-02-27', '2026-02-28'])).toEqual({ start: '2026-02-27T00:00:00.000Z', end: '2026-02-28T23:59:59.999Z' })
  })
})

describe('series from rows', () => {
  const days = ['2026-02-27', '2026-02-28']

  it('put each row on its day and leave days without rows at zero, largest series first', () => {
    const points = [
      { key: 'a', name: 'Alpha', total: 5, date: '2026-02-28T00:00:00.000Z' },
      { key: 'b', name: 'Beta', total: 7, date: '2026-02-27T00:00:00.000Z' },
      { key: 'b', name: 'Beta', total: 1, date: '2026-02-27T00:00:00.000Z' },
    ]
    expect(toSeries(points, days)).toEqual([
      { key: 'b', name: 'Beta', values: [8, 0], total: 8 },
      { key: 'a', name: 'Alpha', values: [0, 5], total: 5 },
    ])
  })

  it('leave out rows of other days', () => {
    expect(toSeries([{ key: 'a', name: 'A', total: 5, date: '2026-03-01T00:00:00.000Z' }], days)).toEqual([])
  })

  it('keep two things of one name apart', () => {
    const points = ['a', 'b'].map((key) => ({ key, name: 'same', total: 1, date: '2026-02-27T00:00:00.000Z' }))
    expect(toSeries(points, days)).toHaveLength(2)
  })
})

describe('which series are drawn', () => {
  it('NSTAT-018 hides those under 100 KB (102,400 bytes) in total', () => {
    const picked = pickSeries(
      series(2, (i) => 102_399 + i),
      7,
      false,
      smallestSeries,
    )
    expect(picked.drawn.map(({ key }) => key)).toEqual(['k1'])
    expect(picked.leftOut).toBe(1)
    expect(picked.areAllSmall).toBe(false)
    expect(
      pickSeries(
        series(2, () => 10),
        7,
        false,
        smallestSeries,
      ).areAllSmall,
    ).toBe(true)
    expect(pickSeries([], 7, false, smallestSeries).areAllSmall).toBe(false)
  })

  it('NSTAT-019 draws at most 100, the largest', () => {
    const picked = pickSeries(
      series(101, (i) => 1e6 + i),
      7,
      true,
      smallestSeries,
    )
    expect(picked.drawn).toHaveLength(100)
    expect(picked.drawn[0]?.key).toBe('k100')
    expect(picked.drawn.some(({ key }) => key === 'k0')).toBe(false)
  })

  it.each([
    [30, 11, true, 11],
    [31, 10, true, 10],
    [31, 11, true, 10],
    [31, 11, false, 11],
  ])('NSTAT-020 over %i days with %i users (top only: %s) draws %i', (days, count, isTopOnly, drawn) => {
    expect(
      pickSeries(
        series(count, () => 1e6),
        days,
        isTopOnly,
        smallestSeries,
      ).drawn,
    ).toHaveLength(drawn)
  })
})

describe('the tooltip of a day', () => {
  it('NSTAT-021 lists only entries above 50,000 bytes, at most 10, and counts the rest', () => {
    const many = tooltipEntries(
      series(13, (i) => 50_000 + i),
      0,
      smallestEntry,
    )
    expect(many.entries).toHaveLength(10)
    expect(many.entries[0]).toMatchObject({ name: 'n12', index: 12 })
    // n0 has exactly 50,000 bytes and is not counted.
    expect(many.more).toBe(2)
    expect(
      tooltipEntries(
        series(2, () => 50_000),
        0,
        smallestEntry,
      ).entries,
    ).toEqual([])
  })
})

it('a day lists what moved, largest first, and days are summed over all series', () => {
  const two: ChartSeries[] = [
    { key: 'a', name: 'A', values: [1, 0], total: 1 },
    { key: 'b', name: 'B', values: [2, 3], total: 5 },
  ]
  expect(dayEntries(two, 0).map(({ key }) => key)).toEqual(['b', 'a'])
  expect(dayEntries(two, 1).map(({ key }) => key)).toEqual(['b'])
  expect(dayTotals(two, 2)).toEqual([3, 3])
})

describe('what is drawn', () => {
  const many = series(9, (i) => 10 - i)

  it('is at most six series and the others as one, and all of them together are the whole', () => {
    const drawn = foldSeries(many, 'Others')
    expect(drawn.map(({ key, total }) => [key, total])).toEqual([
      ...[0, 1, 2, 3, 4, 5].map((i) => [`k${i}`, 10 - i]),
      ['others', 4 + 3 + 2],
    ])
    expect(dayTotals(drawn, 1)).toEqual(dayTotals(many, 1))
    expect(foldSeries(many.slice(0, 7), 'Others')).toHaveLength(7)
  })

  it('has what is marked by itself, however small it is', () => {
    expect(foldSeries(many, 'Others', 'k8').map(({ key }) => key)).toEqual(['k0', 'k1', 'k2', 'k3', 'k4', 'k8', 'others'])
    expect(foldSeries(many, 'Others', 'k2').map(({ key }) => key)).toEqual(foldSeries(many, 'Others').map(({ key }) => key))
  })
})

describe('the hue of a series', () => {
  const keys = Array.from({ length: 7 }, (_, i) => `node-${i}`)

  it.each(['dark', 'light'] as const)('differs from all others that are drawn, on a %s surface', (scheme) => {
    const colorOf = seriesColors(keys, [], scheme)
    expect(new Set(keys.map(colorOf)).size).toBe(7)
    expect(colorOf('others')).toBe(colorOf('node-9'))
  })

  it('stays where others are chosen, or where it is alone', () => {
    const all = seriesColors(keys, [], 'dark')
    const chosen = seriesColors(keys, ['node-3', 'node-9'], 'dark')
    expect(keys.map(chosen)).toEqual(keys.map(all))
    expect(keys.map(all)).not.toContain(chosen('node-9'))
    expect(seriesColors(['node-0'], [], 'dark')('node-0')).toBe(all('node-0'))
  })
})

it.each([
  [0, 1],
  [5, 1],
  [6, 2],
  [3000, 1024],
  [14.7 * 1024 ** 3, 5 * 1024 ** 3],
  [900 * 1024 ** 3, 200 * 1024 ** 3],
])('marks of an axis up to %d bytes stand %d bytes apart', (largest, step) => {
  expect(BYTES_BY_DAY.step(largest)).toBe(step)
})

it.each([
  [0, 1],
  [6, 2],
  [26, 10],
  [1300, 500],
])('marks of an axis up to %d dollars stand %d dollars apart', (largest, step) => {
  expect(MONEY_BY_MONTH.step(largest)).toBe(step)
})
