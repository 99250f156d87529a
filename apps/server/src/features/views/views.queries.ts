import type { ViewPage } from '@causeway/contract'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/driver/connect.ts'

/** The views of a page by name. */
export function listViews(db: Db, page: ViewPage) {
  return db
    .selectFrom('savedViews')
    .selectAll()
    .where('page', '=', page)
    .orderBy(sql`lower("name")`)
    .orderBy('id')
    .execute()
}

export async function countViews(db: Db, page: ViewPage): Promise<number> {
  const { total } = await db
    .selectFrom('savedViews')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('page', '=', page)
    .executeTakeFirstOrThrow()
  return total
}

export function insertView(tx: Tx, view: { page: ViewPage; name: string; search: Record<string, string>; now: Date }) {
  const { page, name, search, now } = view
  return tx
    .insertInto('savedViews')
    .values({ page, name, search: JSON.stringify(search), createdAt: now, updatedAt: now })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export function lockView(tx: Tx, uuid: string) {
  return tx.selectFrom('savedViews').select('uuid').where('uuid', '=', uuid).forUpdate().executeTakeFirst()
}

export function updateView(
  tx: Tx,
  uuid: string,
  { name, search, now }: { name?: string | undefined; search?: Record<string, string> | undefined; now: Date },
) {
  return tx
    .updateTable('savedViews')
    .set({
      updatedAt: now,
      ...(name === undefined ? {} : { name }),
      ...(search === undefined ? {} : { search: JSON.stringify(search) }),
    })
    .where('uuid', '=', uuid)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export function deleteView(tx: Tx, uuid: string) {
  return tx.deleteFrom('savedViews').where('uuid', '=', uuid).execute()
}
