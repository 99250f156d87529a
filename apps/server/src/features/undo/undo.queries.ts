import { sql, type RawBuilder } from 'kysely'
import { audited, type AuditedTable } from '../../db/audited.ts'
import type { KeptRows, Row } from '../../db/audited-rows.ts'
import type { Db, Tx } from '../../db/driver/connect.ts'
import { rowOf } from '../audit/rows.queries.ts'
import { references, uniques, type Holder, type Present } from '../../db/undo/references.ts'
import { MANY, type Thing } from '../../db/undo/part.ts'
import type { Step } from '../../db/undo/steps.ts'

/** An entry with its rows, held against a second undo. */
export async function lockEntries(tx: Tx, ids: readonly number[]) {
  return tx
    .selectFrom('auditLog')
    .selectAll()
    .where('id', '=', sql<number>`any(${ids}::bigint[])`)
    .orderBy('id')
    .forUpdate()
    .execute()
}

/** The whole rows of these keys as they are now. */
export async function readNow(tx: Tx, keys: KeptRows): Promise<KeptRows> {
  const found = await Promise.all(
    tablesOf(keys).map(async (table) => {
      const { rows } = await sql<{ row: { row: Row; texts: Row } }>`
        select ${rowOf(table)} as "row" from ${sql.table(table)} as "t" where ${isOneOf(table, keys[table] ?? [])}
      `.execute(tx)
      return [table, rows.map(({ row }) => ({ ...row.row, ...row.texts }))] as const
    }),
  )
  return Object.fromEntries(found.filter(([, rows]) => rows.length > 0))
}

/** In the order of other writers: states and usage before what they belong to, parents before children. */
const LOCKED: readonly AuditedTable[] = ['configProfiles', 'internalSquads', 'nodeStates', 'nodes', 'userUsage', 'users', 'hosts']

/**
 * Holds these rows against other writers. With the states of all nodes where these will be told: a booking holds the state of
 * its node before the usage of users, so they cannot be locked later.
 */
export async function lockRows(tx: Tx, keys: KeptRows, { withStates }: { withStates: boolean }): Promise<void> {
  for (const table of LOCKED) {
    if (table === 'nodeStates' && withStates) {
      await sql`select 1 from "nodeStates" order by "nodeId" for update`.execute(tx)
      continue
    }
    const rows = keys[table] ?? []
    const key = sql.ref(`t.${audited[table].key[0] ?? 'id'}`)
    if (rows.length > 0)
      await sql`select 1 from ${sql.table(table)} as "t" where ${isOneOf(table, rows)} order by ${key} for no key update`.execute(
        tx,
      )
  }
}

/** Which of the rows that these steps refer to exist. */
export async function findPresent(tx: Tx, steps: readonly Step[]): Promise<Present> {
  const wanted = new Map<AuditedTable, Set<number | string>>()
  for (const { table, change, row } of steps) {
    if (change === 'delete') continue
    for (const { column, table: target } of references[table] ?? []) {
      const value = row[column]
      if (typeof value === 'number' || typeof value === 'string') wanted.set(target, (wanted.get(target) ?? new Set()).add(value))
    }
  }
  const present = new Map<AuditedTable, Set<string>>()
  for (const [table, ids] of wanted) {
    const key = sql.ref(audited[table].key[0] ?? 'id')
    const type = audited[table].key[0] === 'uuid' ? sql`uuid[]` : sql`bigint[]`
    // Locked, so that it is not deleted before rows refer to it.
    const { rows } = await sql<{ id: number | string }>`
      select ${key} as "id" from ${sql.table(table)} where ${key} = any(${[...ids]}::${type}) order by ${key} for key share
    `.execute(tx)
    present.set(table, new Set(rows.map(({ id }) => String(id))))
  }
  return present
}

