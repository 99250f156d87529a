import { sql } from 'kysely'
import type * as api from '@causeway/contract'
import type { BillingNode, BillingRecord, Input, Provider } from '@causeway/contract'
import type { Db } from '../../db/driver/connect.ts'
import { asSent, editColumns } from '../../db/edit-columns.ts'
import { readTimeZone } from '../../ground/installation.queries.ts'
import { monthBounds } from './infra-billing.rules.ts'

type ProviderEdit = Omit<Input<typeof api.updateInfraProvider>, 'uuid'>
type BillingNodeEdit = Omit<Input<typeof api.updateInfraBillingNode>, 'uuid' | 'uuids'>
type BillingRecordFields = Omit<Input<typeof api.createInfraBillingRecord>, 'providerUuid'>

/** The columns that an edit of a provider sets. */
export const providerColumns = editColumns<'infraProviders', ProviderEdit>({
  name: asSent,
  faviconLink: asSent,
  loginUrl: asSent,
})

export const billingNodeColumns = editColumns<'infraBillingNodes', BillingNodeEdit>({
  nextBillingAt: (at) => new Date(at),
})

export const billingRecordColumns = editColumns<'infraBillingRecords', BillingRecordFields>({
  // As text: the database rounds to cents in decimals.
  amount: String,
  billedAt: (at) => new Date(at),
})

// Money is added up by the database in decimals; a float appears only where a finished sum is written into the answer.

function providers(db: Db) {
  return db
    .selectFrom('infraProviders as provider')
    .select([
      'provider.uuid',
      'provider.name',
      'provider.faviconLink',
      'provider.loginUrl',
      'provider.createdAt',
      'provider.updatedAt',
    ])
    .select([
      sql<
        Provider['billingHistory']
      >`(select json_build_object('totalAmount', coalesce(sum(record."amount"), 0), 'totalBills', count(*))
        from "infraBillingRecords" record where record."providerId" = provider."id")`.as('billingHistory'),
      sql<Provider['billingNodes']>`coalesce((
        select json_agg(json_build_object('nodeUuid', node."uuid", 'name', node."name", 'countryCode', node."countryCode",
          'details', json_build_object('nodeUuid', node."uuid", 'countryCode', node."countryCode"))
          order by node."viewPosition", node."id")
        from "infraBillingNodes" bill join "nodes" node on node."id" = bill."nodeId"
        where bill."providerId" = provider."id"), '[]'::json)`.as('billingNodes'),
    ])
    .orderBy('provider.createdAt')
    .orderBy('provider.id')
}

export function listProviders(db: Db) {
  return providers(db).execute()
}

export function findProvider(db: Db, uuid: string) {
  return providers(db).where('provider.uuid', '=', uuid).executeTakeFirst()
}

export function findFaviconLink(db: Db, uuid: string) {
  return db.selectFrom('infraProviders').select('faviconLink').where('uuid', '=', uuid).executeTakeFirst()
}

/** Nodes to be paid for, the next bill first; those without any; and the figures of the month. */
export async function readBillingNodes(db: Db, now: Date) {
  const zone = await readTimeZone(db)
  const { today, monthStart, nextMonthStart } = monthBounds(now, zone)
  // One after the other: in a transaction they share a connection.
  const billingNodes = await listBillingNodes(db, zone)
  const availableBillingNodes = await listUnbilledNodes(db)
  const { rows } = await sql<{ upcoming: number; month: string; total: string }>`
    select
      (select count(*) from "infraBillingNodes" where "nextBillingOn" >= ${today} and "nextBillingOn" < ${nextMonthStart}) "upcoming",
      (select coalesce(sum("amount"), 0) from "infraBillingRecords"
        where "billedOn" >= ${monthStart} and "billedOn" < ${nextMonthStart}) "month",
      (select coalesce(sum("amount"), 0) from "infraBillingRecords") "total"
  `.execute(db)
  const [figures] = rows
  return {
    totalBillingNodes: billingNodes.length,
    billingNodes,
    availableBillingNodes,
    totalAvailableBillingNodes: availableBillingNodes.length,
    stats: {
      upcomingNodesCount: figures?.upcoming ?? 0,
      currentMonthPayments: Number(figures?.month ?? 0),
      totalSpent: Number(figures?.total ?? 0),
    },
  }
}

