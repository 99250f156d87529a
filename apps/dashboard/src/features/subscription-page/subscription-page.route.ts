import { pageRoute } from '../../lib/page-route.ts'

export const subscriptionPageRoute = pageRoute({
  path: '/utils/subscription-page-builder',
  title: 'subscriptionPage',
  texts: ['subscription-page'],
  search: ['load'],
  page: () => import('./subscription-page-builder-page.tsx'),
})
