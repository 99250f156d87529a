import { errors } from '@causeway/contract'
import * as api from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { fail } from '../../http/errors.ts'
import { on, type Route } from '../../http/mount.ts'
import { withOnline, type ReadOnline } from '../../ground/online.queries.ts'
import { sharedRead } from '../../lib/shared-read.ts'
import { actOnNodes, editNodes, resetTrafficOf } from './bulk-nodes.actions.ts'
import {
  createNode,
  disableNode,
  editNode,
  enableNode,
  makeNodePublicKey,
  removeNode,
  reorderNodes,
  restartAllNodes,
  restartNode,
} from './nodes.actions.ts'
import { countWaitingUsers, findRequests } from './node-deliveries.queries.ts'
import { readNodeLog } from './node-log.actions.ts'
import { listPhases } from './node-phases.queries.ts'
import { findNode, listNodes } from './nodes.queries.ts'
import { deliveryHold } from './nodes.rules.ts'

export function nodesRoutes(ctx: Ctx, online: ReadOnline): Route[] {
  const shown = async <One extends { uuid: string }>(node: Promise<One>) => withOnline(await node, await online())
  const allShown = async <One extends { uuid: string }>(nodes: Promise<One[]>) => {
    const [list, count] = await Promise.all([nodes, online()])
    return list.map((node) => withOnline(node, count))
  }
  const find = async (uuid: string) => (await findNode(ctx.db, uuid)) ?? fail(errors.nodeNotFound)
  return [
    on(
      api.listNodes,
      sharedRead(() => allShown(listNodes(ctx.db))),
    ),
    on(api.getNode, ({ uuid }) => shown(find(uuid))),
    on(api.listNodePhases, async ({ uuid }) => {
      await find(uuid)
      const now = ctx.now()
      return { now: now.toISOString(), phases: await listPhases(ctx.db, uuid, now) }
    }),
    on(api.getNodeDeliveries, ({ uuid }) => readDeliveries(ctx, uuid)),
    on(api.getNodeLog, ({ uuid, log }) => readNodeLog(ctx, uuid, log)),
    on(api.createNode, (node, caller) => shown(createNode(ctx, caller, node))),
    on(api.updateNode, (edit, caller) => shown(editNode(ctx, caller, edit))),
    on(api.deleteNode, ({ uuid }, caller) => removeNode(ctx, caller, uuid)),
    on(api.enableNode, ({ uuid }, caller) => shown(enableNode(ctx, caller, uuid))),
    on(api.disableNode, ({ uuid }, caller) => shown(disableNode(ctx, caller, uuid))),
    on(api.restartNode, ({ uuid }, caller) => restartNode(ctx, caller, uuid)),
    on(api.restartAllNodes, ({ forceRestart }, caller) => restartAllNodes(ctx, caller, forceRestart ?? false)),
    on(api.reorderNodes, ({ nodes }, caller) => allShown(reorderNodes(ctx, caller, nodes))),
    on(api.resetNodeTraffic, ({ uuid }, caller) => resetTrafficOf(ctx, caller, uuid)),
    on(api.bulkNodesAction, ({ uuids, action }, caller) => actOnNodes(ctx, caller, uuids, action)),
    on(api.bulkNodesProfile, ({ uuids, configProfile }, caller) => editNodes(ctx, caller, uuids, { configProfile })),
    on(api.bulkUpdateNodes, ({ uuids, fields }, caller) => editNodes(ctx, caller, uuids, fields)),
    on(api.getNodePublicKey, () => makeNodePublicKey(ctx)),
  ]
}

async function readDeliveries({ db }: Ctx, uuid: string) {
  const node = (await findRequests(db, uuid)) ?? fail(errors.nodeNotFound)
  const users = await countWaitingUsers(db, node.id)
  const asked = (since: Date | null) => since && { since }
  const waiting = {
    configuration: asked(node.startRequestedAt),
    stop: asked(node.stopRequestedAt),
    allUsers: asked(node.compareRequestedAt),
    filters: asked(node.filtersRequestedAt),
    filterProblem: node.filterProblem,
    part: node.part,
    single: users,
  }
  const isWhole = [waiting.configuration, waiting.stop, waiting.allUsers, waiting.filters, node.part].some((one) => one !== null)
  const isAnythingDue = isWhole || users.since !== null
  return { hold: deliveryHold({ ...node, isAnythingDue, isAnythingRefused: users.problems.length > 0 }), ...waiting }
}
