import { sql } from 'kysely'
import type { Db, Tx } from '../../db/connect.ts'

/** Long work over many users: kept in the database, done in batches, continued after a restart. */
export type JobKind =
  | 'resetUsers'
  | 'revokeUsers'
  | 'updateUsers'
  | 'updateAllUsers'
  | 'resetAllUsers'
  | 'resetByStrategy'
  | 'deleteUsersByStatus'
  | 'addAllToSquad'
  | 'removeAllFromSquad'

interface NewJob {
  kind: JobKind
  payload?: Record<string, unknown>
  /** How many users it is about, for the progress shown. */
  total: number
  /** Given where the same job must not start twice. */
  id?: string
}

/** Plans a job as part of the caller's transaction; it starts within a second of the commit. Gives nothing if it exists. */
export async function startJob(tx: Tx, { kind, payload = {}, total, id }: NewJob, now: Date): Promise<string | undefined> {
  const maxId = await findMaxUserId(tx)
  const job = await tx
    .insertInto('jobs')
    .values({
      ...(id ? { id } : {}),
      kind,
      total,
      payload: JSON.stringify({ ...payload, maxId }),
      createdAt: now,
      updatedAt: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return job?.id
}

/** Plans a job for the users of these uuids that exist, and gives their number. No job is made for nobody. */
export async function startJobForUsers(
  tx: Tx,
  { kind, payload, uuids }: { kind: JobKind; payload?: Record<string, unknown>; uuids: string[] },
  now: Date,
): Promise<{ affectedRows: number; jobId?: string }> {
  const { rows } = await sql<{ id: number }>`select "id" from "users" where "uuid" = any(${uuids}::uuid[]) order by "id"`.execute(
    tx,
  )
  if (rows.length === 0) return { affectedRows: 0 }
  const jobId = await startJob(tx, { kind, total: rows.length, ...(payload ? { payload } : {}) }, now)
  if (jobId === undefined) return { affectedRows: 0 }
  await sql`
    insert into "jobTargets" ("jobId", "userId") select ${jobId}, unnest(${rows.map((row) => row.id)}::bigint[])
  `.execute(tx)
  return { affectedRows: rows.length, jobId }
}

export function findJob(db: Db, id: string) {
  return db
    .selectFrom('jobs')
    .select(['id', 'kind', 'status', 'done', 'total', 'error', 'createdAt', 'finishedAt'])
    .where('id', '=', id)
    .executeTakeFirst()
}

/**
 * The oldest job that is not finished, held until the transaction ends. One after the other, since a later job may be meant
 * to change what an earlier one did; only the resets of midnight, which get in nobody's way, stand back.
 */
export function lockOpenJob(tx: Tx) {
  return tx
    .selectFrom('jobs')
    .selectAll()
    .where('finishedAt', 'is', null)
    .orderBy(sql`"kind" = 'resetByStrategy'`)
    .orderBy('createdAt')
    .orderBy('id')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
}

/** `cursor` is the id of the last user done; ids are worked through upwards. */
export async function advanceJob(tx: Tx, id: string, { cursor, count, now }: { cursor: number; count: number; now: Date }) {
  await tx
    .updateTable('jobs')
    .set({ status: 'running', cursor, done: sql<number>`"done" + ${count}`, updatedAt: now })
    .where('id', '=', id)
    .execute()
}

/** Remembers when nodes were last told of the job's changes, and whether some have been made since. */
export async function noteTelling(tx: Tx, id: string, telling: { concernsNodes: boolean; toldAt: Date }): Promise<void> {
  await sql`update "jobs" set "payload" = "payload" || ${JSON.stringify(telling)}::jsonb where "id" = ${id}`.execute(tx)
}

/** `error` is a sentence for the administrator; null says that all went well. */
export async function finishJob(tx: Tx, id: string, { error, now }: { error: string | null; now: Date }): Promise<void> {
  await tx
    .updateTable('jobs')
    .set({ status: error === null ? 'done' : 'failed', error, finishedAt: now, updatedAt: now })
    .where('id', '=', id)
    .execute()
  await tx.deleteFrom('jobTargets').where('jobId', '=', id).execute()
}

/** Whether there has been a job of this kind for this strategy. */
export async function hasJob(db: Db, kind: JobKind, strategy: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from "jobs" where "kind" = ${kind} and "payload"->>'strategy' = ${strategy} limit 1
  `.execute(db)
  return rows.length > 0
}

async function findMaxUserId(db: Db): Promise<number> {
  const { rows } = await sql<{ id: number }>`select coalesce(max("id"), 0)::bigint as "id" from "users"`.execute(db)
  return rows[0]?.id ?? 0
}

interface Span {
  cursor: number
  maxId: number
  size: number
}

async function idsOf(db: Db, query: ReturnType<typeof sql<{ id: number }>>): Promise<number[]> {
  const { rows } = await query.execute(db)
  return rows.map((row) => row.id)
}

export function nextTargets(tx: Tx, jobId: string, { cursor, size }: Span) {
  return idsOf(
    tx,
    sql`select "userId" as "id" from "jobTargets" where "jobId" = ${jobId} and "userId" > ${cursor} order by "userId" limit ${size}`,
  )
}

export function nextUsers(tx: Tx, { cursor, maxId, size }: Span) {
  return idsOf(tx, sql`select "id" from "users" where "id" > ${cursor} and "id" <= ${maxId} order by "id" limit ${size}`)
}

export function nextUsersOfStatus(tx: Tx, status: string, { cursor, maxId, size }: Span) {
  return idsOf(
    tx,
    sql`select "id" from "users" where "status" = ${status} and "id" > ${cursor} and "id" <= ${maxId} order by "id" limit ${size}`,
  )
}

/** Users of a reset strategy that have not been reset since the period began. */
export function nextUsersOfStrategy(tx: Tx, strategy: string, since: Date, { cursor, maxId, size }: Span) {
  return idsOf(
    tx,
    sql`select u."id" from "users" u join "userUsage" usage on usage."userId" = u."id"
      where u."trafficLimitStrategy" = ${strategy} and u."id" > ${cursor} and u."id" <= ${maxId}
      and (usage."lastTrafficResetAt" is null or usage."lastTrafficResetAt" < ${since}) order by u."id" limit ${size}`,
  )
}

export function nextSquadMembers(tx: Tx, squadId: number, { cursor, maxId, size }: Span) {
  return idsOf(
    tx,
    sql`select "userId" as "id" from "internalSquadMembers" where "squadId" = ${squadId} and "userId" > ${cursor} and "userId" <= ${maxId}
      order by "userId" limit ${size}`,
  )
}

export async function countSquadMembers(db: Db, squadId: number): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as "total" from "internalSquadMembers" where "squadId" = ${squadId}
  `.execute(db)
  return rows[0]?.total ?? 0
}

/** The newest reset of each strategy stays: it says that its period has been dealt with. */
export async function deleteFinishedJobs(db: Db, before: Date): Promise<void> {
  await sql`
    delete from "jobs" where "finishedAt" < ${before} and "id" not in (
      select distinct on ("payload"->>'strategy') "id" from "jobs" where "kind" = 'resetByStrategy'
      order by "payload"->>'strategy', "createdAt" desc
    )
  `.execute(db)
}
