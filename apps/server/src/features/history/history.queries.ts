import { sql, type RawBuilder } from 'kysely'
import { isUuid } from '@causeway/contract'
import { audited, type AuditedTable } from '../../db/audited.ts'
import type { Db } from '../../db/driver/connect.ts'
import { isVisible } from '../../ground/scope/scope.queries.ts'
import { everyone, type ResellerScope, type Scope } from '../../lib/scope.ts'
import { nameColumns } from '../../db/undo/things.ts'

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
  undoneAction: string | null
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
  a."count", a."jobId", a."undoes", a."undoneBy", (select u."action" from "auditLog" u where u."id" = a."undoes") as "undoneAction", a."before" is not null as "hasRows",
  coalesce(pg_column_size(a."before") + pg_column_size(a."after") <= 16, false) as "isEmpty",
  coalesce(a."details" ? 'omitted', false) as "isOmitted"`

/**
 * A further condition on entries: of a reseller those that its people made, about users that it sees or that are gone. Of changes
 * to more users than are kept, it is not known which they were.
 */
function andSeen(scope: Scope): RawBuilder<unknown> {
  if (scope === everyone) return sql``
  const target = sql`case when a."target" ~ '^[0-9a-f-]{36}$' then a."target"::uuid end`
  return sql` and a."resellerId" = ${scope.id} and a."kind" = 'user' and (a."count" <= 1 or a."touched" is not null) and not exists (
    select from "users" u where (u."uuid" = any(a."touched") or u."uuid" = ${target}) and not ${isVisible(scope, sql`u."id"`)})`
}

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
  scope: Scope,
  filter: HistoryFilter,
  { actions, kinds, isAll }: Pairs & { isAll: boolean },
  { after, limit }: { after: Place | undefined; limit: number },
): Promise<ListedEntry[]> {
  const { from = FIRST_DAY, to = LAST_DAY } = filter
  const until = after ? sql`(a."at", a."id") < (${after.at}::timestamptz, ${after.id}::bigint) and` : sql``
  const open = filter.isOpen ? sql`a."undoneBy" is null and` : sql``
  const within = sql`${until} ${open} a."at" >= ${from}::timestamptz and a."at" <= ${to}::timestamptz and ${IS_ENTRY}${andSeen(scope)}`
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
  if (scope !== everyone) {
    const { rows } = await sql<ListedEntry>`
      select ${LISTED} from "auditLog" a where ${within} ${actorIs(filter.actor)}
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

/** Of one deletion of many. */
const MOST_FOUND = 20

/** Deletions of things whose name contains this text, newest first. Those of one thing are found without opening their rows. */
export async function searchDeleted(
  db: Db,
  scope: Scope,
  search: string,
  { actions, kinds }: Pairs,
  { after, limit }: { after: Place | undefined; limit: number },
): Promise<(ListedEntry & { things: { uuid: string; name: string }[] })[]> {
  const until = after ? sql`and (a."at", a."id") < (${after.at}::timestamptz, ${after.id}::bigint)` : sql``
  const has = (name: RawBuilder<unknown>) => sql`position(lower(${search}) in lower(${name})) > 0`
  const rowsOfKind = (entry: string) => {
    const before = sql.ref(`${entry}.before`)
    return sql`jsonb_array_elements(case a."kind" when 'user' then ${before}->'users' when 'host' then ${before}->'hosts' end)`
  }
  const { rows } = await sql<ListedEntry & { things: { uuid: string; name: string }[] }>`
    select ${LISTED}, coalesce("found"."things", '[]') as "things"
    from unnest(${actions}::text[], ${kinds}::text[]) as "seen"("action", "kind")
    join "auditLog" a on a."action" = "seen"."action" and a."kind" = "seen"."kind" and a."undoneBy" is null and ${IS_ENTRY}${andSeen(scope)} ${until}
    left join lateral (
      select json_agg(json_build_object('uuid', "uuid", 'name', "name") order by "name") as "things" from (
        select "row"->>'uuid' as "uuid", coalesce("row"->>'username', "row"->>'remark') as "name" from (
          select ${rowsOfKind('a')} as "row" where a."jobId" is null
          union all
          select ${rowsOfKind('p')} from "auditLog" p where p."jobId" = a."jobId" and p."actorKind" = 'system' and p."undoneBy" is null
        ) "all"
      ) "named" where ${has(sql`"name"`)}
        and not exists (select from "users" u where u."uuid" = "named"."uuid"::uuid)
        and not exists (select from "hosts" h where h."uuid" = "named"."uuid"::uuid)
      limit ${sql.lit(MOST_FOUND)}
    ) "found" on a."count" > 1 or a."jobId" is not null
    where "found"."things" is not null or (a."count" = 1 and ${has(sql`a."name"`)})
    order by a."at" desc, a."id" desc limit ${limit}
  `.execute(db)
  return rows
}

function actorIs(actor: string | undefined): RawBuilder<unknown> {
  if (actor === undefined) return sql``
  return actor === 'system' ? sql`and a."actorKind" = 'system'` : sql`and a."actorUuid" = ${actor}::uuid`
}

/** An entry with its rows. */
export async function findEntry(db: Db, scope: Scope, id: number) {
  const { rows } = await sql<ListedEntry & { before: unknown; after: unknown; details: unknown }>`
    select ${LISTED}, a."before", a."after", a."details" from "auditLog" a where a."id" = ${id}${andSeen(scope)}
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

/** The names of these rows, by table and key. */
export async function findNames(
  db: Db,
  wanted: ReadonlyMap<AuditedTable, ReadonlySet<number | string>>,
): Promise<Map<string, string>> {
  const each = [...wanted].map(([table, ids]) => {
    const [name = 'id'] = audited[table].key
    const [key, type] = [sql.ref(name), name === 'uuid' ? sql`uuid[]` : sql`bigint[]`]
    return sql`select ${sql.lit(table)} || ' ' || ${key} as "place", ${sql.ref(nameColumns[table] ?? name)}::text as "name" from ${sql.table(table)} where ${key} = any(${[...ids]}::${type})`
  })
  if (each.length === 0) return new Map()
  const { rows } = await sql<{ place: string; name: string }>`${sql.join(each, sql` union all `)}`.execute(db)
  return new Map(rows.map(({ place, name }) => [place, name]))
}

/** Administrators and tokens with at least one change; of a reseller its own ones. */
export async function listActors(db: Db, scope: Scope) {
  if (scope !== everyone) return listActorsOf(db, scope)
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

async function listActorsOf(db: Db, { id }: ResellerScope) {
  const { rows } = await sql<{ uuid: string; kind: string; name: string | null }>`
    select distinct on (a."actorUuid") a."actorUuid" as "uuid", a."actorKind" as "kind", a."actorName" as "name" from "auditLog" a
    where a."resellerId" = ${id} and a."actorUuid" is not null order by a."actorUuid", a."at" desc limit 500
  `.execute(db)
  return rows
}
