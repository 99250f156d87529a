import type { Ctx } from '../ctx.ts'
import type { Tx } from '../db/driver/connect.ts'
import { isPassing } from '../db/driver/failures.ts'
import { advanceJob, finishJob, findJob, lockJob, noteRun, noteStart, postponeJob, type StoredJob } from './jobs.queries.ts'
import { toOpenJob, type AnyJobKind, type RecurringJob, type Registered } from './kinds.ts'

/** Between tries of what passes by itself, such as a database that restarts, and of recurring jobs that failed. */
const PASSING_PAUSES_MS = [1000, 5000, 15_000, 60_000] as const
const STOPPED = 'It stopped because of an error; the log of the server tells more.'

/** Clocks of several servers differ by less. */
const SET_BACK_MS = 60_000

/**
 * The remaining pause of a job. A due time far in the future was written by a clock that has been set back since;
 * waiting for it would stop expiry for as long.
 */
export function dueInMs({ dueAt, updatedAt }: { dueAt: Date; updatedAt: Date }, now: Date): number {
  const isSetBack = updatedAt.getTime() - now.getTime() > SET_BACK_MS
  return isSetBack ? 0 : dueAt.getTime() - now.getTime()
}

/** Runs one step of a job: its next batch, or all of a recurring one. The caller holds the lock of the group. */
export async function workOn(ctx: Ctx, registered: Registered, id: string): Promise<void> {
  const job = await findJob(ctx.db, id)
  if (!job || job.finishedAt || dueInMs(job, ctx.now()) > 0) return
  const recurring = job.isRecurring ? registered.recurring.find(({ name }) => name === job.kind) : undefined
  const kind = job.isRecurring ? undefined : registered.kinds.find(({ name }) => name === job.kind)
  try {
    if (recurring) await runRecurring(ctx, recurring, id)
    else if (kind) await ctx.db.transaction().execute((tx) => doBatch(ctx, tx, kind, id))
    else throw new Error(`No part of this server knows jobs of the kind ${job.kind}.`)
  } catch (error) {
    ctx.log.error({ err: error, job: id, kind: job.kind, done: job.done, attempts: job.attempts }, 'job failed')
    const pauseMs = kind && !isPassing(error) ? kind.pausesMs[job.attempts] : passingPauseMs(job.attempts)
    if (pauseMs === undefined && kind) await giveUp(ctx, kind, id)
    else await pause(ctx, id, pauseMs ?? 0)
  }
}

async function doBatch(ctx: Ctx, tx: Tx, kind: AnyJobKind, id: string): Promise<void> {
  const job = await lockJob(tx, id)
  if (!job) return
  const batch = await kind.batch(ctx, tx, toOpenJob(job))
  await advanceJob(tx, id, batch, ctx.now())
  const { isLast, failure } = batch
  if (isLast) await endJob(ctx, tx, kind, job, failure === undefined ? WELL : { status: 'failed', error: failure })
}

async function runRecurring(ctx: Ctx, { everyMs, run }: RecurringJob, id: string): Promise<void> {
  const startedAt = ctx.now()
  await noteStart(ctx.db, id, startedAt)
  await run(ctx)
  const now = ctx.now()
  await noteRun(ctx.db, id, new Date(Math.max(now.getTime(), startedAt.getTime() + everyMs)), now)
}

interface Ending {
  status: 'done' | 'failed' | 'cancelled'
  error: string | null
}

const WELL: Ending = { status: 'done', error: null }

/** Keeps the batches done so far; the kind may add a final step in the same transaction. */
export async function endJob(ctx: Ctx, tx: Tx, kind: AnyJobKind | undefined, job: StoredJob, ending: Ending): Promise<void> {
  await kind?.whenOver?.(ctx, tx, toOpenJob(job), ending.status)
  await finishJob(tx, job.id, ending, ctx.now())
}

async function giveUp(ctx: Ctx, kind: AnyJobKind, id: string): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const job = await lockJob(tx, id)
    if (job) await endJob(ctx, tx, kind, job, { status: 'failed', error: STOPPED })
  })
}

async function pause(ctx: Ctx, id: string, pauseMs: number): Promise<void> {
  const now = ctx.now()
  const error = 'It failed and is tried again by itself; the log of the server tells more.'
  await postponeJob(ctx.db, id, { error, dueAt: new Date(now.getTime() + pauseMs) }, now)
}

function passingPauseMs(attempts: number): number {
  return PASSING_PAUSES_MS[Math.min(attempts, PASSING_PAUSES_MS.length - 1)] ?? 0
}
