import type { Stencil } from '@causeway/subscription'

/** In characters. What does not fit is written anew for each request, as without any. */
const ROOM = 4_000_000
/** Apps say their versions, so anyone can ask for as many kinds as there are numbers. */
const MAX_KINDS = 1000
/** A full cache is emptied, but not sooner than this: a text requested once would be rendered for two strangers in vain. */
const FULL_MS = 60_000

/** Subscriptions with holes for credentials, kept as long as what they were made of: the other parts, of which they are one. */
export class Stencils {
  readonly #known = new Map<string, Stencil | null>()
  #room = ROOM
  #begunAt = -Infinity

  /** Nothing where there is none. `at` is in milliseconds. */
  find(kind: string, at: number, make: () => Stencil | null): Stencil | null {
    const known = this.#known.get(kind)
    if (known !== undefined) return known
    if (this.#known.size >= MAX_KINDS || this.#room <= 0) {
      if (at - this.#begunAt < FULL_MS) return null
      this.#known.clear()
    }
    if (this.#known.size === 0) [this.#begunAt, this.#room] = [at, ROOM]
    const made = make()
    this.#known.set(kind, made)
    this.#room -= kind.length + (made?.texts.reduce((sum, text) => sum + text.length, 0) ?? 0)
    return made
  }
}
