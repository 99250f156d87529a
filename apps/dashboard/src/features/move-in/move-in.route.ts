import { pageRoute } from '../../lib/page-route.ts'

export const moveInRoute = pageRoute({
  path: '/utils/move-in',
  title: 'moveIn',
  texts: ['move-in', 'nodes'],
  search: [],
  page: () => import('./move-in-page.tsx'),
})
