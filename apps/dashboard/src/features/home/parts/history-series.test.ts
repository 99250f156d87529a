import { describe, expect, it } from 'vitest'
import { finishedTotals, stepNames, trafficSeries, wholeDays } from './history-series.ts'

describe('the history', () => {
  const starts = ['2026-03-03T12:00:00.000Z', '2026-03-04T12:00:00.000Z', '2026-03-05T12:00:00.000Z']
  const node = (uuid: string, bytes: number[]) => ({ uuid, name: uuid, countryCode: 'XX', bytes })
  const history = {
    timeZone: 'UTC',
    step: 'day' as const,
    starts,
    nodes: [node('a', [1, 2, 3]), node('b', [10, 20, 30])],
    usersOnline: [null, 7, 4],
  }

  it('names hours by their instants and days by their dates', () => {
    expect(stepNames({ step: 'hour', starts, timeZone: 'UTC' })).toEqual(starts)
    expect(stepNames(history)).toEqual(['2026-03-03', '2026-03-04', '2026-03-05'])
    expect(stepNames({ ...history, timeZone: 'Pacific/Kiritimati' })).toEqual(['2026-03-04', '2026-03-05', '2026-03-06'])
  })

  it('has a series per node, largest first, and compares what is over with the period before', () => {
    expect(trafficSeries(history).map(({ key, total }) => [key, total])).toEqual([
      ['b', 60],
      ['a', 6],
    ])
    expect(finishedTotals(history)).toEqual({ now: 33, before: undefined })
    expect(finishedTotals({ ...history, before: { bytes: [5, 6, 100], usersOnline: [] } })).toEqual({ now: 33, before: 11 })
  })

  it('draws whole days only, of the whole fleet', () => {
    expect(wholeDays(history, 30)).toEqual([11, 22])
    expect(wholeDays(history, 1)).toEqual([22])
    expect(wholeDays({ ...history, step: 'hour' }, 30)).toBeUndefined()
  })
})
