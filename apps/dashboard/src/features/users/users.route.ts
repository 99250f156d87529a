import type { QueryClient } from '@tanstack/react-query'
import { pageRoute } from '../../lib/page-route.ts'
import { TABLE_KEYS } from '../../ui/table/address-view.ts'
import { USER_DIALOGS, usersViewKeys } from './users.view.ts'

export const usersRoute = pageRoute({
  path: '/management/users',
  title: 'users',
  texts: ['users', 'views', 'table', 'chart', 'internal-squads', 'config-profiles', 'subscription-preview'],
  search: [...USER_DIALOGS, ...usersViewKeys.filters, ...TABLE_KEYS],
  page: () => import('./users-page.tsx'),
  // Whatever fails here is asked for again by the page, which tells of it.
  begin: (client: QueryClient, { search }) => {
    void import('./begin-reading.ts').then(
      ({ beginReading }) => beginReading(client, search),
      () => undefined,
    )
  },
})
