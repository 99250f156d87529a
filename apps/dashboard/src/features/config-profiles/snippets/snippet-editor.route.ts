import { pageRoute } from '../../../lib/page-route.ts'
import { beginEditor } from '../../../ui/editor/fetch-editor.ts'

export const snippetEditorRoute = pageRoute({
  path: '/management/snippets/$uuid',
  title: 'snippets',
  texts: ['snippets', 'config-profiles', 'profile-editor', 'revisions'],
  search: ['revisions'],
  page: () => import('./snippet-editor-page.tsx'),
  begin: () => beginEditor(),
})
