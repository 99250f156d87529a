import { networkInterfaces } from 'node:os'
import { errors, type Input, type KnownError, type PluginConfig } from '@causeway/contract'
import type * as api from '@causeway/contract'
import type { Caller, Ctx } from '../../ctx.ts'
import type { Tx } from '../../db/driver/connect.ts'
import { requestFilters, requestStarts } from '../../ground/delivery.queries.ts'
import { setPlaces, type Place } from '../../ground/places.queries.ts'
import { fail } from '../../http/errors.ts'
import { refuseUnstorable } from '../../http/unstorable.ts'
import { failingAs } from '../../http/violations.ts'
import { write } from '../audit/audit.actions.ts'
import { madeRows, watchRows } from '../audit/rows.queries.ts'
import { isIPLiteral, networkProblems, listsIn, type Protected } from './networks.rules.ts'
import {
  findLists,
  findPlugin,
  listNodeAddresses,
  listNodeIdsOfPlugins,
  listPlugins,
  lockPlugin,
} from './node-plugins.queries.ts'

const TAKEN: Record<string, KnownError> = { nodePlugins_name_key: errors.nodePluginNameAlreadyExists }

/** Without anything to do yet. @throws nodePluginNameAlreadyExists */
export function createPlugin(ctx: Ctx, caller: Caller, { name }: { name: string }) {
  return write(ctx, caller, async (tx, record) => {
    const { id, uuid } = await insert(tx, name.trim(), null)
    record({ action: 'createNodePlugin', target: uuid, rows: madeRows('nodePlugin', [id]) })
    return (await findPlugin(tx, uuid)) ?? fail(errors.nodePluginNotFound)
  })
}

/** A copy under another name, on no node. @throws nodePluginNotFound */
export function clonePlugin(ctx: Ctx, caller: Caller, uuid: string) {
  return write(ctx, caller, async (tx, record) => {
    const source = (await lockPlugin(tx, uuid)) ?? fail(errors.nodePluginNotFound)
    const names = new Set((await listPlugins(tx)).map(({ name }) => name))
    const copy = await insert(tx, freeName(source.name, names), source.config)
    record({ action: 'createNodePlugin', target: copy.uuid, rows: madeRows('nodePlugin', [copy.id]) })
    return (await findPlugin(tx, copy.uuid)) ?? fail(errors.nodePluginNotFound)
  })
}

const LONGEST_NAME = 30

function freeName(name: string, taken: ReadonlySet<string>): string {
  for (let number = 2; ; number++) {
    const end = ` ${number}`
    const free = `${name.slice(0, LONGEST_NAME - end.length)}${end}`
    if (!taken.has(free)) return free
  }
}

function insert(tx: Tx, name: string, config: PluginConfig | null) {
  const row = { name, config: config && JSON.stringify(config) }
  return failingAs(TAKEN, tx.insertInto('nodePlugins').values(row).returning(['id', 'uuid']).executeTakeFirstOrThrow())
}

/** Its nodes are told; they start anew where the torrent rule changes. @throws invalidNodePluginConfig with every reason */
export async function editPlugin(ctx: Ctx, caller: Caller, { uuid, name, pluginConfig }: Input<typeof api.updateNodePlugin>) {
  if (pluginConfig) refuseUnstorable({ pluginConfig })
  return write(ctx, caller, async (tx, record) => {
    const plugin = (await lockPlugin(tx, uuid)) ?? fail(errors.nodePluginNotFound)
    if (pluginConfig) await refuseUnusable(tx, caller, pluginConfig)
    const rows = await watchRows(tx, 'nodePlugin', [plugin.id])
    const columns = {
      ...(name === undefined ? {} : { name: name.trim() }),
      ...(pluginConfig === undefined ? {} : { config: JSON.stringify(pluginConfig) }),
      updatedAt: ctx.now(),
    }
    await failingAs(TAKEN, tx.updateTable('nodePlugins').set(columns).where('id', '=', plugin.id).execute())
    if (pluginConfig) {
      const isRuleChanged = JSON.stringify(plugin.config?.torrentBlocker) !== JSON.stringify(pluginConfig.torrentBlocker)
      await tellNodes(tx, await listNodeIdsOfPlugins(tx, [plugin.id]), { isRuleChanged })
    }
    record({ action: 'updateNodePlugin', target: uuid, rows })
    return (await findPlugin(tx, uuid)) ?? fail(errors.nodePluginNotFound)
  })
}

