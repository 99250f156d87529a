import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../db/driver/connect.ts'
import { idsMatching } from '../users/list.queries.ts'
import type { UserFilter } from '../users/list.rules.ts'

/** The target of a bulk change. */
export type Which = { uuids: string[] } | { filters: UserFilter[] } | 'all'

/** A query for their ids. */
export function idsOf(which: Which): RawBuilder<unknown> {
  if (which === 'all') return sql`select "id" from "users"`
  if ('filters' in which) return idsMatching(which.filters)
  return sql`select "id" from "users" where "uuid" = any(${which.uuids}::uuid[])`
}

export async function countTargets(db: Db, which: Which): Promise<number> {
  const { rows } = await sql<{ total: number }>`select count(*) as "total" from (${idsOf(which)}) as found`.execute(db)
  return rows[0]?.total ?? 0
}
