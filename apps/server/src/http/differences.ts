import type { Endpoint, Generation } from '@causeway/contract'

/** Where generations of the wire differ so that no answer can serve both. Filled by features/generations alone. */
export interface Differences {
  /** The body as handlers know it, of what programs of later generations send. */
  body(endpoint: Endpoint, body: Record<string, unknown>): Record<string, unknown>
  /** Changes an answer of 2.1, as it would be sent; undefined where nothing differs. */
  change(endpoint: Endpoint, generation: Generation): ((answer: unknown) => unknown) | undefined
  /** The answer of that generation in the place of this failure; undefined where it fails too. */
  instead(endpoint: Endpoint, generation: Generation, error: unknown): { answer: unknown } | undefined
}
