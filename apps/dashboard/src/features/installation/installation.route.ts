import { pageRoute } from '../../lib/page-route.ts'

export const installationRoute = pageRoute({
  path: '/utils/installation',
  title: 'installation',
  permission: 'settings.read',
  texts: ['installation'],
  search: [],
  page: () => import('./installation-page.tsx'),
})
