import type { Stencil } from '@causeway/subscription'

/** In characters. What does not fit is written anew for each request, as without any. */
const ROOM = 4_000_000
/** Members of each external squad get texts of their own. */
const ROOM_OF_SQUAD = 500_000
const MOST_ROOM = 32_000_000
/** Apps say their versions, so anyone can ask for as many kinds as there are numbers. */
const MAX_KINDS = 1000
const MAX_KINDS_OF_SQUAD = 100
const MOST_KINDS = 8000
/** A full cache is emptied, but not sooner than this: a text requested once would be rendered for two strangers in vain. */
const FULL_MS = 60_000

/** Subscriptions with holes for credentials, kept as long as what they were made of: the other parts, of which they are one. */
export class Stencils {
  readonly #known = new Map<string, Stencil | null>()
  readonly #roomAtFirst: number
  readonly #maxKinds: number
  #room: number
  #begunAt = -Infinity

  constructor(externalSquads = 0) {
    this.#roomAtFirst = Math.min(MOST_ROOM, ROOM + externalSquads * ROOM_OF_SQUAD)
    this.#maxKinds = Math.min(MOST_KINDS, MAX_KINDS + externalSquads * MAX_KINDS_OF_SQUAD)
    this.#room = this.#roomAtFirst
  }

  /** Nothing where there is none. `at` is in milliseconds. */
  find(kind: string, at: number, make: () => Stencil | null): Stencil | null {
    const known = this.#known.get(kind)
    if (known !== undefined) return known
    if (this.#known.size >= this.#maxKinds || this.#room <= 0) {
      if (at - this.#begunAt < FULL_MS) return null
      this.#known.clear()
    }
    if (this.#known.size === 0) [this.#begunAt, this.#room] = [at, this.#roomAtFirst]
    const made = make()
    this.#known.set(kind, made)
    this.#room -= kind.length + (made?.texts.reduce((sum, text) => sum + text.length, 0) ?? 0)
    return made
  }
}
