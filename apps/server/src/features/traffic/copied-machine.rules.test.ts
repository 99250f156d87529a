import { expect, it } from 'vitest'
import { Baselines } from './baselines.rules.ts'
import { book, type Ledger } from './ledger.rules.ts'

it('takes nothing of a run that was closed when another one answered, and says that two machines answer in turn', () => {
  const ledger = (bookedCores: string[]): Ledger => ({
    sequence: 1,
    coreId: 'b',
    baselines: new Baselines(),
    bookedCores: new Set(bookedCores),
  })
  const counters = new Map([['user>>>x', { uplink: 500, downlink: 0 }]])
  const reading = { sequence: 2, ended: [], current: { coreId: 'a', counters } }
  expect(book(ledger(['a']), reading)).toMatchObject({ deltas: [], isOfClosedRun: true, isClearedByOthers: false })
  const other = book(ledger(['c']), reading)
  expect(other?.deltas.map(({ uplink }) => uplink)).toEqual([500])
  expect(other?.isOfClosedRun).toBe(false)
})
