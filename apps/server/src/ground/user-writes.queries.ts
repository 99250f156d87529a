import { sql } from 'kysely'
import type { TrafficLimitStrategy, UserStatus } from '@causeway/contract'
import type { Tx } from '../db/driver/connect.ts'

interface LockedUser {
  id: number
  username: string
  status: UserStatus
  trafficLimitBytes: number
  extraTrafficBytes: number
  trafficLimitStrategy: TrafficLimitStrategy
  expireAt: Date
  usedTrafficBytes: number
}

/** The usage of these users, held against other writers. The traffic ledger takes it before the user; so does everyone. */
export async function lockUsage(tx: Tx, ids: number[]): Promise<void> {
  await sql`select 1 from "userUsage" where "userId" = any(${ids}::bigint[]) order by "userId" for update`.execute(tx)
}

/** These users, held against other writers, always in the same order so that two batches cannot wait for each other. */
export async function lockUsers(tx: Tx, ids: number[], { withUsage = false } = {}): Promise<LockedUser[]> {
  if (ids.length === 0) return []
  if (withUsage) await lockUsage(tx, ids)
  const { rows } = await sql<LockedUser>`
    select u."id", u."username", u."status", u."trafficLimitBytes", u."extraTrafficBytes", u."trafficLimitStrategy", u."expireAt",
      usage."usedTrafficBytes"
    from "users" u join "userUsage" usage on usage."userId" = u."id"
    where u."id" = any(${ids}::bigint[]) order by u."id" for update of u
  `.execute(tx)
  return rows
}

/** Sets a status per user. */
export async function setStatuses(tx: Tx, changes: { id: number; status: UserStatus }[], now: Date): Promise<void> {
  if (changes.length === 0) return
  await sql`
    update "users" set "status" = wanted."status", "updatedAt" = ${now}
    from unnest(${changes.map((change) => change.id)}::bigint[], ${changes.map((change) => change.status)}::text[]) as wanted("id", "status")
    where "users"."id" = wanted."id"
  `.execute(tx)
}

/**
 * Keeps what was used until now, and starts anew; traffic granted until the reset leaves the limit. The caller locks the
 * rows of usage, and the users that have such traffic.
 */
export async function resetUsage(tx: Tx, userIds: number[], now: Date): Promise<void> {
  await sql`
    with "before" as (
      insert into "userTrafficResets" ("userId", "usedBytes", "resetAt")
      select "userId", "usedTrafficBytes", ${now} from "userUsage" where "userId" = any(${userIds}::bigint[])
    ), "extra" as (
      update "users" set "trafficLimitBytes" = "trafficLimitBytes" - "extraTrafficBytes", "extraTrafficBytes" = 0
      where "id" = any(${userIds}::bigint[]) and "extraTrafficBytes" > 0
    )
    update "userUsage" set "usedTrafficBytes" = 0, "lastTrafficResetAt" = ${now}, "lastTriggeredThreshold" = 0
    where "userId" = any(${userIds}::bigint[])
  `.execute(tx)
}

/** Lets warnings about the usage start anew, as after a change of the limit. Rows without a warning are left alone. */
export async function forgetThresholds(tx: Tx, userIds: number[]): Promise<void> {
  await sql`
    update "userUsage" set "lastTriggeredThreshold" = 0 where "userId" = any(${userIds}::bigint[]) and "lastTriggeredThreshold" <> 0
  `.execute(tx)
}

/** Deletes users with everything that is theirs; usage rows have no foreign key and are deleted by name. */
export async function deleteUsers(tx: Tx, userIds: number[]): Promise<void> {
  await sql`delete from "userNodeUsage" where "userId" = any(${userIds}::bigint[])`.execute(tx)
  await sql`delete from "users" where "id" = any(${userIds}::bigint[])`.execute(tx)
}
