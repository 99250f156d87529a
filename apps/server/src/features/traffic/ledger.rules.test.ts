import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Baselines, type Bytes, type MovedPart } from './baselines.rules.ts'
import {
  book,
  chargedBytes,
  deltasOf,
  isAnotherRun,
  isOneRun,
  type Booking,
  type Counters,
  type Ledger,
  type Reading,
} from './ledger.rules.ts'

const counters = (values: Record<string, [number, number]>): Counters =>
  new Map(Object.entries(values).map(([name, [uplink, downlink]]) => [name, { uplink, downlink }]))
const baselinesOf = (values: Counters): Baselines => {
  const baselines = new Baselines()
  for (const [name, bytes] of values) baselines.add(name, bytes)
  return baselines
}
const baselines = (values: Record<string, [number, number]>): Baselines => baselinesOf(counters(values))
const standing = (kept: Baselines | undefined): Counters =>
  new Map([...(kept?.counters ?? [])].map(([name, { uplink, downlink }]) => [name, { uplink, downlink }]))
const ledger = (values: Partial<Ledger>): Ledger => ({
  sequence: 0,
  coreId: null,
  baselines: new Baselines(),
  bookedCores: new Set(),
  ...values,
})
const reading = (values: Partial<Reading>): Reading => ({ sequence: 1, ended: [], current: null, ...values })
const deltasIn = (booking: Booking | undefined): Counters =>
  new Map(booking?.deltas.map(({ counter, uplink, downlink }) => [counter, { uplink, downlink }]))

describe('booking a reading', () => {
  it('adds what a counter grew by and remembers its value', () => {
    const booking = book(
      ledger({ coreId: 'a', baselines: baselines({ 'user>>>x': [10, 100], 'user>>>idle': [5, 5] }) }),
      reading({ current: { coreId: 'a', counters: counters({ 'user>>>x': [15, 130], 'user>>>idle': [5, 5] }) } }),
    )
    expect(deltasIn(booking)).toEqual(counters({ 'user>>>x': [5, 30] }))
    expect(standing(booking?.baselines)).toEqual(counters({ 'user>>>x': [15, 130], 'user>>>idle': [5, 5] }))
    expect(booking).toMatchObject({ isNewRun: false, isClearedByOthers: false })
  })

  it('adds nothing when it is older than what is booked, or the same again', () => {
    const current = { coreId: 'a', counters: counters({ 'user>>>x': [1, 1] }) }
    expect(book(ledger({ sequence: 7, coreId: 'a' }), reading({ sequence: 7, current }))).toBeUndefined()
    expect(book(ledger({ sequence: 7, coreId: 'a' }), reading({ sequence: 6, current }))).toBeUndefined()
  })

  it('counts another run of the core from zero and closes the run before', () => {
    const booking = book(
      ledger({ coreId: 'a', baselines: baselines({ 'user>>>x': [10, 100] }) }),
      reading({ current: { coreId: 'b', counters: counters({ 'user>>>x': [20, 200] }) } }),
    )
    expect(booking).toMatchObject({ coreId: 'b', isNewRun: true, closedCores: ['a'] })
    expect(deltasIn(booking)).toEqual(counters({ 'user>>>x': [20, 200] }))
  })

  it('books the last reading of an ended run once, also when it comes again', () => {
    const ended = [{ coreId: 'a', counters: counters({ 'user>>>x': [12, 100] }) }]
    const before = ledger({ coreId: 'a', baselines: baselines({ 'user>>>x': [10, 100] }) })
    const first = book(before, reading({ ended }))
    expect(first).toMatchObject({ coreId: null, isNewRun: true, closedCores: ['a'] })
    expect(deltasIn(first)).toEqual(counters({ 'user>>>x': [2, 0] }))
    const again = book(ledger({ sequence: 1, bookedCores: new Set(['a']) }), reading({ sequence: 2, ended }))
    expect(again?.deltas).toEqual([])
  })

  it('books a run that began and ended between two readings', () => {
    const booking = book(
      ledger({ coreId: 'a', baselines: baselines({ 'user>>>x': [10, 0] }) }),
      reading({
        ended: [
          { coreId: 'a', counters: counters({ 'user>>>x': [11, 0] }) },
          { coreId: 'b', counters: counters({ 'user>>>x': [100, 0] }) },
        ],
        current: { coreId: 'c', counters: counters({ 'user>>>x': [1000, 0] }) },
      }),
    )
    expect(deltasIn(booking)).toEqual(counters({ 'user>>>x': [1101, 0] }))
    expect(booking).toMatchObject({ coreId: 'c', closedCores: ['a', 'b'] })
  })

  it('keeps an open run whose core is silent for the moment', () => {
    const booking = book(ledger({ coreId: 'a', baselines: baselines({ 'user>>>x': [10, 0] }) }), reading({}))
    expect(booking).toMatchObject({ coreId: 'a', isNewRun: false, closedCores: [] })
  })

  it('takes a counter that fell as cleared by somebody else: what it shows is booked, each direction by itself', () => {
    const booking = book(
      ledger({ coreId: 'a', baselines: baselines({ 'user>>>x': [10, 100], 'user>>>gone': [7, 7] }) }),
      reading({ current: { coreId: 'a', counters: counters({ 'user>>>x': [4, 130] }) } }),
    )
    expect(deltasIn(booking)).toEqual(counters({ 'user>>>x': [4, 30] }))
    expect(booking).toMatchObject({ isClearedByOthers: true })
    expect(standing(booking?.baselines)).toEqual(counters({ 'user>>>x': [4, 130] }))
  })
})

