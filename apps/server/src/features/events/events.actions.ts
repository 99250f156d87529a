import { randomUUID } from 'node:crypto'
import { errors, type LiveTopic } from '@causeway/contract'
import type { FastifyRequest } from 'fastify'
import type { Ctx } from '../../ctx.ts'
import { fail } from '../../http/errors.ts'
import { GuardError, type Authenticate, type Holder } from '../../http/guards.ts'
import type { DatabaseChanges } from '../../ground/changes.ts'
import { isTopic, missedSince, toldAt, type Changes, type Told } from './events.rules.ts'
import { Stream, type Outlet } from './stream.actions.ts'

/** Not a topic: somebody may have lost what they were allowed. */
const ACCESS = 'access'
const HEARTBEAT_MS = 15_000
/** Whoever has no session any more hears nothing after this, if the notice of it was lost. */
const CHECK_MS = 60_000
const STALL_LIMIT_MS = 30_000
/** Messages kept for tabs that come back. */
const KEPT = 256
const MAX_STREAMS = 5000
const MAX_STREAMS_OF_ONE = 1000

/** The open tabs of this server, told of what the database tells. */
export class EventHub {
  readonly #ctx: Ctx
  readonly #check: Authenticate
  readonly #run = randomUUID().slice(0, 8)
  readonly #streams = new Map<Stream, { token: string; request: FastifyRequest }>()
  readonly #changedAt = new Map<LiveTopic, number>()
  readonly #toldAt = new Map<LiveTopic, number>()
  readonly #heartbeat
  #kept: Told[] = []
  #number = 0
  #timer: NodeJS.Timeout | undefined

  constructor(ctx: Ctx, changes: DatabaseChanges, check: Authenticate) {
    this.#ctx = ctx
    this.#check = check
    changes.hear((topic) => this.#hear(topic))
    this.#heartbeat = setInterval(() => this.#beat(), HEARTBEAT_MS)
    this.#heartbeat.unref()
  }

  /** @throws tooManyStreams */
  makeRoom(uuid: string | null): void {
    const own = [...this.#streams.keys()].filter((stream) => stream.holderUuid === uuid).length
    if (this.#streams.size >= MAX_STREAMS || own >= MAX_STREAMS_OF_ONE) fail(errors.tooManyStreams, { retryAfterSeconds: 60 })
  }

  /** Tells this tab from now on; first what it missed since the message that it names. Gives what ends it. */
  follow(
    outlet: Outlet,
    who: { holder: Holder; token: string; request: FastifyRequest; lastId: string | undefined },
  ): () => void {
    const stream = new Stream(outlet, who.holder, performance.now())
    this.#streams.set(stream, who)
    // Also a tab that missed nothing learns where it stands.
    outlet.write(`id: ${this.#id()}\ndata: {"changed":[]}\n\n`)
    const missed = missedSince(this.#run, this.#kept, who.lastId)
    if (missed) stream.tell(this.#id(), missed)
    return () => void this.#streams.delete(stream)
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

  #id(): string {
    return `${this.#run}:${this.#number}`
  }

  #hear(topic: string | undefined): void {
    if (topic === undefined) this.#tell('all') // the connection came up: what was before is not known
    else if (topic === ACCESS) for (const stream of this.#streams.keys()) void this.#recheck(stream)
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
      if (now - stream.checkedAtMs > CHECK_MS) void this.#recheck(stream)
    }
  }

  async #recheck(stream: Stream): Promise<void> {
    const who = this.#streams.get(stream)
    if (!who) return
    try {
      stream.renew(await this.#check(who.token, who.request), performance.now())
    } catch (error) {
      if (error instanceof GuardError) stream.end()
      else this.#ctx.log.warn({ err: error }, 'who follows the events could not be checked; trying again')
    }
  }
}
