import { sql } from 'kysely'
import type { Input, updateHost } from '@causeway/contract'
import { builtOnce } from '../../db/driver/built-once.ts'
import type { Db, Tx } from '../../db/driver/connect.ts'
import type { Tables } from '../../db/tables.ts'
import { asSent, editColumns, tagsText } from '../../db/edit-columns.ts'
import { withLaterOfHost } from '../../ground/later-members.rules.ts'

type HostEdit = Omit<Input<typeof updateHost>, 'uuid' | 'inbound' | 'nodes'>

/** The columns that an edit of a host sets. */
export const hostColumns = editColumns<'hosts', HostEdit>({
  remark: asSent,
  address: (address) => address.trim(),
  port: asSent,
  path: asSent,
  sni: asSent,
  host: asSent,
  alpn: asSent,
  fingerprint: asSent,
  isDisabled: asSent,
  disabledUntil: asSent,
  securityLayer: asSent,
  xHttpExtraParams: jsonOrNull,
  muxParams: jsonOrNull,
  sockoptParams: jsonOrNull,
  serverDescription: asSent,
  tag: asSent,
  tags: tagsText,
  isHidden: asSent,
  overrideSniFromAddress: asSent,
  vlessRouteId: asSent,
  shuffleHost: asSent,
  mihomoX25519: asSent,
  allowInsecure: asSent,
  keepSniBlank: asSent,
  xrayJsonTemplateUuid: asSent,
  excludedInternalSquads: tagsText,
  excludeFromSubscriptionTypes: tagsText,
  finalMask: jsonOrNull,
  pinnedPeerCertSha256: textOrNull,
  verifyPeerCertByName: textOrNull,
  mihomoIpVersion: asSent,
  mapper: (mapper) => JSON.stringify(mapper),
})

/** Empty objects of client parameters mean none. */
function jsonOrNull(value: unknown): string | null {
  const isEmpty = value === null || (typeof value === 'object' && Object.keys(value).length === 0)
  return isEmpty ? null : JSON.stringify(value)
}

function textOrNull(value: string | null): string | null {
  return value || null
}

/** Hosts in the form of the wire, in the administrator's order. */
function hosts(db: Db) {
  return (
    db
      .selectFrom('hosts')
      .leftJoin('configProfiles as profile', 'profile.id', 'hosts.configProfileId')
      .leftJoin('configProfileInbounds as inbound', 'inbound.id', 'hosts.configProfileInboundId')
      .select([
        'hosts.uuid',
        'hosts.viewPosition',
        'hosts.remark',
        'hosts.address',
        'hosts.port',
        'hosts.path',
        'hosts.sni',
        'hosts.host',
        'hosts.alpn',
        'hosts.fingerprint',
        'hosts.isDisabled',
        'hosts.securityLayer',
        'hosts.xHttpExtraParams',
        'hosts.muxParams',
        'hosts.sockoptParams',
        'hosts.serverDescription',
        'hosts.tag',
        'hosts.tags',
        'hosts.isHidden',
        'hosts.overrideSniFromAddress',
        'hosts.vlessRouteId',
        'hosts.shuffleHost',
        'hosts.mihomoX25519',
        'hosts.allowInsecure',
        'hosts.disabledUntil',
        'hosts.keepSniBlank',
        'hosts.xrayJsonTemplateUuid',
        'hosts.excludeFromSubscriptionTypes',
        'hosts.finalMask',
        'hosts.pinnedPeerCertSha256',
        'hosts.verifyPeerCertByName',
        'hosts.mihomoIpVersion',
        'hosts.mapper',
      ])
      // A squad that is gone does not count any more.
      .select(
        sql<string[]>`array(select squad."uuid" from "internalSquads" squad
        where "hosts"."excludedInternalSquads" ? squad."uuid"::text order by squad."id")`.as('excludedInternalSquads'),
      )
      .select(
        sql<{ configProfileUuid: string | null; configProfileInboundUuid: string | null }>`json_build_object(
        'configProfileUuid', profile."uuid", 'configProfileInboundUuid', inbound."uuid")`.as('inbound'),
      )
      .select(
        sql<string[]>`array(select node."uuid" from "hostNodes" link join "nodes" node on node."id" = link."nodeId"
        where link."hostId" = "hosts"."id" order by node."viewPosition", node."id")`.as('nodes'),
      )
      .orderBy('hosts.viewPosition')
      .orderBy('hosts.id')
  )
}

/** Every host. */
export async function listHosts(db: Db) {
  return (await everyHost(db)).map(withLaterOfHost)
}

const everyHost = builtOnce(hosts)

const changes = builtOnce((db) =>
  db.selectFrom('hostChanges').select(sql<string | null>`string_agg("token"::text, ' ' order by "token")`.as('version')),
)

/** The list of hosts as it is sent, written anew only where something of it has changed: the database is asked whether, each time. */
export function keepHosts(db: Db, write: (hosts: Awaited<ReturnType<typeof listHosts>>) => Buffer): () => Promise<Buffer> {
  let kept: { version: string | null | undefined; written: Buffer } | undefined
  return async () => {
    const [found] = await changes(db)
    if (kept && kept.version === found?.version) return kept.written
    // The hosts may be newer than the version, and are then read once more.
    const written = write(await listHosts(db))
    kept = { version: found?.version, written }
    return written
  }
}

