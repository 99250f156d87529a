import type { CertificateFailure } from '@causeway/contract'
import type { Db } from '../../db/driver/connect.ts'

/** Longer than a try takes. A server that was killed meanwhile holds the others up for no longer. */
const TRY_MS = 4 * 60_000

/** Names that have no row yet are due at once. */
export async function insertNames(db: Db, names: readonly string[], now: Date): Promise<void> {
  await db
    .insertInto('serverCertificates')
    .values(names.map((name) => ({ name, dueAt: now })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export function listServerCertificates(db: Db, names: readonly string[]) {
  return db
    .selectFrom('serverCertificates')
    .select(['name', 'chain', 'wrappedKey', 'endsAt', 'attempts', 'failure', 'detail', 'failedAt', 'dueAt'])
    .where('name', 'in', names)
    .orderBy('name')
    .execute()
}

/** Takes a name that is due, or whose certificate is another directory's, so that one server tries at a time. */
export function claimDue(db: Db, names: readonly string[], directory: string, now: Date) {
  return db
    .updateTable('serverCertificates')
    .set({ dueAt: new Date(now.getTime() + TRY_MS), directory })
    .where('name', 'in', names)
    .where((eb) => eb.or([eb('dueAt', '<=', now), eb('directory', '<>', directory)]))
    .returning(['name', 'attempts', 'chain'])
    .execute()
}

/** Shortens the pauses of failed orders at a start: a restart usually follows a mended setting. */
export async function hastenFailed(db: Db, names: readonly string[], dueAt: Date): Promise<void> {
  await db
    .updateTable('serverCertificates')
    .set({ dueAt })
    .where('name', 'in', names)
    .where('failure', 'is not', null)
    .where('failure', '<>', 'rateLimited')
    .where('dueAt', '>', dueAt)
    .execute()
}

interface Got {
  chain: string
  wrappedKey: string
  startsAt: Date
  endsAt: Date
  dueAt: Date
}

export async function storeCertificate(db: Db, name: string, got: Got): Promise<void> {
  const none = { failure: null, detail: null, failedAt: null, challengeToken: null, challengeAnswer: null }
  await db
    .updateTable('serverCertificates')
    .set({ ...got, ...none, attempts: 0 })
    .where('name', '=', name)
    .execute()
}

/** Of this very certificate: another server may have renewed it meanwhile. */
export async function hastenRenewal(db: Db, name: string, chain: string, dueAt: Date): Promise<void> {
  await db
    .updateTable('serverCertificates')
    .set({ dueAt })
    .where('name', '=', name)
    .where('chain', '=', chain)
    .where('failure', 'is', null)
    .where('dueAt', '>', dueAt)
    .execute()
}

interface Failed {
  attempts: number
  failure: CertificateFailure
  detail: string
  failedAt: Date
  dueAt: Date
}

export async function noteFailure(db: Db, name: string, failed: Failed): Promise<void> {
  await db
    .updateTable('serverCertificates')
    .set({ ...failed, challengeToken: null, challengeAnswer: null })
    .where('name', '=', name)
    .execute()
}

export async function setChallenge(db: Db, name: string, challengeToken: string, challengeAnswer: string): Promise<void> {
  await db.updateTable('serverCertificates').set({ challengeToken, challengeAnswer }).where('name', '=', name).execute()
}

export async function findAnswerByToken(db: Db, token: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('serverCertificates')
    .select('challengeAnswer')
    .where('challengeToken', '=', token)
    .executeTakeFirst()
  return row?.challengeAnswer ?? undefined
}

export async function findAnswerByName(db: Db, name: string): Promise<string | undefined> {
  const row = await db.selectFrom('serverCertificates').select('challengeAnswer').where('name', '=', name).executeTakeFirst()
  return row?.challengeAnswer ?? undefined
}
