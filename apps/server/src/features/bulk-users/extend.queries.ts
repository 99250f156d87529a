import { sql } from 'kysely'
import type { Scope } from '../../lib/scope.ts'
import type { Db, Tx } from '../../db/driver/connect.ts'
import { NEVER_FROM } from './extend.rules.ts'
import { idsOf, type Which } from './which.queries.ts'

/** The number of targets, and how many a new expiry would reactivate, leave alone or shorten. */
export async function previewExpiry(db: Db, which: Which, scope: Scope, now: Date, expireAt: Date | undefined) {
  const { rows } = await sql<{ users: number; past: number; endless: number; movedBack: number }>`
    select count(*) as "users", count(*) filter (where u."expireAt" < ${now}) as "past",
      count(*) filter (where u."expireAt" >= ${NEVER_FROM}) as "endless",
      count(*) filter (where u."expireAt" > ${expireAt ?? null}::timestamptz) as "movedBack"
    from "users" u where u."id" in (${idsOf(which, scope)})
  `.execute(db)
  return rows[0] ?? { users: 0, past: 0, endless: 0, movedBack: 0 }
}

/** Gives each user an expiry of its own. */
export async function setExpiries(tx: Tx, changes: { id: number; expireAt: Date }[], now: Date): Promise<void> {
  await sql`
    update "users" set "expireAt" = wanted."expireAt", "updatedAt" = ${now}
    from unnest(${changes.map(({ id }) => id)}::bigint[], ${changes.map(({ expireAt }) => expireAt)}::timestamptz[])
      as wanted("id", "expireAt")
    where "users"."id" = wanted."id"
  `.execute(tx)
}
