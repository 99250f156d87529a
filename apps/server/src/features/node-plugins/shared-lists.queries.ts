import { sql } from 'kysely'
import type { Db, Tx } from '../../db/driver/connect.ts'

export function listSharedLists(db: Db) {
  return db
    .selectFrom('sharedLists')
    .select(['name', sql<'ipList'>`'ipList'`.as('type'), sql<number>`jsonb_array_length("items")`.as('itemsCount')])
    .orderBy('name')
    .execute()
}

export async function findSharedList(db: Db, name: string) {
  const row = await db
    .selectFrom('sharedLists')
    .select(['name', sql<string[]>`"items"`.as('items')])
    .where('name', '=', name)
    .executeTakeFirst()
  return row && { name: row.name, config: { type: 'ipList' as const, items: row.items } }
}

export function lockSharedList(tx: Tx, name: string) {
  return tx.selectFrom('sharedLists').select('id').where('name', '=', name).forUpdate().executeTakeFirst()
}
