interface Rules<Value> {
  /** Entries, or their weight. Beyond it everything is dropped: what is needed is soon there again. */
  most: number
  /** Of an entry; 1 by default. */
  weigh?: (value: Value, key: string) => number
  /**
   * Whether a value still holds; until it is forgotten by default. The age is counted from the end of its reading, and the
   * value is undefined until then.
   */
  isFresh?: (ageMs: number, value: Awaited<Value> | undefined) => boolean
}

interface Entry<Value> {
  value: Value
  weight: number
  read: { value: Awaited<Value>; at: number } | undefined
}

/**
 * Keeps what was read or made, by its key. Callers at the same time share one reading. A failed one is not kept,
 * and neither is one during which everything was forgotten: its callers alone get it.
 */
export class Cache<Value> {
  readonly #entries = new Map<string, Entry<Value>>()
  readonly #rules: Rules<Value>
  #weight = 0

  constructor(rules: Rules<Value>) {
    this.#rules = rules
  }

  find(key: string, read: () => Value): Value {
    const known = this.#entries.get(key)
    if (known) {
      if (this.#isFresh(known)) return known.value
      this.#drop(key, known)
    }
    const { most, weigh } = this.#rules
    if (this.#weight >= most) this.forget()
    const value = read()
    const entry: Entry<Value> = { value, weight: weigh?.(value, key) ?? 1, read: undefined }
    this.#entries.set(key, entry)
    this.#weight += entry.weight
    if (value instanceof Promise) this.#follow(key, entry, value)
    return value
  }

  forget(): void {
    this.#entries.clear()
    this.#weight = 0
  }

  #isFresh({ read }: Entry<Value>): boolean {
    const { isFresh } = this.#rules
    return !isFresh || isFresh(read ? performance.now() - read.at : 0, read?.value)
  }

  #follow(key: string, entry: Entry<Value>, reading: Promise<Awaited<Value>>): void {
    reading.then(
      (value) => {
        entry.read = { value, at: performance.now() }
      },
      () => this.#drop(key, entry), // callers receive the error
    )
  }

  #drop(key: string, entry: Entry<Value>): void {
    if (this.#entries.get(key) !== entry) return
    this.#entries.delete(key)
    this.#weight -= entry.weight
  }
}
