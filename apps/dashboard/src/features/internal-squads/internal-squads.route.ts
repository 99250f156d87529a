import { pageRoute } from '../../lib/page-route.ts'

export const internalSquadsRoute = pageRoute({
  path: '/management/internal-squads',
  title: 'internalSquads',
  texts: ['internal-squads', 'config-profiles'],
  search: ['create', 'edit', 'rename', 'move', 'order'],
  page: () => import('./internal-squads-page.tsx'),
})
