import { randomUUID } from 'node:crypto'
import { errors, type LiveTopic } from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { fail } from '../../http/errors.ts'
import { GuardError, type Holder } from '../../http/guards.ts'
import type { DatabaseChanges } from '../../ground/changes.ts'
import { hasRoom, isTopic, missedSince, toldAt, type Changes, type Message } from './events.rules.ts'
import { Stream, type Outlet } from './stream.actions.ts'

/** Not a topic: a session or token may have lost permissions. */
const ACCESS = 'access'
const HEARTBEAT_MS = 15_000
/** Permissions are read again after this, in case their notice was lost. */
const CHECK_MS = 60_000
const STALL_LIMIT_MS = 30_000
/** Messages kept for tabs that come back. */
const KEPT = 256
/**
 * A stream ends after this, and its tab opens another one that goes on from the last message. A client that vanished without a
 * word would keep its place until the network gives up, which takes hours behind some proxies.
 */
const LIFETIME_MS = 30 * 60_000
/** Streams that were opened together do not end together. */
const LIFETIME_SPREAD = 0.2

interface Follower {
  holder: Holder
  /** Reads the holder's permissions again. @throws GuardError when it may not follow events any more */
  check: () => Promise<Holder>
  lastId: string | undefined
}

/** The open streams of this process, which send on what the database tells. */
export class EventHub {
  readonly #ctx: Ctx
  readonly #run = randomUUID().slice(0, 8)
  readonly #streams = new Map<Stream, { check: Follower['check']; latestEndMs: number }>()
  readonly #changedAt = new Map<LiveTopic, number>()
  readonly #toldAt = new Map<LiveTopic, number>()
  readonly #heartbeat
  #kept: Message[] = []
  #number = 0
  #timer: NodeJS.Timeout | undefined

  constructor(ctx: Ctx, changes: DatabaseChanges) {
    this.#ctx = ctx
    changes.hear((topic) => this.#hear(topic))
    this.#heartbeat = setInterval(() => this.#beat(), HEARTBEAT_MS)
    this.#heartbeat.unref()
  }

  /** @throws tooManyStreams */
  makeRoom({ kind, uuid }: Holder): void {
    const taken = { all: this.#streams.size, byTokens: 0, byHolder: 0 }
    for (const { holder } of this.#streams.keys()) {
      if (holder.kind === 'apiToken') taken.byTokens++
      if (holder.uuid === uuid) taken.byHolder++
    }
    if (!hasRoom(kind === 'apiToken', taken)) fail(errors.tooManyStreams, { retryAfterSeconds: 60 })
  }

  /** Follows from now on, beginning with what was missed since `lastId`. Returns what ends it. */
  follow(outlet: Outlet, { holder, check, lastId }: Follower): () => void {
    const nowMs = performance.now()
    const stream = new Stream(outlet, holder, nowMs)
    const latestEndMs = nowMs + LIFETIME_MS * (1 - Math.random() * LIFETIME_SPREAD)
    this.#streams.set(stream, { check, latestEndMs })
    this.#limit(stream, latestEndMs)
    // A tab that missed nothing learns its position too.
    outlet.write(`id: ${this.#id()}\ndata: {"changed":[]}\n\n`)
    const missed = missedSince(this.#run, this.#kept, lastId)
    if (missed) stream.tell(this.#id(), missed)
    return () => {
      stream.leave()
      this.#streams.delete(stream)
    }
  }

  get size(): number {
    return this.#streams.size
  }

  close(): void {
    clearInterval(this.#heartbeat)
    clearTimeout(this.#timer)
    for (const stream of this.#streams.keys()) stream.end()
    this.#streams.clear()
  }

  /** Ends the stream at the instant at which its holder expires, and at the end of its own lifetime at the latest. */
  #limit(stream: Stream, latestEndMs: number): void {
    const { endsAt } = stream.holder
    const lifetimeMs = latestEndMs - performance.now()
    stream.endAfter(endsAt ? Math.min(lifetimeMs, endsAt.getTime() - this.#ctx.now().getTime()) : lifetimeMs)
  }

  #id(): string {
    return `${this.#run}:${this.#number}`
  }

  #hear(topic: string | undefined): void {
    if (topic === undefined) {
      // The connection came up: notices before it are lost, also those of permissions.
      this.#tell('all')
      this.#recheckAll()
    } else if (topic === ACCESS) this.#recheckAll()
    else if (isTopic(topic)) {
      this.#changedAt.set(topic, this.#changedAt.get(topic) ?? performance.now())
      this.#schedule()
    }
  }

  #schedule(): void {
    clearTimeout(this.#timer)
    const next = Math.min(...[...this.#changedAt].map(([topic, at]) => toldAt(topic, at, this.#toldAt.get(topic))))
    if (!Number.isFinite(next)) return
    this.#timer = setTimeout(() => this.#tellDue(), Math.max(0, next - performance.now()))
    this.#timer.unref()
  }

  #tellDue(): void {
    const now = performance.now() + 1 // timers may come a little early
    const due = [...this.#changedAt].filter(([topic, at]) => toldAt(topic, at, this.#toldAt.get(topic)) <= now)
    for (const [topic] of due) {
      this.#changedAt.delete(topic)
      this.#toldAt.set(topic, now)
    }
    if (due.length > 0) this.#tell(new Set(due.map(([topic]) => topic)))
    this.#schedule()
  }

  #tell(changes: Changes): void {
    this.#number++
    this.#kept = [...this.#kept.slice(1 - KEPT), { number: this.#number, changes }]
    for (const stream of this.#streams.keys()) stream.tell(this.#id(), changes)
  }

  #beat(): void {
    const now = performance.now()
    for (const stream of this.#streams.keys()) {
      if (stream.stalledForMs(now) > STALL_LIMIT_MS) stream.destroy()
      else stream.beat()
      if (stream.isUnchecked || now - stream.checkedAtMs > CHECK_MS) void this.#recheck(stream)
    }
  }

  #recheckAll(): void {
    for (const stream of this.#streams.keys()) void this.#recheck(stream)
  }

  async #recheck(stream: Stream): Promise<void> {
    const follower = this.#streams.get(stream)
    if (!follower) return
    const check = stream.beginCheck()
    try {
      stream.renew(check, await follower.check(), performance.now())
      if (this.#streams.has(stream)) this.#limit(stream, follower.latestEndMs)
    } catch (error) {
      if (error instanceof GuardError) stream.end()
      else this.#ctx.log.warn({ err: error }, 'failed to check the caller of an event stream; retrying')
    }
  }
}
