const WORDS = 2
const SLOTS = 2

/** Remembers texts by 64 bits of each, in 16 to 32 bytes. Of two different ones it may, very rarely, take one for the other. */
export class TextSet {
  #slots = new Uint32Array(1024 * WORDS)
  #size = 0

  has(text: string): boolean {
    const [high, low] = hashOf(text)
    return this.#isAt(this.#slotOf(high, low), high, low)
  }

  /** False where it is there already. */
  add(text: string): boolean {
    if (this.#size * SLOTS >= this.#slots.length / WORDS) this.#grow()
    const [high, low] = hashOf(text)
    const slot = this.#slotOf(high, low)
    if (this.#isAt(slot, high, low)) return false
    this.#slots[slot] = high
    this.#slots[slot + 1] = low
    this.#size++
    return true
  }

  #slotOf(high: number, low: number): number {
    const mask = this.#slots.length / WORDS - 1
    for (let place = low & mask; ; place = (place + 1) & mask) {
      const slot = place * WORDS
      if ((this.#slots[slot] === 0 && this.#slots[slot + 1] === 0) || this.#isAt(slot, high, low)) return slot
    }
  }

  #isAt(slot: number, high: number, low: number): boolean {
    return this.#slots[slot] === high && this.#slots[slot + 1] === low
  }

  #grow(): void {
    const old = this.#slots
    this.#slots = new Uint32Array(old.length * 2)
    for (let slot = 0; slot < old.length; slot += WORDS) {
      const [high = 0, low = 0] = [old[slot], old[slot + 1]]
      if (high === 0 && low === 0) continue
      const free = this.#slotOf(high, low)
      this.#slots[free] = high
      this.#slots[free + 1] = low
    }
  }
}

/** FNV-1a of two beginnings. The second is never 0, which marks a free slot. */
function hashOf(text: string): [number, number] {
  let [high, low] = [0x811c9dc5, 0x9747b28c]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    high = Math.imul(high ^ code, 0x01000193)
    low = Math.imul(low ^ code ^ (high >>> 16), 0x01000193)
  }
  return [high >>> 0, low >>> 0 || 1]
}
