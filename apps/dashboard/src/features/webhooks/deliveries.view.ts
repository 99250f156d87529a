import type { ViewKeys } from '../../ui/table/address-view.ts'

export const deliveriesViewKeys = {
  filters: ['event', 'thing', 'state'],
  typed: ['thing'],
  passing: ['thing'],
  sorts: [],
} as const satisfies ViewKeys
