import { sql, type RawBuilder } from 'kysely'
import type { Db, Tx } from '../../db/driver/connect.ts'

// Targets of a job, batch by batch.

/** Ids are worked through upwards from the cursor; users made after the job was asked for have larger ones. */
export interface Span {
  cursor: number
  maxId: number
  size: number
}

export async function findMaxUserId(db: Db): Promise<number> {
  const { rows } = await sql<{ id: number }>`select coalesce(max("id"), 0)::bigint as "id" from "users"`.execute(db)
  return rows[0]?.id ?? 0
}

/** Stores the targets of a job for selected users. */
export async function insertTargets(tx: Tx, jobId: string, userIds: number[]): Promise<void> {
  await sql`insert into "jobTargets" ("jobId", "userId") select ${jobId}, unnest(${userIds}::bigint[])`.execute(tx)
}

/** The same for the result of a query of ids; gives their number. */
export async function insertTargetsFound(tx: Tx, jobId: string, ids: RawBuilder<unknown>): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into "jobTargets" ("jobId", "userId") select ${jobId}, found."id" from (${ids}) as found
  `.execute(tx)
  return Number(numAffectedRows ?? 0)
}

export async function deleteTargets(tx: Tx, jobId: string): Promise<void> {
  await tx.deleteFrom('jobTargets').where('jobId', '=', jobId).execute()
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
