import { sql } from 'kysely'
import type { Input, updateInternalSquad } from '@causeway/contract'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { everyone, type Scope } from '../../lib/scope.ts'
import type { Db, Tx } from '../../db/driver/connect.ts'
import { asSent, editColumns } from '../../db/edit-columns.ts'
import { andVisible } from '../../ground/scope/scope.queries.ts'
import { inboundColumns } from '../config-profiles/config-profiles.queries.ts'

type SquadEdit = Omit<Input<typeof updateInternalSquad>, 'uuid' | 'inbounds'>

/** The columns that an edit of a squad sets. */
export const squadColumns = editColumns<'internalSquads', SquadEdit>({ name: asSent })

/** Internal squads in the form of the wire, in the administrator's order. */
function squads(db: Db, scope: Scope) {
  return db
    .selectFrom('internalSquads as squad')
    .select(['squad.uuid', 'squad.name', 'squad.createdAt', 'squad.updatedAt', 'squad.viewPosition', 'squad.tags'])
    .select((from) => [
      sql<{ membersCount: number; inboundsCount: number }>`json_build_object(
        'membersCount', (select count(*) from "internalSquadMembers" m where m."squadId" = squad."id"${andVisible(scope, sql`m."userId"`)}),
        'inboundsCount', (select count(*) from "internalSquadInbounds" i where i."squadId" = squad."id"))`.as('info'),
      jsonArrayFrom(
        from
          .selectFrom('internalSquadInbounds as link')
          .innerJoin('configProfileInbounds as inbound', 'inbound.id', 'link.inboundId')
          .innerJoin('configProfiles as profile', 'profile.id', 'inbound.profileId')
          .whereRef('link.squadId', '=', 'squad.id')
          .select(inboundColumns)
          .orderBy('inbound.id'),
      ).as('inbounds'),
    ])
    .orderBy('squad.viewPosition')
    .orderBy('squad.id')
}

export function listInternalSquads(db: Db, scope: Scope) {
  const all = squads(db, scope)
  return (scope === everyone ? all : all.where('squad.id', '=', sql<number>`any(${scope.squadIds}::bigint[])`)).execute()
}

export function findInternalSquad(db: Db, scope: Scope, uuid: string) {
  return squads(db, scope).where('squad.uuid', '=', uuid).executeTakeFirst()
}

export function findInternalSquadId(db: Db, uuid: string) {
  return db.selectFrom('internalSquads').select(['id', 'uuid']).where('uuid', '=', uuid).executeTakeFirst()
}

export function lockInternalSquad(tx: Tx, uuid: string) {
  return tx.selectFrom('internalSquads').select(['id', 'name']).where('uuid', '=', uuid).forUpdate().executeTakeFirst()
}

/** Inbounds of a squad with the profiles they belong to. */
export function listSquadInbounds(db: Db, squadId: number) {
  return db
    .selectFrom('internalSquadInbounds as link')
    .innerJoin('configProfileInbounds as inbound', 'inbound.id', 'link.inboundId')
    .select(['inbound.id', 'inbound.profileId'])
    .where('link.squadId', '=', squadId)
    .execute()
}

export function listInboundsByUuid(db: Db, uuids: string[]) {
  return uuids.length === 0
    ? Promise.resolve([])
    : db.selectFrom('configProfileInbounds').select(['id', 'uuid', 'profileId']).where('uuid', 'in', uuids).execute()
}

export async function replaceSquadInbounds(tx: Tx, squadId: number, inboundIds: number[]): Promise<void> {
  await tx.deleteFrom('internalSquadInbounds').where('squadId', '=', squadId).execute()
  if (inboundIds.length > 0) {
    await tx
      .insertInto('internalSquadInbounds')
      .values(inboundIds.map((inboundId) => ({ squadId, inboundId })))
      .execute()
  }
}

/** Nodes with an active inbound of the squad, disabled ones included, in the administrator's order. */
export function listSquadAccessibleNodes(db: Db, squadId: number) {
  return db
    .selectFrom('nodes as node')
    .innerJoin('configProfiles as profile', 'profile.id', 'node.activeConfigProfileId')
    .innerJoin('nodeInbounds as active', 'active.nodeId', 'node.id')
    .innerJoin('internalSquadInbounds as link', 'link.inboundId', 'active.inboundId')
    .innerJoin('configProfileInbounds as inbound', 'inbound.id', 'link.inboundId')
    .where('link.squadId', '=', squadId)
    .select([
      'node.uuid',
      'node.name as nodeName',
      'node.countryCode',
      'profile.uuid as configProfileUuid',
      'profile.name as configProfileName',
    ])
    .select(sql<string[]>`array_agg(inbound."uuid" order by inbound."tag")`.as('activeInbounds'))
    .groupBy(['node.id', 'profile.id'])
    .orderBy('node.viewPosition')
    .orderBy('node.id')
    .execute()
}
