import {
  isUuid,
  SEARCH_MAX_LENGTH,
  TRAFFIC_SORTS,
  trafficLimitStrategy,
  user,
  userGroup,
  userStatus,
  type TrafficPeriod,
  type TrafficSortId,
  type User,
  type UserFilterId,
  type UserGroup,
  type UserSortId,
  type UserStatus,
} from '@causeway/contract'
import { everyone, type ResellerScope, type Scope } from '../../lib/scope.ts'
import { dayIn } from '../../lib/days.ts'
import { searchTerms, type SearchTerms } from '../search/search.rules.ts'

// Filters and orders of the users list (docs/wire.md 7), and the table of each column. The tables change at different
// paces: by edits, by every poll, by every fetch of a subscription, and by passes over the traffic order.

export type UserTable = 'users' | 'userUsage' | 'userAccesses' | 'userTraffic'

/** Stored columns. */
export type StoredSortId = Exclude<UserSortId, TrafficSortId>

interface Sortable {
  table: UserTable
  /** Sorted without regard to case, by the index that keeps usernames unique. */
  isFolded?: true
  /** Users of the same value follow by creation, as the index that also serves the filter has them. */
  isByCreation?: true
  /** Sorted by its first letters, as an index takes no text of any length. */
  isLong?: true
  isNullable?: true
}

/** Where a column is when it is not simply one of users, and how it is sorted. */
const special: { [Id in StoredSortId]?: Partial<Sortable> } = {
  username: { isFolded: true },
  status: { isByCreation: true },
  description: { isLong: true },
  lastTrafficResetAt: { table: 'userUsage' },
  lastTriggeredThreshold: { table: 'userUsage' },
  usedTrafficBytes: { table: 'userUsage' },
  lifetimeUsedTrafficBytes: { table: 'userUsage' },
  onlineAt: { table: 'userUsage' },
  firstConnectedAt: { table: 'userUsage' },
  subLastOpenedAt: { table: 'userAccesses' },
  subLastUserAgent: { table: 'userAccesses', isLong: true },
}

function sortOf(id: UserSortId, isDescending: boolean, today: string): UserSort {
  if (isOneOf(TRAFFIC_SORTS, id)) return { table: 'userUsage', period: TRAFFIC_SORTS[id], today, isDescending }
  return { ...sortableOf(id), column: id, isDescending }
}

function sortableOf(id: StoredSortId): Sortable {
  const isNullable = user.shape[id].safeParse(null).success
  return { table: 'users', ...(isNullable ? { isNullable } : {}), ...special[id] }
}

const instants = {
  createdAt: 'users',
  expireAt: 'users',
  lastTrafficResetAt: 'userUsage',
  onlineAt: 'userUsage',
  subLastOpenedAt: 'userAccesses',
} as const satisfies { [Id in UserFilterId]?: UserTable }

// Columns of few known words: which of them match is known without the database.
const words = {
  status: userStatus.options,
  trafficLimitStrategy: trafficLimitStrategy.options,
} as const satisfies { [Id in UserFilterId]?: readonly string[] }

/** Everything else is a text. */
type TextId = Exclude<
  UserFilterId,
  | keyof typeof instants
  | keyof typeof words
  | 'telegramId'
  | 'activeInternalSquads'
  | 'externalSquadUuid'
  | 'nodeName'
  | 'search'
  | 'among'
>
type TextField = { [Name in keyof User]: User[Name] extends string | null ? Name : never }[keyof User]

export type TextMode = 'contains' | 'startsWith' | 'endsWith' | 'equals'

/** One condition of the list. All of them must hold. */
export type UserFilter =
  | { kind: 'instant'; table: UserTable; column: string; at: Date }
  | { kind: 'telegramId'; telegramId: number | null }
  | { kind: 'squad'; uuid: string }
  | { kind: 'externalSquad'; uuid: string | null }
  | { kind: 'node'; uuid: string }
  | { kind: 'words'; column: string; matching: string[] }
  | { kind: 'search'; terms: SearchTerms }
  | { kind: 'among'; group: UserGroup; now: Date }
  | { kind: 'scope'; scope: ResellerScope }
  | { kind: 'text'; table: UserTable; column: string; mode: TextMode; text: string }

/** By a column, or by what was moved in a period that ends with this day. */
export type UserSort = Sortable & { isDescending: boolean } & (
    | { column: StoredSortId; period?: undefined }
    | { column?: undefined; period: TrafficPeriod; today: string }
  )

export interface UsersView {
  start: number
  size: number
  filters: UserFilter[]
  sorting: UserSort[]
}

interface UsersQuery {
  start?: number | undefined
  size?: number | undefined
  filters?: { id: UserFilterId; value?: unknown }[] | undefined
  filterModes?: Record<string, string> | undefined
  sorting?: { id: UserSortId; desc: boolean }[] | undefined
}

export interface Refusal {
  path: string
  message: string
}

const DEFAULT_SIZE = 25
const byCreation: UserSort = { column: 'createdAt', table: 'users', isDescending: true }

/** Groups move with the clock, but pages and polls within a minute are of one group and share its count. */
const GROUP_STEP_MS = 60_000

