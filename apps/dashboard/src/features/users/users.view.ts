import { userFilterId, userSortId } from '@causeway/contract'
import type { ViewKeys } from '../../ui/address-view.ts'

/** What of the list can stand in the address: everything that it can be filtered and sorted by. */
export const usersViewKeys = {
  filters: userFilterId.options,
  typed: ['search', 'username', 'shortUuid', 'description', 'telegramId', 'tag', 'email', 'subLastUserAgent'],
  passing: ['search', 'among'],
  sorts: userSortId.options,
} as const satisfies ViewKeys
