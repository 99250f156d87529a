import { pageRoute } from '../../lib/page-route.ts'
import { TABLE_KEYS, type ViewKeys } from '../../ui/address-view.ts'

/** The column whose filter is the search; the server looks into models and usernames too. */
export const SEARCH_COLUMN = 'device'

export const devicesViewKeys = { filters: [SEARCH_COLUMN], typed: [SEARCH_COLUMN], sorts: [] } as const satisfies ViewKeys

export const devicesRoute = pageRoute({
  path: '/management/devices',
  title: 'devices',
  texts: ['hwid', 'table'],
  search: [...devicesViewKeys.filters, ...TABLE_KEYS],
  page: () => import('./devices-page.tsx'),
})
