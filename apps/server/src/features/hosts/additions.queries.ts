import type { Db, Tx } from '../../db/driver/connect.ts'

export async function hasJsonTemplate(db: Db, uuid: string): Promise<boolean> {
  const query = db.selectFrom('subscriptionTemplates').select('uuid').where('templateType', '=', 'XRAY_JSON')
  return (await query.where('uuid', '=', uuid).executeTakeFirst()) !== undefined
}

export function findInboundOf(
  db: Db,
  { configProfileUuid, configProfileInboundUuid }: { configProfileUuid: string; configProfileInboundUuid: string },
) {
  return inbounds(db)
    .where('inbound.uuid', '=', configProfileInboundUuid)
    .where('profile.uuid', '=', configProfileUuid)
    .executeTakeFirst()
}

/** These hosts with the inbounds that they lead to; those that lead nowhere are passed over. */
export async function listSources(tx: Tx, uuids: readonly string[]) {
  if (uuids.length === 0) return []
  const hosts = await tx.selectFrom('hosts').selectAll().where('uuid', 'in', uuids).orderBy('id').execute()
  const ids = [...new Set(hosts.flatMap(({ configProfileInboundId }) => configProfileInboundId ?? []))]
  const found = ids.length === 0 ? [] : await inbounds(tx).where('inbound.id', 'in', ids).execute()
  const byId = new Map(found.map(({ id, ...inbound }) => [id, inbound]))
  return hosts.flatMap((host) => {
    const inbound = byId.get(host.configProfileInboundId ?? 0)
    return inbound ? { ...host, inbound } : []
  })
}

function inbounds(db: Db) {
  return db
    .selectFrom('configProfileInbounds as inbound')
    .innerJoin('configProfiles as profile', 'profile.id', 'inbound.profileId')
    .select(['inbound.id', 'inbound.uuid', 'inbound.tag', 'inbound.type', 'inbound.rawInbound', 'profile.uuid as profileUuid'])
}
