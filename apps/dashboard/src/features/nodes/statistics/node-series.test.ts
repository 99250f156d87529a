import { expect, it } from 'vitest'
import { perWholeDay } from '../../../ui/chart/chart-series.ts'
import { asSpeeds, nodeSeries, nodeShares, periodOf, userSeries } from './node-series.ts'
import { nodesUsageQuery } from './statistics.queries.ts'

const MIB = 1024 ** 2
const MIDNIGHT = '2026-03-05T00:00:00.000Z'
const node = (uuid: string, bytes: number[]) => ({ uuid, name: `n-${uuid}`, countryCode: 'PL', bytes })

it.each([
  ['30', 30],
  ['180', 180],
  ['365', 7],
  ['730000', 7],
  ['-7', 7],
  ['', 7],
  ['7.0', 7],
  [undefined, 7],
])('NSTAT-003 the address says %j: %i days', (text, days) => {
  expect(periodOf(text)).toBe(days)
})

it('NSTAT-027 the statistics are fresh for 30 seconds and read again every 30', () => {
  expect(nodesUsageQuery(7)).toMatchObject({ staleTime: 30_000, refetchInterval: 30_000 })
})

it('series stand in the order of what they moved', () => {
  const nodes = [node('a', [1, 2]), node('b', [5, 0])]
  expect(nodeSeries({ nodes }).map(({ key, total }) => [key, total])).toEqual([
    ['b', 5],
    ['a', 3],
  ])
  const users = [
    { uuid: 'u', username: 'ann', total: 1, bytes: [1, 0] },
    { uuid: 'v', username: 'bob', total: 4, bytes: [4, 0] },
  ]
  expect(userSeries({ users }).map(({ name }) => name)).toEqual(['bob', 'ann'])
})

it('a speed is the mean of its day; that of the running day is the mean since midnight', () => {
  const [series] = asSpeeds(
    nodeSeries({ nodes: [node('a', [86_400 * MIB, 3600 * MIB])] }),
    MIDNIGHT,
    Date.parse('2026-03-05T01:00:00Z'),
  )
  expect(series?.values).toEqual([MIB, MIB])
  expect(series?.total).toBe(MIB)
  expect(asSpeeds(nodeSeries({ nodes: [node('a', [102_399])] }), MIDNIGHT, Date.now())).toEqual([])
  expect(asSpeeds(nodeSeries({ nodes: [node('a', [0, MIB])] }), MIDNIGHT, Date.parse(MIDNIGHT))[0]?.values[1]).toBe(MIB)
})

it('what a node that alone moved anything has per whole day, all nodes have', () => {
  const bytes = [0, 0, 12, 18, 5]
  const [share] = nodeShares({ nodes: [node('a', bytes), node('idle', [0, 0, 0, 0, 0])] })
  expect([share?.perDay, perWholeDay(bytes)]).toEqual([15, 15])
})

it('a share is of all that moved; a whole day counts from the first one with traffic', () => {
  const shares = nodeShares({ nodes: [node('a', [0, 10, 20, 5]), node('b', [0, 0, 0, 65])] })
  expect(shares.map(({ uuid, total, share, perDay }) => [uuid, total, share, perDay])).toEqual([
    ['b', 65, 0.65, null],
    ['a', 35, 0.35, 15],
  ])
  expect(nodeShares({ nodes: [node('c', [0, 0])] })[0]).toMatchObject({ share: 0, perDay: null })
  expect(nodeShares({ nodes: [node('d', [0, 6, 0, 0])] })[0]?.perDay).toBe(3) // a finished day without traffic counts
})
