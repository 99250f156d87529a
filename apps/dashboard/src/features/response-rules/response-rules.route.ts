import { pageRoute } from '../../lib/page-route.ts'

export const responseRulesRoute = pageRoute({
  path: '/management/response-rules',
  title: 'responseRules',
  texts: ['response-rules', 'subscription-settings'],
  search: ['view', 'rule', 'revisions', 'import'],
  page: () => import('./response-rules-page.tsx'),
})
