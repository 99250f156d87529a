import { sql } from 'kysely'
import type { UserStatus } from '@causeway/contract'
import type { Tx } from '../../db/connect.ts'

interface LockedUser {
  id: number
  username: string
  status: UserStatus
  trafficLimitBytes: number
  expireAt: Date
  usedTrafficBytes: number
}

/** The usage of these users, held against other writers. The traffic ledger takes it before the user; so does everyone. */
export async function lockUsage(tx: Tx, ids: number[]): Promise<void> {
  await sql`select 1 from "userUsage" where "userId" = any(${ids}::bigint[]) order by "userId" for update`.execute(tx)
}

export async function listLimited(tx: Tx, ids: number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select "id" from "users" where "id" = any(${ids}::bigint[]) and "status" = 'LIMITED'
  `.execute(tx)
  return rows.map((row) => row.id)
}

/** These users, held against other writers, always in the same order so that two batches cannot wait for each other. */
export async function lockUsers(tx: Tx, ids: number[], { withUsage = false } = {}): Promise<LockedUser[]> {
  if (ids.length === 0) return []
  if (withUsage) await lockUsage(tx, ids)
  const { rows } = await sql<LockedUser>`
    select u."id", u."username", u."status", u."trafficLimitBytes", u."expireAt", usage."usedTrafficBytes"
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

export interface Credentials {
  shortUuid: string
  trojanPassword: string
  ssPassword: string
  vlessUuid: string
}

/** Gives each user credentials of its own. */
export async function setCredentials(tx: Tx, changes: ({ id: number } & Credentials)[], now: Date): Promise<void> {
  const column = (key: keyof Credentials) => changes.map((change) => change[key])
  await sql`
    update "users" set "shortUuid" = new."shortUuid", "trojanPassword" = new."trojanPassword", "ssPassword" = new."ssPassword",
      "vlessUuid" = new."vlessUuid", "subRevokedAt" = ${now}, "updatedAt" = ${now}
    from unnest(${changes.map((change) => change.id)}::bigint[], ${column('shortUuid')}::text[], ${column('trojanPassword')}::text[],
      ${column('ssPassword')}::text[], ${column('vlessUuid')}::uuid[]) as new("id", "shortUuid", "trojanPassword", "ssPassword", "vlessUuid")
    where "users"."id" = new."id"
  `.execute(tx)
}

/**
 * Adds users to a squad; gives the names of those who were not in it. Squad and users are held first, as either may be
 * being deleted: a row that refers to what is gone would fail the whole batch.
 */
export async function addToSquad(tx: Tx, squadId: number, ids: number[]): Promise<string[]> {
  const { rows } = await sql<{ username: string }>`
    with squad as materialized (select "id" from "internalSquads" where "id" = ${squadId} for key share),
    present as materialized (select "id" from "users" where "id" = any(${ids}::bigint[]) order by "id" for key share),
    added as (
      insert into "internalSquadMembers" ("squadId", "userId") select squad."id", present."id" from squad, present
      on conflict do nothing returning "userId"
    )
    select u."username" from added join "users" u on u."id" = added."userId" where u."status" = 'ACTIVE'
  `.execute(tx)
  return rows.map((row) => row.username)
}

export async function removeFromSquad(tx: Tx, squadId: number, ids: number[]): Promise<string[]> {
  const { rows } = await sql<{ username: string }>`
    with removed as (
      delete from "internalSquadMembers" where "squadId" = ${squadId} and "userId" = any(${ids}::bigint[]) returning "userId"
    )
    select u."username" from removed join "users" u on u."id" = removed."userId" where u."status" = 'ACTIVE'
  `.execute(tx)
  return rows.map((row) => row.username)
}

/** Replaces the squads of all these users. */
export async function replaceSquads(tx: Tx, userIds: number[], squadIds: number[]): Promise<void> {
  await sql`delete from "internalSquadMembers" where "userId" = any(${userIds}::bigint[])`.execute(tx)
  await sql`
    insert into "internalSquadMembers" ("squadId", "userId")
    select squad, member from unnest(${squadIds}::bigint[]) as squad, unnest(${userIds}::bigint[]) as member
  `.execute(tx)
}

export async function listIdsByUuid(tx: Tx, uuids: string[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select "id" from "users" where "uuid" = any(${uuids}::uuid[]) order by "id"`.execute(
    tx,
  )
  return rows.map((row) => row.id)
}

export async function listAllIds(tx: Tx): Promise<number[]> {
  const rows = await tx.selectFrom('users').select('id').orderBy('id').execute()
  return rows.map((row) => row.id)
}
