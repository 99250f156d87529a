import * as api from '@causeway/contract'
import { errors, type Input } from '@causeway/contract'
import type { Caller, Ctx } from '../../ctx.ts'
import type { Tx } from '../../db/connect.ts'
import { fail } from '../../http/errors.ts'
import { write } from '../audit/audit.actions.ts'
import { findHost, findInboundOfProfile, listHosts, replaceHostNodes, setHostPositions } from './hosts.queries.ts'
import { hostColumns } from './hosts.rules.ts'

type InboundRef = Input<typeof api.createHost>['inbound']
type HostEdit = Omit<Input<typeof api.updateHost>, 'uuid'>

export function createHost(ctx: Ctx, caller: Caller, { inbound, nodes, ...fields }: Input<typeof api.createHost>) {
  return write(ctx, caller, async (tx, record) => {
    const { uuid } = await tx
      .insertInto('hosts')
      .values({
        ...hostColumns(fields),
        remark: fields.remark,
        address: fields.address.trim(),
        port: fields.port,
        ...(await inboundIds(tx, inbound)),
      })
      .returning('uuid')
      .executeTakeFirstOrThrow()
    if (nodes) await replaceHostNodes(tx, uuid, nodes)
    const host = await findHost(tx, uuid)
    record({ action: 'createHost', target: uuid, after: host })
    return host ?? fail(errors.createHostError)
  })
}

export function editHost(ctx: Ctx, caller: Caller, { uuid, inbound, nodes, ...fields }: HostEdit & { uuid: string }) {
  return write(ctx, caller, async (tx, record) => {
    await tx.selectFrom('hosts').select('id').where('uuid', '=', uuid).forUpdate().executeTakeFirst()
    const before = (await findHost(tx, uuid)) ?? fail(errors.hostNotFound)
    const changes = { ...hostColumns(fields), ...(inbound ? await inboundIds(tx, inbound) : {}) }
    if (Object.keys(changes).length > 0) await tx.updateTable('hosts').set(changes).where('uuid', '=', uuid).execute()
    if (nodes) await replaceHostNodes(tx, uuid, nodes)
    const after = (await findHost(tx, uuid)) ?? fail(errors.hostNotFound)
    record({ action: 'updateHost', target: uuid, before, after })
    return after
  })
}

export function removeHost(ctx: Ctx, caller: Caller, uuid: string) {
  return write(ctx, caller, async (tx, record) => {
    const before = (await findHost(tx, uuid)) ?? fail(errors.hostNotFound)
    await tx.deleteFrom('hosts').where('uuid', '=', uuid).execute()
    record({ action: 'deleteHost', target: uuid, before })
    return { isDeleted: true }
  })
}

export function reorderHosts(ctx: Ctx, caller: Caller, hosts: Input<typeof api.reorderHosts>['hosts']) {
  return write(ctx, caller, async (tx, record) => {
    await setHostPositions(tx, hosts)
    record({ action: 'reorderHosts', target: `${hosts.length} hosts`, after: hosts })
    return { isUpdated: true }
  })
}

/** Changes many hosts at once; unknown ones are skipped. Gives the whole list, as the wire wants. */
export function changeHosts(
  ctx: Ctx,
  caller: Caller,
  action: string,
  uuids: string[],
  changes: { isDisabled: boolean } | { port: number } | InboundRef,
) {
  return write(ctx, caller, async (tx, record) => {
    const columns = 'configProfileUuid' in changes ? await inboundIds(tx, changes) : changes
    if (uuids.length > 0) await tx.updateTable('hosts').set(columns).where('uuid', 'in', uuids).execute()
    record({ action, target: `${uuids.length} hosts`, after: { uuids, ...changes } })
    return listHosts(tx)
  })
}

export function removeHosts(ctx: Ctx, caller: Caller, uuids: string[]) {
  return write(ctx, caller, async (tx, record) => {
    const before =
      uuids.length > 0
        ? await tx.deleteFrom('hosts').where('uuid', 'in', uuids).returning(['uuid', 'remark', 'address', 'port']).execute()
        : []
    record({ action: 'bulkDeleteHosts', target: `${before.length} hosts`, before })
    return listHosts(tx)
  })
}

async function inboundIds(tx: Tx, { configProfileUuid, configProfileInboundUuid }: InboundRef) {
  const { configProfileId, configProfileInboundId } =
    (await findInboundOfProfile(tx, configProfileUuid, configProfileInboundUuid)) ?? fail(errors.configProfileNotFound)
  if (configProfileInboundId === null) fail(errors.configProfileInboundNotFoundInSpecifiedProfile)
  return { configProfileId, configProfileInboundId }
}
