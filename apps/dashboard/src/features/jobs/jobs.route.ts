import { pageRoute } from '../../lib/page-route.ts'

/** `/api/queues` leads here: see BOARD_PAGE of the server. */
export const jobsRoute = pageRoute({
  path: '/queues',
  title: 'queues',
  texts: ['jobs'],
  search: [],
  page: () => import('./jobs-page.tsx'),
})
