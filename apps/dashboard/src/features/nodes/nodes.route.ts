import { pageRoute } from '../../lib/page-route.ts'

export const nodesRoute = pageRoute({
  path: '/management/nodes',
  title: 'nodesManagement',
  texts: ['nodes', 'joining', 'node-updates', 'config-profiles', 'profile-editor'],
  search: ['create', 'edit', 'join', 'update', 'geo', 'state', 'country', 'search', 'view'],
  page: () => import('./nodes-page.tsx'),
})
