import { pageRoute } from '../../../lib/page-route.ts'

export const compareNodesRoute = pageRoute({
  path: '/management/nodes/compare',
  title: 'nodesManagement',
  texts: ['compare', 'nodes', 'chart'],
  search: ['ids', 'days'],
  page: () => import('./compare-nodes-page.tsx'),
})
