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

it('takes nothing twice of a run whose last reading comes from an older copy of the disk, and says so', () => {
  const at = (uplink: number, downlink: number) => ({ uplink, downlink })
  const baselines = new Baselines()
  for (const [name, value] of [['user>>>x', at(900, 90)] as const, ['user>>>y', at(50, 5)] as const]) baselines.add(name, value)
  const ledger: Ledger = { sequence: 1, coreId: 'a', baselines, bookedCores: new Set() }
  const older = new Map([
    ['user>>>x', at(500, 50)],
    ['user>>>y', at(50, 5)],
  ])
  const current = { coreId: 'b', counters: new Map([['user>>>x', at(7, 0)]]) }
  const booking = book(ledger, { sequence: 2, ended: [{ coreId: 'a', counters: older }], current })
  expect(booking?.deltas).toMatchObject([{ counter: 'user>>>x', uplink: 7, downlink: 0 }])
  expect(booking).toMatchObject({ coreId: 'b', closedCores: ['a'], isClearedByOthers: true })
})
