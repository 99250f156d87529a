import { errors, type Input } from '@causeway/contract'
import type * as api from '@causeway/contract'
import type { Caller, Ctx } from '../../ctx.ts'
import type { Tx } from '../../db/driver/connect.ts'
import { holdTimeZone } from '../../ground/installation.queries.ts'
import { fail, refuseField, refuseFields } from '../../http/errors.ts'
import { write } from '../audit/audit.actions.ts'
import { madeRows, watchRows } from '../audit/rows.queries.ts'
import {
  billingNodeColumns,
  billingRecordColumns,
  findProvider,
  providerColumns,
  readBillingNodes,
  readHistory,
} from './infra-billing.queries.ts'
import { amountProblem, linkProblem, nameProblem, toPage } from './infra-billing.rules.ts'

type ProviderFields = Omit<Input<typeof api.updateInfraProvider>, 'uuid'>

export function createProvider(ctx: Ctx, caller: Caller, fields: Input<typeof api.createInfraProvider>) {
  refuseTexts(fields)
  return write(ctx, caller, async (tx, record) => {
    const now = ctx.now()
    const { id, uuid } =
      (await tx
        .insertInto('infraProviders')
        .values({ ...providerColumns(fields), createdAt: now, updatedAt: now })
        .onConflict((conflict) => conflict.column('name').doNothing())
        .returning(['id', 'uuid'])
        .executeTakeFirst()) ?? fail(errors.newProviderNameTaken)
    record({ action: 'createInfraProvider', target: uuid, rows: madeRows('provider', [id]) })
    return (await findProvider(tx, uuid)) ?? fail(errors.createInfraProviderError)
  })
}

export function editProvider(ctx: Ctx, caller: Caller, { uuid, ...fields }: ProviderFields & { uuid: string }) {
  refuseTexts(fields)
  return write(ctx, caller, async (tx, record) => {
    const before = (await lockProvider(tx, uuid)) ?? fail(errors.providerGone)
    if (fields.name !== undefined && fields.name !== before.name && (await isNameTaken(tx, fields.name)))
      fail(errors.providerNameTaken)
    const rows = await watchRows(tx, 'provider', [before.id])
    await tx
      .updateTable('infraProviders')
      .set({ ...providerColumns(fields), updatedAt: ctx.now() })
      .where('id', '=', before.id)
      .execute()
    record({ action: 'updateInfraProvider', target: uuid, rows })
    return (await findProvider(tx, uuid)) ?? fail(errors.providerGone)
  })
}

/** With it go its billing nodes and records; its nodes stay, without provider. */
export function removeProvider(ctx: Ctx, caller: Caller, uuid: string) {
  return write(ctx, caller, async (tx, record) => {
    const { id } = (await lockProvider(tx, uuid)) ?? fail(errors.providerGoneBeforeDelete)
    const rows = await watchRows(tx, 'provider', [id])
    await tx.deleteFrom('infraProviders').where('id', '=', id).execute()
    record({ action: 'deleteInfraProvider', target: uuid, rows })
    return { isDeleted: true }
  })
}

export function createBillingNode(
  ctx: Ctx,
  caller: Caller,
  { nodeUuid, providerUuid, ...fields }: Input<typeof api.createInfraBillingNode>,
) {
  const { nextBillingAt } = fields
  if (nextBillingAt === undefined) fail(errors.billingDateMissing)
  return write(ctx, caller, async (tx, record) => {
    const provider = (await lockProvider(tx, providerUuid)) ?? fail(errors.providerGoneForBillingNode)
    const node =
      (await tx.selectFrom('nodes').select('id').where('uuid', '=', nodeUuid).forShare().executeTakeFirst()) ??
      fail(errors.nodeGoneForBillingNode)
    const now = ctx.now()
    await holdTimeZone(tx)
    const { uuid } =
      (await tx
        .insertInto('infraBillingNodes')
        .values({
          nodeId: node.id,
          providerId: provider.id,
          ...billingNodeColumns(fields),
          nextBillingAt: new Date(nextBillingAt),
          createdAt: now,
          updatedAt: now,
        })
        .onConflict((conflict) => conflict.columns(['nodeId', 'providerId']).doNothing())
        .returning('uuid')
        .executeTakeFirst()) ?? fail(errors.billingNodeTaken)
    record({ action: 'createInfraBillingNode', target: uuid, rows: madeRows('billingNode', [uuid]) })
    return readBillingNodes(tx, now)
  })
}

