import { sql } from 'kysely'
import type { Db, Tx } from '../db/driver/connect.ts'

// Memberships of internal squads.

/** Squads of these uuids that exist. */
export function listSquadsByUuid(db: Db, uuids: string[]) {
  return squadsByUuid(db, uuids).execute()
}

/** The same, kept from being deleted until the transaction ends. */
export function lockSquadsByUuid(tx: Tx, uuids: string[]) {
  return squadsByUuid(tx, uuids).forKeyShare().execute()
}

function squadsByUuid(db: Db, uuids: string[]) {
  return db
    .selectFrom('internalSquads')
    .select(['id', 'uuid', 'name'])
    .where('uuid', '=', sql<string>`any(${uuids}::uuid[])`)
    .orderBy('id')
}

export async function listUserSquadUuids(db: Db, userId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('internalSquadMembers as member')
    .innerJoin('internalSquads as squad', 'squad.id', 'member.squadId')
    .select('squad.uuid')
    .where('member.userId', '=', userId)
    .execute()
  return rows.map((row) => row.uuid)
}

export async function replaceUserSquads(tx: Tx, userId: number, squadIds: number[]): Promise<void> {
  await tx.deleteFrom('internalSquadMembers').where('userId', '=', userId).execute()
  await addUserSquads(tx, userId, squadIds)
}

async function addUserSquads(tx: Tx, userId: number, squadIds: number[]): Promise<void> {
  if (squadIds.length === 0) return
  await tx
    .insertInto('internalSquadMembers')
    .values(squadIds.map((squadId) => ({ squadId, userId })))
    .execute()
}

/** Replaces the squads of all these users. */
export async function replaceSquads(tx: Tx, userIds: number[], squadIds: number[]): Promise<void> {
  await sql`delete from "internalSquadMembers" where "userId" = any(${userIds}::bigint[])`.execute(tx)
  await sql`
    insert into "internalSquadMembers" ("squadId", "userId")
    select squad, member from unnest(${squadIds}::bigint[]) as squad, unnest(${userIds}::bigint[]) as member
  `.execute(tx)
}

/**
 * Adds users to a squad and returns the names of those that were not in it. Squad and users are locked first: a
 * reference to a row that is being deleted would fail the whole batch.
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

export async function listMembersAmong(tx: Tx, squadId: number, ids: number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select "userId" as "id" from "internalSquadMembers" where "squadId" = ${squadId} and "userId" = any(${ids}::bigint[]) order by "userId"
  `.execute(tx)
  return rows.map((row) => row.id)
}

/** Takes users out of every squad but these. */
export async function removeFromOtherSquads(tx: Tx, squadIds: number[], ids: number[]): Promise<string[]> {
  const { rows } = await sql<{ username: string }>`
    with removed as (
      delete from "internalSquadMembers" where "userId" = any(${ids}::bigint[]) and "squadId" <> all(${squadIds}::bigint[]) returning "userId"
    )
    select u."username" from "users" u where u."id" in (select "userId" from removed) and u."status" = 'ACTIVE'
  `.execute(tx)
  return rows.map((row) => row.username)
}

/** Whether there is an external squad of this uuid, which is then kept until the transaction ends. */
export async function holdExternalSquad(tx: Tx, uuid: string): Promise<boolean> {
  const held = tx.selectFrom('externalSquads').select('uuid').where('uuid', '=', uuid)
  return (await held.forKeyShare().executeTakeFirst()) !== undefined
}

export function findExternalSquad(db: Db, uuid: string) {
  return db.selectFrom('externalSquads').select(['uuid', 'name']).where('uuid', '=', uuid).executeTakeFirst()
}
