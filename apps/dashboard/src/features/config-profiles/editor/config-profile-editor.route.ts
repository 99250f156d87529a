import type { QueryClient } from '@tanstack/react-query'
import { pageRoute } from '../../../lib/page-route.ts'
import { beginEditor } from '../../../ui/editor/fetch-editor.ts'

export const configProfileEditorRoute = pageRoute({
  path: '/management/config-profiles/$uuid',
  title: 'configProfiles',
  texts: ['config-profiles', 'profile-editor', 'template-catalogue', 'revisions'],
  search: ['nodes', 'keys', 'revisions', 'catalogue', 'computed'],
  page: () => import('./config-profile-editor-page.tsx'),
  // Whatever fails here is asked for again by the page, which tells of it.
  begin: (client: QueryClient, { pathname }) => {
    beginEditor()
    void import('./begin-reading.ts').then(
      ({ beginReading }) => beginReading(client, pathname.split('/').findLast((part) => part !== '') ?? ''),
      () => undefined,
    )
  },
})
