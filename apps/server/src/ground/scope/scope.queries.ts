import { isUuid, type Named } from '@causeway/contract'
import { sql, type RawBuilder } from 'kysely'
import { everyone, type ResellerScope, type Scope } from '../../lib/scope.ts'
import type { Db, Tx } from '../../db/driver/connect.ts'
import type { Promised } from './scope.rules.ts'

// The one place that knows which users exist for a caller.

/**
 * Condition on a user's id: in a squad of the scope, and in no other. A user without a squad is no reseller's. The subquery is
 * uncorrelated, so that a scope of few users is read from its squads. The memberships of each of them are an aggregate: written as
 * `not exists`, they were compared with those of all users.
 */
export function isVisible(scope: Scope, id: RawBuilder<unknown>): RawBuilder<boolean> {
  if (scope === everyone) return sql<boolean>`true`
  return sql<boolean>`${id} in (${visibleIds(scope)})`
}

/** The same as a further condition, which is left out where it says nothing. */
export function andVisible(scope: Scope, id: RawBuilder<unknown>): RawBuilder<unknown> {
  return scope === everyone ? sql`` : sql` and ${isVisible(scope, id)}`
}

/** The query for the ids of the users of a scope. */
function visibleIds({ squadIds }: ResellerScope): RawBuilder<unknown> {
  return sql`
    select own."userId" from "internalSquadMembers" own where own."squadId" = any(${squadIds}::bigint[])
    and (select every(each."squadId" = any(${squadIds}::bigint[])) from "internalSquadMembers" each where each."userId" = own."userId")`
}

/** The scope of a reseller. Squads that are deleted are none. */
export async function findScope(db: Db, id: number): Promise<ResellerScope> {
  const { rows } = await sql<ResellerScope>`
    select reseller."id", reseller."name", reseller."maxUsers", reseller."maxBytes", reseller."maxDays",
      array_remove(array_agg(squad."id"), null) as "squadIds", array_remove(array_agg(squad."uuid"::text), null) as "squadUuids"
    from "resellers" reseller left join "internalSquads" squad on squad."uuid" = any(reseller."squadUuids")
    where reseller."id" = ${id} group by reseller."id"
  `.execute(db)
  // A reseller goes after its administrators and tokens; one that has just gone sees no users.
  return rows[0] ?? { id, name: '', squadIds: [], squadUuids: [], maxUsers: 0, maxBytes: null, maxDays: null }
}

/** Those of the names that are of users or squads of the scope. What can be no name of the kind is none. */
export async function listNamesOfScope(db: Db, scope: ResellerScope, kind: Named, names: string[]): Promise<ReadonlySet<string>> {
  if (kind === 'squad') return new Set(scope.squadUuids)
  // External squads are the owner's to give: they change what every setting says.
  if (kind === 'externalSquad') return new Set()
  const asked = names.filter((name) => (kind === 'uuid' ? isUuid(name) : !name.includes('\0')))
  const condition = {
    uuid: sql`u."uuid" = any(${asked}::uuid[])`,
    shortUuid: sql`u."shortUuid" = any(${asked}::text[])`,
    username: sql`lower(u."username") = any(${asked.map((name) => name.toLowerCase())}::text[])`,
  }[kind]
  const { rows } = await sql<{ name: string }>`
    select ${sql.ref(`u.${kind}`)}::text as "name" from "users" u where ${condition} and ${isVisible(scope, sql`u."id"`)}
  `.execute(db)
  return new Set(rows.map(({ name }) => name))
}

/** Whether one of these users, if it still exists, is not of the scope. */
export async function hasForeign(tx: Tx, scope: ResellerScope, ids: readonly number[]): Promise<boolean> {
  const { rows } = await sql<{ id: number }>`
    select u."id" from "users" u where u."id" = any(${ids}::bigint[]) and not ${isVisible(scope, sql`u."id"`)} limit 1
  `.execute(tx)
  return rows.length > 0
}

/** Holds a scope as it is now, so that its changes come one after the other. Their entries in the history are of its reseller. */
export async function lockScope(tx: Tx, { id }: ResellerScope): Promise<ResellerScope> {
  await sql`select set_config('causeway.reseller', "id"::text, true) from "resellers" where "id" = ${id} for update`.execute(tx)
  return findScope(tx, id)
}

export async function measurePromised(db: Db, scope: ResellerScope, now: Date): Promise<Promised> {
  const { rows } = await sql<Promised>`
    select count(*) as "users", coalesce(sum(u."trafficLimitBytes"), 0)::bigint as "bytes",
      count(*) filter (where u."trafficLimitBytes" = 0) as "unlimited",
      count(*) filter (where u."expireAt" > latest."at") as "late",
      coalesce(sum(extract(epoch from u."expireAt" - latest."at")) filter (where u."expireAt" > latest."at"), 0)::float8 as "lateSeconds"
    from "users" u, (select ${now}::timestamptz + make_interval(days => ${scope.maxDays}::integer) as "at") as latest
    where ${isVisible(scope, sql`u."id"`)}
  `.execute(db)
  return rows[0] ?? { users: 0, bytes: 0, unlimited: 0, late: 0, lateSeconds: 0 }
}

export function findReseller(db: Db, uuid: string) {
  return db.selectFrom('resellers').selectAll().where('uuid', '=', uuid).executeTakeFirst()
}
