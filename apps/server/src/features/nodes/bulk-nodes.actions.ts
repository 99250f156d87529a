import { errors, type Input } from '@causeway/contract'
import type * as api from '@causeway/contract'
import type { Caller, Ctx } from '../../ctx.ts'
import { fail } from '../../http/errors.ts'
import { write } from '../audit/audit.actions.ts'
import { watchRows } from '../audit/rows.queries.ts'
import { resetNodeTraffic } from './node-traffic.queries.ts'
import { disableNode, editNode, enableNode, restartNode } from './nodes.actions.ts'
import { findNode, lockNode } from './nodes.queries.ts'

/** Counts the traffic of a node from zero, as its day of the month does. @throws nodeNotFound */
export function resetTrafficOf(ctx: Ctx, caller: Caller, uuid: string) {
  return write(ctx, caller, async (tx, record) => {
    const { id } = (await lockNode(tx, uuid)) ?? fail(errors.nodeNotFound)
    const rows = await watchRows(tx, 'nodeTraffic', [id])
    await resetNodeTraffic(tx, [{ id, day: null }], ctx.now())
    record({ action: 'resetNodeTraffic', target: uuid, rows })
    return { eventSent: true }
  })
}

type Action = Input<typeof api.bulkNodesAction>['action']

/** Each node by itself, so that one that cannot follow stops none of the others. */
export async function actOnNodes(ctx: Ctx, caller: Caller, uuids: string[], action: Action) {
  for (const { uuid, isDisabled } of await present(ctx, uuids)) {
    if (action === 'ENABLE') await enableNode(ctx, caller, uuid)
    if (action === 'DISABLE') await disableNode(ctx, caller, uuid)
    if (action === 'RESTART' && !isDisabled) await restartNode(ctx, caller, uuid)
    if (action === 'RESET_TRAFFIC') await resetTrafficOf(ctx, caller, uuid)
  }
  return { eventSent: true }
}

export async function editNodes(ctx: Ctx, caller: Caller, uuids: string[], edit: Omit<Input<typeof api.updateNode>, 'uuid'>) {
  for (const { uuid } of await present(ctx, uuids)) await editNode(ctx, caller, { ...edit, uuid })
  return { eventSent: true }
}

/** Each node once; those that are gone are passed over. */
async function present(ctx: Ctx, uuids: string[]) {
  const distinct = [...new Set(uuids.map((uuid) => uuid.toLowerCase()))]
  const found: { uuid: string; isDisabled: boolean }[] = []
  for (const uuid of distinct) found.push(...[await findNode(ctx.db, uuid)].filter((node) => node !== undefined))
  return found
}