export async function findHost(db: Db, uuid: string) {
  const host = await hosts(db).where('hosts.uuid', '=', uuid).executeTakeFirst()
  return host && withLaterOfHost(host)
}

/** The inbound that a host or node names, if it is one of that profile; and whether the profile exists. */
export async function findInboundOfProfile(db: Db, profileUuid: string, inboundUuid: string) {
  return db
    .selectFrom('configProfiles as profile')
    .leftJoin('configProfileInbounds as inbound', (join) =>
      join.onRef('inbound.profileId', '=', 'profile.id').on('inbound.uuid', '=', inboundUuid),
    )
    .select(['profile.id as configProfileId', 'inbound.id as configProfileInboundId'])
    .where('profile.uuid', '=', profileUuid)
    .executeTakeFirst()
}

/** Says which nodes a host is served by; unknown ones are passed over, as a node may have been deleted meanwhile. */
export async function replaceHostNodes(tx: Tx, hostUuid: string, nodeUuids: string[]): Promise<void> {
  const host = sql`(select "id" from "hosts" where "uuid" = ${hostUuid})`
  await sql`delete from "hostNodes" where "hostId" = ${host}`.execute(tx)
  await sql`
    insert into "hostNodes" ("hostId", "nodeId") select ${host}, "id" from "nodes" where "uuid" = any(${nodeUuids}::uuid[])
  `.execute(tx)
}

/** The fields that a copy of a host takes from it. */
const copied: { [Name in Exclude<keyof Tables['hosts'], OfItself>]: true } = {
  address: true,
  port: true,
  path: true,
  sni: true,
  host: true,
  alpn: true,
  fingerprint: true,
  securityLayer: true,
  xHttpExtraParams: true,
  muxParams: true,
  sockoptParams: true,
  serverDescription: true,
  tag: true,
  tags: true,
  isHidden: true,
  overrideSniFromAddress: true,
  vlessRouteId: true,
  shuffleHost: true,
  mihomoX25519: true,
  allowInsecure: true,
  keepSniBlank: true,
  xrayJsonTemplateUuid: true,
  excludedInternalSquads: true,
  excludeFromSubscriptionTypes: true,
  finalMask: true,
  pinnedPeerCertSha256: true,
  verifyPeerCertByName: true,
  mihomoIpVersion: true,
  mapper: true,
  configProfileId: true,
  configProfileInboundId: true,
}
type OfItself = 'id' | 'uuid' | 'viewPosition' | 'remark' | 'isDisabled' | 'disabledUntil'

/** A disabled copy of this remark, with the same nodes. Undefined where there is no such host. */
export async function copyHost(tx: Tx, uuid: string, remark: string) {
  const columns = sql.join(Object.keys(copied).map((name) => sql.ref(name)))
  const { rows } = await sql<{ id: number; uuid: string }>`
    insert into "hosts" ("remark", "isDisabled", ${columns}) select ${remark}, true, ${columns} from "hosts" where "uuid" = ${uuid}
    returning "id", "uuid"
  `.execute(tx)
  const [made] = rows
  if (made)
    await sql`
      insert into "hostNodes" ("hostId", "nodeId") select ${made.id}, link."nodeId"
      from "hostNodes" link join "hosts" host on host."id" = link."hostId" where host."uuid" = ${uuid}
    `.execute(tx)
  return made
}

/** Sets positions as given; hosts that are not named keep theirs. */
export async function setHostPositions(tx: Tx, positions: { uuid: string; viewPosition: number }[]): Promise<void> {
  await sql`
    update "hosts" set "viewPosition" = wanted."position"
    from unnest(${positions.map((host) => host.uuid)}::uuid[], ${positions.map((host) => host.viewPosition)}::int[]) as wanted("uuid", "position")
    where "hosts"."uuid" = wanted."uuid"
  `.execute(tx)
  // A new host goes to the end of what the administrator has just ordered.
  await sql`select setval(pg_get_serial_sequence('"hosts"', 'viewPosition'), (select coalesce(max("viewPosition"), 0) + 1 from "hosts"), false)`.execute(
    tx,
  )
}

/** Hosts whose while is over, held against concurrent changes. */
export async function lockHostsDue(tx: Tx, now: Date) {
  return tx.selectFrom('hosts').select(['id', 'remark']).where('disabledUntil', '<=', now).orderBy('id').forUpdate().execute()
}

export async function enableHosts(tx: Tx, ids: number[]): Promise<void> {
  await tx.updateTable('hosts').set({ isDisabled: false, disabledUntil: null }).where('id', 'in', ids).execute()
}

export async function hasHostsDue(db: Db, now: Date): Promise<boolean> {
  const due = await db.selectFrom('hosts').select('id').where('disabledUntil', '<=', now).limit(1).executeTakeFirst()
  return due !== undefined
}
