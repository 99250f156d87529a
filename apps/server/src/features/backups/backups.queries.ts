import type { Db } from '../../db/driver/connect.ts'

/** The job that makes a backup, or is about to. */
export async function findOpenBackup(db: Db): Promise<string | undefined> {
  const job = await db
    .selectFrom('jobs')
    .select('id')
    .where('kind', '=', 'makeBackup')
    .where('finishedAt', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return job?.id
}
