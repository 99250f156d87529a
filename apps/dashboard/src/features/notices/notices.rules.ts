import { noticeConditions, type NoticeCondition, type NoticeWay } from '@causeway/contract'

export type Health = 'paused' | 'failing' | 'quiet' | 'held' | 'waiting' | 'fine' | 'new'

/** The one word for how a way is, the most urgent first. */
export function healthOf(way: Pick<NoticeWay, 'isPaused' | 'failingSince' | 'waiting' | 'held' | 'lastSuccessAt'>): Health {
  if (way.isPaused) return 'paused'
  if (way.failingSince !== null) return 'failing'
  // All that waits is held back by rules: nothing is under way.
  if (way.held !== null && way.waiting === way.held.count) return way.held.reason === 'quietHours' ? 'quiet' : 'held'
  if (way.lastSuccessAt === null) return way.waiting > 0 ? 'waiting' : 'new'
  return way.waiting > 0 ? 'waiting' : 'fine'
}

/** Where a way leads, as people know it. */
export function targetOf({ telegram, email, webhook }: Pick<NoticeWay, 'telegram' | 'email' | 'webhook'>): string {
  if (telegram) return telegram.topic === null ? telegram.chat : `${telegram.chat} · #${telegram.topic}`
  return email ? email.to.join(', ') : (webhook?.url ?? '')
}

/** The name of a way, with where it leads if another one has the same. */
export function labelOf(way: NoticeWay, ways: readonly NoticeWay[]): string {
  const isAlone = ways.every(({ uuid, name }) => uuid === way.uuid || name !== way.name)
  return isAlone ? way.name : `${way.name} · ${targetOf(way)}`
}

/** Conditions by what they are about, in the order in which they are offered. */
export const CONDITION_GROUPS = [
  { group: 'nodes', conditions: ['nodeDown', 'nodeTraffic', 'rolloutFailed'] },
  {
    group: 'users',
    conditions: ['userTraffic', 'usersLimited', 'usersExpiring', 'usersExpired', 'sharedAccount', 'manyAddresses'],
  },
  {
    group: 'panel',
    conditions: [
      'billsDue',
      'certificateEnding',
      'backupOld',
      'diskLow',
      'resellerFull',
      'signIn',
      'signInNew',
      'signInFailed',
      'weekSummary',
    ],
  },
  { group: 'everything', conditions: ['userEvents', 'nodeEvents', 'serviceEvents', 'billEvents'] },
] as const satisfies readonly { group: string; conditions: readonly NoticeCondition[] }[]

/** In the order of the groups, so that the same choice is always written the same. */
export function inOrder(chosen: readonly string[]): NoticeCondition[] {
  return CONDITION_GROUPS.flatMap(({ conditions }) => conditions.filter((condition) => chosen.includes(condition)))
}

export const digestOf = (condition: NoticeCondition) => noticeConditions[condition].digest
