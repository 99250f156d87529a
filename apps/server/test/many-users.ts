import type { Db } from '../src/db/driver/connect.ts'
import { UNKNOWN } from './users.ts'

/** Users by the thousand, each of whom has used seven bytes; past all checks, since only their number matters. */
export async function insertUsers(db: Db, count: number, name = 'many'): Promise<void> {
  const rows = Array.from({ length: count }, (_, index) => ({
    username: `${name}_${index}`,
    shortUuid: `${name}-${index}`,
    expireAt: new Date('2099-01-01'),
    trojanPassword: 'x',
    ssPassword: 'x',
    vlessUuid: UNKNOWN,
  }))
  const users = await db.insertInto('users').values(rows).returning('id').execute()
  await db
    .insertInto('userUsage')
    .values(users.map(({ id }) => ({ userId: id, usedTrafficBytes: 7 })))
    .execute()
}
