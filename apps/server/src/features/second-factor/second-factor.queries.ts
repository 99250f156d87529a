import type { Db } from '../../db/driver/connect.ts'

/** The factors of an account beside its password. */
export async function findSecondFactor(db: Db, adminId: number) {
  const [authenticator, passkeys, codes] = await Promise.all([
    findAuthenticator(db, adminId),
    count(db, 'passkeys', adminId),
    count(db, 'recoveryCodes', adminId),
  ])
  return { authenticatorSince: authenticator?.confirmedAt ?? null, passkeys, recoveryCodesLeft: codes }
}

async function count(db: Db, table: 'passkeys' | 'recoveryCodes', adminId: number): Promise<number> {
  const { total } = await db
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('adminId', '=', adminId)
    .executeTakeFirstOrThrow()
  return Number(total)
}

export function findAuthenticator(db: Db, adminId: number) {
  return db.selectFrom('authenticators').selectAll().where('adminId', '=', adminId).executeTakeFirst()
}

/** Puts a secret in the place of one that no code has confirmed. False where one is confirmed. */
export async function putAuthenticator(db: Db, row: { adminId: number; secret: string; createdAt: Date }): Promise<boolean> {
  const insert = db
    .insertInto('authenticators')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .column('adminId')
        .doUpdateSet({ secret: row.secret, createdAt: row.createdAt })
        .where('authenticators.confirmedAt', 'is', null),
    )
  return (await insert.returning('adminId').executeTakeFirst()) !== undefined
}

export async function updateConfirmed(db: Db, adminId: number, secret: string, step: number, now: Date): Promise<boolean> {
  const update = db
    .updateTable('authenticators')
    .set({ confirmedAt: now, lastStep: step })
    .where('adminId', '=', adminId)
    .where('secret', '=', secret)
    .where('confirmedAt', 'is', null)
  return (await update.returning('adminId').executeTakeFirst()) !== undefined
}

/** False when the code of this step, or a later one, has served already. */
export async function takeStep(db: Db, adminId: number, step: number): Promise<boolean> {
  const update = db
    .updateTable('authenticators')
    .set({ lastStep: step })
    .where('adminId', '=', adminId)
    .where('lastStep', '<', step)
  return (await update.returning('adminId').executeTakeFirst()) !== undefined
}

export async function deleteAuthenticator(db: Db, adminId: number): Promise<boolean> {
  const deleted = await db.deleteFrom('authenticators').where('adminId', '=', adminId).returning('confirmedAt').executeTakeFirst()
  return deleted?.confirmedAt != null
}

export async function replaceRecoveryCodes(db: Db, adminId: number, hashes: readonly string[]): Promise<void> {
  await db.deleteFrom('recoveryCodes').where('adminId', '=', adminId).execute()
  await db
    .insertInto('recoveryCodes')
    .values(hashes.map((codeHash) => ({ adminId, codeHash })))
    .execute()
}

/** A recovery code is gone when it is used. */
export async function takeRecoveryCode(db: Db, adminId: number, codeHash: string): Promise<boolean> {
  const used = db.deleteFrom('recoveryCodes').where('adminId', '=', adminId).where('codeHash', '=', codeHash)
  return (await used.returning('adminId').executeTakeFirst()) !== undefined
}
