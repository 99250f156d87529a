import type { Db, Tx } from '../../db/driver/connect.ts'

interface Identity {
  provider: string
  subject: string
}

export function findLinkedAdmin(db: Db, { provider, subject }: Identity) {
  return db
    .selectFrom('adminIdentities')
    .innerJoin('admins', 'admins.id', 'adminIdentities.adminId')
    .selectAll('admins')
    .where('provider', '=', provider)
    .where('subject', '=', subject)
    .executeTakeFirst()
}

/** The administrator with one of these names. Case does not count, as it does not in addresses of mail. */
export function findAdminNamed(db: Db, names: readonly string[]) {
  const lower = names.map((name) => name.toLowerCase())
  return db
    .selectFrom('admins')
    .selectAll()
    .where((eb) => eb(eb.fn('lower', ['username']), 'in', lower.length > 0 ? lower : ['']))
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}

const shown = ['uuid', 'provider', 'label', 'createdAt'] as const

export function listIdentities(db: Db, adminId: number) {
  return db
    .selectFrom('adminIdentities')
    .select(shown)
    .where('adminId', '=', adminId)
    .orderBy('createdAt')
    .orderBy('uuid')
    .execute()
}

export function findIdentity(db: Db, { provider, subject }: Identity) {
  return db
    .selectFrom('adminIdentities')
    .select([...shown, 'adminId'])
    .where('provider', '=', provider)
    .where('subject', '=', subject)
    .executeTakeFirst()
}

export function deleteIdentity(tx: Tx, adminId: number, uuid: string) {
  return tx
    .deleteFrom('adminIdentities')
    .where('adminId', '=', adminId)
    .where('uuid', '=', uuid)
    .returning(['label', 'provider'])
    .executeTakeFirst()
}

/** The administrator where there is one alone. */
export async function findOnlyAdmin(db: Db) {
  const found = await db.selectFrom('admins').selectAll().limit(2).execute()
  return found.length === 1 ? found[0] : undefined
}

export async function insertIdentity(tx: Tx, identity: Identity & { label: string; adminId: number; createdAt: Date }) {
  await tx
    .insertInto('adminIdentities')
    .values(identity)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
