import { NEAR_LIMIT_SHARE, type UserStatus } from '@causeway/contract'
import { sql, type RawBuilder } from 'kysely'
import { everyone, type Scope } from '../../lib/scope.ts'
import type { Db, Tx } from '../../db/driver/connect.ts'
import { PLANNED_ANEW, planEachAnew } from '../../db/driver/planner.ts'
import { pipelined } from '../../db/driver/pipeline.ts'
import { readAsSent, type SentFrom } from '../../db/driver/as-sent.ts'
import { columnAt, type RowTaker } from '../../lib/sent-rows.ts'
import { andVisible } from '../../ground/scope/scope.queries.ts'
import { listIdsInOrder } from '../traffic/order.queries.ts'
import { asBooked, byIdsInOrder, byKeptOrder, keptColumn, usageOrder } from './kept-order.queries.ts'
import { conditions, tableOf } from './filters.queries.ts'
import { isSplit, joined, key, orders, partCondition, tablesOf, type Part } from './list-order.queries.ts'
import { filtersOf, statusesOfTotal, type UserFilter, type UsersView } from './list.rules.ts'
import { usersInOrder } from './users.queries.ts'

// The list is read in two steps. The ids of the page come from the narrowest tables that filters and order need, then
// the rows of those ids. Statements are planned for their actual values, as no plan suits both selective and broad
// filters.

/** Gives the users of a page in the view's order. The total is told where it is known from kept counts. */
export async function listPage(database: SentFrom, view: UsersView, now: Date, taker: RowTaker): Promise<number | undefined> {
  const kept = await byKeptOrder(database.db, view, now)
  const totalOfAll = await firstPageOfAll(database, kept ?? view, taker)
  if (totalOfAll !== undefined) return totalOfAll
  const { ids, total } = await listPageIds(database.db, kept ?? view)
  await byIdsInOrder(database, view, kept ? await asBooked(database.db, ids, kept) : ids, taker)
  return total
}

/** Page sizes that the table offers. A statement is kept for each, as a plan has to know how few rows it is for. */
const OFFERED_SIZES = new Set([25, 50, 100, 200, 500, 1000])
const readFirstPage = readAsSent()

/**
 * The most frequent request, the first page of all users by some column, in one statement; undefined where that did
 * not fill the page.
 */
async function firstPageOfAll(database: SentFrom, view: UsersView, taker: RowTaker): Promise<number | undefined> {
  const [sort, ...more] = view.sorting
  if (view.start > 0 || view.filters.length > 0 || more.length > 0 || sort?.column === undefined) return undefined
  if (!OFFERED_SIZES.has(view.size)) return undefined
  const shape = `${sort.table} ${sort.column} ${sort.isDescending} ${view.size}`
  let [count, total] = [0, 0]
  const take: RowTaker['take'] = (row, columns) => {
    if (count++ === 0) total = row.number(columnAt(columns, 'total'))
    taker.take(row, columns)
  }
  await readFirstPage(database, { begin: () => taker.begin(), take }, shape, [], () => wholeFirstPage(database.db, view))
  return count < view.size ? undefined : total
}

function wholeFirstPage(db: Db, view: UsersView) {
  const part: Part = isSplit(view) ? 'values' : 'all'
  const tables = tablesOf(view, part)
  const ids = sql`select ${key(tables)} from ${joined(tables)} where ${partCondition(view, part)}
    order by ${sql.join(orders(view.sorting, part, key(tables), false))} limit ${sql.lit(view.size)}`
  const total = sql<number>`(select coalesce(sum("delta"), 0)::bigint from "userCounts")`
  return usersInOrder(db, sql<number[]>`array(${ids})`, { total, usage: usageOrder(view) })
}

/** Ids of the page in the view's order. The total is given where it is known from kept counts. */
export async function listPageIds(db: Db, view: UsersView): Promise<{ ids: number[]; total: number | undefined }> {
  const statuses = statusesOfTotal(view.filters)
  const first = view.start === 0 && keptColumn(view) === undefined ? await firstPage(db, view, statuses) : undefined
  if (first) return first
  return planned(db, async (tx) => {
    const total = statuses ? await countByStatus(tx, everyone, statuses) : undefined
    if (total === undefined || view.start < total / 2) {
      return {
        ids: await pageIds(tx, view, { offset: view.start, limit: view.size, isReversed: false }),
        total,
      }
    }
    // Nearer to the end: the same order read from behind, so that the last page is as quick as the first.
    const size = Math.min(view.size, total - view.start)
    if (size <= 0) return { ids: [], total }
    const ids = await pageIds(tx, view, {
      offset: total - view.start - size,
      limit: size,
      isReversed: true,
    })
    return { ids: ids.toReversed(), total }
  })
}

/** The first page with its total, where that is kept, in one statement; nothing where its users may not be all. */
async function firstPage(db: Db, view: UsersView, statuses: readonly string[] | undefined) {
  const part: Part = isSplit(view) ? 'values' : 'all'
  const tables = tablesOf(view, part)
  const { rows } = await sql<{ id: number; total: number | null }>`${PLANNED_ANEW}
    select ${key(tables)} as "id", ${statuses ? sql`(${totalOf(statuses)})` : sql`null::bigint`} as "total"
    from ${joined(tables)} where ${conditions(view.filters)} and ${partCondition(view, part)}
    order by ${sql.join(orders(view.sorting, part, key(tables), false))} limit ${view.size}
  `.execute(db)
  if (part === 'values' && rows.length < view.size) return undefined
  return { ids: rows.map(({ id }) => id), total: rows[0]?.total ?? undefined }
}

