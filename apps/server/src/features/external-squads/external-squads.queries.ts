import { sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { Db, Tx } from '../../db/driver/connect.ts'

interface Span {
  cursor: number
  maxId: number
  size: number
}

function squads(db: Db) {
  return db
    .selectFrom('externalSquads as squad')
    .selectAll()
    .select((from) => [
      sql<{ membersCount: number }>`json_build_object(
        'membersCount', (select count(*) from "users" u where u."externalSquadUuid" = squad."uuid"))`.as('info'),
      jsonArrayFrom(
        from
          .selectFrom('externalSquadTemplates as chosen')
          .whereRef('chosen.squadUuid', '=', 'squad.uuid')
          .select(['chosen.templateUuid', 'chosen.templateType'])
          .orderBy('chosen.templateType'),
      ).as('templates'),
    ])
    .orderBy('squad.viewPosition')
    .orderBy('squad.uuid')
}

export function listExternalSquads(db: Db) {
  return squads(db).execute()
}

export function findExternalSquad(db: Db, uuid: string) {
  return squads(db).where('squad.uuid', '=', uuid).executeTakeFirst()
}

/** The parts of each squad that serving needs. */
export async function listSquadOverrides(db: Db) {
  const [all, templates] = await Promise.all([
    db
      .selectFrom('externalSquads')
      .select([
        'uuid',
        'subscriptionSettings',
        'hostOverrides',
        'responseHeadersAdd',
        'responseHeadersRemove',
        'hwidSettings',
        'customRemarks',
        'subpageConfigUuid',
      ])
      .execute(),
    db.selectFrom('externalSquadTemplates').selectAll().orderBy('templateType').execute(),
  ])
  const bySquad = Map.groupBy(templates, ({ squadUuid }) => squadUuid)
  return all.map((squad) => ({ ...squad, templates: bySquad.get(squad.uuid) ?? [] }))
}

export function lockExternalSquad(tx: Tx, uuid: string) {
  return tx.selectFrom('externalSquads').select(['uuid', 'name']).where('uuid', '=', uuid).forUpdate().executeTakeFirst()
}

/** Which template each type has there. */
export function listTemplateTypes(db: Db, uuids: string[]) {
  return db
    .selectFrom('subscriptionTemplates')
    .select(['uuid', 'templateType'])
    .where('uuid', '=', sql<string>`any(${uuids}::uuid[])`)
    .execute()
}

export async function replaceTemplates(
  tx: Tx,
  squadUuid: string,
  templates: Awaited<ReturnType<typeof listTemplateTypes>>,
): Promise<void> {
  await tx.deleteFrom('externalSquadTemplates').where('squadUuid', '=', squadUuid).execute()
  if (templates.length === 0) return
  await tx
    .insertInto('externalSquadTemplates')
    .values(templates.map(({ uuid, templateType }) => ({ squadUuid, templateType, templateUuid: uuid })))
    .execute()
}

/** All of them, or those up to a user. */
export async function countExternalMembers(db: Db, squad: string, maxId = Number.MAX_SAFE_INTEGER): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as "total" from "users" where "externalSquadUuid" = ${squad} and "id" <= ${maxId}
  `.execute(db)
  return rows[0]?.total ?? 0
}

/** The members of a squad, or the users that would become members. */
const concerned = (squad: string, isJoining: boolean) =>
  isJoining ? sql`u."externalSquadUuid" is distinct from ${squad}::uuid` : sql`u."externalSquadUuid" = ${squad}::uuid`

export async function countConcerned(db: Db, squad: string, isJoining: boolean) {
  const { rows } = await sql<{ users: number; active: number }>`
    select count(*) as "users", count(*) filter (where u."status" = 'ACTIVE') as "active" from "users" u
    where ${concerned(squad, isJoining)}
  `.execute(db)
  return rows[0] ?? { users: 0, active: 0 }
}

/** One of them, to show what becomes of a subscription. */
export async function findConcerned(db: Db, squad: string, isJoining: boolean): Promise<string | undefined> {
  const { rows } = await sql<{ uuid: string }>`
    select u."uuid" from "users" u where ${concerned(squad, isJoining)} order by u."id" limit 1
  `.execute(db)
  return rows[0]?.uuid
}

/** The squads that users would leave for this one. */
export async function listLeftSquads(db: Db, squad: string) {
  const { rows } = await sql<{ uuid: string; name: string; users: number }>`
    select other."uuid", other."name", count(*) as "users" from "users" u
    join "externalSquads" other on other."uuid" = u."externalSquadUuid"
    where other."uuid" <> ${squad} group by other."uuid" order by other."name"
  `.execute(db)
  return rows
}

/** Active ones of them with as many devices as they may have, or more; 0 as the fallback is no limit. */
export async function countFull(db: Db, squad: string, isJoining: boolean, fallback: number): Promise<number> {
  const { rows } = await sql<{ users: number }>`
    select count(*) as "users" from "users" u
    join (select "userId", count(*) as "devices" from "hwidDevices" group by "userId") used on used."userId" = u."id"
    where ${concerned(squad, isJoining)} and u."status" = 'ACTIVE' and coalesce(u."hwidDeviceLimit", ${fallback}) > 0
      and used."devices" >= coalesce(u."hwidDeviceLimit", ${fallback})
  `.execute(db)
  return rows[0]?.users ?? 0
}

export async function nextExternalMembers(tx: Tx, squad: string, { cursor, maxId, size }: Span): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select "id" from "users" where "externalSquadUuid" = ${squad} and "id" > ${cursor} and "id" <= ${maxId} order by "id" limit ${size}
  `.execute(tx)
  return rows.map(({ id }) => id)
}

/** Moves users out of the squads that they were in. Nodes are not told: they know no external squads. */
export async function putInSquad(tx: Tx, squad: string, ids: number[], now: Date): Promise<void> {
  await sql`
    update "users" set "externalSquadUuid" = ${squad}, "updatedAt" = ${now}
    where "id" = any(${ids}::bigint[]) and "externalSquadUuid" is distinct from ${squad}::uuid
  `.execute(tx)
}

export async function takeOutOfSquad(tx: Tx, squad: string, ids: number[], now: Date): Promise<void> {
  await sql`
    update "users" set "externalSquadUuid" = null, "updatedAt" = ${now}
    where "id" = any(${ids}::bigint[]) and "externalSquadUuid" = ${squad}::uuid
  `.execute(tx)
}
