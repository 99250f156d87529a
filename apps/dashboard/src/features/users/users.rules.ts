import {
  MOST_ADDED_BYTES,
  neverExpires,
  type Reply,
  type getUserAccessibleNodes,
  type User,
  type UserStatus,
} from '@causeway/contract'
import { GIB, GIB_RULE } from '../../lib/numbers/bytes.ts'
import type { NumberRule } from '../../lib/numbers/number-entry.ts'
import { DAY_MS } from '../../lib/time/calendar.ts'

export const USER_STATUSES = ['ACTIVE', 'EXPIRED', 'LIMITED', 'DISABLED'] as const satisfies readonly UserStatus[]

const STATUS_COLORS = { ACTIVE: 'teal', EXPIRED: 'red', LIMITED: 'yellow', DISABLED: 'gray' } as const

export function statusColor(status: UserStatus) {
  return STATUS_COLORS[status]
}

/** The menu's one status action: enable what is disabled, disable everything else. */
export function statusAction(status: UserStatus): 'enable' | 'disable' {
  return status === 'DISABLED' ? 'enable' : 'disable'
}

/** Whole percents of the limit. A user without limit has neither. More than all is used when a limit was lowered. */
export function usageOf({ usedTrafficBytes, trafficLimitBytes }: Pick<User, 'usedTrafficBytes' | 'trafficLimitBytes'>) {
  if (trafficLimitBytes === 0) return undefined
  const used = Math.floor((usedTrafficBytes / trafficLimitBytes) * 100)
  return { used, left: Math.max(0, 100 - used) }
}

/** How much traffic is added at once. */
export const ADDED_GIB_RULE: NumberRule = { ...GIB_RULE, min: 0.001, max: MOST_ADDED_BYTES / GIB }

/** The traffic limit after an addition, as the server reckons it. */
export function limitAfterAdding(user: Pick<User, 'trafficLimitBytes'>, bytes: number): number {
  return Math.min(user.trafficLimitBytes + bytes, Number.MAX_SAFE_INTEGER)
}

export type ExpiryUrgency = 'never' | 'far' | 'soon' | 'past'

/** Whose access ends within this time is to be told. */
export const EXPIRY_SOON_MS = 3 * DAY_MS

export function expiryUrgency(expireAt: string, now: number): ExpiryUrgency {
  if (neverExpires(new Date(expireAt))) return 'never'
  const left = Date.parse(expireAt) - now
  if (left <= 0) return 'past'
  return left <= EXPIRY_SOON_MS ? 'soon' : 'far'
}

/** Meaning of an HWID limit: null is the server's fallback, 0 switches the limit off. */
export function deviceLimitKind(limit: number | null): 'fallback' | 'off' | 'own' {
  if (limit === null) return 'fallback'
  return limit === 0 ? 'off' : 'own'
}

/** The name of a subscription link: its decoded fragment. A broken one is shown as it stands. */
export function linkName(link: string, fallback: string): string {
  const at = link.indexOf('#')
  const fragment = at < 0 ? '' : link.slice(at + 1)
  if (fragment === '') return fallback
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}

type AccessibleNodes = Reply<typeof getUserAccessibleNodes>['activeNodes']

/** How many different nodes, squads and inbounds a user reaches. A squad counts once however many nodes it opens. */
export function accessCounts(nodes: AccessibleNodes) {
  const squads = new Set<string>()
  const inbounds = new Set<string>()
  for (const { uuid, activeSquads } of nodes) {
    for (const { squadName, activeInbounds } of activeSquads) {
      squads.add(squadName)
      for (const tag of activeInbounds) inbounds.add(`${uuid}\n${tag}`)
    }
  }
  return { nodes: nodes.length, squads: squads.size, inbounds: inbounds.size }
}

export type TagProblem = 'characters' | 'length'

const LONGEST_TAG = 15

export function tagProblem(tag: string): TagProblem | undefined {
  if (!/^[A-Z0-9_]*$/.test(tag)) return 'characters'
  return tag.length > LONGEST_TAG ? 'length' : undefined
}

/** Tags to choose from; what is typed and not there yet is offered as a new one. */
export function tagChoices(known: readonly string[], typed: string): { tag: string; isNew: boolean }[] {
  const found = known.filter((tag) => tag.includes(typed)).map((tag) => ({ tag, isNew: false }))
  return typed !== '' && !known.includes(typed) ? [...found, { tag: typed, isNew: true }] : found
}

/** Every hour and a half from six in the morning to six in the evening. */
export const EXPIRY_TIMES = Array.from({ length: 9 }, (_, i) => {
  const minutes = 6 * 60 + i * 90
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
})

/** A link that leads nowhere: it only carries words into the list of an app. */
export function isPlaceholder(link: string): boolean {
  return /@0\.0\.0\.0:/.test(link)
}
