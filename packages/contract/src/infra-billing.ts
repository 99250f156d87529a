import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { later } from './generations.ts'
import { queryNumber, wireDateTime, wireInstant, wireList, wireUrl, wireUuid } from './wire.ts'

/** Bounds of a payment that is not zero: some months are free. The upper bound is one cent below the database's limit. */
export const PAYMENT_BOUNDS = { least: 0.01, most: 999_999_999_999.99 }

/** A company that rents out servers. */
export const partialProvider = z.object({
  uuid: wireUuid,
  name: z.string(),
  faviconLink: z.string().nullable(),
  loginUrl: z.string().nullable(),
  createdAt: wireInstant,
  updatedAt: wireInstant,
})
const nodeLabel = z.object({ name: z.string(), countryCode: z.string() })

export const provider = partialProvider.extend({
  billingHistory: z.object({ totalAmount: z.number(), totalBills: z.number() }),
  billingNodes: z.array(
    nodeLabel.extend({
      nodeUuid: wireUuid,
      details: later('2.8', z.object({ nodeUuid: wireUuid, countryCode: z.string() }).nullable()),
    }),
  ),
})
export type Provider = z.output<typeof provider>

export const billingRecord = z.object({
  uuid: wireUuid,
  providerUuid: wireUuid,
  amount: z.number(),
  billedAt: wireInstant,
  provider: partialProvider.pick({ uuid: true, name: true, faviconLink: true }),
})
export type BillingRecord = z.output<typeof billingRecord>

export const billingNode = z.object({
  uuid: wireUuid,
  nodeUuid: wireUuid,
  name: later('2.8', z.string().nullable()).describe('of bills without a node, of which there are none'),
  providerUuid: wireUuid,
  provider: partialProvider.pick({ uuid: true, name: true, loginUrl: true, faviconLink: true }),
  node: nodeLabel.extend({ uuid: wireUuid }),
  nextBillingAt: wireInstant,
  billingDay: z
    .number()
    .optional()
    .describe('the day of the month that the bill was made for: 31, also while it is due on 28 February (own addition)'),
  createdAt: wireInstant,
  updatedAt: wireInstant,
})
export type BillingNode = z.output<typeof billingNode>

const billingHistory = z.object({ records: z.array(billingRecord), total: z.number() })
const billingNodes = z.object({
  totalBillingNodes: z.number(),
  billingNodes: z.array(billingNode),
  availableBillingNodes: z.array(nodeLabel.extend({ uuid: wireUuid })),
  totalAvailableBillingNodes: z.number(),
  stats: z.object({ upcomingNodesCount: z.number(), currentMonthPayments: z.number(), totalSpent: z.number() }),
})

const providerName = z.string().min(2, 'must have at least 2 characters').max(30, 'must have at most 30 characters')
const link = wireUrl.max(10_000, 'must have at most 10000 characters')
const tag = 'Infra billing'
const byUuid = z.object({ uuid: wireUuid })

