import { pageRoute } from '../../lib/page-route.ts'

export const apiTokensRoute = pageRoute({
  path: '/management/api-tokens',
  title: 'apiTokens',
  texts: ['api-tokens', 'wall'],
  search: ['create', 'edit', 'wall'],
  page: () => import('./api-tokens-page.tsx'),
})
