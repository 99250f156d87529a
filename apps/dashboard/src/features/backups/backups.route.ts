import { pageRoute } from '../../lib/page-route.ts'

export const backupsRoute = pageRoute({
  path: '/utils/backups',
  title: 'backups',
  texts: ['backups', 'jobs'],
  search: ['job', 'schedule', 'targets'],
  page: () => import('./backups-page.tsx'),
})
