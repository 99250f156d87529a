import type { SubscriptionSettings } from '@causeway/contract'
import { bareConnection } from './prepared-host.ts'
import type { ProxyEntry } from './proxy-entry.ts'
import type { Subscriber } from './subscriber.ts'
import { fillTemplate, type TemplateValues } from './template-variables.ts'

export type RemarkSettings = Pick<
  SubscriptionSettings,
  'isShowCustomRemarks' | 'expiredUsersRemarks' | 'limitedUsersRemarks' | 'disabledUsersRemarks'
> & {
  /** In place of the product's own words. */
  emptyHostsRemarks?: readonly string[] | undefined
  emptySquadsRemarks?: readonly string[] | undefined
}

/** The texts that a user sees in place of hosts because of the status; nothing while real hosts are due. */
export function statusPlaceholders(user: Subscriber, settings: RemarkSettings, values: TemplateValues): ProxyEntry[] | null {
  const remarks = remarksOfStatus(user, settings)
  return remarks?.map((remark) => placeholder(fillTemplate(remark, values))) ?? null
}

/** Placeholder of a user without hosts. The administrator, not the user, has to know whether squads or hosts are missing. */
export function emptyPlaceholders(hasSquads: boolean, settings: RemarkSettings, values: TemplateValues): ProxyEntry[] {
  const own = hasSquads ? settings.emptyHostsRemarks : settings.emptySquadsRemarks
  if (own && own.length > 0 && settings.isShowCustomRemarks) return own.map((remark) => placeholder(fillTemplate(remark, values)))
  return emptyRemarks(hasSquads).map(placeholder)
}

/** Remarks in place of hosts. */
export function remarkEntries(remarks: readonly string[], values: TemplateValues): ProxyEntry[] {
  return remarks.map((remark) => placeholder(fillTemplate(remark, values)))
}

/** Its texts. */
export function emptyRemarks(hasSquads: boolean): string[] {
  const hint = hasSquads ? 'Check that the hosts of your squads are enabled' : 'You are not a member of any internal squad'
  return ['Causeway subscription', hint, 'No hosts found']
}

/** An entry that every client shows and none can connect to. */
export function placeholder(remark: string): ProxyEntry {
  return {
    ...bareConnection,
    remark,
    address: '0.0.0.0',
    port: 1,
    security: 'tls',
    shortId: '',
    credentials: { vlessUuid: '00000', trojanPassword: '00000', ssPassword: '00000' },
    serverDescription: '',
    source: null,
  }
}

function remarksOfStatus(user: Subscriber, settings: RemarkSettings): readonly string[] | null {
  if (!settings.isShowCustomRemarks) return null
  switch (user.status) {
    case 'ACTIVE':
      return null
    case 'EXPIRED':
      return settings.expiredUsersRemarks
    case 'LIMITED':
      return settings.limitedUsersRemarks
    case 'DISABLED':
      return settings.disabledUsersRemarks
  }
}
