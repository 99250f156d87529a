import { sql } from 'kysely'
import type { Db, Tx } from '../../db/driver/connect.ts'

/** The first and the last day that any usage is kept of, of whichever node; nothing when there is none. */
export async function findUsageDays(db: Db) {
  const { rows } = await sql<{ firstDay: string | null; lastDay: string | null }>`
    select min("day") as "firstDay", max("day") as "lastDay" from "userNodeUsage"
  `.execute(db)
  return rows[0] ?? { firstDay: null, lastDay: null }
}

export async function deleteNodeUsageOfDay(tx: Tx, nodeId: number, day: string): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from "userNodeUsage" where "day" = ${day}::date and "nodeId" = ${nodeId}
  `.execute(tx)
  return Number(numAffectedRows ?? 0)
}
