import type { Db } from '../../db/driver/connect.ts'
import type { PasskeyPurpose } from '../../db/tables.ts'

export function listPasskeys(db: Db, adminId: number) {
  return db
    .selectFrom('passkeys')
    .select(['id', 'name', 'createdAt', 'lastUsedAt', 'transports'])
    .where('adminId', '=', adminId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
}

export function findPasskey(db: Db, id: string) {
  return db.selectFrom('passkeys').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function hasPasskey(db: Db, adminId: number, id: string): Promise<boolean> {
  return (await findPasskey(db, id))?.adminId === adminId
}

interface NewPasskey {
  id: string
  adminId: number
  name: string
  publicKey: Buffer
  counter: number
  transports: string[]
  createdAt: Date
}

/** False when this passkey is registered already. */
export async function insertPasskey(db: Db, passkey: NewPasskey): Promise<boolean> {
  const insert = db
    .insertInto('passkeys')
    .values(passkey)
    .onConflict((conflict) => conflict.doNothing())
  return (await insert.returning('id').executeTakeFirst()) !== undefined
}

export async function updatePasskeyName(db: Db, adminId: number, { id, name }: { id: string; name: string }): Promise<boolean> {
  const update = db.updateTable('passkeys').set({ name }).where('id', '=', id).where('adminId', '=', adminId)
  return (await update.returning('id').executeTakeFirst()) !== undefined
}

export function deletePasskeyRow(db: Db, adminId: number, id: string) {
  return db.deleteFrom('passkeys').where('id', '=', id).where('adminId', '=', adminId).returning(['name']).executeTakeFirst()
}

/** False when another use has counted further meanwhile. */
export async function countUse(db: Db, id: string, { from, to }: { from: number; to: number }, now: Date): Promise<boolean> {
  const update = db.updateTable('passkeys').set({ counter: to, lastUsedAt: now }).where('id', '=', id).where('counter', '=', from)
  return (await update.returning('id').executeTakeFirst()) !== undefined
}

interface Challenge {
  challengeHash: string
  purpose: PasskeyPurpose
  adminId: number | null
  expiresAt: Date
}

/** False when it is there already. */
export async function insertChallenge(db: Db, challenge: Challenge): Promise<boolean> {
  const insert = db
    .insertInto('passkeyChallenges')
    .values(challenge)
    .onConflict((conflict) => conflict.doNothing())
  return (await insert.returning('challengeHash').executeTakeFirst()) !== undefined
}

/** A challenge serves once, right or wrong: it is gone when it is read. */
export function takeChallenge(db: Db, challengeHash: string): Promise<Challenge | undefined> {
  return db.deleteFrom('passkeyChallenges').where('challengeHash', '=', challengeHash).returningAll().executeTakeFirst()
}
