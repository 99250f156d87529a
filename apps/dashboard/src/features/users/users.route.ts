import { userFilterId, userSortId } from '@causeway/contract'
import { pageRoute } from '../../lib/page-route.ts'
import { TABLE_KEYS, type ViewKeys } from '../../ui/address-view.ts'
import { SQUAD_DIALOG } from '../internal-squads/internal-squads.rules.ts'

/** What of the list can stand in the address: everything that it can be filtered and sorted by. */
export const usersViewKeys = {
  filters: userFilterId.options,
  typed: ['search', 'username', 'shortUuid', 'description', 'telegramId', 'tag', 'email', 'subLastUserAgent'],
  sorts: userSortId.options,
} as const satisfies ViewKeys

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
})
