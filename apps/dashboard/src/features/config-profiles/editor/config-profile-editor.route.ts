import { pageRoute } from '../../../lib/page-route.ts'

export const configProfileEditorRoute = pageRoute({
  path: '/management/config-profiles/$uuid',
  title: 'configProfiles',
  permission: 'profiles.read',
  texts: ['config-profiles', 'profile-editor'],
  search: ['nodes', 'keys', 'revisions'],
  page: () => import('./config-profile-editor-page.tsx'),
})
