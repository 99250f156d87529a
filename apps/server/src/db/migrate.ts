import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'
import pg from 'pg'

const FOLDER = path.join(import.meta.dirname, 'migrations')

/** Brings the database up to the newest migration, or to the one named `last`. Safe to run by several processes at once: one applies, others wait. */
export async function migrate(url: string, last?: string): Promise<string[]> {
  // A connection of its own, without prepared statements: a migration file holds many statements.
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: url, max: 1 }) }) })
  try {
    const migrator = new Migrator({ db, provider: { getMigrations: readMigrations } })
    const { error, results } = await (last === undefined ? migrator.migrateToLatest() : migrator.migrateTo(last))
    if (error) throw error instanceof Error ? error : new Error('The database could not be migrated.', { cause: error })
    return (results ?? []).map((result) => result.migrationName)
  } finally {
    await db.destroy()
  }
}

async function readMigrations(): Promise<Record<string, Migration>> {
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith('.sql')).toSorted()
  const migrations = await Promise.all(
    files.map(async (file): Promise<[string, Migration]> => {
      const text = await readFile(path.join(FOLDER, file), 'utf8')
      return [path.basename(file, '.sql'), { up: async (db) => void (await sql.raw(text).execute(db)) }]
    }),
  )
  return Object.fromEntries(migrations)
}
