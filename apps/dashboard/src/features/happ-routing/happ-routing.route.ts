import { pageRoute } from '../../lib/page-route.ts'

export const happRoutingRoute = pageRoute({
  path: '/utils/happ-routing-builder',
  title: 'happRouting',
  texts: ['happ-routing'],
  search: [],
  page: () => import('./happ-routing-page.tsx'),
})
