import { pageRoute } from '../../../lib/page-route.ts'

export const metricsRoute = pageRoute({
  path: '/management/metrics/nodes',
  title: 'nodesMetrics',
  texts: ['node-metrics', 'node-statistics', 'nodes', 'config-profiles', 'chart'],
  search: ['edit', 'node', 'search', 'sort'],
  page: () => import('./metrics-page.tsx'),
})
