import { errors, pluginConfig, type Input, type KnownError } from '@causeway/contract'
import type * as api from '@causeway/contract'
import type { Caller, Ctx } from '../../ctx.ts'
import type { Tx } from '../../db/driver/connect.ts'
import { fail } from '../../http/errors.ts'
import { failingAs } from '../../http/violations.ts'
import { isNetwork } from '../../lib/addresses.ts'
import { write } from '../audit/audit.actions.ts'
import { madeRows, watchRows } from '../audit/rows.queries.ts'
import { refuseUnusable, tellNodes } from './node-plugins.actions.ts'
import { listNodeIdsOfPlugins, listPluginsUsing } from './node-plugins.queries.ts'
import { findSharedList, lockSharedList } from './shared-lists.queries.ts'

const TAKEN: Record<string, KnownError> = { sharedLists_name_key: errors.sharedListNameAlreadyExists }
type Named = Input<typeof api.createSharedList>

/** @throws invalidSharedListConfig, sharedListNameAlreadyExists */
export function createSharedList(ctx: Ctx, caller: Caller, { name, config }: Named) {
  const items = networksOf(config)
  return write(ctx, caller, async (tx, record) => {
    const row = { name, items: JSON.stringify(items) }
    const { id } = await failingAs(TAKEN, tx.insertInto('sharedLists').values(row).returning('id').executeTakeFirstOrThrow())
    record({ action: 'createSharedList', target: name, rows: madeRows('sharedList', [id]) })
    return requireList(tx, name)
  })
}

/** Nodes whose plugins use it are told. @throws sharedListNotFound, invalidSharedListConfig, invalidNodePluginConfig */
export function editSharedList(ctx: Ctx, caller: Caller, { name, config }: Named) {
  const items = networksOf(config)
  return write(ctx, caller, async (tx, record) => {
    const { id } = (await lockSharedList(tx, name)) ?? fail(errors.sharedListNotFound)
    const rows = await watchRows(tx, 'sharedList', [id])
    const columns = { items: JSON.stringify(items), updatedAt: ctx.now() }
    await tx.updateTable('sharedLists').set(columns).where('id', '=', id).execute()
    const users = await listPluginsUsing(tx, name)
    for (const plugin of users) await refuseUnusable(tx, caller, pluginConfig.parse(plugin.config))
    await tellUsers(tx, users)
    record({ action: 'updateSharedList', target: name, rows })
    return requireList(tx, name)
  })
}

/** @throws sharedListNotFound, sharedListInUse with the plugins */
export function removeSharedList(ctx: Ctx, caller: Caller, name: string) {
  return write(ctx, caller, async (tx, record) => {
    const { id } = (await lockSharedList(tx, name)) ?? fail(errors.sharedListNotFound)
    const users = await listPluginsUsing(tx, name)
    if (users.length > 0)
      fail(errors.sharedListInUse, { message: `Plugins use this list: ${users.map((plugin) => plugin.name).join(', ')}.` })
    const rows = await watchRows(tx, 'sharedList', [id])
    await tx.deleteFrom('sharedLists').where('id', '=', id).execute()
    record({ action: 'deleteSharedList', target: name, rows })
    return { isDeleted: true }
  })
}

/** @throws sharedListNotFound */
export function syncSharedList(ctx: Ctx, caller: Caller, name: string) {
  return write(ctx, caller, async (tx, record) => {
    if (!(await lockSharedList(tx, name))) fail(errors.sharedListNotFound)
    await tellUsers(tx, await listPluginsUsing(tx, name))
    record({ action: 'syncSharedList', target: name })
    return { eventSent: true }
  })
}

async function tellUsers(tx: Tx, plugins: readonly { id: number }[]): Promise<void> {
  const nodeIds = await listNodeIdsOfPlugins(
    tx,
    plugins.map(({ id }) => id),
  )
  // Its torrent rule may except addresses of the list; a core that has the same configuration goes on.
  await tellNodes(tx, nodeIds, { isRuleChanged: true })
}

async function requireList(tx: Tx, name: string) {
  return (await findSharedList(tx, name)) ?? fail(errors.sharedListNotFound)
}

/** Each once. @throws invalidSharedListConfig */
function networksOf(config: Named['config']): string[] {
  if (config.type === 'asList')
    return fail(errors.invalidSharedListConfig, {
      message: 'config.type: this panel has no database of AS numbers. Use the networks of the AS in an ipList.',
    })
  const items = [...new Set(config.items.map((item) => item.trim()))]
  const wrong = items.find((item) => !isNetwork(item))
  if (wrong !== undefined)
    fail(errors.invalidSharedListConfig, { message: `config.items: ${wrong} is no address or network such as 203.0.113.0/24.` })
  return items
}
