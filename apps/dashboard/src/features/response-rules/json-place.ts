import { placeAt, type Place } from '@causeway/xray'

type Path = readonly PropertyKey[]

/** Where the value at a path begins in a JSON text, or the last part of the path that is there. */
export function placeOfPath(text: string, path: Path): Place {
  return placeAt(text, new Reader(text).find(path))
}

/** Reads text that is known to be JSON. */
class Reader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  find(path: Path): number {
    this.#blank()
    const begin = this.#at
    const [first, ...rest] = path
    if (first === undefined) return begin
    const open = this.#text[begin]
    if (open !== '{' && open !== '[') return begin
    this.#at++
    for (let index = 0; ; index++) {
      this.#blank()
      if (this.#at >= this.#text.length || /[\]}]/.test(this.#text[this.#at] ?? '')) return begin
      const name = open === '{' ? this.#key() : index
      if (String(name) === String(first)) return this.find(rest)
      this.#skip()
      this.#blank()
      if (this.#text[this.#at] !== ',') return begin
      this.#at++
    }
  }

  #key(): string {
    const from = this.#at
    this.#string()
    const key = this.#text.slice(from + 1, this.#at - 1)
    this.#blank()
    this.#at++
    return key
  }

  #skip(): void {
    this.#blank()
    const sign = this.#text[this.#at]
    if (sign === '"') return this.#string()
    if (sign !== '{' && sign !== '[') {
      while (this.#at < this.#text.length && !/[,\]}\s]/.test(this.#text[this.#at] ?? '')) this.#at++
      return
    }
    for (let depth = 0; this.#at < this.#text.length;) {
      const inner = this.#text[this.#at]
      if (inner === '"') this.#string()
      else {
        this.#at++
        if (inner === '{' || inner === '[') depth++
        if ((inner === '}' || inner === ']') && --depth === 0) return
      }
    }
  }

  #string(): void {
    for (this.#at++; this.#at < this.#text.length && this.#text[this.#at] !== '"'; this.#at++)
      if (this.#text[this.#at] === '\\') this.#at++
    this.#at++
  }

  #blank(): void {
    while (/\s/.test(this.#text[this.#at] ?? '')) this.#at++
  }
}
