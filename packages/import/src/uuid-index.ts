const WORDS = 4
/** Slots for each key, so that few keys share one. */
const SLOTS = 2

/** Numbers by uuid in some 32 bytes each; in a map of texts they would take five times as much. */
export class UuidIndex {
  #keys = new Uint32Array(1024 * WORDS)
  #values = new Float64Array(1024)
  #slots = new Int32Array(1024 * SLOTS)
  #size = 0

  get size(): number {
    return this.#size
  }

  /** False where the uuid has a number already. */
  add(uuid: string, value: number): boolean {
    if (this.#size === this.#values.length) this.#grow()
    const key = wordsOf(uuid)
    const slot = this.#slotOf(key)
    if (this.#slots[slot] !== 0) return false
    this.#keys.set(key, this.#size * WORDS)
    this.#values[this.#size] = value
    this.#size++
    this.#slots[slot] = this.#size // counted from 1, as 0 is a free slot
    return true
  }

  get(uuid: string): number | undefined {
    const place = this.#slots[this.#slotOf(wordsOf(uuid))] ?? 0
    return place === 0 ? undefined : this.#values[place - 1]
  }

  /** The slot of this key, or the free one where it belongs. */
  #slotOf(key: Words): number {
    const mask = this.#slots.length - 1
    let slot = mixed(key) & mask
    for (;;) {
      const place = this.#slots[slot] ?? 0
      if (place === 0 || this.#isAt(place - 1, key)) return slot
      slot = (slot + 1) & mask
    }
  }

  #isAt(place: number, key: Words): boolean {
    const at = place * WORDS
    const keys = this.#keys
    return keys[at] === key[0] && keys[at + 1] === key[1] && keys[at + 2] === key[2] && keys[at + 3] === key[3]
  }

  #grow(): void {
    const [keys, values] = [this.#keys, this.#values]
    this.#keys = new Uint32Array(keys.length * 2)
    this.#keys.set(keys)
    this.#values = new Float64Array(values.length * 2)
    this.#values.set(values)
    this.#slots = new Int32Array(this.#values.length * SLOTS)
    for (let place = 0; place < this.#size; place++) {
      const at = place * WORDS
      const key: Words = [keys[at] ?? 0, keys[at + 1] ?? 0, keys[at + 2] ?? 0, keys[at + 3] ?? 0]
      this.#slots[this.#slotOf(key)] = place + 1
    }
  }
}

type Words = [number, number, number, number]

/** Spreads keys that are alike, such as those that someone counted up. */
function mixed([one, two, three, four]: Words): number {
  let hash = Math.imul(one ^ (one >>> 16), 0x85ebca6b) ^ two
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35) ^ three
  hash = Math.imul(hash ^ (hash >>> 16), 0x27d4eb2f) ^ four
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b)
  return hash ^ (hash >>> 13)
}

/** 8-4-4-4-12 hexadecimal digits as four words without signs. */
function wordsOf(uuid: string): Words {
  return [
    Number.parseInt(uuid.slice(0, 8), 16) >>> 0,
    Number.parseInt(uuid.slice(9, 13) + uuid.slice(14, 18), 16) >>> 0,
    Number.parseInt(uuid.slice(19, 23) + uuid.slice(24, 28), 16) >>> 0,
    Number.parseInt(uuid.slice(28, 36), 16) >>> 0,
  ]
}
