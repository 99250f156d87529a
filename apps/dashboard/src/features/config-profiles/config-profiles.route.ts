import { pageRoute } from '../../lib/page-route.ts'

export const configProfilesRoute = pageRoute({
  path: '/management/config-profiles',
  title: 'configProfiles',
  permission: 'profiles.read',
  texts: ['config-profiles'],
  search: ['create', 'nodes', 'keys'],
  page: () => import('./config-profiles-page.tsx'),
})
