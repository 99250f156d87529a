import { pageRoute } from '../../lib/page-route.ts'

export const infraBillingRoute = pageRoute({
  path: '/crm/infra-billing',
  title: 'infraBilling',
  texts: ['infra-billing', 'chart'],
  search: ['record', 'bill', 'date', 'nodes', 'provider'],
  page: () => import('./infra-billing-page.tsx'),
})
