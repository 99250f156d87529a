import { errors, type Input } from '@causeway/contract'
import type * as api from '@causeway/contract'
import type { Caller, Ctx } from '../../ctx.ts'
import { fail } from '../../http/errors.ts'
import { DAY_MS } from '../../lib/days.ts'
import { readAddresses } from '../connections/connections.actions.ts'
import { listNamedUsers } from '../connections/connections.queries.ts'
import { Holder } from '../../lib/addresses.ts'
import { listsIn, resolve } from './networks.rules.ts'
import { refuseUnusable } from './node-plugins.actions.ts'
import { findLists, findPlugin, listRequestAddresses } from './node-plugins.queries.ts'

const MOST_SHOWN = 200
/** Subscriptions asked for within this time count as a place a user comes from. */
const RECENT_DAYS = 7

interface Blocked {
  ip: string
  network: string
  username: string
  userUuid: string
  isConnected: boolean
  nodes: string[]
}

/**
 * Users that these filters would shut out: clients connected now to the nodes of the plugin, or to any where it has none yet, and
 * addresses that subscriptions were asked from lately. @throws as saving does
 */
export async function previewPlugin(ctx: Ctx, caller: Caller, { uuid, pluginConfig }: Input<typeof api.previewNodePlugin>) {
  const plugin = uuid === undefined ? undefined : ((await findPlugin(ctx.db, uuid)) ?? fail(errors.nodePluginNotFound))
  await ctx.db.transaction().execute((tx) => refuseUnusable(tx, caller, pluginConfig))
  const { ingressFilter } = pluginConfig
  const networks = ingressFilter?.enabled ? resolve(ingressFilter.blockedIps, await findLists(ctx.db, listsIn(pluginConfig))) : []
  if (networks.length === 0) return { blocked: [], total: 0, nodesRead: 0, nodesUnread: 0 }
  const holder = new Holder(networks)
  const onlyNodes = plugin && plugin.nodes.length > 0 ? plugin.nodes.map((node) => node.uuid) : undefined
  const readings = await readAddresses(ctx, onlyNodes)
  const found = new Map<string, Blocked>()
  const known = await listNamedUsers(ctx.db, {
    usernames: [...new Set(readings.flatMap(({ users }) => users.map((one) => one.username)))],
  })
  const uuids = new Map(known.map((user) => [user.username, user.uuid]))
  for (const { name, users } of readings) {
    for (const { username, ips } of users) {
      const userUuid = uuids.get(username)
      if (userUuid === undefined) continue
      for (const { ip } of ips) {
        const key = `${username} ${ip}`
        const network = found.get(key)?.network ?? holder.find(ip)
        if (network === undefined) continue
        const entry = found.get(key) ?? { ip, network, username, userUuid, isConnected: true, nodes: [] }
        found.set(key, { ...entry, nodes: [...entry.nodes, name] })
      }
    }
  }
  const since = new Date(ctx.now().getTime() - RECENT_DAYS * DAY_MS)
  for (const { ip, username, userUuid } of await listRequestAddresses(ctx.db, since)) {
    const key = `${username} ${ip}`
    const network = ip === null || found.has(key) ? undefined : holder.find(ip)
    if (ip !== null && network !== undefined) found.set(key, { ip, network, username, userUuid, isConnected: false, nodes: [] })
  }
  const unread = readings.filter(({ error }) => error !== null).length
  return {
    blocked: [...found.values()].slice(0, MOST_SHOWN),
    total: found.size,
    nodesRead: readings.length - unread,
    nodesUnread: unread,
  }
}
