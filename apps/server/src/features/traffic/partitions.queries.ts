import { sql } from 'kysely'
import type { Db, Tx } from '../../db/driver/connect.ts'

/** A month of "userNodeUsage", written YYYY-MM. */
export type Month = string

const LOCK_TIMEOUT = '3s'

/** Months that have a partition of their own. */
export async function listPartitions(db: Db): Promise<Month[]> {
  const { rows } = await sql<{ name: string }>`
    select child.relname as "name" from pg_inherits
    join pg_class child on child.oid = inhrelid join pg_class parent on parent.oid = inhparent
    where parent.relname = 'userNodeUsage' and child.relname ~ '^userNodeUsage\\d{6}$' order by 1
  `.execute(db)
  return rows.map(({ name }) => `${name.slice(-6, -2)}-${name.slice(-2)}`)
}

/** Gives a month a partition of its own. Rows that were kept in the one for everything else move into it. */
export async function addPartition(tx: Tx, month: Month): Promise<void> {
  const table = tableOf(month)
  const [from, to] = [sql.lit(`${month}-01`), sql.lit(`${monthAfter(month)}-01`)]
  await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT)}`.execute(tx)
  await sql`lock table "userNodeUsage" in access exclusive mode`.execute(tx)
  // Rows of today are updated with every poll, in place where there is room.
  await sql`create table ${table} (like "userNodeUsage" including all) with (fillfactor = 70)`.execute(tx)
  await sql`
    with moved as (delete from "userNodeUsageDefault" where "day" >= ${from}::date and "day" < ${to}::date returning *)
    insert into ${table} select * from moved
  `.execute(tx)
  await sql`alter table "userNodeUsage" attach partition ${table} for values from (${from}) to (${to})`.execute(tx)
}

export async function dropPartition(tx: Tx, month: Month): Promise<void> {
  await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT)}`.execute(tx)
  await sql`drop table ${tableOf(month)}`.execute(tx)
}

/** Forgets days before this one that lie in no partition of their own. */
export async function deleteUsageBefore(db: Db, day: string): Promise<void> {
  await sql`delete from "userNodeUsageDefault" where "day" < ${day}::date`.execute(db)
}

function tableOf(month: Month) {
  return sql.ref(`userNodeUsage${month.replace('-', '')}`)
}

export function monthAfter(month: Month, count = 1): Month {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + count, 1)).toISOString().slice(0, 7)
}