function listUnbilledNodes(db: Db) {
  return db
    .selectFrom('nodes')
    .select(['uuid', 'name', 'countryCode'])
    .where(sql<boolean>`not exists (select from "infraBillingNodes" bill where bill."nodeId" = "nodes"."id")`)
    .orderBy('viewPosition')
    .orderBy('id')
    .execute()
}

/** The instant as it was sent, unless the zone has changed since: then the beginning of the day that was meant. */
function instantOf(zone: string, at: string, on: string) {
  return sql<Date>`case when (${sql.ref(at)} at time zone ${zone})::date = ${sql.ref(on)} then ${sql.ref(at)}
    else ${sql.ref(on)}::timestamp at time zone ${zone} end`
}

function listBillingNodes(db: Db, zone: string) {
  return db
    .selectFrom('infraBillingNodes as bill')
    .innerJoin('infraProviders as provider', 'provider.id', 'bill.providerId')
    .innerJoin('nodes as node', 'node.id', 'bill.nodeId')
    .select(['bill.uuid', sql<null>`null`.as('name'), 'node.uuid as nodeUuid', 'provider.uuid as providerUuid'])
    .select(['bill.billingDay', 'bill.createdAt', 'bill.updatedAt'])
    .select(instantOf(zone, 'bill.nextBillingAt', 'bill.nextBillingOn').as('nextBillingAt'))
    .select([
      sql<BillingNode['provider']>`json_build_object('uuid', provider."uuid", 'name', provider."name",
        'loginUrl', provider."loginUrl", 'faviconLink', provider."faviconLink")`.as('provider'),
      sql<BillingNode['node']>`json_build_object('uuid', node."uuid", 'name', node."name", 'countryCode', node."countryCode")`.as(
        'node',
      ),
    ])
    .orderBy('bill.nextBillingOn')
    .orderBy('bill.nextBillingAt')
    .orderBy('bill.id')
    .execute()
}

export async function readHistory(db: Db, { start, size }: { start: number; size: number }) {
  const zone = await readTimeZone(db)
  const records = await db
    .selectFrom('infraBillingRecords as record')
    .innerJoin('infraProviders as provider', 'provider.id', 'record.providerId')
    .select(['record.uuid', 'provider.uuid as providerUuid', 'record.amount'])
    .select(instantOf(zone, 'record.billedAt', 'record.billedOn').as('billedAt'))
    .select(
      sql<BillingRecord['provider']>`json_build_object('uuid', provider."uuid", 'name', provider."name",
        'faviconLink', provider."faviconLink")`.as('provider'),
    )
    .orderBy('record.billedOn', 'desc')
    .orderBy('record.billedAt', 'desc')
    .orderBy('record.id', 'desc')
    .offset(start)
    .limit(size)
    .execute()
  const { total } = await db
    .selectFrom('infraBillingRecords')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return { records: records.map((record) => ({ ...record, amount: Number(record.amount) })), total }
}

/** Payments to each provider by month (YYYY-MM), from the first on and through the last. */
export async function listSpending(db: Db, first: string, last: string) {
  const { rows } = await sql<{ month: string; providerUuid: string; providerName: string; amount: string }>`
    select to_char(record."billedOn", 'YYYY-MM') "month", provider."uuid" "providerUuid",
      provider."name" "providerName", sum(record."amount") "amount"
    from "infraBillingRecords" record join "infraProviders" provider on provider."id" = record."providerId"
    where record."billedOn" >= ${`${first}-01`}::date and record."billedOn" < ${`${last}-01`}::date + interval '1 month'
    group by 1, provider."id"
    order by 1, provider."id"
  `.execute(db)
  return rows.map((row) => ({ ...row, amount: Number(row.amount) }))
}
