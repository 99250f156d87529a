import { pageRoute } from '../../lib/page-route.ts'
import { TABLE_KEYS } from '../../ui/table/address-view.ts'

export const nodePluginsRoute = pageRoute({
  path: '/nodes/plugins',
  title: 'nodePlugins',
  texts: ['node-plugins'],
  search: ['create', 'edit', 'assign', 'list', 'order'],
  page: () => import('./node-plugins-page.tsx'),
})

export const torrentsRoute = pageRoute({
  path: '/nodes/torrents',
  title: 'torrents',
  texts: ['node-plugins', 'table'],
  search: ['username', ...TABLE_KEYS],
  page: () => import('./torrents-page.tsx'),
})
