import type { ViewKeys } from '../../ui/table/address-view.ts'

/** The column whose filter is the search; the server looks into models and usernames too. */
export const SEARCH_COLUMN = 'device'

export const devicesViewKeys = {
  filters: [SEARCH_COLUMN],
  typed: [SEARCH_COLUMN],
  passing: [SEARCH_COLUMN],
  sorts: [],
} as const satisfies ViewKeys
