import { pageRoute } from '../../lib/page-route.ts'

export const installationRoute = pageRoute({
  path: '/utils/installation',
  title: 'installation',
  texts: ['installation'],
  search: [],
  page: () => import('./installation-page.tsx'),
})
