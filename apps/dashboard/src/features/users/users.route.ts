import type { QueryClient } from '@tanstack/react-query'
import { pageRoute } from '../../lib/page-route.ts'
import { TABLE_KEYS } from '../../ui/address-view.ts'
import { SQUAD_DIALOG } from '../internal-squads/internal-squads.rules.ts'
import { usersViewKeys } from './users.view.ts'

const DIALOGS = [
  'create',
  'edit',
  'user',
  'details',
  'nodes',
  'usage',
  'devices',
  'requests',
  'inspect',
  'links',
  'qr',
  'bulk',
  'job',
  'help',
  'views',
  SQUAD_DIALOG,
] as const

export const usersRoute = pageRoute({
  path: '/management/users',
  title: 'users',
  texts: ['users', 'views', 'table', 'chart', 'internal-squads', 'config-profiles', 'subscription-preview'],
  search: [...DIALOGS, ...usersViewKeys.filters, ...TABLE_KEYS],
  page: () => import('./users-page.tsx'),
  // Whatever fails here is asked for again by the page, which tells of it.
  begin: (client: QueryClient, { search }) => {
    void import('./begin-reading.ts').then(
      ({ beginReading }) => beginReading(client, search),
      () => undefined,
    )
  },
})
