import type { ViewKeys } from '../../ui/table/address-view.ts'

export const messagesViewKeys = {
  filters: ['way', 'state'],
  typed: [],
  passing: [],
  sorts: [],
} as const satisfies ViewKeys
