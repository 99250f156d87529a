import { sql } from 'kysely'
import type { Db } from '../../db/driver/connect.ts'

// Growing tables, with the column that holds a row's age.
const AGES = {
  auditLog: 'at',
  userTrafficResets: 'resetAt',
  nodeTrafficResets: 'resetAt',
  nodeUsageQuarters: 'quarter',
  nodeUsageDays: 'day',
  onlineQuarters: 'quarter',
  torrentReports: 'createdAt',
  idempotencyKeys: 'at',
} as const
export type Ageing = keyof typeof AGES

/** Deletes up to so many rows that are older than this; gives how many it found. */
export async function deleteOlder(db: Db, table: Ageing, before: Date, limit: number): Promise<number> {
  const age = sql.ref(AGES[table])
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where ctid = any(array(select ctid from ${sql.table(table)} where ${age} < ${before} limit ${limit}))
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** The phase that is under way stays, however old: it says since when. */
export async function deleteOldPhases(db: Db, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from "nodePhases" where ctid = any(array(
      select old.ctid from "nodePhases" old where old."beganAt" < ${before} and exists (
        select from "nodePhases" newer where newer."nodeId" = old."nodeId" and newer."beganAt" > old."beganAt" and newer."beganAt" < ${before})
      limit ${limit}))
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** The newest reset of each strategy stays: it says that its period has been dealt with. */
export async function deleteFinishedJobs(db: Db, before: Date): Promise<void> {
  await sql`
    delete from "jobs" where "finishedAt" < ${before} and "id" not in (
      select distinct on ("payload"->>'strategy') "id" from "jobs" where "kind" = 'resetByStrategy'
      order by "payload"->>'strategy', "number" desc
    )
  `.execute(db)
}
