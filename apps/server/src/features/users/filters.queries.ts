import { NEAR_LIMIT_SHARE, type UserGroup } from '@causeway/contract'
import { sql, type RawBuilder } from 'kysely'
import { isVisible } from '../../ground/scope/scope.queries.ts'
import { onlineSince } from '../../ground/online.queries.ts'
import { DAY_MS } from '../../lib/days.ts'
import { contains } from '../search/search.queries.ts'
import { hasIndexedPart, likeText, type SearchTerms } from '../search/search.rules.ts'
import type { UserFilter, UserTable } from './list.rules.ts'

/** The table that a filter reads. */
export function tableOf(filter: UserFilter): UserTable {
  switch (filter.kind) {
    case 'instant':
    case 'text':
      return filter.table
    case 'node':
      return 'userUsage'
    case 'telegramId':
    case 'scope':
    case 'squad':
    case 'externalSquad':
    case 'words':
    case 'search':
      return 'users'
    case 'among':
      return TABLE_OF_GROUP[filter.group]
  }
}

export function conditions(filters: UserFilter[]): RawBuilder<unknown> {
  return filters.length === 0 ? sql`true` : sql.join(filters.map(condition), sql` and `)
}

function condition(filter: UserFilter): RawBuilder<unknown> {
  switch (filter.kind) {
    case 'instant':
      return sql`${sql.ref(`${filter.table}.${filter.column}`)} = ${filter.at}`
    case 'telegramId':
      return filter.telegramId === null ? sql`"users"."telegramId" is null` : sql`"users"."telegramId" = ${filter.telegramId}`
    case 'scope':
      return isVisible(filter.scope, sql`"users"."id"`)
    case 'squad':
      return sql`exists (select 1 from "internalSquadMembers" member where member."userId" = "users"."id"
        and member."squadId" = (select "id" from "internalSquads" where "uuid" = ${filter.uuid}))`
    case 'externalSquad':
      return filter.uuid === null ? sql`"users"."externalSquadUuid" is null` : sql`"users"."externalSquadUuid" = ${filter.uuid}`
    case 'node':
      return sql`"userUsage"."lastConnectedNodeId" = (select "id" from "nodes" where "uuid" = ${filter.uuid})`
    case 'words':
      // One word is asked for by itself: a list would keep the index from giving its rows in order.
      return filter.matching.length === 1
        ? sql`${sql.ref(`users.${filter.column}`)} = ${filter.matching[0]}`
        : sql`${sql.ref(`users.${filter.column}`)} = any(${filter.matching}::text[])`
    case 'search':
      return searchCondition(filter.terms)
    case 'among':
      return groupCondition(filter.group, filter.now)
    case 'text':
      return textCondition(`${filter.table}.${filter.column}`, filter.mode, filter.text)
  }
}

function textCondition(name: string, mode: string, text: string): RawBuilder<unknown> {
  const [column, escaped] = [sql.ref(name), likeText(text)]
  switch (mode) {
    case 'equals':
      return sql`${column} = ${text}`
    case 'startsWith':
      return sql`${column} like ${`${escaped}%`}`
    case 'endsWith':
      return sql`${column} like ${`%${escaped}`}`
    default:
      return contains(name, text)
  }
}

/** Everything that a user can be found by. Each alternative has an index, so that rare texts are found by all of them together. */
function searchCondition({ text, shortUuid, uuid, telegramId }: SearchTerms): RawBuilder<unknown> {
  const parts = !hasIndexedPart(text) // names that begin with it
    ? [sql`lower("users"."username") like ${`${likeText(text.toLowerCase())}%`}`]
    : (['username', 'email', 'shortUuid', 'description'] as const).map((column) => contains(`users.${column}`, text))
  if (shortUuid !== undefined) parts.push(sql`"users"."shortUuid" = ${shortUuid}`)
  if (uuid !== undefined) parts.push(sql`"users"."uuid" = ${uuid}::uuid`)
  if (telegramId !== undefined) parts.push(sql`"users"."telegramId" = ${telegramId}`)
  return sql`(${sql.join(parts, sql` or `)})`
}

const TABLE_OF_GROUP = {
  expiringThisWeek: 'users',
  newThisWeek: 'users',
  nearLimit: 'userUsage',
  neverConnected: 'userUsage',
  awayForMonth: 'userUsage',
  onlineNow: 'userUsage',
  onlineLastDay: 'userUsage',
  onlineLastWeek: 'userUsage',
  neverOnline: 'userUsage',
} as const satisfies Record<UserGroup, UserTable>

function groupCondition(group: UserGroup, now: Date): RawBuilder<unknown> {
  switch (group) {
    case 'expiringThisWeek':
      return sql`("users"."status" = 'ACTIVE' and "users"."expireAt" >= ${now} and "users"."expireAt" < ${addDays(now, 7)})`
    case 'newThisWeek':
      return sql`"users"."createdAt" >= ${addDays(now, -7)}`
    case 'nearLimit':
      return sql`exists (select from "users" u where u."id" = "userUsage"."userId" and u."status" = 'ACTIVE'
        and u."trafficLimitBytes" > 0
        and "userUsage"."usedTrafficBytes"::float8 >= u."trafficLimitBytes"::float8 * ${NEAR_LIMIT_SHARE}::float8)`
    case 'neverConnected':
      return sql`"userUsage"."firstConnectedAt" is null`
    case 'awayForMonth':
      return sql`"userUsage"."onlineAt" < ${addDays(now, -30)}`
    // As the figures on the home page count them.
    case 'onlineNow':
      return sql`"userUsage"."onlineAt" > ${onlineSince(now)}`
    case 'onlineLastDay':
      return sql`"userUsage"."onlineAt" > ${addDays(now, -1)}`
    case 'onlineLastWeek':
      return sql`"userUsage"."onlineAt" > ${addDays(now, -7)}`
    case 'neverOnline':
      return sql`"userUsage"."onlineAt" is null`
  }
}

function addDays(at: Date, days: number): Date {
  return new Date(at.getTime() + days * DAY_MS)
}
