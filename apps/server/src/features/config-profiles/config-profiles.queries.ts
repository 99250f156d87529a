import { sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { FollowedChanges } from '@causeway/subscription'
import type { InboundRecord, InboundSync } from '@causeway/xray'
import type { Db, Tx } from '../../db/driver/connect.ts'

/** An inbound in the form of the wire, from the tables `inbound` and `profile` of a query. */
export const inboundColumns = [
  'inbound.uuid',
  'profile.uuid as profileUuid',
  'inbound.tag',
  'inbound.type',
  'inbound.network',
  'inbound.security',
  'inbound.port',
  'inbound.rawInbound',
] as const

/** Config profiles in the form of the wire, in the administrator's order. */
function profiles(db: Db) {
  return db
    .selectFrom('configProfiles as profile')
    .select(['profile.uuid', 'profile.name', 'profile.config', 'profile.createdAt', 'profile.updatedAt'])
    .select(['profile.viewPosition', 'profile.tags'])
    .select((from) => [
      jsonArrayFrom(
        from
          .selectFrom('configProfileInbounds as inbound')
          .whereRef('inbound.profileId', '=', 'profile.id')
          .select(inboundColumns)
          .orderBy('inbound.id'),
      ).as('inbounds'),
      jsonArrayFrom(
        from
          .selectFrom('nodes as node')
          .whereRef('node.activeConfigProfileId', '=', 'profile.id')
          .select(['node.uuid', 'node.name', 'node.countryCode'])
          .orderBy('node.viewPosition'),
      ).as('nodes'),
    ])
    .orderBy('profile.viewPosition')
    .orderBy('profile.id')
}

export function listConfigProfiles(db: Db) {
  return profiles(db).execute()
}

export function findConfigProfile(db: Db, uuid: string) {
  return profiles(db).where('profile.uuid', '=', uuid).executeTakeFirst()
}

export function lockConfigProfile(tx: Tx, uuid: string) {
  return lockProfile(tx).where('uuid', '=', uuid).executeTakeFirst()
}

export function lockProfileById(tx: Tx, id: number) {
  return lockProfile(tx).where('id', '=', id).executeTakeFirst()
}

function lockProfile(tx: Tx) {
  return tx.selectFrom('configProfiles').select(['id', 'uuid', 'name', 'config', 'updatedAt']).forUpdate()
}

/** Whether a new revision of one of them, or of a snippet that it names, is on its way from node to node. */
export async function hasOpenRollout(tx: Tx, profileIds: readonly number[]): Promise<boolean> {
  const { rows } = await sql`
    select 1 from "configProfileRollouts" rollout where rollout."endedAt" is null and (rollout."profileId" = any(${profileIds}::bigint[])
      or rollout."snippetId" is not null and exists (
        select from "configProfileRolloutNodes" turn join "nodes" node on node."id" = turn."nodeId"
        where turn."rolloutId" = rollout."id" and node."activeConfigProfileId" = any(${profileIds}::bigint[]))) limit 1
  `.execute(tx)
  return rows.length > 0
}

/** Inbounds of all profiles or of one, each with the squads it is active in. */
export function listInbounds(db: Db, profileUuid?: string) {
  let query = db
    .selectFrom('configProfileInbounds as inbound')
    .innerJoin('configProfiles as profile', 'profile.id', 'inbound.profileId')
    .select(inboundColumns)
    .select(
      sql<string[]>`array(select squad."uuid" from "internalSquadInbounds" link
        join "internalSquads" squad on squad."id" = link."squadId" where link."inboundId" = inbound."id")`.as('activeSquads'),
    )
    .orderBy('inbound.id')
  if (profileUuid !== undefined) query = query.where('profile.uuid', '=', profileUuid)
  return query.execute()
}

export function listStoredInbounds(tx: Tx, profileId: number) {
  return tx
    .selectFrom('configProfileInbounds')
    .select(['uuid', 'tag', 'type', 'rawInbound'])
    .where('profileId', '=', profileId)
    .execute()
}

/** Those of these hosts that lead into an inbound of the profile; locks them. */
export function lockHostsOfProfile(tx: Tx, profileId: number, uuids: readonly string[]) {
  return tx
    .selectFrom('hosts as host')
    .innerJoin('configProfileInbounds as inbound', 'inbound.id', 'host.configProfileInboundId')
    .select(['host.id', 'host.address', 'host.port', 'host.path', 'host.host', 'host.sni', 'host.securityLayer'])
    .select(['host.overrideSniFromAddress', 'inbound.uuid as inboundUuid'])
    .where('inbound.profileId', '=', profileId)
    .where('host.uuid', 'in', uuids)
    .orderBy('host.id')
    .forUpdate('host')
    .execute()
}

export async function updateHostLink(tx: Tx, id: number, changes: FollowedChanges): Promise<void> {
  await tx.updateTable('hosts').set(changes).where('id', '=', id).execute()
}

/** Brings the inbound records of a profile in step with its configuration. */
export async function syncInbounds(tx: Tx, profileId: number, plan: InboundSync): Promise<void> {
  if (plan.delete.length > 0) await tx.deleteFrom('configProfileInbounds').where('uuid', 'in', plan.delete).execute()
  for (const { uuid, ...inbound } of plan.update) {
    await tx.updateTable('configProfileInbounds').set(columns(inbound)).where('uuid', '=', uuid).execute()
  }
  if (plan.create.length > 0) {
    await tx
      .insertInto('configProfileInbounds')
      .values(plan.create.map((inbound) => ({ profileId, ...columns(inbound) })))
      .execute()
  }
}

function columns({ rawInbound, ...inbound }: InboundRecord) {
  return { ...inbound, rawInbound: JSON.stringify(rawInbound) }
}
