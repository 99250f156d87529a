import { sql, type Updateable } from 'kysely'
import { SLOT } from '../../backup/wal/wal-pieces.rules.ts'
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

type TargetColumn = 'backupRecipient' | 'backupLockedKey' | 'backupFolder' | 'backupStore' | 'isBackupLogSent'
type TargetColumns = Updateable<Pick<Tables['installation'], TargetColumn>>

export async function updateTargets(tx: Tx, targets: TargetColumns, now: Date): Promise<void> {
  await tx
    .updateTable('installation')
    .set({ ...targets, updatedAt: now })
    .execute()
}

/** Ends every chain of the log of changes: the next one begins anew. */
export async function dropWalSlots(db: Db): Promise<void> {
  await sql`
    select pg_drop_replication_slot("slot_name") from pg_replication_slots
    where starts_with("slot_name"::text, ${SLOT}) and not "active"`.execute(db)
}
