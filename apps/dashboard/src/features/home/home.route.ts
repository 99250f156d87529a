import { pageRoute } from '../../lib/page-route.ts'

export const homeRoute = pageRoute({
  path: '/home',
  title: 'home',
  texts: ['home', 'users', 'table', 'chart', 'views'],
  search: ['period', 'top', 'wall'],
  page: () => import('./home-page.tsx'),
})
