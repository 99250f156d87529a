import { pageRoute } from '../../../lib/page-route.ts'

export const accountRoute = pageRoute({
  path: '/account',
  title: 'account',
  texts: ['account', 'auth'],
  search: ['dialog'],
  page: () => import('./account-page.tsx'),
})
