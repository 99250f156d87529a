import type { PageConfig } from '@causeway/contract'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/driver/connect.ts'

export function findPage(db: Db) {
  return db.selectFrom('subscriptionPages').select(['config', 'publishedAt']).executeTakeFirst()
}

/** Held until the transaction ends, also while there is no row to hold. */
export async function lockPage(tx: Tx) {
  await sql`lock table "subscriptionPages" in share row exclusive mode`.execute(tx)
  return findPage(tx)
}

/** The one row that there may be. */
export const PAGE_UUID = '5b1d7a52-6a0e-4c8e-9f57-3d2a64c0e911'

export async function putPage(tx: Tx, page: PageConfig, publishedAt: Date): Promise<void> {
  const config = JSON.stringify(page)
  await tx
    .insertInto('subscriptionPages')
    .values({ uuid: PAGE_UUID, config, publishedAt })
    .onConflict((conflict) => conflict.column('uuid').doUpdateSet({ config, publishedAt }))
    .execute()
}
