import type * as api from '@causeway/contract'
import type { Input } from '@causeway/contract'
import type { Caller, Ctx } from '../../ctx.ts'
import type { Tx } from '../../db/connect.ts'
import { fail, refuseField } from '../../http/errors.ts'
import { write } from '../audit/audit.actions.ts'
import { findProvider, readBillingNodes, readHistory } from './infra-billing.queries.ts'
import { amountProblem, linkProblem, monthBounds, toPage } from './infra-billing.rules.ts'

// Taken names and unknown things answer with the codes of the wire and the statuses that its advice names (wire reference 10).

const TAKEN_NAME = { status: 409, message: 'A provider of this name exists already. Choose another name.' }
const NO_PROVIDER = { status: 404, message: 'This provider does not exist any more. Reload the page.' }
const NO_BILLING_NODE = { status: 404, message: 'This billing node does not exist any more. Reload the page.' }
const NO_RECORD = { status: 404, message: 'This billing record does not exist any more. Reload the page.' }

type ProviderFields = Omit<Input<typeof api.updateInfraProvider>, 'uuid'>

/** @throws A130 (name taken) */
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
        .executeTakeFirst()) ?? fail('A130', TAKEN_NAME)
    record({ action: 'createInfraProvider', target: uuid, after: fields })
    return (await findProvider(tx, uuid)) ?? fail('A130')
  })
}

/** @throws A131 (unknown, or name taken) */
export function editProvider(ctx: Ctx, caller: Caller, { uuid, ...fields }: ProviderFields & { uuid: string }) {
  refuseLinks(fields)
  return write(ctx, caller, async (tx, record) => {
    const before = (await lockProvider(tx, uuid)) ?? fail('A131', NO_PROVIDER)
    if (fields.name !== undefined && fields.name !== before.name && (await isNameTaken(tx, fields.name))) fail('A131', TAKEN_NAME)
    await tx
      .updateTable('infraProviders')
      .set({ ...fields, updatedAt: ctx.now() })
      .where('id', '=', before.id)
      .execute()
    const { id: _id, ...seen } = before
    record({ action: 'updateInfraProvider', target: uuid, before: seen, after: fields })
    return (await findProvider(tx, uuid)) ?? fail('A131', NO_PROVIDER)
  })
}

/** With it go its billing nodes and records; its nodes stay, without provider. @throws A129 (unknown) */
export function removeProvider(ctx: Ctx, caller: Caller, uuid: string) {
  return write(ctx, caller, async (tx, record) => {
    const { id, ...provider } = (await lockProvider(tx, uuid)) ?? fail('A129', NO_PROVIDER)
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

/** @throws A137 (no date, unknown provider or node, or this node has a bill of this provider already) */
export function createBillingNode(ctx: Ctx, caller: Caller, input: Input<typeof api.createInfraBillingNode>) {
  const { nextBillingAt } = input
  if (nextBillingAt === undefined) fail('A137', { status: 400, message: 'A billing node needs the date of its next bill.' })
  return write(ctx, caller, async (tx, record) => {
    const provider = (await lockProvider(tx, input.providerUuid)) ?? fail('A137', NO_PROVIDER)
    const node =
      (await tx.selectFrom('nodes').select('id').where('uuid', '=', input.nodeUuid).forShare().executeTakeFirst()) ??
      fail('A137', { status: 404, message: 'This node does not exist any more. Reload the page.' })
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
        .executeTakeFirst()) ??
      fail('A137', { status: 409, message: 'This node has a bill of this provider already. Change the date of that one.' })
    record({ action: 'createInfraBillingNode', target: uuid, after: input })
    return readBillingNodes(tx, monthBounds(now))
  })
}

/** @throws A136 (unknown) */
export function editBillingNode(ctx: Ctx, caller: Caller, { uuid, nextBillingAt }: Input<typeof api.updateInfraBillingNode>) {
  return write(ctx, caller, async (tx, record) => {
    const before =
      (await tx
        .selectFrom('infraBillingNodes')
        .select('nextBillingAt')
        .where('uuid', '=', uuid)
        .forUpdate()
        .executeTakeFirst()) ?? fail('A136', NO_BILLING_NODE)
    const now = ctx.now()
    const next = new Date(nextBillingAt)
    await tx.updateTable('infraBillingNodes').set({ nextBillingAt: next, updatedAt: now }).where('uuid', '=', uuid).execute()
    record({ action: 'updateInfraBillingNode', target: uuid, before, after: { nextBillingAt: next } })
    return readBillingNodes(tx, monthBounds(now))
  })
}

/** @throws A138 (unknown) */
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
        .executeTakeFirst()) ?? fail('A138', NO_BILLING_NODE)
    record({ action: 'deleteInfraBillingNode', target: uuid, before })
    return readBillingNodes(tx, monthBounds(ctx.now()))
  })
}

/** @throws A132 (unknown provider) */
export function createBillingRecord(ctx: Ctx, caller: Caller, input: Input<typeof api.createInfraBillingRecord>) {
  const problem = amountProblem(input.amount)
  if (problem !== undefined) refuseField('amount', problem)
  return write(ctx, caller, async (tx, record) => {
    const provider = (await lockProvider(tx, input.providerUuid)) ?? fail('A132', NO_PROVIDER)
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

/** @throws A134 (unknown) */
export function removeBillingRecord(ctx: Ctx, caller: Caller, uuid: string) {
  return write(ctx, caller, async (tx, record) => {
    const before =
      (await tx
        .deleteFrom('infraBillingRecords as record')
        .using('infraProviders as provider')
        .whereRef('provider.id', '=', 'record.providerId')
        .where('record.uuid', '=', uuid)
        .returning(['provider.uuid as providerUuid', 'record.amount', 'record.billedAt'])
        .executeTakeFirst()) ?? fail('A134', NO_RECORD)
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
