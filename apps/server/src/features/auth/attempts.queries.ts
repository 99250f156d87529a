import { sql } from 'kysely'
import type { Db, Tx } from '../../db/driver/connect.ts'

interface Attempt {
  address: string
  account: string
  at: Date
}

export interface Window {
  since: Date
  until: Date
}

/** Attempts of one address, and of one account, are counted one after the other. */
export async function lockAttempts(tx: Tx, { address, account }: Attempt): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('sign-in by address'), hashtext(${address}))`.execute(tx)
  await sql`select pg_advisory_xact_lock(hashtext('sign-in by account'), hashtext(${account}))`.execute(tx)
}

/** The latest attempts of a time, newest first. */
export function listAttempts(db: Db, by: { address: string } | { account: string }, { since, until }: Window, limit: number) {
  return db
    .selectFrom('signInAttempts')
    .select('at')
    .where((eb) => ('address' in by ? eb('address', '=', by.address) : eb('account', '=', by.account)))
    .where('at', '>', since)
    .where('at', '<', until)
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

/** Networks of former sign-ins to an account, by its name in lower case. */
export async function listKnownAddresses(db: Db, account: string, since: Date): Promise<(string | null)[]> {
  const sessions = await db
    .selectFrom('sessions')
    .innerJoin('admins', 'admins.id', 'sessions.adminId')
    .select('address')
    .distinct()
    .where((eb) => eb(eb.fn('lower', ['admins.username']), '=', account))
    .where('sessions.createdAt', '>', since)
    .execute()
  return sessions.map(({ address }) => address)
}

/** Networks and programs that an administrator has signed in from. */
export function listKnownPlaces(db: Db, adminId: number, limit: number) {
  return db
    .selectFrom('sessions')
    .select(['address', 'userAgent'])
    .where('adminId', '=', adminId)
    .orderBy('createdAt', 'desc')
    .limit(limit)
    .execute()
}

/** Deletes obsolete rows: attempts out of the window, ended sessions, abandoned states. */
export async function deleteExpiredSignIns(db: Db, attemptsBefore: Date, sessionsBefore: Date, now: Date): Promise<void> {
  await db.deleteFrom('signInAttempts').where('at', '<', attemptsBefore).execute()
  await db.deleteFrom('sessions').where('expiresAt', '<', sessionsBefore).execute()
  await db.deleteFrom('oauth2States').where('expiresAt', '<', now).execute()
  await db.deleteFrom('passkeyChallenges').where('expiresAt', '<', now).execute()
}
