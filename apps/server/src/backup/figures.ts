import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { audited } from '../db/audited.ts'
import { codeOf } from '../db/driver/failures.ts'

// Figures of a database that its copy must have too.

export interface Figures {
  usersByStatus: Record<string, number>
  /** Of the keys of all users and of the wrapped secrets. */
  keysDigest: string
  /** Of the history: how many, and the newest one's number and time. */
  newestEntry: string | null
  newestChangeAt: Date | null
  /** Of all users, and of all days. */
  trafficBytes: string
  rowsByTable: Record<string, number>
}

/** A database as it was at a moment, for as long as its session lasts. */
export interface Moment {
  at: Date
  /** Of the WAL: everything in the figures is before, and nothing else is. */
  lsn: string
}

/** Counting more rows takes too long; their sums are compared all the same. */
const MOST_ROWS = 5_000_000
const LOCK_TIMEOUTS_MS = [300, 300, 300, 300, 1500]
const LOCK_PAUSE_MS = 500
const LOCK_TRIES = 60
const LOCK_NOT_AVAILABLE = '55P03'
const DEADLOCK = '40P01'
/** Of tables and of indexes. */
const SPOILT = ['XX001', 'XX002']

/**
 * Opens a snapshot in `reader` that holds exactly what the WAL says up to a position. Writers wait for the two statements that
 * this takes, so that no commit falls between them.
 */
export async function openMoment(reader: pg.Client, locker: pg.Client): Promise<Moment> {
  const names = (await listTables(reader)).map(({ name }) => `"${name}"`).join(', ')
  for (let tries = 0; ; tries++) {
    try {
      await locker.query('begin')
      // The longest timeout is above that of deadlocks, at which an autovacuum makes way.
      await locker.query(`set local lock_timeout = ${LOCK_TIMEOUTS_MS[tries % LOCK_TIMEOUTS_MS.length]}`)
      await locker.query(`lock table ${names} in share mode`)
      await reader.query('begin isolation level repeatable read read only')
      await reader.query('select 1 from "users" limit 1')
      const { rows } = await locker.query<Moment>(
        `select clock_timestamp() as "at", pg_logical_emit_message(false, 'causeway', 'backup', true)::text as "lsn"`,
      )
      await locker.query('commit')
      if (rows[0]) return rows[0]
      throw new Error('PostgreSQL has not said where its log is.')
    } catch (error) {
      await locker.query('rollback')
      if (![LOCK_NOT_AVAILABLE, DEADLOCK].includes(codeOf(error))) throw error
      if (tries === LOCK_TRIES)
        throw new Error('A long transaction holds the database, so the copy cannot be compared with it. Back it up again.', {
          cause: error,
        })
      await sleep(LOCK_PAUSE_MS)
    }
  }
}

/** Reads the figures in an open transaction, of the tables that `like` has counted where they are given. */
export async function readFigures(client: pg.Client, like?: Figures): Promise<Figures> {
  const counted = like ? Object.keys(like.rowsByTable) : await tablesToCount(client)
  const rowsByTable: Record<string, number> = {}
  for (const name of counted) rowsByTable[name] = await readFrom(client, `(select count(*)::float8 from "${name}")`, 0)
  return {
    usersByStatus: await readFrom(
      client,
      `(select jsonb_object_agg("status", "count") from (
        select "status", count(*)::integer as "count" from "users" group by "status") as "each")`,
      {},
    ),
    keysDigest: await readFrom(
      client,
      `concat_ws(' ',
        (select sum(hashtextextended(concat_ws(' ', "uuid", "shortUuid", "vlessUuid", "trojanPassword", "ssPassword"), 0)::numeric)
          from "users"),
        (select sum(hashtextextended(concat_ws(' ', "name", "wrapped"), 0)::numeric) from "secrets"))`,
      '',
    ),
    newestEntry: await readFrom(
      client,
      `(select concat("id", ' of ', "at" at time zone 'UTC') from "auditLog" order by "id" desc limit 1)`,
      null,
    ),
    newestChangeAt: await readFrom(client, '(select max("at") from "auditLog")', null),
    trafficBytes: await readFrom(
      client,
      `concat_ws(' ',
        (select sum("usedTrafficBytes")::text || ' ' || sum("lifetimeUsedTrafficBytes") from "userUsage"),
        (select sum("uploadBytes" + "downloadBytes") from "userNodeUsage"))`,
      '',
    ),
    rowsByTable,
  }
}

/** Pages that the disk has spoilt can be read neither of the source nor of its copy. */
async function readFrom<Value>(client: pg.Client, expression: string, none: Value): Promise<Value> {
  await client.query('savepoint "figure"')
  try {
    const { rows } = await client.query<{ value: Value | null }>(`select ${expression} as "value"`)
    return rows[0]?.value ?? none
  } catch (error) {
    if (!SPOILT.includes(codeOf(error))) throw error
    await client.query('rollback to savepoint "figure"')
    return none
  }
}

/** Differences of the copy from its source, in words. */
export function differencesOf(source: Figures, copy: Figures): string[] {
  const found: string[] = []
  for (const [name, count] of Object.entries(source.rowsByTable))
    if (copy.rowsByTable[name] !== count) found.push(`table ${name} has ${copy.rowsByTable[name] ?? 0} rows and not ${count}`)
  for (const status of new Set([...Object.keys(source.usersByStatus), ...Object.keys(copy.usersByStatus)])) {
    const [had, has] = [source.usersByStatus[status] ?? 0, copy.usersByStatus[status] ?? 0]
    if (had !== has) found.push(`${has} users are ${status} and not ${had}`)
  }
  if (source.keysDigest !== copy.keysDigest) found.push('keys are not the same')
  if (source.newestEntry !== copy.newestEntry)
    found.push(`its newest history entry is ${copy.newestEntry ?? 'none'} and not ${source.newestEntry ?? 'none'}`)
  if (source.trafficBytes !== copy.trafficBytes) found.push('sums of traffic are not the same')
  return found
}

/** Tables of the history of changes that had rows in the last backup and have none now, though no entry says so. */
export async function findEmptied(
  client: pg.Client,
  last: { takenAt: Date; rowsByTable: Record<string, number> } | undefined,
  { rowsByTable }: Figures,
): Promise<string[]> {
  const empty = Object.keys(audited).filter((name) => (last?.rowsByTable[name] ?? 0) > 0 && rowsByTable[name] === 0)
  if (!last || empty.length === 0) return []
  const { rows } = await client.query<{ name: string }>(
    `select "name" from unnest($1::text[]) as "each" ("name")
      where not exists (select from "auditLog" where "at" >= $2 and ("before" ? "each"."name" or "action" ilike '%delete%'))`,
    [empty, last.takenAt],
  )
  return rows.map(({ name }) => name)
}

async function tablesToCount(client: pg.Client): Promise<string[]> {
  return (await listTables(client)).filter(({ rows }) => rows <= MOST_ROWS).map(({ name }) => name)
}

async function listTables(client: pg.Client): Promise<{ name: string; rows: number }[]> {
  const { rows } = await client.query<{ name: string; rows: number }>(`
    select "relname" as "name", "reltuples"::float8 as "rows" from "pg_class"
    where "relnamespace" = 'public'::regnamespace and "relkind" = 'r' and "relpersistence" = 'p' order by "relname"`)
  return rows
}
