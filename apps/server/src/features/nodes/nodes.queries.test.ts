import { expect, it } from 'vitest'
import { nodeColumns } from './nodes.queries.ts'

it('an edit of a node sets what is given, trimmed, rounded and in capitals', () => {
  expect(nodeColumns({})).toEqual({})
  expect(
    nodeColumns({ name: ' a b ', countryCode: 'de', consumptionMultiplier: 0.25, trafficLimitBytes: 0, port: 22.4 }),
  ).toEqual({
    name: 'a b',
    countryCode: 'DE',
    consumptionMultiplier: 0.3,
    trafficLimitBytes: 0,
    port: 22,
  })
})
