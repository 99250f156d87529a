import { sql } from 'kysely'
import type { Inbound, Input, Node, updateNode } from '@causeway/contract'
import { CONFIG_FORM } from '@causeway/xray'
import type { Db, Tx } from '../../db/driver/connect.ts'
import { asSent, editColumns, tagsText } from '../../db/edit-columns.ts'
import { withLaterOfNode } from '../../ground/later-members.rules.ts'

type NodeEdit = Omit<Input<typeof updateNode>, 'uuid' | 'configProfile' | 'providerUuid' | 'activePluginUuid'>

/** The columns that an edit of a node sets. */
export const nodeColumns = editColumns<'nodes', NodeEdit>({
  name: (name) => name.trim(),
  address: (address) => address.trim(),
  port: Math.round,
  isTrafficTrackingActive: asSent,
  trafficLimitBytes: Math.round,
  notifyPercent: Math.round,
  trafficResetDay: Math.round,
  countryCode: (code) => code.toUpperCase(),
  consumptionMultiplier: (multiplier) => Math.round(multiplier * 10) / 10,
  tags: tagsText,
  note: (note) => note || null,
  ips: (ips) => JSON.stringify(ips),
})

/** Nodes in the form of the wire, in the administrator's order. */
function nodes(db: Db) {
  return db
    .selectFrom('nodes')
    .innerJoin('nodeStates as state', 'state.nodeId', 'nodes.id')
    .leftJoin('configProfiles as profile', 'profile.id', 'nodes.activeConfigProfileId')
    .leftJoin('nodePlugins as plugin', 'plugin.id', 'nodes.pluginId')
    .leftJoin('infraProviders as provider', 'provider.id', 'nodes.providerId')
    .select([
      'nodes.id',
      'nodes.uuid',
      'nodes.name',
      'nodes.address',
      'nodes.port',
      'nodes.isDisabled',
      'nodes.isTrafficTrackingActive',
      'nodes.trafficLimitBytes',
      'nodes.notifyPercent',
      'nodes.trafficResetDay',
      'nodes.countryCode',
      'nodes.consumptionMultiplier',
      'nodes.viewPosition',
      'nodes.tags',
      'nodes.note',
      'nodes.ips',
      'nodes.createdAt',
      'nodes.updatedAt',
      'state.isConnected',
      'state.isConnecting',
      'state.isNodeOnline',
      'state.isXrayRunning',
      'state.lastStatusChange',
      'state.lastStatusMessage',
      'state.xrayVersion',
      'state.nodeVersion',
      'state.xrayUptime',
      'state.cpuCount',
      'state.cpuModel',
      'state.totalRam',
      'state.trafficUsedBytes',
      'state.warning',
      'state.certificateExpiresAt',
      'state.accountedThroughAt',
      'provider.uuid as providerUuid',
      'plugin.uuid as activePluginUuid',
    ])
    .select([
      sql<{ activeConfigProfileUuid: string | null; activeInbounds: Inbound[] }>`json_build_object(
        'activeConfigProfileUuid', profile."uuid",
        'activeInbounds', coalesce((
          select json_agg(json_build_object(
            'uuid', i."uuid", 'profileUuid', p."uuid", 'tag', i."tag", 'type', i."type", 'network', i."network",
            'security', i."security", 'port', i."port", 'rawInbound', i."rawInbound") order by i."id")
          from "nodeInbounds" link
          join "configProfileInbounds" i on i."id" = link."inboundId"
          join "configProfiles" p on p."id" = i."profileId"
          where link."nodeId" = nodes."id"), '[]'::json))`.as('configProfile'),
      sql<Node['closingRule']>`case when state."runningConfigHash" is null then null else json_build_object(
        'isDelivered', starts_with(state."runningConfigHash", ${CONFIG_FORM}),
        'ports', coalesce(to_json(state."closedPorts"), '[]'::json)) end`.as('closingRule'),
      sql<Node['provider']>`case when provider."id" is null then null else json_build_object(
        'uuid', provider."uuid", 'name', provider."name", 'faviconLink', provider."faviconLink", 'loginUrl', provider."loginUrl",
        'createdAt', ${instant('provider', 'createdAt')}, 'updatedAt', ${instant('provider', 'updatedAt')}) end`.as('provider'),
    ])
    .orderBy('nodes.viewPosition')
    .orderBy('nodes.id')
}

