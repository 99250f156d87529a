import { sql, type RawBuilder } from 'kysely'
import { isUuid } from '@causeway/contract'
import type { Db } from '../../db/driver/connect.ts'

/** An entry as it is listed, without its rows. */
export interface ListedEntry {
  id: number
  at: Date
  actorKind: string
  actorUuid: string | null
  actorName: string | null
  address: string | null
  action: string
  kind: string | null
  target: string | null
  name: string | null
  count: number
  jobId: string | null
  undoes: number | null
  undoneBy: number | null
  hasRows: boolean
  isEmpty: boolean
  isOmitted: boolean
}

export interface Pairs {
  actions: string[]
  kinds: string[]
}

export interface HistoryFilter {
  actor?: string | undefined
  target?: string | undefined
  from?: Date | undefined
  to?: Date | undefined
  /** Entries that have been undone are left out. */
  isOpen?: boolean
}

/** The last entry of the page before. */
export interface Place {
  at: Date
  id: number
}

/** What lists show. Of the rows only whether there are any: their size stands beside them, so none is opened. */
const LISTED = sql`a."id", a."at", a."actorKind", a."actorUuid", a."actorName", a."address", a."action", a."kind", a."target", a."name",
  a."count", a."jobId", a."undoes", a."undoneBy", a."before" is not null as "hasRows",
  coalesce(pg_column_size(a."before") + pg_column_size(a."after") <= 16, false) as "isEmpty",
  coalesce(a."details" ? 'omitted', false) as "isOmitted"`

/** Batches of a job are parts of the entry that asked for it. */
const IS_ENTRY = sql`not (a."actorKind" = 'system' and a."jobId" is not null)`

const FIRST_DAY = new Date(0)
const LAST_DAY = new Date('9999-12-31T00:00:00Z')

/**
 * Entries, newest first. By time alone where the reader may see all; else each action is looked up by itself in an index, so that
 * rare ones cost no more than frequent ones.
 */
export async function listEntries(
  db: Db,
  filter: HistoryFilter,
  { actions, kinds, isAll }: Pairs & { isAll: boolean },
  { after, limit }: { after: Place | undefined; limit: number },
): Promise<ListedEntry[]> {
  const { from = FIRST_DAY, to = LAST_DAY } = filter
  const until = after ? sql`(a."at", a."id") < (${after.at}::timestamptz, ${after.id}::bigint) and` : sql``
  const open = filter.isOpen ? sql`a."undoneBy" is null and` : sql``
  const within = sql`${until} ${open} a."at" >= ${from}::timestamptz and a."at" <= ${to}::timestamptz and ${IS_ENTRY}`
  const newest = sql`order by a."at" desc, a."id" desc limit ${limit}`
  if (filter.target !== undefined) {
    const touched = isUuid(filter.target)
      ? sql`union select "id" from "auditLog" where "touched" @> array[${filter.target}::uuid]`
      : sql``
    const { rows } = await sql<ListedEntry>`
      with "found" as materialized (select "id" from "auditLog" where "target" = ${filter.target} ${touched})
      select ${LISTED} from "found" join "auditLog" a on a."id" = "found"."id" where ${within} ${actorIs(filter.actor)}
        and (a."action", a."kind") in (select * from unnest(${actions}::text[], ${kinds}::text[])) ${newest}
    `.execute(db)
    return rows
  }
  const isByTime = isAll && filter.actor === undefined
  const { rows } = isByTime
    ? await sql<ListedEntry>`select ${LISTED} from "auditLog" a where ${within} ${newest}`.execute(db)
    : await sql<ListedEntry>`
        select ${LISTED} from unnest(${actions}::text[], ${kinds}::text[]) as "seen"("action", "kind")
        cross join lateral (
          select * from "auditLog" a where a."action" = "seen"."action" and a."kind" = "seen"."kind"
            and ${within} ${actorIs(filter.actor)} ${newest}
        ) a ${newest}
      `.execute(db)
  return rows
}

function actorIs(actor: string | undefined): RawBuilder<unknown> {
  if (actor === undefined) return sql``
  return actor === 'system' ? sql`and a."actorKind" = 'system'` : sql`and a."actorUuid" = ${actor}::uuid`
}

/** An entry with its rows. */
export async function findEntry(db: Db, id: number) {
  const { rows } = await sql<ListedEntry & { before: unknown; after: unknown; details: unknown }>`
    select ${LISTED}, a."before", a."after", a."details" from "auditLog" a where a."id" = ${id}
  `.execute(db)
  return rows[0]
}

/** The batches of an entry's job, oldest first. */
export async function listPartRows(db: Db, jobId: string) {
  const { rows } = await sql<{ id: number; before: unknown; after: unknown; details: unknown }>`
    select "id", "before", "after", "details" from "auditLog" where "jobId" = ${jobId}::uuid and "actorKind" = 'system' order by "id" limit 50
  `.execute(db)
  return rows
}

/** Who is known to have changed something. */
export async function listActors(db: Db) {
  const { rows } = await sql<{ uuid: string; kind: string; name: string | null }>`
    with recursive "actors" as (
      (select "actorUuid" as "uuid" from "auditLog" where "actorUuid" is not null order by "actorUuid" limit 1)
      union all
      select (select l."actorUuid" from "auditLog" l where l."actorUuid" > a."uuid" order by l."actorUuid" limit 1) from "actors" a where a."uuid" is not null
    )
    select last.* from "actors" a cross join lateral (
      select l."actorUuid" as "uuid", l."actorKind" as "kind", l."actorName" as "name" from "auditLog" l where l."actorUuid" = a."uuid"
      order by l."action", l."kind" limit 1 -- in the order of the index, or the planner reads the table
    ) last limit 500
  `.execute(db)
  return rows
}
