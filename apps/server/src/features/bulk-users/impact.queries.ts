import { sql, type RawBuilder } from 'kysely'
import { userStatus, type UserStatus } from '@causeway/contract'
import { everyone, type Scope } from '../../lib/scope.ts'
import type { Db } from '../../db/driver/connect.ts'
import { countByStatus } from '../users/list.queries.ts'
import { andVisible } from '../../ground/scope/scope.queries.ts'
import { onlineSince } from '../../ground/online.queries.ts'
import { idsOf, type Which as Target } from './which.queries.ts'

type Which = Target | { status: UserStatus }

/** How many users an action on these would touch, how many of them are online now, and on how many nodes they can be. */
export async function measureImpact(db: Db, which: Which, scope: Scope, now: Date) {
  const [users, onlineNow, nodes] = await Promise.all([
    countUsers(db, which, scope),
    countOnline(db, which, scope, onlineSince(now)),
    countNodes(db, which, scope),
  ])
  return { users, onlineNow, nodes }
}

async function countUsers(db: Db, which: Which, scope: Scope): Promise<number> {
  if (which === 'all') return countByStatus(db, scope, userStatus.options)
  if ('status' in which) return countByStatus(db, scope, [which.status])
  return count(db, sql`select count(*) as "total" from "users" u where ${condition(which, scope)}`)
}

function countOnline(db: Db, which: Which, scope: Scope, since: Date): Promise<number> {
  return count(
    db,
    which === 'all' && scope === everyone
      ? sql`select count(*) as "total" from "userUsage" where "onlineAt" > ${since}`
      : sql`select count(*) as "total" from "users" u join "userUsage" usage on usage."userId" = u."id"
          where ${condition(which, scope)} and usage."onlineAt" > ${since}`,
  )
}

/** Enabled nodes that serve an inbound of a squad of one of these users. */
function countNodes(db: Db, which: Which, scope: Scope): Promise<number> {
  return count(
    db,
    sql`
      select count(*) as "total" from "nodes" node where not node."isDisabled" and exists (
        select 1 from "nodeInbounds" active join "internalSquadInbounds" link on link."inboundId" = active."inboundId"
        where active."nodeId" = node."id" and link."squadId" in (${squads(which, scope)})
      )`,
  )
}

/** Few users are looked up; of many, one per squad is enough. */
function squads(which: Which, scope: Scope): RawBuilder<unknown> {
  if (which !== 'all' && 'uuids' in which) {
    return sql`select member."squadId" from "users" u join "internalSquadMembers" member on member."userId" = u."id" where ${condition(which, scope)}`
  }
  return sql`
    select squad."id" from "internalSquads" squad where exists (
      select 1 from "internalSquadMembers" member join "users" u on u."id" = member."userId"
      where member."squadId" = squad."id" and ${condition(which, scope)}
    )`
}

function condition(which: Which, scope: Scope): RawBuilder<unknown> {
  const seen = andVisible(scope, sql`u."id"`)
  if (which === 'all') return sql`true${seen}`
  if ('status' in which) return sql`u."status" = ${which.status}${seen}`
  if ('filters' in which) return sql`u."id" in (${idsOf(which, scope)})`
  return sql`u."uuid" = any(${which.uuids}::uuid[])${seen}`
}

async function count(db: Db, query: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ total: number }>`${query}`.execute(db)
  return rows[0]?.total ?? 0
}
