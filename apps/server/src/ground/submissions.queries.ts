import { sql } from 'kysely'
import type { Db, Tx } from '../db/driver/connect.ts'

/** Another request has claimed the key of this submission. */
export class SubmittedBefore extends Error {}

interface Submitter {
  kind: string
  uuid: string | null
}

const callerKey = ({ kind, uuid }: Submitter) => `${kind} ${uuid}`

/**
 * Claims the key for the transaction of the change. Waits for a concurrent claim to commit or roll back.
 * @throws SubmittedBefore
 */
export async function claimSubmission(
  tx: Tx,
  caller: Submitter,
  { key, contentHash }: { key: string; contentHash: string },
  at: Date,
): Promise<void> {
  const { rows } = await sql`
    insert into "idempotencyKeys" ("caller", "key", "contentHash", "at")
    values (${callerKey(caller)}, ${key}, ${contentHash}, ${at}) on conflict do nothing returning 1
  `.execute(tx)
  if (rows.length === 0) throw new SubmittedBefore()
}

export function findSubmission(db: Db, caller: Submitter, key: string) {
  return db
    .selectFrom('idempotencyKeys')
    .select(['contentHash', 'answer'])
    .where('caller', '=', callerKey(caller))
    .where('key', '=', key)
    .executeTakeFirst()
}

export async function keepAnswer(db: Db, caller: Submitter, key: string, answer: string): Promise<void> {
  await db.updateTable('idempotencyKeys').set({ answer }).where('caller', '=', callerKey(caller)).where('key', '=', key).execute()
}
