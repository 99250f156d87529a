import type { EventName, NoticeCondition } from '@causeway/contract'

/** What each language says. */
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
    | 'billDue'
    | 'billOverdue'
    | 'certificateEnding'
    | 'backupOld'
    | 'backupMissing'
    | 'diskLow'
    | 'signedIn'
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
