import { errors, type Input } from '@causeway/contract'
import type * as api from '@causeway/contract'
import type { Caller, Ctx } from '../../ctx.ts'
import type { Tx } from '../../db/connect.ts'
import { fail, refuseField } from '../../http/errors.ts'
import { write } from '../audit/audit.actions.ts'
import { findProvider, readBillingNodes, readHistory } from './infra-billing.queries.ts'
import { amountProblem, linkProblem, monthBounds, toPage } from './infra-billing.rules.ts'

type ProviderFields = Omit<Input<typeof api.updateInfraProvider>, 'uuid'>

export function createProvider(ctx: Ctx, caller: Caller, fields: Input<typeof api.createInfraProvider>) {
  refuseLinks(fields)
  return write(ctx, caller, async (tx, record) => {
    const now = ctx.now()
    const { uuid } =
      (await tx
        .insertInto('infraProviders')
        .values({ ...fields, createdAt: now, updatedAt: now })
        .onConflict((conflict) => conflict.column('name').doNothing())
        .returning('uuid')
        .executeTakeFirst()) ?? fail(errors.newProviderNameTaken)
    record({ action: 'createInfraProvider', target: uuid, after: fields })
    return (await findProvider(tx, uuid)) ?? fail(errors.createInfraProviderError)
  })
}

export function editProvider(ctx: Ctx, caller: Caller, { uuid, ...fields }: ProviderFields & { uuid: string }) {
  refuseLinks(fields)
  return write(ctx, caller, async (tx, record) => {
    const before = (await lockProvider(tx, uuid)) ?? fail(errors.providerGone)
    if (fields.name !== undefined && fields.name !== before.name && (await isNameTaken(tx, fields.name)))
      fail(errors.providerNameTaken)
    await tx
      .updateTable('infraProviders')
      .set({ ...fields, updatedAt: ctx.now() })
      .where('id', '=', before.id)
      .execute()
    const { id: _id, ...seen } = before
    record({ action: 'updateInfraProvider', target: uuid, before: seen, after: fields })
    return (await findProvider(tx, uuid)) ?? fail(errors.providerGone)
  })
}

/** With it go its billing nodes and records; its nodes stay, without provider. */
export function removeProvider(ctx: Ctx, caller: Caller, uuid: string) {
  return write(ctx, caller, async (tx, record) => {
    const { id, ...provider } = (await lockProvider(tx, uuid)) ?? fail(errors.providerGoneBeforeDelete)
    const billingNodes = await tx
      .selectFrom('infraBillingNodes as bill')
      .innerJoin('nodes as node', 'node.id', 'bill.nodeId')
      .select(['bill.uuid', 'node.uuid as nodeUuid', 'bill.nextBillingAt'])
      .where('bill.providerId', '=', id)
      .execute()
    const records = await tx
      .selectFrom('infraBillingRecords')
      .select(['uuid', 'amount', 'billedAt'])
      .where('providerId', '=', id)
      .execute()
    const nodes = await tx.selectFrom('nodes').select('uuid').where('providerId', '=', id).execute()
    await tx.deleteFrom('infraProviders').where('id', '=', id).execute()
    record({
      action: 'deleteInfraProvider',
      target: uuid,
      before: { ...provider, billingNodes, records, nodes: nodes.map((node) => node.uuid) },
    })
    return { isDeleted: true }
  })
}

export function createBillingNode(ctx: Ctx, caller: Caller, input: Input<typeof api.createInfraBillingNode>) {
  const { nextBillingAt } = input
  if (nextBillingAt === undefined) fail(errors.billingDateMissing)
  return write(ctx, caller, async (tx, record) => {
    const provider = (await lockProvider(tx, input.providerUuid)) ?? fail(errors.providerGoneForBillingNode)
    const node =
      (await tx.selectFrom('nodes').select('id').where('uuid', '=', input.nodeUuid).forShare().executeTakeFirst()) ??
      fail(errors.nodeGoneForBillingNode)
    const now = ctx.now()
    const { uuid } =
      (await tx
        .insertInto('infraBillingNodes')
        .values({
          nodeId: node.id,
          providerId: provider.id,
          nextBillingAt: new Date(nextBillingAt),
          createdAt: now,
          updatedAt: now,
        })
        .onConflict((conflict) => conflict.columns(['nodeId', 'providerId']).doNothing())
        .returning('uuid')
        .executeTakeFirst()) ?? fail(errors.billingNodeTaken)
    record({ action: 'createInfraBillingNode', target: uuid, after: input })
    return readBillingNodes(tx, monthBounds(now))
  })
}

