import { finished, type Writable } from 'node:stream'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { Occupancy } from './occupancy.rules.ts'
import { easeTables, mendTables } from '../../archive/bulk-load.queries.ts'
import { loadedColumns, loadedTables, type LoadedTable } from './loaded-tables.rules.ts'

// Statements of a load, on a connection of its own: COPY, and changes of tables that belong to its transaction.

/** Sent to the database in one piece. */
const ROWS_AT_A_TIME = 500
/** Tables of many rows: indexes and references are made once all are there, and no trigger tells of single ones. */
const LARGE = [
  'users',
  'userUsage',
  'userAccesses',
  'internalSquadMembers',
  'hwidDevices',
  'userTrafficResets',
  'subscriptionRequests',
]
const FILLED = { tables: LARGE, withoutKeys: ['userNodeUsage'] }
/** What servers count and sum up from what is loaded. */
const DERIVED = [
  'nodeUserDays',
  'nodeUserCounts',
  'nodeTopUsers',
  'nodeUsageDays',
  'userCounts',
  'revisions',
  'userTraffic',
  'trafficOrder',
]
/** What people do before anything is there that could be lost. */
const HARMLESS = [
  'registerAdmin',
  'login',
  'logout',
  'uploadMoveInFile',
  'deleteMoveInFile',
  'runMoveIn',
  'rehearseMoveIn',
  'stopOldPanel',
  'takeNodesOver',
  'giveNodesBack',
  'endMoveIn',
  'markMoveIn', // all four of these, as entries of earlier versions have it
]

/** Opens the transaction of a load, and holds off the start of another server that would fill the installation. */
export async function beginLoad(client: pg.ClientBase): Promise<void> {
  await client.query('begin')
  await client.query(`select pg_advisory_xact_lock(hashtext('first start'))`)
  await client.query(`set local causeway.quiet = 'on'; set constraints all immediate`)
}

/** How the history names an import. */
const IMPORT_ACTION = 'importInstallation'

/** What an installation holds beside the things of a first start. What was undone is no change, nor is the undo. */
export async function readOccupancy(client: pg.ClientBase): Promise<Occupancy> {
  const { rows } = await client.query<Omit<Occupancy, 'changes'>>(
    `select (select count(*) from "users") as "users", (select count(*) from "nodes") as "nodes",
      (select count(*) from "hosts") as "hosts", (select count(*) from "infraProviders") as "providers",
      (select count(*) from "apiTokens") as "tokens", exists (select from "admins") as "hasAdmin",
      exists (select from "auditLog" where "action" = 'registerAdmin') as "isAdminRegistered",
      (select max("id") from "auditLog" where "action" = $1) as "importEntry"`,
    [IMPORT_ACTION],
  )
  const [found] = rows
  if (!found) throw new Error('A query without a row cannot be.')
  const { rows: changes } = await client.query<Occupancy['changes'][number]>(
    `select "at", "action", coalesce("name", "target") as "name", "actorName" from "auditLog"
      where "id" > $1 and "actorKind" <> 'system' and not "action" = any($2) and "undoneBy" is null
        and "id" not in (select u."undoneBy" from "auditLog" u where u."id" > $1 and u."undoneBy" is not null) order by "id"`,
    [found.importEntry ?? 0, HARMLESS],
  )
  return { ...found, changes }
}

/** Notes that an import was made, from what, and of how many users. `isHeld`: the nodes are left alone for now. */
export async function recordImport(
  client: pg.ClientBase,
  { source, users, isHeld }: { source: string; users: number; isHeld: boolean },
): Promise<void> {
  await client.query(
    `update "moveIn" set "importedAt" = now(), "isHeld" = $1, "startedAt" = case when $1 then null else now() end,
      "bytesAtStart" = null, "endedAt" = null`,
    [isHeld],
  )
  await client.query(
    `insert into "auditLog" ("actorKind", "action", "target", "kind", "name", "count") values ('system', $1, $2, 'settings', $2, $3)`,
    [IMPORT_ACTION, source, users],
  )
}

/** The servers that work on this database at present. */
export async function countServers(client: pg.ClientBase, seenWithinSeconds: number): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*) as "count" from "serverProcesses" where "seenAt" > now() - $1 * interval '1 second'`,
    [seenWithinSeconds],
  )
  return rows[0]?.count ?? 0
}

/**
 * Takes away what the installation holds, and what slows a load down. Gives the statements that bring it back.
 * `isAdminKept`: somebody registered here, and stays.
 */
export async function clearForLoad(client: pg.ClientBase, zone: string, isAdminKept: boolean): Promise<string[]> {
  await client.query(
    `insert into "installation" ("timeZone") select coalesce((select "name" from pg_timezone_names where "name" = $1), 'UTC')
      on conflict do nothing`,
    [zone],
  )
  const tables = [...loadedTables, ...DERIVED].filter((table) => !(isAdminKept && table === 'admins'))
  await client.query(`truncate ${tables.map((table) => `"${table}"`).join(', ')} cascade`)
  await client.query(`update "trafficTurns" set "throughUserId" = 0`)
  return easeTables(client, FILLED)
}

/** Writes rows in the text form of COPY. */
export async function copyRows(client: pg.ClientBase, table: LoadedTable, texts: readonly string[]): Promise<void> {
  const columns = loadedColumns[table].map((column) => `"${column}"`).join(', ')
  const stream = client.query(copyFrom(`copy "${table}" (${columns}) from stdin`))
  const done = new Promise<void>((resolve, reject) => finished(stream, (error) => (error ? reject(error) : resolve())))
  done.catch(() => {}) // told by the wait below
  for (let at = 0; at < texts.length; at += ROWS_AT_A_TIME) {
    const text = texts.slice(at, at + ROWS_AT_A_TIME).join('')
    if (!stream.write(text)) await Promise.race([drained(stream), done])
  }
  stream.end()
  await done
}

function drained(stream: Writable): Promise<void> {
  return new Promise((resolve) => stream.once('drain', resolve))
}

export async function writeSecret(client: pg.ClientBase, name: string, wrapped: string): Promise<void> {
  await client.query(
    `insert into "secrets" ("name", "wrapped") values ($1, decode($2, 'base64'))
      on conflict ("name") do update set "wrapped" = excluded."wrapped"`,
    [name, wrapped],
  )
}

export async function deleteSecret(client: pg.ClientBase, name: string): Promise<void> {
  await client.query(`delete from "secrets" where "name" = $1`, [name])
}

/** Brings indexes and references back, counts the users and puts sequences behind the numbers that are used. */
export async function finishLoad(
  client: pg.ClientBase,
  definitions: readonly string[],
  onStep: (done: number, total: number) => void,
): Promise<void> {
  await mendTables(client, FILLED, definitions, onStep)
  await client.query(`insert into "userCounts" ("status", "delta") select "status", count(*) from "users" group by 1`)
  const { rows } = await client.query<{ table: string; column: string }>(
    `select "table_name" as "table", "column_name" as "column" from information_schema.columns
      where "table_schema" = 'public' and "is_identity" = 'YES' and "table_name" = any($1)`,
    [loadedTables],
  )
  for (const { table, column } of rows)
    await client.query(
      `select setval(pg_get_serial_sequence('"${table}"', '${column}'), max("${column}")) from "${table}" having max("${column}") > 0`,
    )
}
