import { sql, type RawBuilder } from 'kysely'
import type { Tables } from '../../db/tables.ts'
import { ORDER_COLUMN } from '../traffic/order.queries.ts'
import { periodBytes } from '../traffic/sums.queries.ts'
import { tableOf } from './filters.queries.ts'
import type { StoredSortId, UserSort, UsersView, UserTable } from './list.rules.ts'

// Source and order of a page of users.

/** Users with a value in the sorted column and those without are read one after the other: each has an index that fits. */
export type Part = 'all' | 'values' | 'nulls'

export function isSplit({ sorting }: UsersView): boolean {
  return sorting.length === 1 && sorting[0]?.isNullable === true
}

export function tablesOf(view: UsersView, part: Part): UserTable[] {
  const tables = [...view.filters.map(tableOf), ...view.sorting.map((sort) => sort.table)]
  // Users without a row of accesses are among those without a value.
  return part === 'values' || !tables.includes('userAccesses') ? tables : [...tables, 'users']
}

export function partCondition({ sorting: [sort] }: UsersView, part: Part): RawBuilder<unknown> {
  if (part === 'all' || sort?.column === undefined) return sql`true`
  const column = sql.ref(`${sort.table}.${sortColumn(sort.column)}`)
  return part === 'values' ? sql`${column} is not null` : sql`${column} is null`
}

/** Does not compile while something that the contract sorts by is no column of these tables. */
function sortColumn(id: StoredSortId): keyof Tables['users'] | keyof Tables['userUsage'] | keyof Tables['userAccesses'] {
  return id
}

/** The narrowest join that has these tables. Every user has a row of usage, and of a kept order; one of accesses only after the first. */
export function joined(tables: UserTable[]): RawBuilder<unknown> {
  const [base, others] = baseOf(tables)
  return others.reduce(
    (from, table) => sql`${from} ${table === 'userAccesses' ? sql`left join` : sql`join`} ${sql.ref(table)}
      on ${sql.ref(`${table}.userId`)} = ${key(tables)}`,
    sql`${sql.ref(base)}`,
  )
}

export function key(tables: UserTable[]): RawBuilder<unknown> {
  const [base] = baseOf(tables)
  return base === 'users' ? sql`"users"."id"` : sql`${sql.ref(`${base}.userId`)}`
}

/** The table that has a row for everyone asked for, and those to be joined to it. */
function baseOf(tables: UserTable[]): [base: UserTable, others: UserTable[]] {
  const all = [...new Set(tables)]
  const base = all.length === 1 && all[0] ? all[0] : all.includes('users') ? 'users' : 'userUsage'
  return [base, all.filter((table) => table !== base)]
}

/** Nulls come last in both directions; users that are equal otherwise keep one order, so that pages do not overlap. */
export function orders(sorting: UserSort[], part: Part, id: RawBuilder<unknown>, isReversed: boolean): RawBuilder<unknown>[] {
  const columns = sorting.flatMap((sort) => {
    const plain = sortedBy(sort)
    const by = sort.isFolded ? sql`lower(${plain})` : sort.isLong ? sql`left(${plain}, 100)` : plain
    const direction = sort.isDescending === isReversed ? sql`asc` : sql`desc`
    if (sort.isByCreation) return [sql`${by} ${direction}`, sql`"users"."createdAt" ${direction}`]
    if (!sort.isNullable || part === 'values') return [sql`${by} ${direction}`]
    return [isReversed ? sql`${by} ${direction} nulls first` : sql`${by} ${direction} nulls last`]
  })
  const isDescending = sorting[0]?.isDescending ?? true
  const byId = isDescending === isReversed ? sql`${id} asc` : sql`${id} desc`
  return part === 'nulls' ? [byId] : [...columns, byId]
}

function sortedBy(sort: UserSort): RawBuilder<unknown> {
  if (sort.column !== undefined) return sql.ref(`${sort.table}.${sortColumn(sort.column)}`)
  return sort.table === 'userTraffic' ? sql.ref(`userTraffic.${ORDER_COLUMN[sort.period]}`) : periodBytes(sort.period, sort.today)
}
