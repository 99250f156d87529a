import { pageRoute } from '../../lib/page-route.ts'

export const historyRoute = pageRoute({
  path: '/management/history',
  title: 'history',
  texts: ['history', 'users', 'nodes', 'hosts', 'subscription-settings'],
  search: ['actor', 'kind', 'action', 'target', 'from', 'to', 'undoAll'],
  page: () => import('./history-page.tsx'),
})

export const deletedRoute = pageRoute({
  path: '/management/deleted',
  title: 'deleted',
  texts: ['history', 'users', 'nodes', 'hosts', 'subscription-settings'],
  search: ['kind', 'search'],
  page: () => import('./deleted-page.tsx'),
})
