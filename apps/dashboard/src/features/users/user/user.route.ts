import { pageRoute } from '../../../lib/page-route.ts'
import { USER_DIALOGS } from '../users.view.ts'

export const userRoute = pageRoute({
  path: '/management/users/$uuid',
  title: 'users',
  texts: ['users', 'table', 'chart', 'history', 'internal-squads', 'config-profiles', 'subscription-preview', 'request-history'],
  search: USER_DIALOGS,
  page: () => import('./user-page.tsx'),
})
