import { Baselines, move, type Baseline, type Bytes } from './baselines.rules.ts'

/**
 * Arithmetic of the traffic ledger (decision 003): what a reading of a node's counters adds to what is booked. Counters
 * are read without clearing them, so a reading that gets lost loses nothing, and one that comes twice adds nothing.
 */

/** Counters of one core by name: `user>>>alice`, `inbound>>>VLESS`, `outbound>>>DIRECT`. Those at zero are left out. */
export type Counters = ReadonlyMap<string, Bytes>

export interface CoreReading {
  /** Which run of the core this is; never the same for two runs. */
  coreId: string
  counters: Counters
}

/** An answer of an agent: last readings of cores that ended, oldest first, and that of the one that runs. */
export interface Reading {
  /** Order in which questions were sent. An answer is booked only if nothing later is. */
  sequence: number
  ended: readonly CoreReading[]
  current: CoreReading | null
}

/** The booked state of a node. */
export interface Ledger {
  sequence: number
  /** The run that the baselines belong to. */
  coreId: string | null
  baselines: Baselines
  /** Runs that are closed: whatever still comes of them is booked already. */
  bookedCores: ReadonlySet<string>
}

export interface Delta extends Bytes {
  counter: string
  /** The booked value of the counter, as far as it was booked before. */
  baseline?: Baseline | undefined
}

export interface Booking {
  sequence: number
  coreId: string | null
  /** Bytes transferred since the last booking, each counter once, without unchanged ones. */
  deltas: Delta[]
  /** The baselines are of another run and go. */
  isNewRun: boolean
  /** The baseline of the next reading. */
  baselines: Baselines
  /** Runs that are closed by this booking. */
  closedCores: string[]
  /** Counters went backwards within a run: another program clears them. */
  isClearedByOthers: boolean
  /** A run answers that was closed when another one did: two machines answer in turn. It adds nothing. */
  isOfClosedRun: boolean
}

/**
 * The difference that a reading adds. `undefined`: this or a later reading is booked already. Otherwise the baselines
 * have moved: a failed booking discards its ledger, which is read again.
 */
export function book(ledger: Ledger, reading: Reading): Booking | undefined {
  if (reading.sequence <= ledger.sequence) return undefined
  let deltas: Delta[] = []
  const closed = new Set<string>()
  let isClearedByOthers = false
  const isClosed = (coreId: string) => ledger.bookedCores.has(coreId) || closed.has(coreId)

  for (const ended of reading.ended) {
    if (isClosed(ended.coreId)) continue
    const isOurs = ended.coreId === ledger.coreId
    const step = compare(isOurs ? ledger.baselines.counters : NO_COUNTERS, ended.counters)
    // The last reading of a run may lack counters that were never sampled again; only falling ones mean something.
    isClearedByOthers ||= step.hasFallen
    deltas = sum(deltas, step.deltas)
    closed.add(ended.coreId)
  }

  const { current } = reading
  const isOfClosedRun = current !== null && ledger.bookedCores.has(current.coreId)
  const base = { sequence: reading.sequence, deltas, isClearedByOthers, isOfClosedRun }
  if (current && current.coreId === ledger.coreId && !isClosed(current.coreId)) {
    const step = follow(ledger.baselines, current.counters)
    return {
      ...base,
      deltas: sum(deltas, step.deltas),
      coreId: current.coreId,
      isNewRun: false,
      baselines: ledger.baselines,
      closedCores: [...closed],
      isClearedByOthers: isClearedByOthers || step.hasFallen,
    }
  }
  // A run that closed without a last reading must not be booked again should one come after all.
  if (ledger.coreId !== null && (current !== null || closed.has(ledger.coreId))) closed.add(ledger.coreId)
  if (!current || isClosed(current.coreId)) {
    const isStillOpen = ledger.coreId !== null && !isClosed(ledger.coreId)
    return {
      ...base,
      coreId: isStillOpen ? ledger.coreId : null,
      isNewRun: !isStillOpen,
      baselines: isStillOpen ? ledger.baselines : new Baselines(),
      closedCores: [...closed],
    }
  }
  const baselines = new Baselines()
  const step = follow(baselines, current.counters)
  return {
    ...base,
    deltas: sum(deltas, step.deltas),
    coreId: current.coreId,
    isNewRun: true,
    baselines,
    closedCores: [...closed],
  }
}

const NO_COUNTERS: ReadonlyMap<string, Baseline> = new Map()

/** The difference between these counters and the booked ones. The callback receives counters of changed position. */
function compare(
  known: ReadonlyMap<string, Baseline>,
  counters: Counters,
  followed?: (name: string, value: Bytes, baseline: Baseline | undefined) => Baseline,
) {
  const deltas: Delta[] = []
  let found = 0
  let hasFallen = false
  for (const [name, value] of counters) {
    const baseline = known.get(name)
    if (baseline) found++
    else if (value.uplink === 0 && value.downlink === 0) continue
    const { uplink, downlink } = baseline ?? ZERO
    if (baseline && value.uplink === uplink && value.downlink === downlink) continue
    // Each direction is a counter of its own. One that fell was cleared, and what it shows has come since. A last reading is of
    // a copied or restored disk then, as agents store readings before they hand them out: it is booked already.
    hasFallen ||= value.uplink < uplink || value.downlink < downlink
    const delta = {
      counter: name,
      uplink: value.uplink >= uplink ? value.uplink - uplink : followed ? value.uplink : 0,
      downlink: value.downlink >= downlink ? value.downlink - downlink : followed ? value.downlink : 0,
      baseline: followed ? followed(name, value, baseline) : baseline,
    }
    if (delta.uplink > 0 || delta.downlink > 0) deltas.push(delta)
  }
  return { deltas, found, hasFallen }
}

