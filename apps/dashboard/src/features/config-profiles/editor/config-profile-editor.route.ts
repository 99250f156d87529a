import { pageRoute } from '../../../lib/page-route.ts'

export const configProfileEditorRoute = pageRoute({
  path: '/management/config-profiles/$uuid',
  title: 'configProfiles',
  texts: ['config-profiles', 'profile-editor', 'template-catalogue'],
  search: ['nodes', 'keys', 'revisions', 'catalogue'],
  page: () => import('./config-profile-editor-page.tsx'),
})