export function editBillingNode(ctx: Ctx, caller: Caller, { uuid, nextBillingAt }: Input<typeof api.updateInfraBillingNode>) {
  return write(ctx, caller, async (tx, record) => {
    const before =
      (await tx
        .selectFrom('infraBillingNodes')
        .select('nextBillingAt')
        .where('uuid', '=', uuid)
        .forUpdate()
        .executeTakeFirst()) ?? fail(errors.billingNodeGone)
    const now = ctx.now()
    const next = new Date(nextBillingAt)
    await tx.updateTable('infraBillingNodes').set({ nextBillingAt: next, updatedAt: now }).where('uuid', '=', uuid).execute()
    record({ action: 'updateInfraBillingNode', target: uuid, before, after: { nextBillingAt: next } })
    return readBillingNodes(tx, monthBounds(now))
  })
}

export function removeBillingNode(ctx: Ctx, caller: Caller, uuid: string) {
  return write(ctx, caller, async (tx, record) => {
    const before =
      (await tx
        .deleteFrom('infraBillingNodes as bill')
        .using(['nodes as node', 'infraProviders as provider'])
        .whereRef('node.id', '=', 'bill.nodeId')
        .whereRef('provider.id', '=', 'bill.providerId')
        .where('bill.uuid', '=', uuid)
        .returning(['node.uuid as nodeUuid', 'provider.uuid as providerUuid', 'bill.nextBillingAt'])
        .executeTakeFirst()) ?? fail(errors.billingNodeGoneBeforeDelete)
    record({ action: 'deleteInfraBillingNode', target: uuid, before })
    return readBillingNodes(tx, monthBounds(ctx.now()))
  })
}

export function createBillingRecord(ctx: Ctx, caller: Caller, input: Input<typeof api.createInfraBillingRecord>) {
  const problem = amountProblem(input.amount)
  if (problem !== undefined) refuseField('amount', problem)
  return write(ctx, caller, async (tx, record) => {
    const provider = (await lockProvider(tx, input.providerUuid)) ?? fail(errors.providerGoneForRecord)
    const { uuid } = await tx
      .insertInto('infraBillingRecords')
      // As text: the database rounds to cents in decimals.
      .values({ providerId: provider.id, amount: String(input.amount), billedAt: new Date(input.billedAt) })
      .returning('uuid')
      .executeTakeFirstOrThrow()
    record({ action: 'createInfraBillingRecord', target: uuid, after: input })
    return readHistory(tx, FIRST_PAGE)
  })
}

export function removeBillingRecord(ctx: Ctx, caller: Caller, uuid: string) {
  return write(ctx, caller, async (tx, record) => {
    const before =
      (await tx
        .deleteFrom('infraBillingRecords as record')
        .using('infraProviders as provider')
        .whereRef('provider.id', '=', 'record.providerId')
        .where('record.uuid', '=', uuid)
        .returning(['provider.uuid as providerUuid', 'record.amount', 'record.billedAt'])
        .executeTakeFirst()) ?? fail(errors.billingRecordGone)
    record({ action: 'deleteInfraBillingRecord', target: uuid, before })
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

function refuseLinks(fields: Pick<ProviderFields, 'faviconLink' | 'loginUrl'>): void {
  for (const name of ['faviconLink', 'loginUrl'] as const) {
    const link = fields[name]
    const problem = link ? linkProblem(link) : undefined
    if (problem !== undefined) refuseField(name, problem)
  }
}
