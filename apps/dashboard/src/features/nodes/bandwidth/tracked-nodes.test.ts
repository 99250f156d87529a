import { expect, it } from 'vitest'
import { forecastBytes, rowIdOf, trackedNodes, trackedTraffic, type TrackedNode } from './tracked-nodes.ts'

const node = (given: Partial<TrackedNode> = {}): TrackedNode => ({
  uuid: 'a',
  name: 'Warsaw',
  countryCode: 'PL',
  isTrafficTrackingActive: true,
  trafficResetDay: 1,
  trafficUsedBytes: 300,
  trafficLimitBytes: 1200,
  ...given,
})

it('BWT-006 rows are known by the uuid: two nodes of one name stay two rows', () => {
  expect([node(), node({ uuid: 'b' })].map(rowIdOf)).toEqual(['a', 'b'])
})

it('BWT-002 nodes without active traffic tracking are left out', () => {
  const nodes = [node(), node({ uuid: 'b', isTrafficTrackingActive: false })]
  expect(trackedNodes(nodes).map(rowIdOf)).toEqual(['a'])
})

it('BWT-005 a limit of 0, or none, is used up', () => {
  expect(trackedTraffic(node())).toEqual({ used: 300, limit: 1200, percent: 25, left: 900 })
  expect(trackedTraffic(node({ trafficLimitBytes: 0, trafficUsedBytes: 0 })).percent).toBe(100)
  expect(trackedTraffic(node({ trafficLimitBytes: null, trafficUsedBytes: null })).percent).toBe(100)
  expect(trackedTraffic(node({ trafficUsedBytes: 1500 }))).toMatchObject({ percent: 125, left: 0 })
})

it.each([
  // 10 of 30 days of November.
  [1, new Date(2026, 10, 11), 900],
  // From 31 October to 30 November, the last day of a month that has no 31st: 15 of 30 days.
  [31, new Date(2026, 10, 15), 600],
  // From the last day of February on.
  [31, new Date(2026, 2, 15, 12), 600],
])('with a reset on day %i the forecast at %s is %s', (trafficResetDay, now, bytes) => {
  expect(forecastBytes(node({ trafficResetDay }), now)).toBeCloseTo(bytes, -1)
})

it('the first day of a cycle says too little for a forecast', () => {
  expect(forecastBytes(node({ trafficResetDay: 11 }), new Date(2026, 10, 11, 12))).toBeNull()
})
