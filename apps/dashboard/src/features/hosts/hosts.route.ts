import { pageRoute } from '../../lib/page-route.ts'

/** Names of the filters in the address. */
export const HOST_FILTERS = ['profile', 'inbound', 'remark', 'address'] as const

export const hostsRoute = pageRoute({
  path: '/management/hosts',
  title: 'hosts',
  texts: ['hosts', 'config-profiles', 'subscription-preview'],
  search: ['create', 'edit', ...HOST_FILTERS],
  page: () => import('./hosts-page.tsx'),
})