export function editBillingNode(
  ctx: Ctx,
  caller: Caller,
  { uuid, uuids: several, ...edit }: Input<typeof api.updateInfraBillingNode>,
) {
  const named = uuid === undefined ? (several ?? refuseField('uuid', 'is required, or uuids')) : [uuid]
  const uuids = [...new Set(named.map((each) => each.toLowerCase()))].toSorted()
  return write(ctx, caller, async (tx, record) => {
    const held = tx.selectFrom('infraBillingNodes').select('id').where('uuid', 'in', uuids).orderBy('id').forUpdate()
    if ((await held.execute()).length < uuids.length) fail(errors.billingNodeGone)
    const rows = await watchRows(tx, 'billingNode', uuids)
    const now = ctx.now()
    await holdTimeZone(tx)
    await tx
      .updateTable('infraBillingNodes')
      .set({ ...billingNodeColumns(edit), updatedAt: now })
      .where('uuid', 'in', uuids)
      .execute()
    record({ action: 'updateInfraBillingNode', target: uuids.join(', '), rows })
    return readBillingNodes(tx, now)
  })
}

export function removeBillingNode(ctx: Ctx, caller: Caller, uuid: string) {
  return write(ctx, caller, async (tx, record) => {
    const rows = await watchRows(tx, 'billingNode', [uuid])
    const deleted = await tx.deleteFrom('infraBillingNodes').where('uuid', '=', uuid).returning('id').executeTakeFirst()
    if (!deleted) fail(errors.billingNodeGoneBeforeDelete)
    record({ action: 'deleteInfraBillingNode', target: uuid, rows })
    return readBillingNodes(tx, ctx.now())
  })
}

export function createBillingRecord(
  ctx: Ctx,
  caller: Caller,
  { providerUuid, ...fields }: Input<typeof api.createInfraBillingRecord>,
) {
  const problem = amountProblem(fields.amount)
  if (problem !== undefined) refuseField('amount', problem)
  return write(ctx, caller, async (tx, record) => {
    const provider = (await lockProvider(tx, providerUuid)) ?? fail(errors.providerGoneForRecord)
    await holdTimeZone(tx)
    const { uuid } = await tx
      .insertInto('infraBillingRecords')
      .values({ providerId: provider.id, ...billingRecordColumns(fields) })
      .returning('uuid')
      .executeTakeFirstOrThrow()
    record({ action: 'createInfraBillingRecord', target: uuid, rows: madeRows('billingRecord', [uuid]) })
    return readHistory(tx, FIRST_PAGE)
  })
}

export function removeBillingRecord(ctx: Ctx, caller: Caller, uuid: string) {
  return write(ctx, caller, async (tx, record) => {
    const rows = await watchRows(tx, 'billingRecord', [uuid])
    const deleted = await tx.deleteFrom('infraBillingRecords').where('uuid', '=', uuid).returning('id').executeTakeFirst()
    if (!deleted) fail(errors.billingRecordGone)
    record({ action: 'deleteInfraBillingRecord', target: uuid, rows })
    return readHistory(tx, FIRST_PAGE)
  })
}

const FIRST_PAGE = toPage({})

function lockProvider(tx: Tx, uuid: string) {
  return tx
    .selectFrom('infraProviders')
    .select(['id', 'name', 'faviconLink', 'loginUrl'])
    .where('uuid', '=', uuid)
    .forUpdate()
    .executeTakeFirst()
}

async function isNameTaken(tx: Tx, name: string): Promise<boolean> {
  return (await tx.selectFrom('infraProviders').select('id').where('name', '=', name).executeTakeFirst()) !== undefined
}

/** Names every field that is wrong, so that none is found out only after another. */
function refuseTexts(fields: ProviderFields): void {
  const problems = {
    name: fields.name === undefined ? undefined : nameProblem(fields.name),
    faviconLink: fields.faviconLink ? linkProblem(fields.faviconLink) : undefined,
    loginUrl: fields.loginUrl ? linkProblem(fields.loginUrl) : undefined,
  }
  refuseFields(problems)
}
