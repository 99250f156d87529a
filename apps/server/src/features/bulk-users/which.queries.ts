import { sql, type RawBuilder } from 'kysely'
import { everyone, type Scope } from '../../lib/scope.ts'
import type { Db } from '../../db/driver/connect.ts'
import { andVisible } from '../../ground/scope/scope.queries.ts'
import { idsMatching } from '../users/list.queries.ts'
import { filtersOf, type UserFilter } from '../users/list.rules.ts'

/** The target of a bulk change. */
export type Which = { uuids: string[] } | { filters: UserFilter[] } | 'all'

/** A query for the ids of those in a scope. Filters are made for their scope (`toUsersView`). */
export function idsOf(which: Which, scope: Scope): RawBuilder<unknown> {
  if (which === 'all') return scope === everyone ? sql`select "id" from "users"` : idsMatching(filtersOf(scope))
  if ('filters' in which) return idsMatching(which.filters)
  return sql`select "id" from "users" where "uuid" = any(${which.uuids}::uuid[])${andVisible(scope, sql`"users"."id"`)}`
}

export async function countTargets(db: Db, which: Which, scope: Scope): Promise<number> {
  const { rows } = await sql<{ total: number }>`select count(*) as "total" from (${idsOf(which, scope)}) as found`.execute(db)
  return rows[0]?.total ?? 0
}

/** The ids themselves, upwards. */
export async function listTargets(db: Db, which: Which, scope: Scope): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select found."id" from (${idsOf(which, scope)}) as found order by 1`.execute(db)
  return rows.map(({ id }) => id)
}
