import { pageRoute } from '../../lib/page-route.ts'
import { HOST_FILTERS } from './hosts.view.ts'

export const hostsRoute = pageRoute({
  path: '/management/hosts',
  title: 'hosts',
  texts: ['hosts', 'config-profiles', 'subscription-preview'],
  search: ['create', 'edit', ...HOST_FILTERS],
  page: () => import('./hosts-page.tsx'),
})
