import { trafficLimitStrategy, userStatus } from '@causeway/contract'

// What the users list can be filtered and sorted by (docs/wire.md 7), and where each column lives. The three tables
// change at different paces: what is edited, what every poll changes, what every fetch of a subscription changes.

export type UserTable = 'users' | 'userUsage' | 'userAccesses'

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

const sortable: Record<string, Sortable> = {
  uuid: { table: 'users' },
  shortUuid: { table: 'users' },
  username: { table: 'users', isFolded: true },
  status: { table: 'users', isByCreation: true },
  trafficLimitBytes: { table: 'users' },
  trafficLimitStrategy: { table: 'users' },
  expireAt: { table: 'users' },
  subRevokedAt: { table: 'users', isNullable: true },
  lastTrafficResetAt: { table: 'userUsage', isNullable: true },
  description: { table: 'users', isLong: true, isNullable: true },
  tag: { table: 'users', isNullable: true },
  telegramId: { table: 'users', isNullable: true },
  email: { table: 'users', isNullable: true },
  hwidDeviceLimit: { table: 'users', isNullable: true },
  lastTriggeredThreshold: { table: 'userUsage' },
  createdAt: { table: 'users' },
  updatedAt: { table: 'users' },
  vlessUuid: { table: 'users' },
  trojanPassword: { table: 'users' },
  ssPassword: { table: 'users' },
  usedTrafficBytes: { table: 'userUsage' },
  lifetimeUsedTrafficBytes: { table: 'userUsage' },
  onlineAt: { table: 'userUsage', isNullable: true },
  firstConnectedAt: { table: 'userUsage', isNullable: true },
  subLastOpenedAt: { table: 'userAccesses', isNullable: true },
  subLastUserAgent: { table: 'userAccesses', isLong: true, isNullable: true },
}

const instants: Record<string, UserTable> = {
  createdAt: 'users',
  expireAt: 'users',
  lastTrafficResetAt: 'userUsage',
  onlineAt: 'userUsage',
  subLastOpenedAt: 'userAccesses',
}

const texts: Record<string, UserTable> = {
  username: 'users',
  shortUuid: 'users',
  description: 'users',
  tag: 'users',
  email: 'users',
  trojanPassword: 'users',
  ssPassword: 'users',
  subLastUserAgent: 'userAccesses',
}

// Columns of few known words: which of them match is known without the database.
const words: Record<string, readonly string[]> = {
  status: userStatus.options,
  trafficLimitStrategy: trafficLimitStrategy.options,
}

export type TextMode = 'contains' | 'startsWith' | 'endsWith' | 'equals'

/** One condition of the list. All of them must hold. */
export type UserFilter =
  | { kind: 'instant'; table: UserTable; column: string; at: Date }
  | { kind: 'telegramId'; telegramId: number | null }
  | { kind: 'squad'; uuid: string }
  | { kind: 'node'; uuid: string }
  | { kind: 'words'; column: string; matching: string[] }
  | { kind: 'text'; table: UserTable; column: string; mode: TextMode; text: string }

export interface UserSort extends Sortable {
  column: string
  isDescending: boolean
}

export interface UsersView {
  start: number
  size: number
  filters: UserFilter[]
  sorting: UserSort[]
}

interface UsersQuery {
  start?: number | undefined
  size?: number | undefined
  filters?: { id: string; value?: unknown }[] | undefined
  filterModes?: Record<string, string> | undefined
  sorting?: { id: string; desc: boolean }[] | undefined
}

export interface Refusal {
  path: string
  message: string
}

const DEFAULT_SIZE = 25
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i
const byCreation: UserSort = { column: 'createdAt', table: 'users', isDescending: true }

/** The view that a query asks for, or what in it cannot be asked. */
export function toUsersView(query: UsersQuery): UsersView | { refusal: Refusal } {
  const { start = 0, size = DEFAULT_SIZE } = query
  if (!Number.isSafeInteger(start) || start < 0) return refuse('start', 'must be a whole number, 0 or more')
  if (!Number.isInteger(size)) return refuse('size', 'must be a whole number')
  const filters: UserFilter[] = []
  for (const [index, { id, value }] of (query.filters ?? []).entries()) {
    const filter = toFilter(id, value, query.filterModes?.[id])
    if (typeof filter === 'string') return refuse(`filters.${index}`, filter)
    filters.push(filter)
  }
  const sorting: UserSort[] = []
  for (const [index, { id, desc }] of (query.sorting ?? []).entries()) {
    const column = Object.hasOwn(sortable, id) ? sortable[id] : undefined
    if (!column) return refuse(`sorting.${index}.id`, `users cannot be sorted by ${id}`)
    sorting.push({ ...column, column: id, isDescending: desc })
  }
  return { start, size, filters, sorting: sorting.length > 0 ? sorting : [byCreation] }
}

function refuse(path: string, message: string): { refusal: Refusal } {
  return { refusal: { path, message } }
}

/** The condition, or a sentence on why there is none. */
function toFilter(id: string, value: unknown, mode: string | undefined): UserFilter | string {
  if (Object.hasOwn(instants, id)) {
    const at = typeof value === 'string' || typeof value === 'number' ? new Date(value) : undefined
    const table = instants[id]
    if (!at || Number.isNaN(at.getTime()) || !table) return `${id} is filtered by a date-time such as 2026-01-31T12:00:00Z`
    return { kind: 'instant', table, column: id, at }
  }
  if (id === 'telegramId') return { kind: 'telegramId', telegramId: toInteger(value) }
  if (id === 'activeInternalSquads' || id === 'nodeName') {
    if (typeof value !== 'string' || !UUID.test(value)) return `${id} is filtered by one uuid`
    return id === 'nodeName' ? { kind: 'node', uuid: value } : { kind: 'squad', uuid: value }
  }
  const isText = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
  const text = isText ? String(value) : ''
  const known = Object.hasOwn(words, id) ? words[id] : undefined
  const table = Object.hasOwn(texts, id) ? texts[id] : undefined
  if (!known && !table) return `users cannot be filtered by ${id}`
  if (!isText || text.includes('\u0000')) return `${id} is filtered by a text`
  const textMode = toTextMode(mode)
  if (known) return { kind: 'words', column: id, matching: known.filter((word) => isMatch(word, textMode, text)) }
  return { kind: 'text', table: table ?? 'users', column: id, mode: textMode, text }
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
export function statusesOfTotal(filters: UserFilter[]): readonly string[] | undefined {
  let statuses: readonly string[] = userStatus.options
  for (const filter of filters) {
    if (filter.kind !== 'words' || filter.column !== 'status') return undefined
    statuses = statuses.filter((status) => filter.matching.includes(status))
  }
  return statuses
}
