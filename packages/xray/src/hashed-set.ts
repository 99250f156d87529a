/**
 * A set of strings with a hash that agents and server compare to see whether they hold the same members.
 * Two 32-bit accumulators are combined by XOR, so order does not matter and removing a member undoes adding it.
 */
export class HashedSet {
  readonly #members = new Set<string>()
  #high = 0
  #low = 0

  constructor(members: Iterable<string> = []) {
    for (const member of members) this.add(member)
  }

  get size(): number {
    return this.#members.size
  }

  has(member: string): boolean {
    return this.#members.has(member)
  }

  values(): IterableIterator<string> {
    return this.#members.values()
  }

  /** Returns whether the set changed. */
  add(member: string): boolean {
    if (this.#members.has(member)) return false
    this.#members.add(member)
    this.#toggle(member)
    return true
  }

  /** Returns whether the set changed. */
  remove(member: string): boolean {
    if (!this.#members.delete(member)) return false
    this.#toggle(member)
    return true
  }

  clear(): void {
    this.#members.clear()
    this.#high = 0
    this.#low = 0
  }

  /** The text form of the wire: both accumulators as signed hexadecimal numbers, each padded to 8 characters. */
  get hash(): string {
    return signedHex(this.#high) + signedHex(this.#low)
  }

  #toggle(member: string): void {
    let high = 5381
    let low = 5387
    for (let index = 0; index < member.length; index++) {
      const unit = member.charCodeAt(index)
      high = (Math.imul(high, 33) + unit) | 0
      low = (Math.imul(low, 65) + Math.imul(37, unit)) | 0
    }
    this.#high ^= high
    this.#low ^= low
  }
}

/** The minus sign counts towards the 8 characters, so a short negative value reads `00000-1f`. */
function signedHex(value: number): string {
  return value.toString(16).padStart(8, '0')
}
