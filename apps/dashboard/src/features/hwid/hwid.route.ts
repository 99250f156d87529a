import { pageRoute } from '../../lib/page-route.ts'
import { TABLE_KEYS } from '../../ui/table/address-view.ts'
import { devicesViewKeys } from './hwid.view.ts'

export const devicesRoute = pageRoute({
  path: '/management/devices',
  title: 'devices',
  texts: ['hwid', 'table'],
  search: [...devicesViewKeys.filters, ...TABLE_KEYS],
  page: () => import('./devices-page.tsx'),
})
