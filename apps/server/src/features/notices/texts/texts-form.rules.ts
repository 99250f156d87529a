import type { EventName, NoticeCondition } from '@causeway/contract'

/** The texts of one language. */
export interface Texts {
  titles: Record<NoticeCondition, string>
  lines: Record<
    | 'nodeLost'
    | 'nodeFlapping'
    | 'nodeBack'
    | 'nodeTraffic'
    | 'rolloutFailed'
    | 'userTraffic'
    | 'userLimited'
    | 'userExpiring'
    | 'userExpired'
    | 'sharedAccount'
    | 'manyAddresses'
    | 'billDue'
    | 'billOverdue'
    | 'certificateEnding'
    | 'backupOld'
    | 'backupMissing'
    | 'backupFailed'
    | 'backupLogBehind'
    | 'diskLow'
    | 'signedIn'
    | 'signedInNew'
    | 'signInRefused'
    | 'weekUsers'
    | 'weekTraffic'
    | 'weekMoney'
    | 'weekTroubles'
    | 'weekNext'
    | 'test'
    | 'more'
    | 'together'
    | 'several',
    string
  >
  events: Record<EventName, string>
}