/** Holders of the names that these steps would give, or that were chosen for them; and of near ones, of which a proposal is made. */
export async function findHolders(tx: Tx, steps: readonly Step[], names: ReadonlyMap<string, string>): Promise<Holder[]> {
  const holders: Holder[] = []
  for (const { table, column, isFolded = false } of uniques) {
    const values = steps.flatMap(({ table: of, change, row, key: place }) => {
      const value = row[column]
      if (of !== table || change === 'delete' || typeof value !== 'string') return []
      const chosen = names.get(`${table}:${place}:${column}`)
      return chosen === undefined ? [value] : [value, chosen]
    })
    if (values.length === 0) continue
    const [name, key] = [sql.ref(column), sql.ref(audited[table].key[0] ?? 'id')]
    const fold = (text: RawBuilder<unknown>) => (isFolded ? sql`lower(${text})` : text)
    const { rows } = await sql<{ value: string; key: string }>`
      with "wanted" as (select unnest(${isFolded ? values.map((value) => value.toLowerCase()) : values}::text[]) as "value"),
      "same" as (select t.${name}::text as "value", t.${key}::text as "key" from ${sql.table(table)} t, "wanted" w where ${fold(sql`t.${name}::text`)} = w."value")
      select * from "same" union
      select t.${name}::text, t.${key}::text from "same" s, ${sql.table(table)} t, generate_series(2, 20) as "number"
      where ${fold(sql`t.${name}::text`)} = ${fold(sql`left(s."value", 32) || '-' || "number"`)}
    `.execute(tx)
    holders.push(...rows.map((row) => ({ ...row, table, column })))
  }
  return holders
}

/** Bills of the nodes at the providers that these steps would bring back. */
export async function findBills(tx: Tx, steps: readonly Step[]): Promise<Row[]> {
  const bills = steps.filter(({ table, change }) => table === 'infraBillingNodes' && change === 'insert')
  if (bills.length === 0) return []
  const pairs = bills.map(({ row }) => sql`(${Number(row['nodeId'])}::bigint, ${Number(row['providerId'])}::bigint)`)
  const { rows } = await sql<{ nodeId: number; providerId: number }>`
    select "nodeId", "providerId" from "infraBillingNodes" where ("nodeId", "providerId") in (${sql.join(pairs)})
  `.execute(tx)
  return rows.map((row) => ({ ...row }))
}

export async function deleteRows(tx: Tx, table: AuditedTable, rows: readonly Row[]): Promise<void> {
  await sql`delete from ${sql.table(table)} as "t" where ${isOneOf(table, rows)}`.execute(tx)
}

export async function insertRows(tx: Tx, table: AuditedTable, rows: readonly Row[]): Promise<void> {
  for (const group of byColumns(rows)) {
    const columns = sql.join(group.names.map((name) => sql.ref(name)))
    await sql`
      insert into ${sql.table(table)} (${columns}) overriding system value select ${columns} from ${populated(table, group.rows)} as "made"
    `.execute(tx)
  }
}

export async function updateRows(tx: Tx, table: AuditedTable, rows: readonly Row[]): Promise<void> {
  const { key } = audited[table]
  for (const group of byColumns(rows)) {
    const names = group.names.filter((name) => !key.includes(name))
    const set = sql.join(names.map((name) => sql`${sql.ref(name)} = made.${sql.ref(name)}`))
    const isIt = sql.join(
      key.map((name) => sql`"t".${sql.ref(name)} = made.${sql.ref(name)}`),
      sql` and `,
    )
    await sql`update ${sql.table(table)} as "t" set ${set} from ${populated(table, group.rows)} as made where ${isIt}`.execute(tx)
  }
}

/** Profiles of these inbounds. */
export async function listProfileIds(tx: Tx, inboundIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct "profileId" as "id" from "configProfileInbounds" where "id" = any(${inboundIds}::bigint[]) order by 1
  `.execute(tx)
  return rows.map(({ id }) => id)
}

export async function listNodesOfProfiles(tx: Tx, profileIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select "id" from "nodes" where "activeConfigProfileId" = any(${profileIds}::bigint[]) order by 1
  `.execute(tx)
  return rows.map(({ id }) => id)
}

/** Nodes with whether they have something to run. */
export async function listRunnable(tx: Tx, nodeIds: readonly number[]) {
  const { rows } = await sql<{ id: number; uuid: string; isDisabled: boolean; isRunnable: boolean }>`
    select n."id", n."uuid", n."isDisabled", n."activeConfigProfileId" is not null
      and exists (select from "nodeInbounds" i where i."nodeId" = n."id") as "isRunnable"
    from "nodes" n where n."id" = any(${nodeIds}::bigint[]) order by n."id"
  `.execute(tx)
  return rows
}

