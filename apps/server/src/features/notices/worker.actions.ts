import { setTimeout as sleep } from 'node:timers/promises'
import type { Ctx } from '../../ctx.ts'
import { isDiskFull } from '../../db/driver/failures.ts'
import { pauseAfter } from '../webhooks/retry.rules.ts'
import { collectMessages, readEvents, reviewTroubles } from './collecting.actions.ts'
import { adoptNoticeEnvironment } from './environment.actions.ts'
import { claimMessage, findClaimedWay, listBusyWays, noteSent, noteUnsent } from './messages.queries.ts'
import { hasUnreadEvents } from './notices.queries.ts'
import { sendMessage } from './sending/sending.actions.ts'

const LOOK_MS = 1000
/** How often the time that has passed is looked at: nodes that stay away, digests, quiet hours. */
const REVIEW_MS = 5000
/** After what keeps the database from answering. */
const AGAIN_MS = 5000
/** For so long a message is no other server's. Longer than sending takes. */
const CLAIM_MS = 90_000
/** Between two messages over one way: what chats accept. */
const BETWEEN_MS = 50

/** Turns events into messages and sends these. Any number of servers may: each message is claimed before it is sent. */
export async function startNotices(ctx: Ctx): Promise<{ stop(): Promise<void> }> {
  try {
    await adoptNoticeEnvironment(ctx)
  } catch (error) {
    if (!isDiskFull(error)) throw error
    ctx.log.error({ err: error }, 'no room on disk; notices of the environment stay as they were')
  }
  const worker = new NoticeWorker(ctx)
  worker.start()
  return { stop: () => worker.stop() }
}

class NoticeWorker {
  readonly #ctx: Ctx
  readonly #serving = new Map<number, Promise<void>>()
  readonly #stopping = new AbortController()
  #loop: Promise<void> | undefined
  #reviewedAt = 0

  constructor(ctx: Ctx) {
    this.#ctx = ctx
  }

  start(): void {
    this.#loop = this.#looks()
  }

  /** Messages under way are finished, which takes no longer than their time limit. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#loop
    await Promise.all(this.#serving.values())
  }

  get #isStopping(): boolean {
    return this.#stopping.signal.aborted
  }

  async #looks(): Promise<void> {
    while (!this.#isStopping) {
      const pauseMs = await this.#lookOnce().catch((error: unknown) => {
        this.#ctx.log.error({ err: error }, 'failed to look for notices; retrying')
        return AGAIN_MS
      })
      await sleep(pauseMs, undefined, { signal: this.#stopping.signal }).catch(() => {}) // stopping ends the pause
    }
  }

  async #lookOnce(): Promise<number> {
    const ctx = this.#ctx
    const read = (await hasUnreadEvents(ctx.db)) ? await readEvents(ctx) : 0
    if (performance.now() - this.#reviewedAt >= REVIEW_MS || this.#reviewedAt === 0) {
      this.#reviewedAt = performance.now()
      await reviewTroubles(ctx)
    }
    if (read === 0) await collectMessages(ctx) // first all that has happened: it goes into one message
    for (const { wayId } of await listBusyWays(ctx.db, ctx.now())) if (!this.#serving.has(wayId)) this.#begin(wayId)
    return read > 0 ? 0 : LOOK_MS
  }

  #begin(wayId: number): void {
    const serving = this.#serve(wayId)
      .catch((error: unknown) => this.#ctx.log.error({ err: error, way: wayId }, 'failed to send notices; retrying'))
      .finally(() => this.#serving.delete(wayId))
    this.#serving.set(wayId, serving)
  }

  async #serve(wayId: number): Promise<void> {
    while (!this.#isStopping && (await sendNext(this.#ctx, wayId))) await sleep(BETWEEN_MS)
  }
}

/** Sends the next message of a way; false where there is none, or where it did not arrive. */
async function sendNext(ctx: Ctx, wayId: number): Promise<boolean> {
  const way = await findClaimedWay(ctx.db, wayId)
  const message = way && (await claimMessage(ctx.db, wayId, ctx.now(), new Date(ctx.now().getTime() + CLAIM_MS)))
  if (!way || !message) return false
  const outcome = await sendMessage(ctx, way, message)
  const now = ctx.now()
  const place = { id: message.id, wayId }
  await ctx.db.transaction().execute(async (tx) => {
    if (outcome.error === null) await noteSent(tx, place, outcome, now)
    else await noteUnsent(tx, place, outcome, { pauseMs: pauseAfter(message.attempts), now })
  })
  return outcome.error === null
}
