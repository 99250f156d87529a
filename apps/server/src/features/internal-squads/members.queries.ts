import { sql } from 'kysely'
import type { Db, Tx } from '../../db/driver/connect.ts'

interface Span {
  cursor: number
  maxId: number
  size: number
}

export async function nextSquadMembers(tx: Tx, squadId: number, { cursor, maxId, size }: Span): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select "userId" as "id" from "internalSquadMembers" where "squadId" = ${squadId} and "userId" > ${cursor} and "userId" <= ${maxId}
    order by "userId" limit ${size}
  `.execute(tx)
  return rows.map((row) => row.id)
}

/** All of them, or those up to a user. */
export async function countSquadMembers(db: Db, squadId: number, maxId = Number.MAX_SAFE_INTEGER): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as "total" from "internalSquadMembers" where "squadId" = ${squadId} and "userId" <= ${maxId}
  `.execute(db)
  return rows[0]?.total ?? 0
}
