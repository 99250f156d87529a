import { setImmediate as nextTurn } from 'node:timers/promises'
import { errors } from '@causeway/contract'
import type { Caller } from '../ctx.ts'
import { Slots } from '../lib/slots.ts'
import { fail } from './errors.ts'

const RETRY_SECONDS = 1

/**
 * Runs one piece of costly work per caller at a time. Others of the same caller wait, up to `most` of them; further ones are
 * refused. Between two pieces the event loop serves everything else.
 */
export class CallerQueue {
  readonly #most: number
  readonly #queues = new Map<string, { slots: Slots; length: number }>()

  constructor(most: number) {
    this.#most = most
  }

  /** @throws tooManyAtOnce */
  async run<T>(caller: Caller, work: () => Promise<T>): Promise<T> {
    const key = caller.uuid ?? `${caller.kind} ${caller.address}`
    const queue = this.#queues.get(key) ?? { slots: new Slots(1), length: 0 }
    if (queue.length > this.#most) fail(errors.tooManyAtOnce, { retryAfterSeconds: RETRY_SECONDS })
    this.#queues.set(key, queue)
    queue.length++
    try {
      return await queue.slots.run(async () => {
        await nextTurn()
        return work()
      })
    } finally {
      queue.length--
      if (queue.length === 0) this.#queues.delete(key)
    }
  }
}
