import { pageRoute } from '../../lib/page-route.ts'

export const doctorRoute = pageRoute({
  path: '/utils/doctor',
  title: 'doctor',
  texts: ['doctor'],
  search: [],
  page: () => import('./doctor-page.tsx'),
})
