import type pg from 'pg'
import { Client } from '../../db/driver/hosts/client.ts'
import type { Config } from '../../config.ts'
import { compareMigrations, migrationNames } from '../../db/migrate.ts'
import { runningUrl } from '../../postgres/embedded-postgres.ts'
import type { DatabaseFacts } from './doctor.rules.ts'

const CONNECT_LIMIT_MS = 5000

/** Asks the database, without starting one. */
export async function readDatabase(
  config: Pick<Config, 'DATABASE_URL' | 'dataDir' | 'acme'>,
): Promise<DatabaseFacts | { reason: string }> {
  let client: pg.Client | undefined
  try {
    client = await open(config)
    return await ask(client, config)
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) }
  } finally {
    await client?.end().catch(() => {}) // it may have gone meanwhile, which the answer says
  }
}

async function open({ DATABASE_URL, dataDir }: Pick<Config, 'DATABASE_URL' | 'dataDir'>): Promise<pg.Client> {
  const url = DATABASE_URL ?? (await runningUrl(dataDir))
  if (url === undefined) throw new Error('the embedded PostgreSQL is not running. It runs while the server does.')
  const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_LIMIT_MS })
  client.on('error', () => {}) // told by the query that it breaks
  await client.connect()
  return client
}

type Answer = Omit<
  DatabaseFacts,
  'isOwn' | 'nodes' | 'failedCertificates' | 'newerMigrations' | 'missingMigrations' | 'clockAheadMs'
> & { now: number }

async function ask(client: pg.Client, { DATABASE_URL, acme }: Pick<Config, 'DATABASE_URL' | 'acme'>): Promise<DatabaseFacts> {
  const asked = Date.now()
  const { rows } = await client.query<Answer>(`
    select current_setting('server_version') as "version", pg_database_size(current_database())::float8 as "bytes",
      current_setting('fsync') as "fsync", current_setting('full_page_writes') as "fullPageWrites",
      (select count(*)::integer from pg_stat_activity where backend_type = 'client backend') as "connections",
      current_setting('max_connections')::integer as "maxConnections",
      (extract(epoch from clock_timestamp()) * 1000)::float8 as "now"`)
  const answered = Date.now()
  const [answer] = rows
  if (!answer) throw new Error('it gives no answer.')
  const { now, ...facts } = answer
  const applied = await client.query<{ name: string }>('select name from kysely_migration')
  const { newer, missing } = compareMigrations(
    applied.rows.map(({ name }) => name),
    await migrationNames(),
  )
  const nodes = await client.query<DatabaseFacts['nodes'][number]>(`
    select "nodes"."name", "isConnected", "lastStatusMessage" as "message"
    from "nodes" join "nodeStates" on "nodeStates"."nodeId" = "nodes"."id"
    where not "isDisabled" order by "viewPosition"`)
  // A database that waits for its migrations may lack the table.
  const failed =
    missing.length > 0
      ? { rows: [] }
      : await client.query<DatabaseFacts['failedCertificates'][number]>(
          `select "name", "failure", "dueAt" as "nextTryAt" from "serverCertificates"
           where "failure" is not null and "name" = any($1) order by "name"`,
          [acme?.names ?? []],
        )
  return {
    ...facts,
    isOwn: DATABASE_URL !== null,
    failedCertificates: failed.rows,
    newerMigrations: newer,
    missingMigrations: missing.length,
    // The answer was made at some time between the two.
    clockAheadMs: now - (asked + answered) / 2,
    nodes: nodes.rows,
  }
}
