import { pageRoute } from '../../lib/page-route.ts'

export const subscriptionSettingsRoute = pageRoute({
  path: '/management/subscription-settings',
  title: 'subscriptionSettings',
  texts: ['subscription-settings', 'subscription-preview'],
  search: ['tab'],
  page: () => import('./subscription-settings-page.tsx'),
})
