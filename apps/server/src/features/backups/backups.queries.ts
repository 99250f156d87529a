import type { Db, Tx } from '../../db/driver/connect.ts'
import type { Tables } from '../../db/tables.ts'

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

/** Why the newest backup could not be made; undefined where it was. */
export async function findLastFailure(db: Db): Promise<string | undefined> {
  const job = await db
    .selectFrom('jobs')
    .select(['status', 'error'])
    .where('kind', '=', 'makeBackup')
    .where('status', 'in', ['done', 'failed'])
    .orderBy('finishedAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  return job?.status === 'failed' ? (job.error ?? undefined) : undefined
}

type TargetColumns = Pick<Tables['installation'], 'backupRecipient' | 'backupLockedKey' | 'backupFolder' | 'backupStore'>

export async function updateTargets(tx: Tx, targets: TargetColumns, now: Date): Promise<void> {
  await tx
    .updateTable('installation')
    .set({ ...targets, updatedAt: now })
    .execute()
}