/** Inside JSON an instant has to be written as the wire wants it: UTC with Z. */
function instant(table: string, column: string) {
  return sql`to_char(${sql.ref(`${table}.${column}`)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

export async function listNodes(db: Db) {
  return (await nodes(db).execute()).map(withLaterOfNode)
}

/** Nodes as snapshots of their rows hold them, by uuid. Table names stand for what the snapshots hold; each node stands there once. */
export async function listNodesOfSnapshots(db: Db, snapshots: unknown[]): Promise<Awaited<ReturnType<typeof listNodes>>> {
  const { rows } = await sql<Awaited<ReturnType<typeof listNodes>>[number]>`
    with "kept" as (select * from jsonb_array_elements(${JSON.stringify(snapshots)}) as "kept"("snapshot")),
    "nodes" as (select "row".* from "kept", jsonb_populate_record(null::"nodes", "snapshot"->'nodes') as "row"),
    "nodeStates" as (select "row".* from "kept", jsonb_populate_record(null::"nodeStates", "snapshot"->'nodeStates') as "row"),
    "nodeInbounds" as (select "row".* from "kept", jsonb_populate_recordset(null::"nodeInbounds", "snapshot"->'nodeInbounds') as "row")
    ${nodes(db)}
  `.execute(db)
  return rows.map(withLaterOfNode)
}

export async function findNode(db: Db, uuid: string) {
  const node = await nodes(db).where('nodes.uuid', '=', uuid).executeTakeFirst()
  return node && withLaterOfNode(node)
}

export async function findNodeId(db: Db, uuid: string): Promise<number | undefined> {
  const row = await db.selectFrom('nodes').select('id').where('uuid', '=', uuid).executeTakeFirst()
  return row?.id
}

/** The node's state and row, held until the transaction ends; in the order in which the fleet locks them. */
export async function lockNode(tx: Tx, uuid: string) {
  await tx
    .selectFrom('nodeStates')
    .select('nodeId')
    .where('nodeId', '=', (from) => from.selectFrom('nodes').select('id').where('uuid', '=', uuid))
    .forNoKeyUpdate()
    .execute()
  return tx
    .selectFrom('nodes')
    .select(['id', 'isDisabled', 'address', 'port', 'activeConfigProfileId'])
    .where('uuid', '=', uuid)
    .forUpdate()
    .executeTakeFirst()
}

/** Whether another node has this name or address. Blocks concurrent callers, so that two of them cannot both take it. */
export async function lockTakenNames(
  tx: Tx,
  names: { name?: string | undefined; address?: string | undefined },
  exceptUuid: string | null,
) {
  await sql`select pg_advisory_xact_lock(hashtext('names of nodes'))`.execute(tx)
  const { rows } = await sql<{ name: boolean; address: boolean }>`
    select coalesce(bool_or("name" = ${names.name ?? null}), false) as "name",
      coalesce(bool_or("address" = ${names.address ?? null}), false) as "address"
    from "nodes" where "uuid" is distinct from ${exceptUuid}::uuid
  `.execute(tx)
  return rows[0] ?? { name: false, address: false }
}

/** A profile and those of the given inbounds that are its own. */
export async function findProfileInbounds(db: Db, profileUuid: string, inboundUuids: string[]) {
  const profile = await db.selectFrom('configProfiles').select('id').where('uuid', '=', profileUuid).executeTakeFirst()
  if (!profile) return undefined
  const inbounds =
    inboundUuids.length === 0
      ? []
      : await db
          .selectFrom('configProfileInbounds')
          .select('id')
          .where('profileId', '=', profile.id)
          .where('uuid', 'in', inboundUuids)
          .execute()
  return { profileId: profile.id, inboundIds: inbounds.map((inbound) => inbound.id) }
}

export async function setNodeInbounds(tx: Tx, nodeId: number, inboundIds: number[]): Promise<void> {
  await tx.deleteFrom('nodeInbounds').where('nodeId', '=', nodeId).execute()
  if (inboundIds.length === 0) return
  await tx
    .insertInto('nodeInbounds')
    .values(inboundIds.map((inboundId) => ({ nodeId, inboundId })))
    .execute()
}

export async function hasInbounds(db: Db, nodeId: number): Promise<boolean> {
  const row = await db.selectFrom('nodeInbounds').select('inboundId').where('nodeId', '=', nodeId).limit(1).executeTakeFirst()
  return row !== undefined
}

export async function findProviderId(db: Db, uuid: string): Promise<number | undefined> {
  const row = await db.selectFrom('infraProviders').select('id').where('uuid', '=', uuid).executeTakeFirst()
  return row?.id
}

/** Sets positions as given; nodes that are not named keep theirs. */
export async function setNodePositions(tx: Tx, positions: { uuid: string; viewPosition: number }[]): Promise<void> {
  await sql`
    update "nodes" set "viewPosition" = wanted."position"
    from unnest(${positions.map((node) => node.uuid)}::uuid[], ${positions.map((node) => node.viewPosition)}::int[])
      as wanted("uuid", "position")
    where "nodes"."uuid" = wanted."uuid"
  `.execute(tx)
  // A new node goes to the end of what the administrator has just ordered.
  await sql`
    select setval(pg_get_serial_sequence('"nodes"', 'viewPosition'), greatest((select max("viewPosition") from "nodes"), 0) + 1, false)
  `.execute(tx)
}

export async function countEnabledNodes(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('nodes')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('isDisabled', '=', false)
    .executeTakeFirstOrThrow()
  return count
}
