import { userFilterId, userSortId } from '@causeway/contract'
import type { ViewKeys } from '../../ui/table/address-view.ts'
import { SQUAD_DIALOG } from '../internal-squads/internal-squads.rules.ts'

/** View state that the address can hold: all filters and orders of the list. */
export const usersViewKeys = {
  filters: userFilterId.options,
  typed: ['search', 'username', 'shortUuid', 'description', 'telegramId', 'tag', 'email', 'subLastUserAgent'],
  passing: ['search', 'among'],
  sorts: userSortId.options,
} as const satisfies ViewKeys

/** Keys of the address that open a dialog or a drawer. */
export const USER_DIALOGS = [
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
  'extend',
  'handover',
  'addTraffic',
  'job',
  'import',
  'help',
  'views',
  SQUAD_DIALOG,
] as const
