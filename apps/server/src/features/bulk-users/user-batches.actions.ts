import { z } from 'zod'
import type { Ctx } from '../../ctx.ts'
import type { Tx } from '../../db/driver/connect.ts'
import { MAX_SINGLE_DELIVERIES, queueAllForNodes, queueForNodes } from '../../ground/delivery.queries.ts'
import { startJob } from '../../jobs/jobs.queries.ts'
import { jobKind, type AnyJobKind, type Batch, type OpenJob } from '../../jobs/kinds.ts'
import { deleteTargets, findMaxUserId, type Span } from './targets.queries.ts'

// Jobs about many users: the same span of ids, the same order, and the same way of telling nodes.

const BATCH_SIZE = 1000
/** How often nodes compare while a large job goes on. */
const TELLING_MS = 20_000
const PAUSES_MS = [1000, 10_000, 60_000]
/** One after the other, since a later change may be meant to change what an earlier one did. */
const GROUP = 'users'

export interface UserBatch {
  ids: number[]
  /** Names of the users whose nodes are to be told. */
  concerned: string[]
  /** Of the job, counted anew. */
  total?: number
}

const span = z.object({ maxId: z.number(), concernsNodes: z.boolean().optional(), toldAt: z.coerce.date().optional() })
type Telling = Omit<z.output<typeof span>, 'maxId'>

interface UserJob<Payload> {
  name: string
  /** Left out for those that wait for each other's end. */
  group?: string
  payload: z.ZodType<Payload>
  batch: (ctx: Ctx, tx: Tx, job: { id: string; total: number; payload: Payload }, span: Span) => Promise<UserBatch>
}

export interface UserJobKind<Payload> {
  kind: AnyJobKind
  /** Plans the job as part of the caller's transaction. Gives nothing if a job of this id exists. */
  start(tx: Tx, job: { payload: Payload; total: number; id?: string }, now: Date): Promise<string | undefined>
}

/** A kind of job that does the same to many users. */
export function userJob<Payload extends object>({ name, group = GROUP, payload, batch }: UserJob<Payload>): UserJobKind<Payload> {
  const kind = jobKind({
    name,
    group,
    payload: z.looseObject(span.shape),
    pausesMs: PAUSES_MS,
    batch: async (ctx, tx, job) => {
      const { maxId, ...telling } = span.parse(job.payload)
      const range = { cursor: job.cursor, maxId, size: BATCH_SIZE }
      const { ids, concerned, total } = await batch(
        ctx,
        tx,
        { id: job.id, total: job.total, payload: payload.parse(job.payload) },
        range,
      )
      const isLast = ids.length < BATCH_SIZE
      const remember = await tellNodes(tx, job, { telling, concerned, isLast, now: ctx.now() })
      const counted = total === undefined ? {} : { total }
      return { cursor: ids.at(-1) ?? job.cursor, count: ids.length, isLast, ...counted, ...remember }
    },
    whenOver: async (_, tx, job, outcome) => {
      await deleteTargets(tx, job.id)
      if (outcome !== 'done') await queueAllForNodes(tx) // of what was done until now
    },
  })
  return {
    kind,
    start: async (tx, job, now) =>
      startJob(tx, kind, { ...job, payload: { ...job.payload, maxId: await findMaxUserId(tx) } }, now),
  }
}

interface Notification {
  telling: Telling
  concerned: string[]
  isLast: boolean
  now: Date
}

async function tellNodes(tx: Tx, job: OpenJob<unknown>, told: Notification): Promise<Pick<Batch, 'remember'>> {
  if (job.total > MAX_SINGLE_DELIVERIES) return tellNodesAtTimes(tx, told)
  await queueForNodes(tx, told.concerned)
  return {}
}

/** Nodes compare all their users when a large job has ended, and at times while it goes on. */
async function tellNodesAtTimes(tx: Tx, { telling, concerned, isLast, now }: Notification): Promise<Pick<Batch, 'remember'>> {
  const { toldAt } = telling
  if (telling.concernsNodes !== true && concerned.length === 0) return {}
  if (isLast || !toldAt || now.getTime() - toldAt.getTime() > TELLING_MS) {
    await queueAllForNodes(tx)
    return { remember: { concernsNodes: false, toldAt: now } }
  }
  return { remember: { concernsNodes: true } }
}
