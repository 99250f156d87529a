import { pageRoute } from '../../lib/page-route.ts'

export const devicesRoute = pageRoute({
  path: '/management/devices',
  title: 'devices',
  permission: 'users.read',
  texts: ['hwid', 'table'],
  search: [],
  page: () => import('./devices-page.tsx'),
})