/** Filters change while the core runs; the torrent rule is part of its configuration. */
export async function tellNodes(tx: Tx, nodeIds: number[], { isRuleChanged }: { isRuleChanged: boolean }): Promise<void> {
  if (nodeIds.length === 0) return
  await requestFilters(tx, nodeIds)
  if (isRuleChanged) await requestStarts(tx, { nodeIds })
}

/** @throws invalidNodePluginConfig */
export async function refuseUnusable(tx: Tx, caller: Caller, config: PluginConfig): Promise<void> {
  const { torrentBlocker } = config
  const problems = networkProblems(config, await findLists(tx, listsIn(config)), await protectedAddresses(tx, caller))
  // The published default carries an address beside a rule that is switched off.
  if (torrentBlocker?.enabled && torrentBlocker.webhookUrl)
    problems.push(
      'torrentBlocker.webhookUrl: nodes report to this panel only. Receive torrent_blocker.report by a webhook of the panel.',
    )
  if (problems.length > 0) fail(errors.invalidNodePluginConfig, { message: problems.join(' ') })
}

/** Addresses that no filter may shut out: of this server, of nodes, and of the caller. */
export async function protectedAddresses(tx: Tx, caller: Caller): Promise<Protected[]> {
  const own = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses.filter(({ internal }) => !internal))
  const nodes = await listNodeAddresses(tx)
  return [
    ...(caller.address !== null && isIPLiteral(caller.address) ? [{ address: caller.address, whose: 'your own address' }] : []),
    ...own.map(({ address }) => ({ address, whose: 'the address of this server' })),
    ...nodes.flatMap(({ name, address }) => (isIPLiteral(address) ? [{ address, whose: `the node ${name}` }] : [])),
  ]
}

/** Its nodes go on without it. @throws nodePluginNotFound */
export function removePlugin(ctx: Ctx, caller: Caller, uuid: string) {
  return write(ctx, caller, async (tx, record) => {
    const plugin = (await lockPlugin(tx, uuid)) ?? fail(errors.nodePluginNotFound)
    const rows = await watchRows(tx, 'wholeNodePlugin', [plugin.id])
    const nodeIds = await listNodeIdsOfPlugins(tx, [plugin.id])
    await tellNodes(tx, nodeIds, { isRuleChanged: plugin.config?.torrentBlocker?.enabled ?? false })
    await tx.deleteFrom('nodePlugins').where('id', '=', plugin.id).execute()
    record({ action: 'deleteNodePlugin', target: uuid, rows })
    return { isDeleted: true }
  })
}

/** Plugins that are not named keep their place; unknown ones are passed over. */
export function reorderPlugins(ctx: Ctx, caller: Caller, items: Place[]) {
  return write(ctx, caller, async (tx, record) => {
    const rows = await watchRows(
      tx,
      'nodePluginPlace',
      items.map(({ uuid }) => uuid),
    )
    await setPlaces(tx, 'nodePlugins', items)
    record({ action: 'reorderNodePlugins', target: `${items.length} plugins`, rows })
    return listPlugins(tx)
  })
}

/** Has its nodes told anew, which changes nothing where they know. @throws nodePluginNotFound */
export function syncPlugin(ctx: Ctx, caller: Caller, uuid: string) {
  return write(ctx, caller, async (tx, record) => {
    const plugin = (await lockPlugin(tx, uuid)) ?? fail(errors.nodePluginNotFound)
    await tellNodes(tx, await listNodeIdsOfPlugins(tx, [plugin.id]), { isRuleChanged: false })
    record({ action: 'syncNodePlugin', target: uuid })
    return { eventSent: true }
  })
}
