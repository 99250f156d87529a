import type { Db } from '../db/driver/connect.ts'

/** Uuids of users by their numbers, which programs since 3.0 call them by. */
export async function findUuidsOfUsers(db: Db, ids: number[]): Promise<ReadonlyMap<number, string>> {
  const rows = await db.selectFrom('users').select(['id', 'uuid']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, uuid }) => [id, uuid]))
}
