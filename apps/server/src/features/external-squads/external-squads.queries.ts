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

/** What serving needs of each. */
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

export async function nextExternalMembers(tx: Tx, squad: string, { cursor, maxId, size }: Span): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select "id" from "users" where "externalSquadUuid" = ${squad} and "id" > ${cursor} and "id" <= ${maxId} order by "id" limit ${size}
  `.execute(tx)
  return rows.map(({ id }) => id)
}

/** Who is in another squad leaves it. Nodes need not know. */
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
