import { pageRoute } from '../../lib/page-route.ts'
import { TABLE_KEYS } from '../../ui/table/address-view.ts'
import { deliveriesViewKeys } from './deliveries.view.ts'

export const webhooksRoute = pageRoute({
  path: '/utils/webhooks',
  title: 'webhooks',
  texts: ['webhooks'],
  search: ['create', 'edit', 'rotate', 'test'],
  page: () => import('./webhooks-page.tsx'),
})

export const deliveriesRoute = pageRoute({
  path: '/utils/webhooks/$uuid',
  title: 'webhooks',
  texts: ['webhooks', 'table'],
  search: [...deliveriesViewKeys.filters, ...TABLE_KEYS, 'delivery'],
  page: () => import('./deliveries-page.tsx'),
})

export const domainEventsRoute = pageRoute({
  path: '/utils/webhook-events',
  title: 'webhooks',
  texts: ['webhooks'],
  search: [],
  page: () => import('./domain-events-page.tsx'),
})
