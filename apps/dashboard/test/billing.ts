import {
  getInfraSpending,
  listInfraBillingHistory,
  listInfraBillingNodes,
  listInfraProviders,
  type BillingNode,
  type BillingRecord,
  type Provider,
} from '@causeway/contract'
import { answer } from './fake-api.ts'
import { uuid } from './samples.ts'

interface Billing {
  providers?: Provider[]
  bills?: BillingNode[]
  records?: BillingRecord[]
  stats?: ReturnType<typeof billingView>['stats']
}

/** What the server answers about billing nodes. */
export function billingView(
  bills: BillingNode[] = [],
  stats = { upcomingNodesCount: 0, currentMonthPayments: 0, totalSpent: 0 },
) {
  const available = [{ uuid: uuid(402), name: 'Vilnius', countryCode: 'LT' }]
  return {
    totalBillingNodes: bills.length,
    billingNodes: bills,
    availableBillingNodes: available,
    totalAvailableBillingNodes: available.length,
    stats,
  }
}

/** A panel with these providers, bills and payments. */
export function answerBilling({ providers = [], bills = [], records = [], stats }: Billing = {}): void {
  answer(listInfraProviders, () => ({ total: providers.length, providers }))
  answer(listInfraBillingNodes, () => billingView(bills, stats))
  answer(listInfraBillingHistory, ({ start = 0, size = 50 }) => ({
    records: records.slice(start, start + size),
    total: records.length,
  }))
  answer(getInfraSpending, () => ({ months: ['2026-10', '2026-11'], spending: [] }))
}
