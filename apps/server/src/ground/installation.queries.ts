import { sql } from 'kysely'
import { FIRST_GENERATION, type Generation } from '@causeway/contract'
import type { Db } from '../db/driver/connect.ts'
import { Cache } from '../lib/cache.ts'

/** Settings of the whole installation. A new one takes the time zone of the first server that asks. */
export async function readInstallation(db: Db) {
  const held = await db.selectFrom('installation').selectAll().executeTakeFirst()
  if (held) return held
  await db
    .insertInto('installation')
    .values({ timeZone: await ownZone(db) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return db.selectFrom('installation').selectAll().executeTakeFirstOrThrow()
}

/** The zone whose days, weeks and months count, on every server. Reads go on where nothing can be written: until a zone is held, it is what this server would hold. */
export async function readTimeZone(db: Db): Promise<string> {
  const held = await db.selectFrom('installation').select('timeZone').executeTakeFirst()
  return held?.timeZone ?? ownZone(db)
}

/** Which ways to reach a user any user has. Each is the first entry of a partial index. */
export async function findContacts(db: Db): Promise<{ email: boolean; telegramId: boolean }> {
  const { rows } = await sql<{ email: boolean; telegramId: boolean }>`
    select exists (select from "users" where "email" is not null) as "email",
      exists (select from "users" where "telegramId" is not null) as "telegramId"
  `.execute(db)
  return rows[0] ?? { email: false, telegramId: false }
}

/** The generation of the wire that programs speak which sign in by password. */
export async function readSessionGeneration(db: Db): Promise<Generation> {
  const held = await db.selectFrom('installation').select('sessionGeneration').executeTakeFirst()
  return held?.sessionGeneration ?? FIRST_GENERATION
}

/** Whether connections of a user end with its access. */
export async function isCutOffImmediate(db: Db): Promise<boolean> {
  const held = await db.selectFrom('installation').select('isCutOffImmediate').executeTakeFirst()
  return held?.isCutOffImmediate ?? true
}

/** The colour of actions; null where none was chosen. */
export async function readAccent(db: Db): Promise<string | null> {
  const held = await db.selectFrom('installation').select('accent').executeTakeFirst()
  return held?.accent ?? null
}

/** The same for what is written by days, which no other server may see in another zone from then on. */
export async function holdTimeZone(db: Db): Promise<string> {
  return (await readInstallation(db)).timeZone
}

const MAX_ZONES = 20
/** The zone of this process as the database calls it, once looked up: going through its zones takes the database 20 ms. */
const ownZones = new Cache<Promise<string>>({ most: MAX_ZONES })

function ownZone(db: Db): Promise<string> {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  return ownZones.find(zone, async () => ((await isKnownZone(db, zone)) ? zone : 'UTC'))
}

/** Days are told apart here and in the database, whose list of zones is its own. */
export async function isKnownZone(db: Db, zone: string): Promise<boolean> {
  const { rows } = await sql`select from pg_timezone_names where "name" = ${zone}`.execute(db)
  return rows.length > 0
}