export async function clearStops(tx: Tx, nodeIds: readonly number[]): Promise<void> {
  await sql`update "nodeStates" set "stopRequestedAt" = null where "nodeId" = any(${nodeIds}::bigint[])`.execute(tx)
}

/** Which of these nodes still have what users moved through them: those whose forgetting is planned, which is called off. */
export async function keepNodeUsage(tx: Tx, nodeIds: readonly number[]): Promise<Set<number>> {
  const { rows } = await sql<{ nodeId: number }>`
    delete from "jobs" where "kind" = 'forgetNodeUsage' and "done" = 0 and "status" = 'queued'
      and ("payload"->>'nodeId')::bigint = any(${nodeIds}::bigint[])
    returning ("payload"->>'nodeId')::bigint as "nodeId"
  `.execute(tx)
  return new Set(rows.map(({ nodeId }) => nodeId))
}

/** Marks entries as undone by another; one that was an undo itself leaves its own again as it was. */
export async function markUndone(tx: Tx, ids: readonly number[], by: number): Promise<void> {
  await sql`
    update "auditLog" a set "undoneBy" = null from "auditLog" u
    where u."id" = any(${ids}::bigint[]) and a."id" = u."undoes" and a."undoneBy" = u."id"
  `.execute(tx)
  await sql`update "auditLog" set "undoneBy" = ${by} where "id" = any(${ids}::bigint[])`.execute(tx)
  // The entry that asked for a job is undone with the last of its batches.
  await sql`
    update "auditLog" a set "undoneBy" = ${by}
    where a."undoneBy" is null and a."actorKind" <> 'system'
      and a."jobId" in (select p."jobId" from "auditLog" p where p."id" = any(${ids}::bigint[]) and p."actorKind" = 'system')
      and not exists (
        select from "auditLog" p where p."jobId" = a."jobId" and p."actorKind" = 'system' and p."undoneBy" is null
      )
  `.execute(tx)
}

/** An undo by a job that has not come to its end: what it was to undo can be undone again, and it counts what it did. */
export async function markNotUndone(tx: Tx, jobId: string, done: number): Promise<void> {
  await sql`
    update "auditLog" a set "undoneBy" = null from "auditLog" u
    where u."jobId" = ${jobId}::uuid and u."actorKind" <> 'system' and a."id" = u."undoes" and a."undoneBy" = u."id"
  `.execute(tx)
  await sql`update "auditLog" set "count" = ${done} where "jobId" = ${jobId}::uuid and "actorKind" <> 'system'`.execute(tx)
}

/** Notes on the entry that asked for a job at which entry the job has stopped. */
export async function noteStop(tx: Tx, jobId: string, entryId: number): Promise<void> {
  await sql`
    update "auditLog" set "details" = coalesce("details", '{}') || jsonb_build_object('stoppedAt', ${entryId}::bigint)
    where "jobId" = ${jobId}::uuid and "actorKind" <> 'system'
  `.execute(tx)
}

export async function setSavepoint(tx: Tx): Promise<void> {
  await sql`savepoint "undo"`.execute(tx)
}

export async function rollBackTo(tx: Tx): Promise<void> {
  await sql`rollback to savepoint "undo"`.execute(tx)
}

/** Which of these users exist, and whether they have access: active, and in a squad with inbounds. */
export async function findAccess(tx: Tx, userIds: readonly number[]): Promise<Map<number, boolean>> {
  const { rows } = await sql<{ id: number; hasAccess: boolean }>`
    select w."id", coalesce(u."status" = 'ACTIVE' and exists (
      select from "internalSquadMembers" m join "internalSquadInbounds" i on i."squadId" = m."squadId" where m."userId" = u."id"
    ), false) as "hasAccess"
    from unnest(${userIds}::bigint[]) as w("id") left join "users" u on u."id" = w."id"
  `.execute(tx)
  return new Map(rows.map(({ id, hasAccess }) => [id, hasAccess]))
}

