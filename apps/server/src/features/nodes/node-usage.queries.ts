import { sql } from 'kysely'
import type { Db, Tx } from '../../db/connect.ts'

/** The first day that any usage is kept of, of whichever node; nothing when there is none. */
export async function findFirstUsageDay(db: Db): Promise<string | undefined> {
  const { rows } = await sql<{ day: string | null }>`select min("day") as "day" from "userNodeUsage"`.execute(db)
  return rows[0]?.day ?? undefined
}

export async function deleteNodeUsageOfDay(tx: Tx, nodeId: number, day: string): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from "userNodeUsage" where "day" = ${day}::date and "nodeId" = ${nodeId}
  `.execute(tx)
  return Number(numAffectedRows ?? 0)
}
