/** Slots for each key, so that few keys share one. */
const SLOTS = 2

/** Gives each number a place, counted up from 0, in some 20 bytes. */
export class NumberIndex {
  #keys = new Float64Array(1024)
  #slots = new Int32Array(1024 * SLOTS)
  #size = 0

  get size(): number {
    return this.#size
  }

  /** The place of a number, which gets one where it has none. */
  add(key: number): number {
    if (this.#size === this.#keys.length) this.#grow()
    const slot = this.#slotOf(key)
    const place = this.#slots[slot] ?? 0
    if (place !== 0) return place - 1
    this.#keys[this.#size] = key
    this.#slots[slot] = ++this.#size // counted from 1, as 0 is a free slot
    return this.#size - 1
  }

  find(key: number): number | undefined {
    const place = this.#slots[this.#slotOf(key)] ?? 0
    return place === 0 ? undefined : place - 1
  }

  /** The slot of this number, or the free one where it belongs. */
  #slotOf(key: number): number {
    const mask = this.#slots.length - 1
    let slot = (Math.imul(key | 0, 0x9e3779b1) >>> 7) & mask
    for (;;) {
      const place = this.#slots[slot] ?? 0
      if (place === 0 || this.#keys[place - 1] === key) return slot
      slot = (slot + 1) & mask
    }
  }

  #grow(): void {
    const keys = this.#keys
    this.#keys = new Float64Array(keys.length * 2)
    this.#keys.set(keys)
    this.#slots = new Int32Array(this.#keys.length * SLOTS)
    for (let place = 0; place < this.#size; place++) this.#slots[this.#slotOf(this.#keys[place] ?? 0)] = place + 1
  }
}
