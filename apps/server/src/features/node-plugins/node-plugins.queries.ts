import { pluginConfig, type PluginConfig } from '@causeway/contract'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/driver/connect.ts'
import type { ActivePlugin } from './filters.rules.ts'
import { listsIn } from './networks.rules.ts'

interface PluginRow {
  uuid: string
  viewPosition: number
  name: string
  pluginConfig: PluginConfig | null
  tags: string[]
  nodes: { uuid: string; name: string; countryCode: string; filtersAt: string | null; problem: string | null }[]
}

const plugins = (db: Db) =>
  db
    .selectFrom('nodePlugins as plugin')
    .select(['plugin.uuid', 'plugin.viewPosition', 'plugin.name', 'plugin.tags'])
    .select([
      sql<PluginConfig | null>`plugin."config"`.as('pluginConfig'),
      sql<PluginRow['nodes']>`coalesce((
        select json_agg(json_build_object('uuid', n."uuid", 'name', n."name", 'countryCode', n."countryCode", 'filtersAt',
          to_char(s."filtersAt" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'problem', s."filterProblem")
          order by n."viewPosition", n."id")
        from "nodes" n join "nodeStates" s on s."nodeId" = n."id" where n."pluginId" = plugin."id"), '[]')`.as('nodes'),
    ])
    .orderBy('plugin.viewPosition')
    .orderBy('plugin.id')

export const listPlugins = (db: Db) => plugins(db).execute()

export const findPlugin = (db: Db, uuid: string) => plugins(db).where('plugin.uuid', '=', uuid).executeTakeFirst()

export function lockPlugin(tx: Tx, uuid: string) {
  return tx
    .selectFrom('nodePlugins')
    .select(['id', 'name', sql<PluginConfig | null>`"config"`.as('config')])
    .where('uuid', '=', uuid)
    .forUpdate()
    .executeTakeFirst()
}

export async function listNodeIdsOfPlugins(db: Db, pluginIds: number[]): Promise<number[]> {
  const rows = await db
    .selectFrom('nodes')
    .select('id')
    .where(sql<boolean>`"pluginId" = any(${pluginIds}::bigint[])`)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

export async function listPluginIds(db: Db): Promise<number[]> {
  return (await db.selectFrom('nodePlugins').select('id').orderBy('id').execute()).map(({ id }) => id)
}

/** Plugins that use this list. */
export async function listPluginsUsing(db: Db, listName: string) {
  const rows = await db
    .selectFrom('nodePlugins')
    .select(['id', 'name', sql<unknown>`"config"`.as('config')])
    .orderBy('id')
    .execute()
  return rows.filter(({ config }) => config !== null && listsIn(pluginConfig.parse(config)).includes(listName))
}

export async function findLists(db: Db, names: readonly string[]): Promise<Map<string, string[]>> {
  if (names.length === 0) return new Map()
  const rows = await db
    .selectFrom('sharedLists')
    .select(['name', sql<string[]>`"items"`.as('items')])
    .where(sql<boolean>`"name" = any(${[...names]}::text[])`)
    .execute()
  return new Map(rows.map(({ name, items }) => [name, items]))
}

/** The plugin of a node with all that it names; undefined where the node has none, or one that does nothing yet. */
export async function findActivePlugin(db: Db, nodeId: number): Promise<ActivePlugin | undefined> {
  const row = await db
    .selectFrom('nodes')
    .innerJoin('nodePlugins as plugin', 'plugin.id', 'nodes.pluginId')
    .select(sql<unknown>`plugin."config"`.as('config'))
    .where('nodes.id', '=', nodeId)
    .executeTakeFirst()
  if (!row || row.config === null) return undefined
  const config = pluginConfig.parse(row.config)
  const ids = config.torrentBlocker?.ignoreLists?.userId ?? []
  const users =
    ids.length === 0
      ? []
      : await db
          .selectFrom('users')
          .select('username')
          .where(sql<boolean>`"id" = any(${ids}::bigint[])`)
          .orderBy('id')
          .execute()
  return { config, lists: await findLists(db, listsIn(config)), exceptUsernames: users.map(({ username }) => username) }
}

/** Addresses of nodes, which no filter may shut out. */
export async function listNodeAddresses(db: Db): Promise<{ name: string; address: string }[]> {
  return db.selectFrom('nodes').select(['name', 'address']).orderBy('id').execute()
}

/** Addresses that subscriptions were asked from since then, each once per user. */
export async function listRequestAddresses(db: Db, since: Date) {
  return db
    .selectFrom('subscriptionRequests as request')
    .innerJoin('users as user', 'user.id', 'request.userId')
    .select(['request.requestIp as ip', 'user.username', 'user.uuid as userUuid'])
    .where('request.requestIp', 'is not', null)
    .where('request.requestAt', '>=', since)
    .distinct()
    .execute()
}
