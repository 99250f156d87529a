import { pageRoute } from '../../lib/page-route.ts'

export const nodesRoute = pageRoute({
  path: '/management/nodes',
  title: 'nodesManagement',
  texts: ['nodes', 'joining', 'config-profiles'],
  search: ['create', 'edit', 'join', 'state', 'country', 'search'],
  page: () => import('./nodes-page.tsx'),
})
