import { pageRoute } from '../../lib/page-route.ts'
import { TABLE_KEYS } from '../../ui/table/address-view.ts'
import { messagesViewKeys } from './messages.view.ts'

export const noticesRoute = pageRoute({
  path: '/utils/notices',
  title: 'notices',
  texts: ['notices'],
  search: ['create', 'edit', 'test', 'rule'],
  page: () => import('./notices-page.tsx'),
})

export const noticeMessagesRoute = pageRoute({
  path: '/utils/notices/messages',
  title: 'notices',
  texts: ['notices', 'table'],
  search: [...messagesViewKeys.filters, ...TABLE_KEYS, 'message'],
  page: () => import('./messages-page.tsx'),
})