/** The exact number of users that the filters let through, by looking at them. */
export async function countUsers(db: Db, filters: UserFilter[]): Promise<number> {
  return planned(db, async (tx) => {
    const [first] = filters
    if (filters.length === 1 && first?.kind === 'squad') return countMembers(tx, first.uuid)
    return countMatching(tx, filters)
  })
}

async function countMatching(db: Db, filters: UserFilter[]): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as "total" from ${joined(filters.length > 0 ? filters.map(tableOf) : ['users'])} where ${conditions(filters)}
  `.execute(db)
  return rows[0]?.total ?? 0
}

/** A query for the ids of the users that the filters let through. */
export function idsMatching(filters: UserFilter[]): RawBuilder<unknown> {
  const tables = filters.length > 0 ? filters.map(tableOf) : (['users'] as const)
  return sql`select ${key([...tables])} as "id" from ${joined([...tables])} where ${conditions(filters)}`
}

/** A query for the ids of all users of a view, in its order. */
export function allIdsInOrder(view: UsersView): RawBuilder<unknown> {
  const tables = tablesOf(view, 'all')
  return sql`select ${key(tables)} as "id" from ${joined(tables)} where ${conditions(view.filters)}
    order by ${sql.join(orders(view.sorting, 'all', key(tables), false))}`
}

/** Members are users, so that the users themselves need not be looked at. */
async function countMembers(tx: Tx, squadUuid: string): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as "total" from "internalSquadMembers"
    where "squadId" = (select "id" from "internalSquads" where "uuid" = ${squadUuid})
  `.execute(tx)
  return rows[0]?.total ?? 0
}

const NAMED_NEAR_LIMIT = 5

/** Active users at nine tenths of their limit or more: those with the largest share, and their total number. */
export async function listIdsNearLimit(db: Db, scope: Scope): Promise<{ ids: number[]; total: number }> {
  const { rows } = await sql<{ id: number; total: number }>`
    select u."id", count(*) over () as "total" from "users" u join "userUsage" usage on usage."userId" = u."id"
    where u."status" = 'ACTIVE' and u."trafficLimitBytes" > 0
      and usage."usedTrafficBytes"::float8 >= u."trafficLimitBytes"::float8 * ${NEAR_LIMIT_SHARE}::float8${andVisible(scope, sql`u."id"`)}
    order by usage."usedTrafficBytes"::float8 / u."trafficLimitBytes" desc, u."id" limit ${NAMED_NEAR_LIMIT}
  `.execute(db)
  return { ids: rows.map(({ id }) => id), total: rows[0]?.total ?? 0 }
}

/** Kept counts: quick at any number of users. Those of a reseller are looked at. */
export async function countByStatus(db: Db, scope: Scope, statuses: readonly UserStatus[]): Promise<number> {
  if (scope !== everyone)
    return countMatching(db, [...filtersOf(scope), { kind: 'words', column: 'status', matching: [...statuses] }])
  const { rows } = await totalOf(statuses).execute(db)
  return rows[0]?.total ?? 0
}

function totalOf(statuses: readonly string[]): RawBuilder<{ total: number }> {
  return sql`select coalesce(sum("delta"), 0)::bigint as "total" from "userCounts" where "status" = any(${statuses}::text[])`
}

/** One snapshot, in which totals and pages belong together; every statement planned for its own values. */
async function planned<T>(db: Db, read: (tx: Tx) => Promise<T>): Promise<T> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (whole) => {
      const tx = await pipelined(whole)
      const [, result] = await Promise.all([planEachAnew(tx), read(tx)])
      return result
    })
}

interface Slice {
  offset: number
  limit: number
  isReversed: boolean
}

async function pageIds(tx: Tx, view: UsersView, { offset, limit, isReversed }: Slice): Promise<number[]> {
  const column = keptColumn(view)
  if (column !== undefined) {
    const isDescending = view.sorting[0]?.isDescending !== isReversed
    return listIdsInOrder(tx, { column, isDescending, matching: idsMatching(view.filters), offset, limit })
  }
  const parts: Part[] = !isSplit(view) ? ['all'] : isReversed ? ['nulls', 'values'] : ['values', 'nulls']
  const ids: number[] = []
  let skipped = 0
  for (const [index, part] of parts.entries()) {
    const rest = ids.length > 0 ? 0 : offset - skipped
    ids.push(...(await partIds(tx, view, part, { offset: rest, limit: limit - ids.length, isReversed })))
    if (ids.length === limit) break
    const isLast = index === parts.length - 1
    if (ids.length === 0 && rest > 0 && !isLast) skipped += await countPart(tx, view, part)
  }
  return ids
}

async function partIds(tx: Tx, view: UsersView, part: Part, { offset, limit, isReversed }: Slice): Promise<number[]> {
  const tables = tablesOf(view, part)
  const { rows } = await sql<{ id: number }>`
    select ${key(tables)} as "id" from ${joined(tables)} where ${conditions(view.filters)} and ${partCondition(view, part)}
    order by ${sql.join(orders(view.sorting, part, key(tables), isReversed))} limit ${limit} offset ${offset}
  `.execute(tx)
  return rows.map((row) => row.id)
}

async function countPart(tx: Tx, view: UsersView, part: Part): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as "total" from ${joined(tablesOf(view, part))} where ${conditions(view.filters)} and ${partCondition(view, part)}
  `.execute(tx)
  return rows[0]?.total ?? 0
}
