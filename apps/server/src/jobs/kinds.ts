import type { z } from 'zod'
import type { Ctx } from '../ctx.ts'
import type { Tx } from '../db/driver/connect.ts'
import type { StoredJob } from './jobs.queries.ts'

// The registration of a feature's background or recurring work (docs/decisions/015).

/** A job while it is being worked on. */
export interface OpenJob<Payload> {
  id: string
  payload: Payload
  /** Where the last batch ended; 0 before the first. */
  cursor: number
  done: number
  total: number
}

export interface Batch {
  /** Where this batch ended. */
  cursor: number
  /** Added to the progress shown. */
  count: number
  isLast: boolean
  /** What there is to do altogether, where that was not known when it was asked for. */
  total?: number
  /** State for the next batch, merged over the payload. */
  remember?: object
  /** There is nothing to do until then, as something else has to happen first. */
  pauseMs?: number
  /** It has ended without having done what it was for: why, in a sentence for administrators. */
  failure?: string
}

/** Work in batches. Each is one transaction together with cursor and count, so that work cut off goes on and does nothing twice. */
export interface JobKind<Payload = unknown> {
  name: string
  /** Jobs of a group are worked on one after the other, in the order they were asked for, by one server at a time. */
  group: string
  payload: z.ZodType<Payload>
  /** After each of these a batch that failed is tried again; then the job has failed. What passes by itself is tried for ever. */
  pausesMs: readonly number[]
  /** Half of it would be worse than all of it or nothing. */
  mustEnd?: boolean
  batch: (ctx: Ctx, tx: Tx, job: OpenJob<Payload>) => Promise<Batch>
  /** Done in the transaction that ends the job, however it ends. */
  whenOver?: (ctx: Ctx, tx: Tx, job: OpenJob<Payload>, outcome: 'done' | 'failed' | 'cancelled') => Promise<void>
}

/** Work that comes back. It commits as it likes, since doing it again from its start must change nothing. */
export interface RecurringJob {
  name: string
  everyMs: number
  run: (ctx: Ctx) => Promise<unknown>
}

/** A kind whose payload only its own functions know: what they are given has passed the kind's schema. */
export type AnyJobKind = JobKind

/** Registers a kind; its functions get the payload as its schema gives it. */
export function jobKind<Payload>({ batch, whenOver, ...kind }: JobKind<Payload>): AnyJobKind & { payload: z.ZodType<Payload> } {
  const typed = (job: OpenJob<unknown>): OpenJob<Payload> => ({ ...job, payload: kind.payload.parse(job.payload) })
  return {
    ...kind,
    batch: (ctx, tx, job) => batch(ctx, tx, typed(job)),
    ...(whenOver ? { whenOver: (ctx, tx, job, outcome) => whenOver(ctx, tx, typed(job), outcome) } : {}),
  }
}

export interface Registered {
  kinds: readonly AnyJobKind[]
  recurring: readonly RecurringJob[]
}

/** A kind that no server knows any more has nothing that would have to end. */
export function isCancellable(kind: AnyJobKind | undefined, job: { isRecurring: boolean }): boolean {
  return !job.isRecurring && kind?.mustEnd !== true
}

/** The kinds that this server can run. */
export function kindNames({ kinds, recurring }: Registered): string[] {
  return [...kinds, ...recurring].map(({ name }) => name)
}

/** How the runner sees a stored job: its kind says what to do. */
export function toOpenJob(job: StoredJob): OpenJob<unknown> {
  const { id, payload, cursor, done, total } = job
  return { id, payload, cursor, done, total }
}