describe('runs of a core that says only its uptime', () => {
  const last = { uptimeMs: 600_000, baselines: counters({ 'user>>>x': [10, 10], 'outbound>>>d': [20, 20] }) }
  const fallen = counters({ 'user>>>x': [1, 1], 'outbound>>>d': [2, 2] })
  it.each([
    ['a restart', { uptimeMs: 9_000, elapsedMs: 15_000, counters: fallen }, true],
    ['the same run', { uptimeMs: 615_000, elapsedMs: 15_000, counters: last.baselines }, false],
    ['another panel clearing counters', { uptimeMs: 615_000, elapsedMs: 15_000, counters: fallen }, false],
    ["the panel's clock stepping forward", { uptimeMs: 615_000, elapsedMs: 3_615_000, counters: last.baselines }, false],
    ['a clock step below the uptime and a clearing', { uptimeMs: 615_000, elapsedMs: 315_000, counters: fallen }, false],
    ['a paused machine', { uptimeMs: 615_000, elapsedMs: 90_000, counters: last.baselines }, false],
    [
      'only the users cleared',
      { uptimeMs: 9_000, elapsedMs: 15_000, counters: counters({ 'user>>>x': [1, 1], 'outbound>>>d': [25, 25] }) },
      false,
    ],
  ])('%s', (_, now, expected) => {
    expect(isAnotherRun(last, now)).toBe(expected)
  })

  it.each([
    [100_000, 100_000, 40, true],
    [100_000, 101_000, 900, true],
    [100_000, 2_000, 900, false],
    [3_000, 20_000, 900, false],
  ])('uptime %d, then %d after %d ms: one run %s', (before, after, elapsed, expected) => {
    expect(isOneRun(before, after, elapsed)).toBe(expected)
  })
})

describe('charging', () => {
  it.each([
    [100, 1, 100],
    [15, 0.1, 1],
    [100, 1.5, 150],
    [3, 0.3, 0],
    [10, 0.3, 3],
    [1, 10, 10],
  ])('%d bytes at %d are %d', (bytes, multiplier, charged) => {
    expect(chargedBytes(bytes, multiplier)).toBe(charged)
  })

  it('splits deltas by kind and keeps separators inside names', () => {
    const deltas = [
      { counter: 'user>>>a>>>b', uplink: 1, downlink: 2 },
      { counter: 'outbound>>>d', uplink: 3, downlink: 4 },
    ]
    expect(deltasOf(deltas, 'user')).toEqual([{ name: 'a>>>b', uplink: 1, downlink: 2 }])
    expect(deltasOf(deltas, 'outbound')).toEqual([{ name: 'd', uplink: 3, downlink: 4 }])
  })
})

const total = (counters: Counters) => [...counters.values()].reduce((sum, { uplink, downlink }) => sum + uplink + downlink, 0)