export const listInfraProviders = endpoint({
  name: 'listInfraProviders',
  title: 'Get Infra Providers',
  tag,
  access: 'billing.read',
  method: 'GET',
  path: '/api/infra-billing/providers',
  response: z.object({ total: z.number(), providers: z.array(provider) }),
})
export const getInfraProvider = endpoint({
  name: 'getInfraProvider',
  title: 'Get Infra Provider',
  tag,
  access: 'billing.read',
  method: 'GET',
  path: '/api/infra-billing/providers/:uuid',
  params: byUuid,
  response: provider,
})
export const createInfraProvider = endpoint({
  name: 'createInfraProvider',
  creates: true,
  title: 'Create Infra Provider',
  tag,
  access: 'billing.write',
  method: 'POST',
  path: '/api/infra-billing/providers',
  body: z.object({ name: providerName, faviconLink: link.optional(), loginUrl: link.optional() }),
  response: provider,
  status: 201,
})
export const updateInfraProvider = endpoint({
  name: 'updateInfraProvider',
  title: 'Update Infra Provider',
  tag,
  access: 'billing.write',
  method: 'PATCH',
  path: '/api/infra-billing/providers',
  body: z.object({
    uuid: wireUuid,
    name: providerName.optional(),
    faviconLink: link.nullable().optional(),
    loginUrl: link.nullable().optional(),
  }),
  response: provider,
})
export const deleteInfraProvider = endpoint({
  name: 'deleteInfraProvider',
  title: 'Delete Infra Provider',
  tag,
  access: 'billing.write',
  method: 'DELETE',
  path: '/api/infra-billing/providers/:uuid',
  params: byUuid,
  response: z.object({ isDeleted: z.boolean() }),
})
export const listInfraBillingNodes = endpoint({
  name: 'listInfraBillingNodes',
  title: 'Get Infra Billing Nodes',
  tag,
  access: 'billing.read',
  method: 'GET',
  path: '/api/infra-billing/nodes',
  response: billingNodes,
})
export const createInfraBillingNode = endpoint({
  name: 'createInfraBillingNode',
  creates: true,
  title: 'Create Infra Billing Node',
  tag,
  access: 'billing.write',
  method: 'POST',
  path: '/api/infra-billing/nodes',
  body: z.object({ providerUuid: wireUuid, nodeUuid: wireUuid, nextBillingAt: wireDateTime.optional() }),
  response: billingNodes,
  status: 201,
})
export const updateInfraBillingNode = endpoint({
  name: 'updateInfraBillingNode',
  title: 'Update Infra Billing Node',
  tag,
  access: 'billing.write',
  method: 'PATCH',
  path: '/api/infra-billing/nodes',
  body: z.object({
    uuid: wireUuid.optional(),
    uuids: wireList(wireUuid, 500).optional().describe('the form of 2.1.19; `uuid` decides where both are there'),
    nextBillingAt: wireDateTime,
  }),
  response: billingNodes,
})
export const deleteInfraBillingNode = endpoint({
  name: 'deleteInfraBillingNode',
  title: 'Delete Infra Billing Node',
  tag,
  access: 'billing.write',
  method: 'DELETE',
  path: '/api/infra-billing/nodes/:uuid',
  params: byUuid,
  response: billingNodes,
})
export const listInfraBillingHistory = endpoint({
  name: 'listInfraBillingHistory',
  title: 'Get Infra Billing History',
  tag,
  access: 'billing.read',
  method: 'GET',
  path: '/api/infra-billing/history',
  query: z.object({
    start: queryNumber.optional(),
    size: queryNumber.min(1, 'must be at least 1').max(500, 'must be at most 500').optional(),
  }),
  response: billingHistory,
})
export const createInfraBillingRecord = endpoint({
  name: 'createInfraBillingRecord',
  creates: true,
  title: 'Create Infra Billing History Record',
  tag,
  access: 'billing.write',
  method: 'POST',
  path: '/api/infra-billing/history',
  body: z.object({ providerUuid: wireUuid, amount: z.number().min(0, 'must not be negative'), billedAt: wireDateTime }),
  response: billingHistory,
  status: 201,
})
export const deleteInfraBillingRecord = endpoint({
  name: 'deleteInfraBillingRecord',
  title: 'Delete Infra Billing History Record',
  tag,
  access: 'billing.write',
  method: 'DELETE',
  path: '/api/infra-billing/history/:uuid',
  params: byUuid,
  response: billingHistory,
})

export const getInfraProviderIcon = endpoint({
  name: 'getInfraProviderIcon',
  title: 'Get Infra Provider Icon',
  tag,
  access: 'billing.read',
  method: 'GET',
  path: '/api/x/infra-billing/providers/:uuid/icon',
  params: byUuid,
  response: z.object({
    icon: z.string().nullable().describe('a data URL, fetched by the server from faviconLink; null when there is no picture'),
  }),
})
export const getInfraSpending = endpoint({
  name: 'getInfraSpending',
  title: 'Get Infra Spending',
  tag,
  access: 'billing.read',
  method: 'GET',
  path: '/api/x/infra-billing/spending',
  query: z.object({
    tz: z.string().optional().describe('whose calendar tells which month this is; that of the installation by default'),
  }),
  response: z.object({
    months: z.array(z.string()).describe('the last twelve, oldest first, as YYYY-MM'),
    spending: z.array(z.object({ month: z.string(), providerUuid: wireUuid, providerName: z.string(), amount: z.number() })),
  }),
})
