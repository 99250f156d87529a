import { username } from '@causeway/contract'
import type { Findings } from './findings.ts'
import { freeName } from './free-names.ts'

const LEAST = 3
const MOST = 36
/** Room for _2, _3 and so on. */
const MOST_SHARED = 30

/** Gives users of other panels names that are possible and stand once. */
export class FreeUserNames {
  readonly #taken = new Set<string>()
  readonly #findings: Findings

  constructor(findings: Findings) {
    this.#findings = findings
  }

  take(original: string): string {
    const isPossible = username.safeParse(original).success
    const possible = isPossible
      ? original
      : original
          .replaceAll(/[^\w-]/g, '_')
          .slice(0, MOST)
          .padEnd(LEAST, '_')
    if (!isPossible) this.#findings.note('nameChanged', `${original} becomes ${possible}`)
    const isTaken = (name: string) => this.#taken.has(name.toLowerCase())
    const free = isTaken(possible) ? freeName(possible.slice(0, MOST_SHARED), isTaken) : possible
    if (free !== possible) this.#findings.note('nameTaken', `${original} becomes ${free}`)
    this.#taken.add(free.toLowerCase())
    return free
  }
}
