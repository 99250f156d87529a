import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'
import pg from 'pg'
import { Client } from './driver/hosts/client.ts'

const FOLDER = path.join(import.meta.dirname, 'migrations')

/** A migration is no domain event. Triggers that wait for the commit would also keep it from altering the tables it has updated. */
const QUIET = "set local causeway.quiet = 'on'; set constraints all immediate;"

/** Told this often while a migration runs. */
const PROGRESS_MS = 2000

export interface MigrationProgress {
  migration: string
  /** Of `count`, from 1 on. */
  number: number
  count: number
  seconds: number
  /** Of the index that is being built; null where PostgreSQL does not know. */
  percent: number | null
}

/**
 * Brings the database up to the newest migration, or to the one named `last`. Safe to run by several processes at once: one
 * applies, others wait.
 * @throws Error before anything is written when the database belongs to a newer version of the product
 */
export async function migrate(
  url: string,
  last?: string,
  onProgress: (progress: MigrationProgress) => void = () => {},
): Promise<string[]> {
  // A connection of its own, without prepared statements: a migration file holds many statements.
  const db = new Kysely<unknown>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ Client, connectionString: url, max: 1 }) }),
  })
  try {
    const { newer, missing } = compareMigrations(await appliedMigrations(db), await migrationNames())
    if (newer.length > 0)
      throw new Error(
        `The database belongs to a newer version of Causeway: it has ${newer[0]}, which this version does not know. Start the newer version, or restore a backup that this version made. Nothing was changed.`,
      )
    const watch = watchMigrations(url, last === undefined ? missing : missing.slice(0, missing.indexOf(last) + 1), onProgress)
    const migrator = new Migrator({ db, provider: { getMigrations: () => readMigrations(watch.begin) } })
    const { error, results } = await (last === undefined ? migrator.migrateToLatest() : migrator.migrateTo(last)).finally(
      watch.end,
    )
    if (error) throw error instanceof Error ? error : new Error('The database could not be migrated.', { cause: error })
    return (results ?? []).map((result) => result.migrationName)
  } finally {
    await db.destroy()
  }
}

/** Names of the migrations that this program brings, in their order. */
export async function migrationNames(folder = FOLDER): Promise<string[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql'))
  return files.map((file) => path.basename(file, '.sql')).toSorted()
}

/** Compares the migrations of a database with those of this program. */
export function compareMigrations(applied: string[], known: string[]): { newer: string[]; missing: string[] } {
  return {
    newer: applied.filter((name) => !known.includes(name)),
    missing: known.filter((name) => !applied.includes(name)),
  }
}

async function appliedMigrations(db: Kysely<unknown>): Promise<string[]> {
  const { rows: tables } = await sql<{
    isThere: boolean
  }>`select to_regclass('kysely_migration') is not null as "isThere"`.execute(db)
  if (!tables[0]?.isThere) return []
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  return rows.map(({ name }) => name)
}

/** Tells of each migration at its beginning, and then again and again while it runs. */
function watchMigrations(url: string, names: string[], onProgress: (progress: MigrationProgress) => void) {
  let timer: NodeJS.Timeout | undefined
  let connection: pg.Client | undefined
  const end = () => {
    clearInterval(timer)
    void connection?.end().catch(() => {}) // it only watched
  }
  const begin = (migration: string) => {
    clearInterval(timer)
    const begunAt = Date.now()
    const tell = (percent: number | null) =>
      onProgress({
        migration,
        number: names.indexOf(migration) + 1,
        count: names.length,
        seconds: Math.round((Date.now() - begunAt) / 1000),
        percent,
      })
    tell(null)
    timer = setInterval(() => {
      connection ??= openWatcher(url)
      percentOfIndex(connection).then(tell, () => tell(null))
    }, PROGRESS_MS)
  }
  return { begin, end }
}

function openWatcher(url: string): pg.Client {
  const client = new Client({ connectionString: url })
  client.on('error', () => {}) // the migration's own connection tells what is wrong
  client.connect().catch(() => {})
  return client
}

async function percentOfIndex(client: pg.Client): Promise<number | null> {
  const { rows } = await client.query<{ percent: number | null }>(
    `select round(100.0 * blocks_done / nullif(blocks_total, 0))::integer as percent
       from pg_stat_progress_create_index where datname = current_database()`,
  )
  return rows[0]?.percent ?? null
}

/** The statements of a migration, for a transaction that others have opened. */
export async function migrationText(name: string): Promise<string> {
  return `${QUIET}\n${await readFile(path.join(FOLDER, `${name}.sql`), 'utf8')}`
}

async function readMigrations(onBegin: (name: string) => void): Promise<Record<string, Migration>> {
  const migrations = (await migrationNames()).map(async (name): Promise<[string, Migration]> => {
    const text = await migrationText(name)
    const up = async (db: Kysely<unknown>) => {
      onBegin(name)
      await sql.raw(text).execute(db)
    }
    return [name, { up }]
  })
  return Object.fromEntries(await Promise.all(migrations))
}
