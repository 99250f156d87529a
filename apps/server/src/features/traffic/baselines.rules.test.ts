import { expect, it } from 'vitest'
import { Baselines } from './baselines.rules.ts'

it('baselines are refused where numbers and names do not belong together', () => {
  expect(() => Baselines.read([{ chunk: 3, names: '["user>>>x"]', counted: Buffer.alloc(32) }])).toThrow('Part 3')
})

it('after a full comparison nobody is remembered as the owner of a counter, and what is booked of it stays', () => {
  const baselines = new Baselines()
  baselines.add('user>>>x', { uplink: 10, downlink: 2 ** 53 - 1 }).userId = 7
  baselines.add('user>>>y', { uplink: 1, downlink: 2 }).userId = 8
  baselines.forgetOwners()
  expect([...baselines.counters.values()]).toMatchObject([
    { uplink: 10, downlink: 2 ** 53 - 1, userId: undefined },
    { uplink: 1, downlink: 2, userId: undefined },
  ])
})
