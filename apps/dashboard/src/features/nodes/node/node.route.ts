import { pageRoute } from '../../../lib/page-route.ts'

export const nodeRoute = pageRoute({
  path: '/management/nodes/$uuid',
  title: 'nodesManagement',
  texts: ['nodes', 'joining', 'config-profiles', 'node-statistics', 'node-metrics', 'hosts', 'home', 'chart', 'history'],
  search: ['edit', 'join', 'log', 'period'],
  page: () => import('./node-page.tsx'),
})