/** Moves baselines to the present counters of their run. Counters that have disappeared were cleared by another program. */
function follow(baselines: Baselines, counters: Counters) {
  const { size } = baselines.counters
  const { deltas, found, hasFallen } = compare(baselines.counters, counters, (name, value, baseline) => {
    if (!baseline) return baselines.add(name, value)
    move(baseline, value)
    return baseline
  })
  if (found < size) baselines.remove([...baselines.counters.keys()].filter((name) => !counters.has(name)))
  return { deltas, hasFallen: hasFallen || found < size }
}

const ZERO: Bytes = { uplink: 0, downlink: 0 }

/** Of several cores; nearly always all but one have nothing. */
function sum(one: Delta[], other: Delta[]): Delta[] {
  if (one.length === 0) return other
  if (other.length === 0) return one
  const all = new Map<string, Delta>()
  for (const { counter, uplink, downlink } of [...one, ...other]) {
    const known = all.get(counter) ?? ZERO
    all.set(counter, { counter, uplink: known.uplink + uplink, downlink: known.downlink + downlink })
  }
  return [...all.values()]
}

/** A terabit a second; and what a core may have counted before the last booking without having been heard. */
const MOST_BYTES_PER_MS = 125_000_000
const MOST_UNHEARD_BYTES = 1e13

/**
 * The most that a node can have moved since the last booking. A compromised node may lie about its users. But no
 * value may take a user's sums out of the database's range, which would stop the bookings of all other nodes. Without
 * a time span, as at a first booking, any whole number is accepted.
 */
export function mostBytes(bookedUntil: Date | null, askedAt: Date): number {
  const elapsedMs = bookedUntil && askedAt >= bookedUntil ? askedAt.getTime() - bookedUntil.getTime() : Infinity
  return Math.min(MOST_UNHEARD_BYTES + elapsedMs * MOST_BYTES_PER_MS, Number.MAX_SAFE_INTEGER)
}

export function withinReason(deltas: readonly Delta[], most: number): Delta[] {
  return deltas.map((delta) =>
    delta.uplink <= most && delta.downlink <= most
      ? delta
      : { ...delta, uplink: Math.min(delta.uplink, most), downlink: Math.min(delta.downlink, most) },
  )
}

/** An agent of the 2.1 generation says only how many whole seconds its core has run. Readings may be this much off. */
const UPTIME_TOLERANCE_MS = 5_000

/**
 * Whether counters read between two readings of the uptime all belong to one run (2.1 agents). `elapsedMs` is the
 * time between the two, by a monotonic clock.
 */
export function isOneRun(uptimeBeforeMs: number, uptimeAfterMs: number, elapsedMs: number): boolean {
  return uptimeAfterMs >= uptimeBeforeMs && uptimeAfterMs - uptimeBeforeMs <= elapsedMs + UPTIME_TOLERANCE_MS
}

/**
 * Whether a 2.1 agent's core is another one than at the last booking. All three must hold, as clocks step, machines
 * pause, and other panels clear counters. The uptime fell behind, the new run fits into the time since, and every
 * counter kind went backwards.
 */
export function isAnotherRun(
  last: { uptimeMs: number; baselines: Counters },
  now: { uptimeMs: number; counters: Counters; elapsedMs: number },
): boolean {
  const isBehind = now.uptimeMs < last.uptimeMs + now.elapsedMs - UPTIME_TOLERANCE_MS
  const fitsInto = now.uptimeMs <= now.elapsedMs + UPTIME_TOLERANCE_MS
  return isBehind && fitsInto && hasEveryKindFallen(last.baselines, now.counters)
}

function hasEveryKindFallen(baselines: Counters, counters: Counters): boolean {
  const kinds = new Map<string, boolean>()
  for (const [name, baseline] of baselines) {
    const { kind } = splitCounter(name)
    const value = counters.get(name) ?? ZERO
    const hasFallen = value.uplink < baseline.uplink || value.downlink < baseline.downlink
    kinds.set(kind, (kinds.get(kind) ?? false) || hasFallen)
  }
  return [...kinds.values()].every(Boolean)
}

export type CounterKind = 'user' | 'inbound' | 'outbound'

const SEPARATOR = '>>>'

export function counterName(kind: CounterKind, name: string): string {
  return `${kind}${SEPARATOR}${name}`
}

/** The opposite of `counterName`; names may themselves contain what separates them from their kind. */
function splitCounter(counter: string): { kind: string; name: string } {
  const end = counter.indexOf(SEPARATOR)
  return { kind: counter.slice(0, end), name: counter.slice(end + SEPARATOR.length) }
}

/** The deltas of one kind, by user name or tag. */
export function deltasOf(deltas: readonly Delta[], kind: CounterKind): { name: string; uplink: number; downlink: number }[] {
  const prefix = counterName(kind, '')
  return deltas
    .filter(({ counter }) => counter.startsWith(prefix))
    .map(({ counter, uplink, downlink }) => ({ name: counter.slice(prefix.length), uplink, downlink }))
}

/** The charge for these bytes on a node of this multiplier, which has one decimal; always a whole number. */
export function chargedBytes(bytes: number, multiplier: number): number {
  return Math.min(Math.floor((Math.round(multiplier * 10) * bytes) / 10), Number.MAX_SAFE_INTEGER)
}
