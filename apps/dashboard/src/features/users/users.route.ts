import { pageRoute } from '../../lib/page-route.ts'

export const usersRoute = pageRoute({
  path: '/management/users',
  title: 'users',
  permission: 'users.read',
  texts: ['users', 'table', 'chart'],
  search: ['create', 'edit', 'user', 'details', 'nodes', 'usage', 'devices', 'requests', 'links', 'qr', 'bulk', 'job', 'help'],
  page: () => import('./users-page.tsx'),
})
