import { sql, type RawBuilder } from 'kysely'
import type { Db, Tx } from '../../db/connect.ts'
import { statusesOfTotal, type UserFilter, type UserSort, type UsersView, type UserTable } from './list.rules.ts'

// The list is read in two steps: the ids of the page by the narrowest tables that filters and order need, then the rows of
// those ids. Statements are planned for their very values, as one plan for selective and broad filters alike would be bad
// for one of them.

/** Ids of the page in the view's order. The total is given where it is known from kept counts. */
export async function listPageIds(db: Db, view: UsersView): Promise<{ ids: number[]; total: number | undefined }> {
  return planned(db, async (tx) => {
    const statuses = statusesOfTotal(view.filters)
    const total = statuses ? await countByStatus(tx, statuses) : undefined
    if (total === undefined || view.start < total / 2)
      return { ids: await pageIds(tx, view, view.start, view.size, false), total }
    // Nearer to the end: the same order read from behind, so that the last page is as quick as the first.
    const size = Math.min(view.size, total - view.start)
    if (size <= 0) return { ids: [], total }
    const ids = await pageIds(tx, view, total - view.start - size, size, true)
    return { ids: ids.toReversed(), total }
  })
}

/** The exact number of users that the filters let through, by looking at them. */
export async function countUsers(db: Db, filters: UserFilter[]): Promise<number> {
  return planned(db, async (tx) => {
    const { rows } = await sql<{ total: number }>`
      select count(*) as "total" from ${joined(filters.map(tableOf))} where ${conditions(filters)}
    `.execute(tx)
    return rows[0]?.total ?? 0
  })
}

/** Kept counts: quick at any number of users. */
export async function countByStatus(db: Db, statuses: readonly string[]): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select coalesce(sum("delta"), 0)::bigint as "total" from "userCounts" where "status" = any(${statuses}::text[])
  `.execute(db)
  return rows[0]?.total ?? 0
}

/** One snapshot, in which totals and pages belong together; every statement planned for its own values. */
async function planned<T>(db: Db, read: (tx: Tx) => Promise<T>): Promise<T> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      await sql`set local plan_cache_mode = force_custom_plan`.execute(tx)
      return read(tx)
    })
}

async function pageIds(tx: Tx, view: UsersView, offset: number, limit: number, isReversed: boolean): Promise<number[]> {
  const tables = [...view.filters.map(tableOf), ...view.sorting.map((sort) => sort.table)]
  const { rows } = await sql<{ id: number }>`
    select ${key(tables)} as "id" from ${joined(tables)} where ${conditions(view.filters)}
    order by ${sql.join(orders(view.sorting, key(tables), isReversed))} limit ${limit} offset ${offset}
  `.execute(tx)
  return rows.map((row) => row.id)
}

function tableOf(filter: UserFilter): UserTable {
  switch (filter.kind) {
    case 'instant':
    case 'text':
      return filter.table
    case 'node':
      return 'userUsage'
    case 'telegramId':
    case 'squad':
    case 'words':
      return 'users'
  }
}

/** The narrowest join that has these tables. Every user has a row of usage; a row of accesses only after the first one. */
function joined(tables: UserTable[]): RawBuilder<unknown> {
  const hasUsage = tables.includes('userUsage')
  const hasUsers = tables.includes('users') || !hasUsage
  const base = !hasUsers
    ? sql`"userUsage"`
    : hasUsage
      ? sql`"users" join "userUsage" on "userUsage"."userId" = "users"."id"`
      : sql`"users"`
  return tables.includes('userAccesses')
    ? sql`${base} left join "userAccesses" on "userAccesses"."userId" = ${key(tables)}`
    : base
}

function key(tables: UserTable[]): RawBuilder<unknown> {
  return tables.includes('userUsage') && !tables.includes('users') ? sql`"userUsage"."userId"` : sql`"users"."id"`
}

/** Nulls come last in both directions; users that are equal otherwise keep one order, so that pages do not overlap. */
function orders(sorting: UserSort[], id: RawBuilder<unknown>, isReversed: boolean): RawBuilder<unknown>[] {
  const columns = sorting.map(({ table, column, isDescending, isFolded, isNullable }) => {
    const plain = sql.ref(`${table}.${column}`)
    const by = isFolded ? sql`lower(${plain})` : plain
    const direction = isDescending === isReversed ? sql`asc` : sql`desc`
    if (!isNullable) return sql`${by} ${direction}`
    return isReversed ? sql`${by} ${direction} nulls first` : sql`${by} ${direction} nulls last`
  })
  const isDescending = sorting[0]?.isDescending ?? true
  return [...columns, isDescending === isReversed ? sql`${id} asc` : sql`${id} desc`]
}

function conditions(filters: UserFilter[]): RawBuilder<unknown> {
  return filters.length === 0 ? sql`true` : sql.join(filters.map(condition), sql` and `)
}

function condition(filter: UserFilter): RawBuilder<unknown> {
  switch (filter.kind) {
    case 'instant':
      return sql`${sql.ref(`${filter.table}.${filter.column}`)} = ${filter.at}`
    case 'telegramId':
      return filter.telegramId === null ? sql`"users"."telegramId" is null` : sql`"users"."telegramId" = ${filter.telegramId}`
    case 'squad':
      return sql`exists (select 1 from "internalSquadMembers" member where member."userId" = "users"."id"
        and member."squadId" = (select "id" from "internalSquads" where "uuid" = ${filter.uuid}))`
    case 'node':
      return sql`"userUsage"."lastConnectedNodeId" = (select "id" from "nodes" where "uuid" = ${filter.uuid})`
    case 'words':
      return sql`${sql.ref(`users.${filter.column}`)} = any(${filter.matching}::text[])`
    case 'text':
      return textCondition(sql.ref(`${filter.table}.${filter.column}`), filter.mode, filter.text)
  }
}

function textCondition(column: RawBuilder<unknown>, mode: string, text: string): RawBuilder<unknown> {
  const escaped = text.replaceAll(/[\\%_]/g, '\\$&')
  switch (mode) {
    case 'equals':
      return sql`${column} = ${text}`
    case 'startsWith':
      return sql`${column} like ${`${escaped}%`}`
    case 'endsWith':
      return sql`${column} like ${`%${escaped}`}`
    default:
      return sql`${column} ilike ${`%${escaped}%`}`
  }
}
