import * as api from '@causeway/contract'
import { errors, REMARK_MAX_LENGTH, type HistoryAction, type Input } from '@causeway/contract'
import type { Caller, Ctx } from '../../ctx.ts'
import type { Tx } from '../../db/driver/connect.ts'
import { fail, refuseField } from '../../http/errors.ts'
import { write } from '../audit/audit.actions.ts'
import { madeRows, watchRows } from '../audit/rows.queries.ts'
import { refuseAdditions } from './additions.actions.ts'
import {
  copyHost,
  findHost,
  findInboundOfProfile,
  hostColumns,
  listHosts,
  replaceHostNodes,
  setHostPositions,
} from './hosts.queries.ts'

type InboundRef = Input<typeof api.createHost>['inbound']
type HostEdit = Omit<Input<typeof api.updateHost>, 'uuid'>

/** A time says that it is disabled until then. */
function withTime<Fields extends { disabledUntil?: string | null | undefined }>(fields: Fields) {
  return { ...fields, ...(fields.disabledUntil ? { isDisabled: true } : {}) }
}

export function createHost(ctx: Ctx, caller: Caller, { inbound, nodes, ...fields }: Input<typeof api.createHost>) {
  return write(ctx, caller, async (tx, record) => {
    const { id, uuid } = await tx
      .insertInto('hosts')
      .values({
        ...hostColumns(fields),
        ...(await inboundIds(tx, inbound)),
      })
      .returning(['id', 'uuid'])
      .executeTakeFirstOrThrow()
    if (nodes) await replaceHostNodes(tx, uuid, nodes)
    await refuseAdditions(tx, [uuid], fields)
    const host = await findHost(tx, uuid)
    record({ action: 'createHost', target: uuid, rows: madeRows('host', [id]) })
    return host ?? fail(errors.createHostError)
  })
}

/** @throws hostNotFound */
export function cloneHost(ctx: Ctx, caller: Caller, uuid: string) {
  return write(ctx, caller, async (tx, record) => {
    const { remark } = (await findHost(tx, uuid)) ?? fail(errors.hostNotFound)
    const { id, uuid: made } = (await copyHost(tx, uuid, cloneRemark(remark))) ?? fail(errors.hostNotFound)
    record({ action: 'createHost', target: made, rows: madeRows('host', [id]) })
    return (await findHost(tx, made)) ?? fail(errors.hostNotFound)
  })
}

/** Within the bound of remarks; no flag is cut in two. */
function cloneRemark(remark: string): string {
  const signs = [...new Intl.Segmenter().segment(`Clone of ${remark}`)].map(({ segment }) => segment)
  return signs.reduce((text, sign) => (text.length + sign.length > REMARK_MAX_LENGTH ? text : text + sign), '')
}

export function editHost(ctx: Ctx, caller: Caller, { uuid, inbound, nodes, ...fields }: HostEdit & { uuid: string }) {
  if (fields.disabledUntil && new Date(fields.disabledUntil) <= ctx.now()) refuseField('disabledUntil', 'must lie in the future')
  return write(ctx, caller, async (tx, record) => {
    const rows = await holdHosts(tx, [uuid])
    if (!(await findHost(tx, uuid))) fail(errors.hostNotFound)
    const changes = { ...hostColumns(withTime(fields)), ...(inbound ? await inboundIds(tx, inbound) : {}) }
    if (Object.keys(changes).length > 0) await tx.updateTable('hosts').set(changes).where('uuid', '=', uuid).execute()
    if (nodes) await replaceHostNodes(tx, uuid, nodes)
    await refuseAdditions(tx, [uuid], fields)
    const after = (await findHost(tx, uuid)) ?? fail(errors.hostNotFound)
    record({ action: 'updateHost', target: uuid, rows })
    return after
  })
}

/** Sets the same on each of them in one transaction; unknown ones are passed over. Gives the whole list. */
export function editHosts(ctx: Ctx, caller: Caller, uuids: string[], { inbound, nodes, ...fields }: HostEdit) {
  return write(ctx, caller, async (tx, record) => {
    const rows = await holdHosts(tx, uuids)
    const changes = { ...hostColumns(withTime(fields)), ...(inbound ? await inboundIds(tx, inbound) : {}) }
    if (uuids.length > 0 && Object.keys(changes).length > 0)
      await tx.updateTable('hosts').set(changes).where('uuid', 'in', uuids).execute()
    if (nodes) for (const uuid of uuids) await replaceHostNodes(tx, uuid, nodes)
    await refuseAdditions(tx, uuids, fields)
    record({ action: 'bulkUpdateHosts', target: `${uuids.length} hosts`, rows })
    return listHosts(tx)
  })
}

export function removeHost(ctx: Ctx, caller: Caller, uuid: string) {
  return write(ctx, caller, async (tx, record) => {
    const rows = await holdHosts(tx, [uuid])
    if (!(await findHost(tx, uuid))) fail(errors.hostNotFound)
    await tx.deleteFrom('hosts').where('uuid', '=', uuid).execute()
    record({ action: 'deleteHost', target: uuid, rows })
    return { isDeleted: true }
  })
}

export function reorderHosts(ctx: Ctx, caller: Caller, hosts: Input<typeof api.reorderHosts>['hosts']) {
  return write(ctx, caller, async (tx, record) => {
    const rows = await holdHosts(
      tx,
      hosts.map((host) => host.uuid),
    )
    await setHostPositions(tx, hosts)
    record({ action: 'reorderHosts', target: `${hosts.length} hosts`, rows })
    return { isUpdated: true }
  })
}

/** Changes many hosts at once; unknown ones are skipped. Gives the whole list, as the wire wants. */
export function changeHosts(
  ctx: Ctx,
  caller: Caller,
  action: HistoryAction,
  uuids: string[],
  changes: { isDisabled: boolean } | { port: number } | InboundRef,
) {
  return write(ctx, caller, async (tx, record) => {
    const columns = 'configProfileUuid' in changes ? await inboundIds(tx, changes) : changes
    const rows = await holdHosts(tx, uuids)
    if (uuids.length > 0) await tx.updateTable('hosts').set(columns).where('uuid', 'in', uuids).execute()
    record({ action, target: `${uuids.length} hosts`, rows })
    return listHosts(tx)
  })
}

export function removeHosts(ctx: Ctx, caller: Caller, uuids: string[]) {
  return write(ctx, caller, async (tx, record) => {
    const rows = await holdHosts(tx, uuids)
    if (uuids.length > 0) await tx.deleteFrom('hosts').where('uuid', 'in', uuids).execute()
    record({ action: 'bulkDeleteHosts', target: `${uuids.length} hosts`, rows })
    return listHosts(tx)
  })
}

/** The hosts for the audit entry; they are locked against concurrent changes. */
async function holdHosts(tx: Tx, uuids: string[]) {
  const hosts =
    uuids.length > 0
      ? await tx.selectFrom('hosts').select('id').where('uuid', 'in', uuids).orderBy('id').forUpdate().execute()
      : []
  const ids = hosts.map((host) => host.id)
  return watchRows(tx, 'host', ids)
}

async function inboundIds(tx: Tx, { configProfileUuid, configProfileInboundUuid }: InboundRef) {
  const { configProfileId, configProfileInboundId } =
    (await findInboundOfProfile(tx, configProfileUuid, configProfileInboundUuid)) ?? fail(errors.configProfileNotFound)
  if (configProfileInboundId === null) fail(errors.configProfileInboundNotFoundInSpecifiedProfile)
  return { configProfileId, configProfileInboundId }
}
