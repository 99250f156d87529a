import { sql } from 'kysely'
import type { Db, Tx } from '../db/driver/connect.ts'

export interface NewJob<Payload> {
  payload: Payload
  /** The total of the progress. */
  total: number
  /** Given where the same job must not be made twice. */
  id?: string
  /** At once, unless given. */
  dueAt?: Date
}

/** Plans a job as part of the caller's transaction; it starts with the commit. Gives nothing if it exists. */
export async function startJob<Payload>(
  tx: Tx,
  kind: { name: string; group: string; payload: { parse(value: Payload): unknown } },
  { payload, total, id, dueAt }: NewJob<Payload>,
  now: Date,
): Promise<string | undefined> {
  kind.payload.parse(payload) // a job that cannot be read is refused here, not found out later
  const job = await tx
    .insertInto('jobs')
    .values({
      ...(id ? { id } : {}),
      kind: kind.name,
      group: kind.group,
      total,
      payload: JSON.stringify(payload),
      createdAt: now,
      updatedAt: now,
      dueAt: dueAt ?? now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return job?.id
}

const SHOWN = [
  'id',
  'kind',
  'group',
  'status',
  'done',
  'total',
  'attempts',
  'error',
  'isRecurring',
  'createdAt',
  'startedAt',
  'dueAt',
  'finishedAt',
] as const

export function findJob(db: Db, id: string) {
  return db
    .selectFrom('jobs')
    .select([...SHOWN, 'updatedAt'])
    .where('id', '=', id)
    .executeTakeFirst()
}

const FINISHED_SHOWN = 100

/** All that is open, in the order it is worked on, and what ended last. Recurring jobs come after both. */
export async function listJobs(db: Db) {
  const open = await db
    .selectFrom('jobs')
    .select(SHOWN)
    .where('finishedAt', 'is', null)
    .orderBy('isRecurring')
    .orderBy('number')
    .execute()
  const finished = await db
    .selectFrom('jobs')
    .select(SHOWN)
    .where('finishedAt', 'is not', null)
    .orderBy('finishedAt', 'desc')
    .orderBy('number', 'desc')
    .limit(FINISHED_SHOWN)
    .execute()
  return [...open.filter((job) => !job.isRecurring), ...finished, ...open.filter((job) => job.isRecurring)]
}

/**
 * The job at the head of each group and its due time. A job that pauses before a retry blocks its group. A kind that
 * this server does not know is left to a server that does, and blocks nothing.
 */
export async function listHeads(db: Db, known: readonly string[]) {
  const { rows } = await sql<{ id: string; group: string; dueAt: Date; updatedAt: Date }>`
    select distinct on ("group") "id", "group", "dueAt", "updatedAt" from "jobs"
    where "finishedAt" is null and "kind" = any(${known}::text[]) order by "group", "number"
  `.execute(db)
  return rows
}

export type StoredJob = NonNullable<Awaited<ReturnType<typeof lockJob>>>

/** The job if it is still open, held until the transaction ends. */
export function lockJob(tx: Tx, id: string) {
  return tx.selectFrom('jobs').selectAll().where('id', '=', id).where('finishedAt', 'is', null).forUpdate().executeTakeFirst()
}

export interface Advance {
  cursor: number
  count: number
  total?: number
  remember?: object
  pauseMs?: number
}

/** Part of the batch's own transaction. */
export async function advanceJob(tx: Tx, id: string, advance: Advance, now: Date): Promise<void> {
  const { cursor, count, total, remember = {}, pauseMs = 0 } = advance
  await tx
    .updateTable('jobs')
    .set({
      status: 'running',
      cursor,
      done: sql<number>`"done" + ${count}`,
      ...(total === undefined ? {} : { total }),
      payload: sql<string>`"payload" || ${JSON.stringify(remember)}::jsonb`,
      attempts: 0,
      error: null,
      startedAt: sql<Date>`coalesce("startedAt", ${now})`,
      updatedAt: now,
      ...(pauseMs > 0 ? { dueAt: new Date(now.getTime() + pauseMs) } : {}),
    })
    .where('id', '=', id)
    .execute()
}

/** `error` is a sentence for the administrator; null where none is needed. */
export async function finishJob(
  tx: Tx,
  id: string,
  { status, error }: { status: 'done' | 'failed' | 'cancelled'; error: string | null },
  now: Date,
): Promise<void> {
  await tx.updateTable('jobs').set({ status, error, finishedAt: now, updatedAt: now }).where('id', '=', id).execute()
}

/** The job waits until it is tried again. */
export async function postponeJob(
  db: Db,
  id: string,
  { error, dueAt }: { error: string; dueAt: Date },
  now: Date,
): Promise<void> {
  await db
    .updateTable('jobs')
    .set({ error, dueAt, attempts: sql<number>`"attempts" + 1`, updatedAt: now })
    .where('id', '=', id)
    .where('finishedAt', 'is', null)
    .execute()
}

/** One row per recurring job; those that this version no longer has go. */
export async function keepRecurring(db: Db, names: string[], now: Date): Promise<void> {
  const kept = await db.selectFrom('jobs').select('kind').where('isRecurring', '=', true).execute()
  // A server that starts while the database takes no changes still answers reads.
  if (kept.length === names.length && kept.every(({ kind }) => names.includes(kind))) return
  await sql`
    insert into "jobs" ("kind", "group", "isRecurring", "createdAt", "updatedAt", "dueAt")
    select "name", 'every ' || "name", true, ${now}, ${now}, ${now} from unnest(${names}::text[]) as "name"
    on conflict ("kind") where "isRecurring" do nothing
  `.execute(db)
  await sql`delete from "jobs" where "isRecurring" and "kind" <> all(${names}::text[])`.execute(db)
}

export async function noteStart(db: Db, id: string, now: Date): Promise<void> {
  await db.updateTable('jobs').set({ status: 'running', startedAt: now, updatedAt: now }).where('id', '=', id).execute()
}

/** A recurring job has run and comes back. */
export async function noteRun(db: Db, id: string, dueAt: Date, now: Date): Promise<void> {
  await db
    .updateTable('jobs')
    .set({ status: 'queued', done: sql<number>`"done" + 1`, attempts: 0, error: null, dueAt, updatedAt: now })
    .where('id', '=', id)
    .execute()
}
