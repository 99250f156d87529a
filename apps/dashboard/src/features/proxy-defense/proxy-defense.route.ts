import { pageRoute } from '../../lib/page-route.ts'

export const proxyDefenseRoute = pageRoute({
  path: '/proxy-defense',
  title: 'proxyDefense',
  texts: ['proxy-defense'],
  search: [],
  page: () => import('./proxy-defense-page.tsx'),
})