/** What the database keeps of baselines, as it is written. */
class Store {
  #parts = new Map<number, { names: string; counted: Buffer }>()

  write(moved: Iterable<MovedPart>, isNewRun: boolean): void {
    if (isNewRun) this.#parts.clear()
    for (const { chunk, names = this.#parts.get(chunk)?.names, counted } of moved) {
      if (names === undefined) throw new Error('The names of a part were never stored.')
      this.#parts.set(chunk, { names, counted })
    }
  }

  read(): Baselines {
    return Baselines.read([...this.#parts].map(([chunk, part]) => ({ chunk, ...part })))
  }
}

describe('stored baselines', () => {
  const names = fc.constantFrom(
    'user>>>a',
    'user>>>b',
    'user>>>__proto__',
    'user>>>"é"',
    'outbound>>>x',
    'inbound>>>y',
    'user>>>7',
  )
  const bytes = fc.record({ uplink: fc.maxSafeNat(), downlink: fc.maxSafeNat() })
  const map = fc.array(fc.tuple(names, bytes)).map((entries): Counters => new Map(entries))

  it('read back as they were after any bookings, by the server that booked or by another', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(map, fc.boolean(), fc.boolean())), (readings) => {
        let before = ledger({ coreId: 'run 0' })
        const store = new Store()
        readings.forEach(([values, isNewRun, isReadAnew], index) => {
          const coreId = isNewRun ? `run ${index + 1}` : (before.coreId ?? 'run')
          const booking = book(before, reading({ sequence: index + 1, current: { coreId, counters: values } }))
          if (!booking) throw new Error('a booking expected')
          const { baselines: kept } = booking
          store.write(kept.takeMoved(), booking.isNewRun)
          expect(standing(store.read())).toEqual(standing(kept))
          before = ledger({ sequence: index + 1, coreId, baselines: isReadAnew ? store.read() : kept })
        })
      }),
    )
  })

  it('of counters that moved only numbers are written, and nothing of those that stood still', () => {
    const store = new Store()
    const kept = baselines({ 'user>>>x': [10, 100], 'user>>>idle': [5, 5] })
    store.write(kept.takeMoved(), true)
    const current = { coreId: 'a', counters: counters({ 'user>>>x': [15, 130], 'user>>>idle': [5, 5] }) }
    const booking = book(ledger({ coreId: 'a', baselines: kept }), reading({ current }))
    const moved = [...(booking?.baselines.takeMoved() ?? [])]
    expect(moved.map(({ names: written, counted }) => [written, counted.length])).toEqual([[undefined, 16]])
    expect([...kept.takeMoved()]).toEqual([])
  })
})

/** A node, its cores and the servers reading them, in which everything that may go wrong does. */
class World {
  cores = 1
  core: Map<string, Bytes> | null = new Map()
  ended: { coreId: string; counters: Counters }[] = []
  sent = 0
  /** Bytes whose loss decision 003 allows: those of a core that died without a last reading, since it was last read. */
  allowedLoss = 0
  booked = 0
  ledger = ledger({})
  store = new Store()
  generation = 1
  sequence = 0
  /** Answers on their way: what an agent said, for which server and which question. */
  inFlight: { generation: number; reading: Reading }[] = []

  transfer(name: string, bytes: number): void {
    if (!this.core) return
    const known = this.core.get(name) ?? { uplink: 0, downlink: 0 }
    this.core.set(name, { uplink: known.uplink + bytes, downlink: known.downlink + 2 * bytes })
    this.sent += 3 * bytes
  }

  die(leavesLastReading: boolean): void {
    if (!this.core) return
    if (leavesLastReading) this.ended.push({ coreId: `core${this.cores}`, counters: new Map(this.core) })
    else {
      const isBooked = this.ledger.coreId === `core${this.cores}`
      this.allowedLoss += total(this.core) - (isBooked ? total(this.ledger.baselines.counters) : 0)
    }
    this.core = null
  }

  start(): void {
    this.die(true)
    this.cores++
    this.core = new Map()
  }

  ask(): void {
    const current = this.core && { coreId: `core${this.cores}`, counters: new Map(this.core) }
    this.inFlight.push({ generation: this.generation, reading: { sequence: ++this.sequence, ended: [...this.ended], current } })
  }

