import type { PageConfig } from '@causeway/contract'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/connect.ts'

export function findPage(db: Db) {
  return db.selectFrom('subscriptionPages').select(['config', 'publishedAt']).executeTakeFirst()
}

/** Held until the transaction ends, also while there is no row to hold. */
export async function lockPage(tx: Tx) {
  await sql`lock table "subscriptionPages" in share row exclusive mode`.execute(tx)
  return findPage(tx)
}

export async function putPage(tx: Tx, page: PageConfig, publishedAt: Date): Promise<void> {
  const config = JSON.stringify(page)
  await tx
    .insertInto('subscriptionPages')
    .values({ config, publishedAt })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ config, publishedAt }))
    .execute()
}
