import { sql } from 'kysely'
import type { Db, Tx } from '../../db/connect.ts'

interface Attempt {
  address: string
  account: string
  at: Date
}

/** Attempts of one address, and of one account, are counted one after the other. */
export async function lockAttempts(tx: Tx, { address, account }: Attempt): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('sign-in by address'), hashtext(${address}))`.execute(tx)
  await sql`select pg_advisory_xact_lock(hashtext('sign-in by account'), hashtext(${account}))`.execute(tx)
}

/** The latest attempts, newest first. */
export function listAttempts(db: Db, by: { address: string } | { account: string }, since: Date, limit: number) {
  return db
    .selectFrom('signInAttempts')
    .select('at')
    .where((eb) => ('address' in by ? eb('address', '=', by.address) : eb('account', '=', by.account)))
    .where('at', '>', since)
    .orderBy('at', 'desc')
    .limit(limit)
    .execute()
}

export async function insertAttempt(db: Db, attempt: Attempt): Promise<void> {
  await db.insertInto('signInAttempts').values(attempt).execute()
}

export async function deleteAttempts(db: Db, { address, account }: { address: string; account: string }): Promise<void> {
  await db.deleteFrom('signInAttempts').where('address', '=', address).where('account', '=', account).execute()
}

/** Has somebody signed in from here? */
export async function isKnownAddress(db: Db, address: string | null, since: Date): Promise<boolean> {
  if (address === null) return false
  const session = await db
    .selectFrom('sessions')
    .select('uuid')
    .where('address', '=', address)
    .where('createdAt', '>', since)
    .limit(1)
    .executeTakeFirst()
  return session !== undefined
}

/** What nothing asks for any more: attempts out of the window, ended sessions, states that nobody came back with. */
export async function deleteExpiredSignIns(db: Db, attemptsBefore: Date, sessionsBefore: Date, now: Date): Promise<void> {
  await db.deleteFrom('signInAttempts').where('at', '<', attemptsBefore).execute()
  await db.deleteFrom('sessions').where('expiresAt', '<', sessionsBefore).execute()
  await db.deleteFrom('oauth2States').where('expiresAt', '<', now).execute()
}