  /** An answer arrives: late, twice, or at a server that has lost the node to another. */
  arrive(index: number, options: { stays: boolean; isRolledBack: boolean }): void {
    const answer = this.inFlight[index % Math.max(this.inFlight.length, 1)]
    if (!answer) return
    if (!options.stays) this.inFlight.splice(this.inFlight.indexOf(answer), 1)
    if (answer.generation !== this.generation) return
    const booking = book(this.ledger, answer.reading)
    const moved = [...(booking?.baselines.takeMoved() ?? [])]
    if (booking && !options.isRolledBack) this.commit(booking, moved)
    else this.forget()
  }

  /** What a server remembers goes with a booking that fails, and with the server. */
  forget(): void {
    this.ledger = { ...this.ledger, baselines: this.store.read() }
  }

  commit(booking: Booking, moved: MovedPart[]): void {
    this.store.write(moved, booking.isNewRun)
    for (const { uplink, downlink } of booking.deltas) this.booked += uplink + downlink
    this.ledger = {
      sequence: booking.sequence,
      coreId: booking.coreId,
      baselines: booking.baselines,
      bookedCores: new Set([...this.ledger.bookedCores, ...booking.closedCores]),
    }
  }

  acknowledge(): void {
    this.ended = this.ended.filter(({ coreId }) => !this.ledger.bookedCores.has(coreId))
  }
}

const name = fc.constantFrom('user>>>alice', 'user>>>Alice', 'user>>>bob', 'outbound>>>DIRECT')
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('transfer' as const), name, bytes: fc.nat(1_000_000) }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('ask' as const) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('arrive' as const),
      index: fc.nat(20),
      stays: fc.boolean(),
      isRolledBack: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('die' as const), leaves: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('takeover' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('acknowledge' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('lose' as const), index: fc.nat(20) }) },
)

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

describe('over any interleaving of traffic, readings, losses, repeats, restarts and servers', () => {
  const run = (steps: Step[], allowsSilentDeath: boolean): World => {
    const world = new World()
    for (const one of steps) {
      switch (one.do) {
        case 'transfer':
          world.transfer(one.name, one.bytes)
          break
        case 'ask':
          world.ask()
          break
        case 'arrive':
          world.arrive(one.index, one)
          break
        case 'restart':
          world.start()
          break
        case 'die':
          world.die(one.leaves || !allowsSilentDeath)
          break
        case 'takeover':
          world.generation++
          world.forget()
          break
        case 'acknowledge':
          world.acknowledge()
          break
        case 'lose':
          world.inFlight.splice(one.index % Math.max(world.inFlight.length, 1), 1)
          break
      }
      expect(world.booked).toBeLessThanOrEqual(world.sent)
    }
    world.inFlight = []
    world.ask()
    world.arrive(0, { stays: false, isRolledBack: false })
    return world
  }

  it('nothing is counted twice and, with an agent that keeps last readings, nothing is lost', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const world = run(steps, false)
        expect(world.booked).toBe(world.sent)
      }),
      { numRuns: 1_000 },
    )
  })

  it('nothing is counted twice when cores die without a last reading; what was read before stays booked', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const world = run(steps, true)
        expect(world.booked).toBeLessThanOrEqual(world.sent)
        expect(world.booked).toBeGreaterThanOrEqual(world.sent - world.allowedLoss)
      }),
      { numRuns: 1_000 },
    )
  })

  it('another panel clearing counters adds nothing twice', () => {
    const event = fc.oneof(
      fc.record({ do: fc.constant('transfer' as const), bytes: fc.integer({ min: 1, max: 1000 }) }),
      fc.record({ do: fc.constant('clear' as const) }),
      fc.record({ do: fc.constant('read' as const) }),
    )
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), (events) => {
        const world = new World()
        for (const one of events) {
          if (one.do === 'transfer') world.transfer('user>>>alice', one.bytes)
          else if (one.do === 'clear') world.core = new Map()
          else {
            world.ask()
            world.arrive(0, { stays: false, isRolledBack: false })
          }
          expect(world.booked).toBeLessThanOrEqual(world.sent)
        }
      }),
      { numRuns: 500 },
    )
  })
})
