import { sql } from 'kysely'
import type { Tx } from '../../db/driver/connect.ts'

/** Two servers that start at once on a new database seed it one after the other. */
export async function lockFirstStart(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('first start'))`.execute(tx)
}

export async function isSeeded(tx: Tx): Promise<boolean> {
  return (await tx.selectFrom('configProfiles').select('id').limit(1).executeTakeFirst()) !== undefined
}
