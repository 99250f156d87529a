import { pageRoute } from '../../../lib/page-route.ts'

export const bandwidthRoute = pageRoute({
  path: '/management/bandwidth-table',
  title: 'nodesBandwidth',
  texts: ['node-bandwidth', 'nodes', 'config-profiles', 'table'],
  search: ['create', 'edit'],
  page: () => import('./bandwidth-page.tsx'),
})
