import type { SubscriptionSettings } from '@causeway/contract'

/** Settings of a new panel. */
export const defaultSubscriptionSettings: Omit<SubscriptionSettings, 'uuid' | 'responseRules' | 'createdAt' | 'updatedAt'> = {
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
