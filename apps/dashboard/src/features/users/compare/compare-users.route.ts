import { pageRoute } from '../../../lib/page-route.ts'

export const compareUsersRoute = pageRoute({
  path: '/management/users/compare',
  title: 'users',
  texts: ['compare', 'users', 'chart'],
  search: ['ids', 'days'],
  page: () => import('./compare-users-page.tsx'),
})
