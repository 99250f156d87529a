import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import type { Tables } from '../../db/tables.ts'
import { allIdsInOrder } from './list.queries.ts'
import type { UsersView } from './list.rules.ts'
import { listUsersById, type StoredUser } from './users.queries.ts'

/** Rows that are in memory at a time. */
const BATCH_SIZE = 1000

/**
 * All users of a view in batches, as they were when it began. The order stays in a cursor of the database, so that
 * memory does not grow with their number.
 */
export async function* readAllUsers(db: Kysely<Tables>, view: UsersView): AsyncGenerator<StoredUser[]> {
  const tx = await db.startTransaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute()
  try {
    await sql`set local cursor_tuple_fraction = 1.0`.execute(tx) // all rows are going to be read
    await sql`declare "exported" no scroll cursor for ${allIdsInOrder(view)}`.execute(tx)
    let count = BATCH_SIZE
    while (count === BATCH_SIZE) {
      const { rows } = await sql<{ id: number }>`fetch ${sql.lit(BATCH_SIZE)} from "exported"`.execute(tx)
      count = rows.length
      if (count > 0)
        yield await listUsersById(
          tx,
          rows.map(({ id }) => id),
        )
    }
  } finally {
    await tx.rollback().execute()
  }
}
