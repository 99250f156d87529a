import { setTimeout as sleep } from 'node:timers/promises'
import type { Ctx } from '../../ctx.ts'
import { isDiskFull } from '../../db/driver/failures.ts'
import { openJobLocks, type JobLocks } from '../../db/driver/job-locks.ts'
import { emitEvent } from '../../ground/outbox.queries.ts'
import { hasOutbox } from '../domain-events/outbox.queries.ts'
import { publishEvents } from '../domain-events/publish.actions.ts'
import { nameFor } from './body.rules.ts'
import {
  addDeliveries,
  listDueDeliveries,
  listEventsAfter,
  lockCursor,
  moveCursor,
  noteAttempt,
  noteFailure,
  noteNewSecret,
  noteSuccess,
  type DueDelivery,
} from './deliveries.queries.ts'
import { adoptEnvironment } from './environment.actions.ts'
import { isFailing, pauseAfter } from './retry.rules.ts'
import { sendEvent } from './sending.actions.ts'
import { findSending, listBusyWebhooks, type Sending } from './webhooks.queries.ts'

/** How soon after its commit an event is seen. */
const LOOK_MS = 500
/** After what keeps the database from answering. */
const AGAIN_MS = 5000
/** Deliveries that one webhook has under way; webhooks are few, so this bounds all of them. */
const AT_ONCE = 8
/** Of one webhook. A mass action becomes a stream that receivers and this product can bear. */
const MOST_PER_SECOND = 100
/** Beyond this many waiting deliveries the cursor stays where it is, so that a dead receiver costs no more rows. */
const MOST_WAITING = 500
const READ_AT_ONCE = 200

/**
 * Publishes what transactions have left in the outbox, and delivers it. Any number of servers may: one publishes at a time, and
 * each webhook is served by one, by a lock that ends with its process.
 */
export async function startWebhooks(ctx: Ctx): Promise<{ stop(): Promise<void> }> {
  await tellStart(ctx)
  const worker = new WebhookWorker(ctx)
  worker.start()
  return { stop: () => worker.stop() }
}

/** On a full disk the server starts all the same and answers reads; the environment is adopted by a later start. */
async function tellStart(ctx: Ctx): Promise<void> {
  try {
    await adoptEnvironment(ctx)
    await emitEvent(ctx.db, 'service.panel_started', 'panel', { data: { panelVersion: ctx.config.version } })
  } catch (error) {
    if (!isDiskFull(error)) throw error
    ctx.log.error({ err: error }, 'no room on disk; webhooks of the environment stay as they were')
  }
}

class WebhookWorker {
  readonly #ctx: Ctx
  readonly #locks: JobLocks
  readonly #serving = new Map<number, Promise<void>>()
  readonly #stopping = new AbortController()
  #loop: Promise<void> | undefined

  constructor(ctx: Ctx) {
    this.#ctx = ctx
    this.#locks = openJobLocks(ctx.server.databaseUrl, (error) =>
      ctx.log.warn({ err: error }, 'lost the connection that holds webhook locks'),
    )
  }

  start(): void {
    this.#loop = this.#looks()
  }

  /** Deliveries under way are finished, which takes no longer than their time limit. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#loop
    await Promise.all(this.#serving.values())
    await this.#locks.close()
  }

  get #isStopping(): boolean {
    return this.#stopping.signal.aborted
  }

  async #looks(): Promise<void> {
    while (!this.#isStopping) {
      const pauseMs = await this.#lookOnce().catch((error: unknown) => {
        this.#ctx.log.error({ err: error }, 'failed to look for domain events; retrying')
        return AGAIN_MS
      })
      await sleep(pauseMs, undefined, { signal: this.#stopping.signal }).catch(() => {}) // stopping ends the pause
    }
  }

  async #lookOnce(): Promise<number> {
    const published = (await hasOutbox(this.#ctx.db)) ? await publishEvents(this.#ctx) : 0
    for (const { id } of await listBusyWebhooks(this.#ctx.db, this.#ctx.now())) if (!this.#serving.has(id)) this.#begin(id)
    return published > 0 ? 0 : LOOK_MS
  }

  #begin(id: number): void {
    const serving = this.#serve(id)
      .catch(async (error: unknown) => {
        this.#ctx.log.error({ err: error, webhook: id }, 'failed to serve a webhook; retrying')
        await sleep(AGAIN_MS, undefined, { signal: this.#stopping.signal }).catch(() => {}) // stopping ends the pause
      })
      .finally(() => this.#serving.delete(id))
    this.#serving.set(id, serving)
  }

  async #serve(id: number): Promise<void> {
    const lock = `webhook ${id}`
    if (!(await this.#locks.take(lock))) {
      await sleep(LOOK_MS)
      return
    }
    try {
      while (!this.#isStopping && (await serveOnce(this.#ctx, id)));
    } finally {
      await this.#locks.release(lock)
    }
  }
}

/** Reads on from the cursor and makes the attempts that are due; false where there were none. The caller holds the webhook's lock. */
async function serveOnce(ctx: Ctx, id: number): Promise<boolean> {
  const start = performance.now()
  const hook = await findSending(ctx.db, id)
  if (!hook) return false
  const hasRead = await readOn(ctx, hook)
  const due = await listDueDeliveries(ctx.db, id, ctx.now(), isFailing(hook) ? 1 : AT_ONCE)
  await Promise.all(due.map((delivery) => attempt(ctx, hook, delivery)))
  const restMs = (due.length * 1000) / MOST_PER_SECOND - (performance.now() - start)
  if (restMs > 0) await sleep(restMs)
  return hasRead || due.length > 0
}

/** Turns events after the cursor into deliveries, in one transaction with the cursor. */
function readOn(ctx: Ctx, hook: Sending): Promise<boolean> {
  return ctx.db.transaction().execute(async (tx) => {
    const cursor = await lockCursor(tx, hook.id)
    if (!cursor || cursor.waiting >= MOST_WAITING) return false
    const events = await listEventsAfter(tx, cursor.position, READ_AT_ONCE)
    const last = events.at(-1)
    if (!last) return false
    const wanted = events.flatMap(({ position, event, thing, facts }) => {
      const name = hook.events === null || hook.events.includes(event) ? nameFor(event, facts, hook.expiryNames) : undefined
      return name === undefined ? [] : [{ position, event: name, thing }]
    })
    await addDeliveries(tx, hook.id, wanted, ctx.now())
    await moveCursor(tx, hook.id, last.position)
    return true
  })
}

async function attempt(ctx: Ctx, hook: Sending, delivery: DueDelivery): Promise<void> {
  const { isNewSecret, ...outcome } = await sendEvent(ctx, hook, delivery.sent, delivery.attempts + 1)
  const now = ctx.now()
  const isStopped = await ctx.db.transaction().execute(async (tx) => {
    // First the state: attempts of one webhook end side by side, and lock in the same order.
    const stopped =
      outcome.error === null ? await noteSuccess(tx, hook.id, now) : await noteFailure(tx, hook.id, outcome.error, now)
    if (isNewSecret) await noteNewSecret(tx, hook.id)
    await noteAttempt(tx, delivery.id, outcome, { pauseMs: pauseAfter(delivery.attempts + 1), now })
    return stopped === true
  })
  if (isStopped) ctx.log.warn({ webhook: hook.uuid, error: outcome.error }, 'webhook stopped after a day without success')
}
