import { pageRoute } from '../../lib/page-route.ts'

export const configProfilesRoute = pageRoute({
  path: '/management/config-profiles',
  title: 'configProfiles',
  texts: ['config-profiles'],
  search: ['create', 'nodes', 'keys', 'rename', 'order'],
  page: () => import('./config-profiles-page.tsx'),
})
