import { pageRoute } from '../../lib/page-route.ts'

export const externalSquadsRoute = pageRoute({
  path: '/management/external-squads',
  title: 'externalSquads',
  texts: ['external-squads', 'subscription-preview'],
  search: ['create', 'edit', 'rename', 'preview', 'order'],
  page: () => import('./external-squads-page.tsx'),
})