/** The view that a query asks for of the users of a scope, or what in it cannot be asked. Only orders by traffic go by days, those of the zone. */
export function toUsersView(query: UsersQuery, scope: Scope, now: Date, zone = 'UTC'): UsersView | { refusal: Refusal } {
  const { start = 0, size = DEFAULT_SIZE } = query
  if (!Number.isSafeInteger(start) || start < 0) return refuse('start', 'must be a whole number, 0 or more')
  if (!Number.isInteger(size)) return refuse('size', 'must be a whole number')
  const filters: UserFilter[] = filtersOf(scope)
  for (const [index, { id, value }] of (query.filters ?? []).entries()) {
    const filter = toFilter(id, value, query.filterModes?.[id], now)
    if (typeof filter === 'string') return refuse(`filters.${index}`, filter)
    if (filter) filters.push(filter)
  }
  const sorting = (query.sorting ?? []).map(({ id, desc }) => sortOf(id, desc, dayIn(zone, now)))
  return { start, size, filters, sorting: sorting.length > 0 ? sorting : [byCreation] }
}

/** The filters that every view of a scope has. */
export function filtersOf(scope: Scope): UserFilter[] {
  return scope === everyone ? [] : [{ kind: 'scope', scope }]
}

function refuse(path: string, message: string): { refusal: Refusal } {
  return { refusal: { path, message } }
}

/** The condition, a sentence on why there is none, or nothing where blanks are searched for. */
function toFilter(id: UserFilterId, value: unknown, mode: string | undefined, now: Date): UserFilter | string | undefined {
  if (isOneOf(instants, id)) {
    const at = typeof value === 'string' || typeof value === 'number' ? new Date(value) : undefined
    if (!at || Number.isNaN(at.getTime())) return `${id} is filtered by a date-time such as 2026-01-31T12:00:00Z`
    return { kind: 'instant', table: instants[id], column: id, at }
  }
  if (id === 'telegramId') return { kind: 'telegramId', telegramId: toInteger(value) }
  if (id === 'externalSquadUuid') {
    if (value !== 'none' && (typeof value !== 'string' || !isUuid(value))) return `${id} is filtered by one uuid, or by none`
    return { kind: 'externalSquad', uuid: value === 'none' ? null : value }
  }
  if (id === 'activeInternalSquads' || id === 'nodeName') {
    if (typeof value !== 'string' || !isUuid(value)) return `${id} is filtered by one uuid`
    return id === 'nodeName' ? { kind: 'node', uuid: value } : { kind: 'squad', uuid: value }
  }
  if (id === 'search') {
    const text = toText(value)
    if (text === undefined || text.length > SEARCH_MAX_LENGTH)
      return `search takes a text of up to ${SEARCH_MAX_LENGTH} characters`
    const terms = searchTerms(text)
    return terms && { kind: 'search', terms }
  }
  if (id === 'among') {
    const group = userGroup.safeParse(value)
    if (!group.success) return `among takes one of ${userGroup.options.join(', ')}`
    return { kind: 'among', group: group.data, now: new Date(Math.floor(now.getTime() / GROUP_STEP_MS) * GROUP_STEP_MS) }
  }
  if (isOneOf(words, id)) {
    const text = toText(value)
    const textMode = toTextMode(mode)
    if (text === undefined) return `${id} is filtered by a text`
    return { kind: 'words', column: id, matching: words[id].filter((word) => isMatch(word, textMode, text)) }
  }
  return toTextFilter(id, value, mode)
}

function isOneOf<Id extends string>(table: Record<Id, unknown>, id: string): id is Id {
  return Object.hasOwn(table, id)
}

/** Does not compile for what is no text. */
function toTextFilter(id: TextId & TextField, value: unknown, mode: string | undefined): UserFilter | string {
  const text = toText(value)
  if (text === undefined) return `${id} is filtered by a text`
  const table = id === 'subLastUserAgent' ? 'userAccesses' : 'users'
  return { kind: 'text', table, column: id, mode: toTextMode(mode), text }
}

function toText(value: unknown): string | undefined {
  const isText = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
  return isText && !String(value).includes('\u0000') ? String(value) : undefined
}

function toTextMode(mode: string | undefined): TextMode {
  return mode === 'startsWith' || mode === 'endsWith' || mode === 'equals' ? mode : 'contains'
}

/** A telegram id; what is none asks for the users without one. */
function toInteger(value: unknown): number | null {
  const number = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : null
}

function isMatch(word: string, mode: TextMode, text: string): boolean {
  switch (mode) {
    case 'contains':
      return word.toLowerCase().includes(text.toLowerCase())
    case 'startsWith':
      return word.startsWith(text)
    case 'endsWith':
      return word.endsWith(text)
    case 'equals':
      return word === text
  }
}

/** The statuses whose kept counts add up to the view's total, if they do. */
export function statusesOfTotal(filters: UserFilter[]): readonly UserStatus[] | undefined {
  let statuses: readonly UserStatus[] = userStatus.options
  for (const filter of filters) {
    if (filter.kind !== 'words' || filter.column !== 'status') return undefined
    statuses = statuses.filter((status) => filter.matching.includes(status))
  }
  return statuses
}
