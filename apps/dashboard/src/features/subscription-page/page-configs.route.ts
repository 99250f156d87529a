import { pageRoute } from '../../lib/page-route.ts'
import { beginEditor } from '../../ui/editor/fetch-editor.ts'

export const pageConfigsRoute = pageRoute({
  path: '/utils/page-configs',
  title: 'pageConfigs',
  texts: ['page-configs'],
  search: ['create', 'edit', 'rename', 'order'],
  page: () => import('./page-configs-page.tsx'),
  begin: beginEditor,
})
