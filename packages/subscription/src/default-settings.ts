import type { SubscriptionSettings } from '@causeway/contract'

/** Settings that a new panel has no value of. */
type Unset =
  | 'responseRules'
  | 'customRemarks'
  | 'hwidSettings'
  | 'emptyHostsRemarks'
  | 'emptySquadsRemarks'
  | 'hwidExceededRemarks'
  | 'hwidMissingRemarks'

/** Settings of a new panel. */
export const defaultSubscriptionSettings: Omit<SubscriptionSettings, 'uuid' | 'createdAt' | 'updatedAt' | Unset> = {
  profileTitle: 'Causeway',
  supportLink: '',
  profileUpdateInterval: 12,
  isProfileWebpageUrlEnabled: true,
  serveJsonAtBaseSubscription: false,
  addUsernameToBaseSubscription: false,
  isShowCustomRemarks: true,
  happAnnounce: null,
  happRouting: null,
  expiredUsersRemarks: ['⌛ Your subscription has expired', 'Please contact support'],
  limitedUsersRemarks: ['🚧 Your traffic is used up', 'Please contact support'],
  disabledUsersRemarks: ['🚫 Your subscription is switched off', 'Please contact support'],
  customResponseHeaders: null,
  randomizeHosts: false,
}
