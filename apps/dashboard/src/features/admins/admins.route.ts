import { pageRoute } from '../../lib/page-route.ts'

export const adminsRoute = pageRoute({
  path: '/management/administrators',
  title: 'administrators',
  texts: ['admins', 'account', 'api-tokens'],
  search: ['create', 'edit', 'remove', 'role'],
  page: () => import('./admins-page.tsx'),
})
