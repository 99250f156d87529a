import * as api from '@causeway/contract'
import { errors } from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { fail, refuseField } from '../../http/errors.ts'
import { on, type Route } from '../../http/mount.ts'
import { DAY_MS } from '../../lib/days.ts'
import { colorOf } from '../../lib/colors.ts'
import { write } from '../audit/audit.actions.ts'
import { toTableView, type ColumnKind } from '../search/table-view.rules.ts'
import { executeOnNodes } from './executor.actions.ts'
import { clonePlugin, createPlugin, editPlugin, removePlugin, reorderPlugins, syncPlugin } from './node-plugins.actions.ts'
import { findPlugin, listPlugins } from './node-plugins.queries.ts'
import { previewPlugin } from './preview.actions.ts'
import { createSharedList, editSharedList, removeSharedList, syncSharedList } from './shared-lists.actions.ts'
import { findSharedList, listSharedLists } from './shared-lists.queries.ts'
import { countTorrentReports, deleteTorrentReports, listTorrentReports, type ReportColumn } from './torrents.queries.ts'
import { toReport } from './torrents.rules.ts'

const REPORT_COLUMNS = {
  id: 'number',
  userId: 'number',
  nodeId: 'number',
  username: 'text',
  ip: 'text',
  createdAt: 'instant',
} as const satisfies Record<ReportColumn, ColumnKind>

export function nodePluginsRoutes(ctx: Ctx): Route[] {
  const listed = (nodePlugins: Awaited<ReturnType<typeof listPlugins>>) => ({ total: nodePlugins.length, nodePlugins })
  const list = async ({ name }: { name: string }) => (await findSharedList(ctx.db, name)) ?? fail(errors.sharedListNotFound)
  return [
    on(api.listNodePlugins, async () => listed(await listPlugins(ctx.db))),
    on(api.getNodePlugin, async ({ uuid }) => (await findPlugin(ctx.db, uuid)) ?? fail(errors.nodePluginNotFound)),
    on(api.createNodePlugin, (plugin, caller) => createPlugin(ctx, caller, plugin)),
    on(api.updateNodePlugin, (edit, caller) => editPlugin(ctx, caller, edit)),
    on(api.deleteNodePlugin, ({ uuid }, caller) => removePlugin(ctx, caller, uuid)),
    on(api.cloneNodePlugin, ({ cloneFromUuid }, caller) => clonePlugin(ctx, caller, cloneFromUuid)),
    on(api.reorderNodePlugins, async ({ items }, caller) => listed(await reorderPlugins(ctx, caller, items))),
    on(api.syncNodePlugin, ({ uuid }, caller) => syncPlugin(ctx, caller, uuid)),
    on(api.executeNodePlugin, (order, caller) => executeOnNodes(ctx, caller, order)),
    on(api.previewNodePlugin, (draft, caller) => previewPlugin(ctx, caller, draft)),
    on(api.listSharedLists, async () => {
      const sharedLists = await listSharedLists(ctx.db)
      return { total: sharedLists.length, sharedLists }
    }),
    on(api.getSharedList, list),
    on(api.getSharedListByName, list),
    on(api.createSharedList, (made, caller) => createSharedList(ctx, caller, made)),
    on(api.updateSharedList, (edit, caller) => editSharedList(ctx, caller, edit)),
    on(api.deleteSharedList, ({ name }, caller) => removeSharedList(ctx, caller, name)),
    on(api.deleteSharedListByName, ({ name }, caller) => removeSharedList(ctx, caller, name)),
    on(api.syncSharedList, ({ name }, caller) => syncSharedList(ctx, caller, name)),
    on(api.listTorrentReports, async (query) => {
      const view = toTableView(query, REPORT_COLUMNS)
      if ('refusal' in view) return refuseField(view.refusal.path, view.refusal.message)
      const { total, rows } = await listTorrentReports(ctx.db, view)
      return { total, records: rows.map(toRecord) }
    }),
    on(api.getTorrentStats, async () => {
      const { stats, topUsers, topNodes } = await countTorrentReports(ctx.db, new Date(ctx.now().getTime() - DAY_MS))
      return {
        stats,
        topUsers: topUsers.map((user) => ({ ...user, color: colorOf(user.username) })),
        topNodes: topNodes.map((node) => ({ ...node, color: colorOf(node.name) })),
      }
    }),
    on(api.truncateTorrentReports, (_, caller) =>
      write(ctx, caller, async (tx, record) => {
        await deleteTorrentReports(tx)
        record({ action: 'truncateTorrentReports', target: 'all' })
        return { records: [], total: 0 }
      }),
    ),
  ]
}

type Row = Awaited<ReturnType<typeof listTorrentReports>>['rows'][number]

function toRecord({ id, nodeId, userUuid, username, nodeUuid, nodeName, countryCode, createdAt, ...report }: Row) {
  return {
    id,
    userId: report.userId,
    nodeId,
    user: { uuid: userUuid, username },
    node: { uuid: nodeUuid, name: nodeName, countryCode },
    report: toReport(report),
    createdAt,
  }
}