export async function findEntryRows(db: Db, id: number) {
  return db.selectFrom('auditLog').select(['before', 'after']).where('id', '=', id).executeTakeFirst()
}

export async function findNodePlaces(db: Db, ids: readonly number[]) {
  const { rows } = await sql<{ id: number; address: string; port: number | null }>`
    select "id", "address", "port" from "nodes" where "id" = any(${ids}::bigint[])
  `.execute(db)
  return rows
}

/** The batch of a job that changed the thing with this uuid. */
export async function findPartAbout(db: Db, jobId: string, uuid: string): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select "id" from "auditLog"
    where "jobId" = ${jobId}::uuid and "actorKind" = 'system' and ("touched" @> array[${uuid}::uuid] or "target" = ${uuid})
    order by "id" desc limit 1
  `.execute(db)
  return rows[0]?.id
}

/** Of the things that an entry can hold many of, the one with this uuid. */
export async function findThingNow(db: Db, uuid: string): Promise<Thing | undefined> {
  const each = MANY.map(
    (table) => sql`select ${sql.lit(table)} as "table", "id" from ${sql.table(table)} where "uuid" = ${uuid}::uuid`,
  )
  const { rows } = await sql<Thing>`${sql.join(each, sql` union all `)}`.execute(db)
  return rows[0]
}

/** The newest batch of these jobs that is not undone. */
export async function findNextPart(db: Db, jobIds: readonly string[]): Promise<number | undefined> {
  const [part] = await listParts(db, jobIds)
  return part?.id
}

/** Entries of a job's batches that are not undone, newest first. */
export async function listParts(db: Db, jobIds: readonly string[]): Promise<{ id: number; count: number }[]> {
  const { rows } = await sql<{ id: number; count: number }>`
    select "id", "count" from "auditLog"
    where "jobId" = any(${jobIds}::uuid[]) and "actorKind" = 'system' and "undoneBy" is null order by "id" desc
  `.execute(db)
  return rows
}

/** Entries of an actor that changed something and are not undone, newest first. */
export async function listOfActor(db: Db, actor: string, from: Date, to: Date, limit: number) {
  // Batches of a job belong to the actor that asked for it.
  const isActor = actor === 'system' ? sql`"actorKind" = 'system' and "jobId" is null` : sql`"actorUuid" = ${actor}::uuid`
  const { rows } = await sql<{ id: number }>`
    select "id" from "auditLog"
    where ${isActor} and "at" >= ${from} and "at" <= ${to} and "undoneBy" is null order by "id" desc limit ${limit}
  `.execute(db)
  return rows
}

function isOneOf(table: AuditedTable, rows: readonly Row[]): RawBuilder<unknown> {
  const { key } = audited[table]
  const columns = (of: string) => sql.join(key.map((name) => sql.ref(`${of}.${name}`)))
  const keys = rows.map((row) => Object.fromEntries(key.map((name) => [name, row[name] ?? null])))
  return sql`(${columns('t')}) in (select ${columns('k')} from json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(keys)}::json) as "k")`
}

function populated(table: AuditedTable, rows: readonly Row[]): RawBuilder<unknown> {
  return sql`json_populate_recordset(null::${sql.table(table)}, ${`[${rows.map((row) => textOf(table, row)).join()}]`}::json)`
}

/** Columns that are kept as text stand in it as they are, so that digits and order stay. */
function textOf(table: AuditedTable, row: Row): string {
  const { asText = [] } = audited[table]
  const parts = Object.entries(row).map(([name, value]) => {
    const text = typeof value === 'string' && asText.includes(name) ? value : JSON.stringify(value)
    return `${JSON.stringify(name)}:${text}`
  })
  return `{${parts.join()}}`
}

/** Rows that set the same columns go together. */
function byColumns(rows: readonly Row[]): { names: string[]; rows: Row[] }[] {
  const groups = Map.groupBy(rows, (row) => Object.keys(row).toSorted().join())
  return [...groups.values()].map((group) => ({ names: Object.keys(group[0] ?? {}), rows: group }))
}

function tablesOf(rows: KeptRows): AuditedTable[] {
  return Object.keys(rows) as AuditedTable[] // keys of that very object
}
