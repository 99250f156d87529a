import { pageRoute } from '../../lib/page-route.ts'

export const hostsRoute = pageRoute({
  path: '/management/hosts',
  title: 'hosts',
  permission: 'hosts.read',
  texts: ['hosts', 'config-profiles'],
  search: ['create', 'edit'],
  page: () => import('./hosts-page.tsx'),
})
