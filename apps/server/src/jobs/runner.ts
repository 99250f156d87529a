import type { Ctx } from '../ctx.ts'
import { openJobLocks, type JobLocks } from '../db/driver/job-locks.ts'
import { keepRecurring, listHeads } from './jobs.queries.ts'
import { kindNames, type Registered } from './kinds.ts'
import { dueInMs, workOn } from './run.ts'

/** When nothing is due, a look at this time makes up for a notice that was missed. */
const LOOK_MS = 15_000
/** A group that another server works on, or cannot be locked, is tried again after this: so long a killed server is missed. */
const AGAIN_MS = 1000
/** Groups worked on at a time, so that jobs leave connections to requests. */
const GROUPS_AT_ONCE = 4

/** Works on jobs as they fall due, until stopped. Any number of servers may: each group is worked on by one at a time. */
export async function startRunner(ctx: Ctx, registered: Registered): Promise<{ stop(): Promise<void> }> {
  await keepRecurring(
    ctx.db,
    registered.recurring.map(({ name }) => name),
    ctx.now(),
  )
  const runner = new Runner(ctx, registered)
  runner.start()
  return { stop: () => runner.stop() }
}

class Runner {
  readonly #ctx: Ctx
  readonly #registered: Registered
  readonly #locks: JobLocks
  /** Groups that this server works on now. */
  readonly #running = new Map<string, Promise<void>>()
  /** Groups that could not even be worked on, as by a database that takes no changes: each rests longer from time to time. */
  readonly #resting = new Map<string, { restMs: number; until: number }>()
  #stopHearing = (): void => {}
  #timer: NodeJS.Timeout | undefined
  #look: Promise<void> | undefined
  #isLookWanted = false
  /** More groups were due at the last look than are worked on at a time. */
  #isCrowded = false
  #isStopping = false

  constructor(ctx: Ctx, registered: Registered) {
    this.#ctx = ctx
    this.#registered = registered
    this.#locks = openJobLocks(ctx.server.databaseUrl, (error) =>
      ctx.log.warn({ err: error }, 'lost the connection that holds job locks'),
    )
  }

  start(): void {
    this.#stopHearing = this.#ctx.bus.hear('jobs', () => this.#wake())
    this.#wake()
  }

  /** The current batch is finished; the next server continues with the rest. */
  async stop(): Promise<void> {
    this.#isStopping = true
    clearTimeout(this.#timer)
    this.#stopHearing()
    await this.#look
    await Promise.all(this.#running.values())
    await this.#locks.close()
  }

  /** One look at a time; one that is asked for during another follows it. */
  #wake(): void {
    this.#isLookWanted = true
    if (this.#look || this.#isStopping) return
    this.#look = this.#looks().finally(() => {
      this.#look = undefined
    })
  }

  async #looks(): Promise<void> {
    let waitMs = 0
    while (this.#isLookWanted && !this.#isStopping) {
      this.#isLookWanted = false
      waitMs = await this.#lookOnce().catch((error: unknown) => {
        this.#ctx.log.error({ err: error }, 'failed to poll for jobs; retrying')
        return AGAIN_MS
      })
    }
    if (this.#isStopping) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#wake(), waitMs)
  }

  /** Starts what is due, and says when to look again. */
  async #lookOnce(): Promise<number> {
    const now = this.#ctx.now()
    let waitMs = LOOK_MS
    this.#isCrowded = false
    const heads = await listHeads(this.#ctx.db, kindNames(this.#registered))
    const waiting = heads.map((head) => ({ group: head.group, inMs: dueInMs(head, now) }))
    for (const { group, inMs } of waiting.sort((one, other) => one.inMs - other.inMs)) {
      if (this.#running.has(group)) continue // it looks again when it ends
      const againMs = Math.max(inMs, (this.#resting.get(group)?.until ?? 0) - performance.now())
      if (againMs > 0) waitMs = Math.min(waitMs, againMs)
      else if (this.#running.size < GROUPS_AT_ONCE) this.#begin(group)
      else this.#isCrowded = true
    }
    return waitMs
  }

  #begin(group: string): void {
    const run = this.#workAlone(group)
      .then((isDone) => {
        this.#resting.delete(group)
        return isDone ? 0 : AGAIN_MS
      })
      .catch((error: unknown) => {
        this.#ctx.log.error({ err: error, group }, 'failed to run jobs; retrying')
        return this.#rest(group)
      })
      .then((againMs) => {
        this.#running.delete(group)
        if (againMs === 0) return this.#wake()
        setTimeout(() => this.#wake(), againMs).unref()
      })
    this.#running.set(group, run)
  }

  #rest(group: string): number {
    const restMs = Math.min(2 * (this.#resting.get(group)?.restMs ?? AGAIN_MS / 2), LOOK_MS)
    this.#resting.set(group, { restMs, until: performance.now() + restMs })
    return restMs
  }

  /** False when another server is at this group. */
  async #workAlone(group: string): Promise<boolean> {
    if (!(await this.#locks.take(group))) return false
    try {
      for (;;) {
        const head = (await listHeads(this.#ctx.db, kindNames(this.#registered))).find((one) => one.group === group)
        if (!head || dueInMs(head, this.#ctx.now()) > 0 || this.#isStopping) return true
        await workOn(this.#ctx, this.#registered, head.id)
        // A group that always has work would starve the others.
        if (this.#isCrowded) return true
      }
    } finally {
      await this.#locks.release(group)
    }
  }
}
