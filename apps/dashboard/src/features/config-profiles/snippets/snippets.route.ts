import { pageRoute } from '../../../lib/page-route.ts'

export const snippetsRoute = pageRoute({
  path: '/management/snippets',
  title: 'snippets',
  texts: ['snippets', 'config-profiles'],
  search: ['create'],
  page: () => import('./snippets-page.tsx'),
})
