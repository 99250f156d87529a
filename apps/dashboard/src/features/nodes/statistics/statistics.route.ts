import { pageRoute } from '../../../lib/page-route.ts'

export const statisticsRoute = pageRoute({
  path: '/management/stats/nodes',
  title: 'nodesStatistics',
  texts: ['node-statistics', 'nodes', 'chart', 'table'],
  search: ['days', 'figure', 'node'],
  page: () => import('./statistics-page.tsx'),
})
