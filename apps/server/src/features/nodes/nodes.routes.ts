import { errors } from '@causeway/contract'
import * as api from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { fail } from '../../http/errors.ts'
import { on, type Route } from '../../http/mount.ts'
import { sharedRead } from '../../lib/shared-read.ts'
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
import { findNode, listNodes } from './nodes.queries.ts'

export function nodesRoutes(ctx: Ctx): Route[] {
  return [
    on(
      api.listNodes,
      sharedRead(() => listNodes(ctx.db)),
    ),
    on(api.getNode, async ({ uuid }) => (await findNode(ctx.db, uuid)) ?? fail(errors.nodeNotFound)),
    on(api.createNode, (node, caller) => createNode(ctx, caller, node)),
    on(api.updateNode, (edit, caller) => editNode(ctx, caller, edit)),
    on(api.deleteNode, ({ uuid }, caller) => removeNode(ctx, caller, uuid)),
    on(api.enableNode, ({ uuid }, caller) => enableNode(ctx, caller, uuid)),
    on(api.disableNode, ({ uuid }, caller) => disableNode(ctx, caller, uuid)),
    on(api.restartNode, ({ uuid }, caller) => restartNode(ctx, caller, uuid)),
    on(api.restartAllNodes, ({ forceRestart }, caller) => restartAllNodes(ctx, caller, forceRestart ?? false)),
    on(api.reorderNodes, ({ nodes }, caller) => reorderNodes(ctx, caller, nodes)),
    on(api.getNodePublicKey, () => makeNodePublicKey(ctx)),
  ]
}
