import { sql } from 'kysely'
import type { Db } from '../db/connect.ts'

/** What holds for the whole installation. A new one goes by the zone of the server that asks first, as all did before. */
export async function readInstallation(db: Db) {
  const held = await db.selectFrom('installation').selectAll().executeTakeFirst()
  if (held) return held
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  await db
    .insertInto('installation')
    .values({ timeZone: (await isKnownZone(db, zone)) ? zone : 'UTC' })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return db.selectFrom('installation').selectAll().executeTakeFirstOrThrow()
}

/** The zone whose days, weeks and months count, on every server. */
export async function readTimeZone(db: Db): Promise<string> {
  return (await readInstallation(db)).timeZone
}

/** Days are told apart here and in the database, whose list of zones is its own. */
export async function isKnownZone(db: Db, zone: string): Promise<boolean> {
  const { rows } = await sql`select from pg_timezone_names where "name" = ${zone}`.execute(db)
  return rows.length > 0
}
