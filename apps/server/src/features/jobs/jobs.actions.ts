import { z } from 'zod'
import { bulkUserFields, trafficLimitStrategy, userStatus } from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import type { Tx } from '../../db/connect.ts'
import { isPassing } from '../../db/failures.ts'
import { queueAllForNodes, queueForNodes } from '../fleet/delivery.queries.ts'
import { deleteBatch, resetBatch, revokeBatch, updateBatch } from '../bulk-users/batches.actions.ts'
import { addToSquad, removeFromSquad } from '../bulk-users/batches.queries.ts'
import {
  advanceJob,
  finishJob,
  lockOpenJob,
  nextSquadMembers,
  nextTargets,
  nextUsers,
  nextUsersOfStatus,
  nextUsersOfStrategy,
  noteTelling,
  type JobKind,
} from './jobs.queries.ts'

const BATCH_SIZE = 1000
/** One run ends after this time, so that the server can stop between two batches; the next run goes on. */
const RUN_MS = 3000
/** Larger jobs have nodes compare all their users, instead of telling them user by user. */
const MAX_SINGLE_DELIVERIES = 500
/** How often nodes compare while a large job goes on. */
const TELLING_MS = 20_000

type Job = NonNullable<Awaited<ReturnType<typeof lockOpenJob>>>

interface Batch {
  ids: number[]
  /** Names of the users whose nodes are to be told. */
  concerned: string[]
}

const span = z.object({ maxId: z.number(), concernsNodes: z.boolean().optional(), toldAt: z.coerce.date().optional() })
const resetPayload = z.object({ strategy: trafficLimitStrategy, since: z.coerce.date(), isSkipped: z.boolean().optional() })
const squadPayload = z.object({ squadId: z.number() })

/** Works on open jobs, oldest first. Each batch is one transaction with its cursor, so that nothing is done twice. */
export async function runJobs(ctx: Ctx): Promise<void> {
  const endsAt = performance.now() + RUN_MS
  let isOpen = true
  while (isOpen && performance.now() < endsAt) isOpen = await runBatch(ctx)
}

/** Does the next batch of the oldest open job; false when there is none. */
export async function runBatch(ctx: Ctx): Promise<boolean> {
  let job: Job | undefined
  try {
    await ctx.db.transaction().execute(async (tx) => {
      job = await lockOpenJob(tx)
      if (job) await doBatch(ctx, tx, job)
    })
  } catch (error) {
    // Deadlocks, full connections and a database that restarts pass; the batch is then simply tried again.
    if (!job || isPassing(error)) throw error
    await giveUp(ctx, job, error)
  }
  return job !== undefined
}

async function doBatch(ctx: Ctx, tx: Tx, job: Job): Promise<void> {
  const now = ctx.now()
  const { maxId, ...telling } = span.parse(job.payload)
  const { ids, concerned } = await nextBatch(ctx, tx, job, { cursor: job.cursor, maxId, size: BATCH_SIZE })
  const last = ids.at(-1)
  const isLast = ids.length < BATCH_SIZE
  if (last !== undefined) await advanceJob(tx, job.id, { cursor: last, count: ids.length, now })
  if (job.total <= MAX_SINGLE_DELIVERIES) await queueForNodes(tx, concerned)
  else await tellNodesAtTimes(tx, job.id, { ...telling, hasConcerned: concerned.length > 0, isLast, now })
  if (isLast) await finishJob(tx, job.id, { error: null, now })
}

interface Telling {
  concernsNodes?: boolean | undefined
  toldAt?: Date | undefined
  hasConcerned: boolean
  isLast: boolean
  now: Date
}

/** Nodes compare all their users when a large job has ended, and at times while it goes on. */
async function tellNodesAtTimes(tx: Tx, jobId: string, telling: Telling): Promise<void> {
  const { toldAt, isLast, now } = telling
  const concernsNodes = telling.concernsNodes === true || telling.hasConcerned
  if (!concernsNodes) return
  if (isLast || !toldAt || now.getTime() - toldAt.getTime() > TELLING_MS) {
    await queueAllForNodes(tx)
    await noteTelling(tx, jobId, { concernsNodes: false, toldAt: now })
  } else if (!telling.concernsNodes) await noteTelling(tx, jobId, { concernsNodes: true, toldAt })
}

async function nextBatch(ctx: Ctx, tx: Tx, job: Job, range: { cursor: number; maxId: number; size: number }): Promise<Batch> {
  const kind = job.kind as JobKind // only startJob() writes this column
  switch (kind) {
    case 'resetUsers':
      return reset(ctx, tx, await nextTargets(tx, job.id, range))
    case 'resetAllUsers':
      return reset(ctx, tx, await nextUsers(tx, range))
    case 'resetByStrategy': {
      const { strategy, since, isSkipped } = resetPayload.parse(job.payload)
      if (isSkipped) return { ids: [], concerned: [] }
      return reset(ctx, tx, await nextUsersOfStrategy(tx, strategy, since, range))
    }
    case 'revokeUsers': {
      const ids = await nextTargets(tx, job.id, range)
      return { ids, concerned: await revokeBatch(ctx, tx, ids) }
    }
    case 'updateUsers':
      return update(ctx, tx, job, await nextTargets(tx, job.id, range))
    case 'updateAllUsers':
      return update(ctx, tx, job, await nextUsers(tx, range))
    case 'deleteUsersByStatus': {
      const { status } = z.object({ status: userStatus }).parse(job.payload)
      const ids = await nextUsersOfStatus(tx, status, range)
      return { ids, concerned: await deleteBatch(tx, ids, status) }
    }
    case 'addAllToSquad': {
      const { squadId } = squadPayload.parse(job.payload)
      const ids = await nextUsers(tx, range)
      return { ids, concerned: await addToSquad(tx, squadId, ids) }
    }
    case 'removeAllFromSquad': {
      const { squadId } = squadPayload.parse(job.payload)
      const ids = await nextSquadMembers(tx, squadId, range)
      return { ids, concerned: await removeFromSquad(tx, squadId, ids) }
    }
  }
}

async function reset(ctx: Ctx, tx: Tx, ids: number[]): Promise<Batch> {
  return { ids, concerned: await resetBatch(ctx, tx, ids) }
}

// A job may run later than it was asked for, when a date that lay ahead has passed; so the date is not judged again.
const updatePayload = z.object({ fields: bulkUserFields.omit({ expireAt: true }).extend({ expireAt: z.string().optional() }) })

async function update(ctx: Ctx, tx: Tx, job: Job, ids: number[]): Promise<Batch> {
  const { fields } = updatePayload.parse(job.payload)
  return { ids, concerned: await updateBatch(ctx, tx, ids, fields) }
}

/** What the job has done until now stays and reaches the nodes; the administrator sees why it did not go on. */
async function giveUp(ctx: Ctx, job: Job, error: unknown): Promise<void> {
  ctx.log.error({ err: error, job: job.id, kind: job.kind, done: job.done, total: job.total }, 'a job stopped')
  await ctx.db.transaction().execute(async (tx) => {
    await finishJob(tx, job.id, { error: 'It stopped because of an error; the log of the server tells more.', now: ctx.now() })
    await queueAllForNodes(tx)
  })
}
