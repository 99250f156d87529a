export interface Bytes {
  uplink: number
  downlink: number
}

/** The booked value of a counter. */
export interface Baseline extends Bytes {
  readonly part: Part
  /** The counter's user, once the node has acknowledged it. */
  userId: number | undefined
}

/** Those that are stored together, in the order in which they are stored. */
interface Part {
  names: string[]
  baselines: Baseline[]
  /** Is not as it is stored. */
  isMoved: boolean
  /** There are others than those that are stored. */
  isAnew: boolean
}

interface StoredPart {
  chunk: number
  /** JSON. */
  names: string
  /** Uplink and downlink of each in this order, 8 bytes for either. */
  counted: Buffer
}

/** A part that is to be stored; without names where these are stored already. */
export interface MovedPart {
  chunk: number
  names: string | undefined
  counted: Buffer
}

/** Baselines are stored in so many parts by name, so that a booking rewrites only those in which something moved. */
const PARTS = 32
const BYTES = 16
const WORD = 2 ** 32

/**
 * Booked values of the counters of one run. Updated in place by each booking: it is all that a server keeps of a
 * hundred thousand counters between two readings.
 */
export class Baselines {
  readonly #counters = new Map<string, Baseline>()
  readonly #parts: (Part | undefined)[] = []

  static read(stored: readonly StoredPart[]): Baselines {
    const baselines = new Baselines()
    for (const { chunk, names, counted } of stored) {
      const found = JSON.parse(names) as string[] // as takeMoved() wrote it
      if (found.length * BYTES !== counted.length) throw new Error(`Part ${chunk} of the ledger's counters is damaged.`)
      for (const [index, name] of found.entries()) {
        const at = index * BYTES
        baselines.#add(chunk, name, { uplink: readNumber(counted, at), downlink: readNumber(counted, at + 8) })
      }
      Object.assign(baselines.#parts[chunk] ?? {}, { isMoved: false, isAnew: false })
    }
    return baselines
  }

  get counters(): ReadonlyMap<string, Baseline> {
    return this.#counters
  }

  add(name: string, bytes: Bytes): Baseline {
    return this.#add(partOf(name), name, bytes)
  }

  #add(chunk: number, name: string, { uplink, downlink }: Bytes): Baseline {
    const part = (this.#parts[chunk] ??= { names: [], baselines: [], isMoved: true, isAnew: true })
    const baseline = { uplink, downlink, part, userId: undefined }
    part.isMoved = part.isAnew = true
    part.names.push(name)
    part.baselines.push(baseline)
    this.#counters.set(name, baseline)
    return baseline
  }

  remove(names: readonly string[]): void {
    const touched = new Set<Part>()
    for (const name of names) {
      const baseline = this.#counters.get(name)
      if (baseline) touched.add(baseline.part)
      this.#counters.delete(name)
    }
    for (const part of touched) {
      part.isMoved = part.isAnew = true
      part.names = part.names.filter((name) => this.#counters.has(name))
      part.baselines = part.names.flatMap((name) => this.#counters.get(name) ?? [])
    }
  }

  /** Names may belong to others from now on. */
  forgetOwners(): void {
    for (const baseline of this.#counters.values()) baseline.userId = undefined
  }

  /** The parts that are to be stored, made one by one as they are taken. */
  *takeMoved(): Generator<MovedPart> {
    for (const [chunk, part] of this.#parts.entries()) {
      if (!part?.isMoved) continue
      const names = part.isAnew ? JSON.stringify(part.names) : undefined
      part.isMoved = part.isAnew = false
      yield { chunk, names, counted: countedOf(part.baselines) }
    }
  }
}

export function move(baseline: Baseline, { uplink, downlink }: Bytes): void {
  baseline.uplink = uplink
  baseline.downlink = downlink
  baseline.part.isMoved = true
}

function countedOf(baselines: readonly Baseline[]): Buffer {
  const counted = Buffer.allocUnsafe(baselines.length * BYTES)
  let at = 0
  for (const { uplink, downlink } of baselines) {
    writeNumber(counted, uplink, at)
    writeNumber(counted, downlink, at + 8)
    at += BYTES
  }
  return counted
}

// Whole numbers up to 2^53, as the database's own function int8send() writes them.

function writeNumber(to: Buffer, value: number, at: number): void {
  to.writeUInt32BE(Math.floor(value / WORD), at)
  to.writeUInt32BE(value % WORD, at + 4)
}

function readNumber(from: Buffer, at: number): number {
  return from.readUInt32BE(at) * WORD + from.readUInt32BE(at + 4)
}

function partOf(name: string): number {
  let hash = 0
  for (let index = 0; index < name.length; index++) hash = (Math.imul(hash, 31) + name.charCodeAt(index)) | 0
  return (hash >>> 0) % PARTS
}
