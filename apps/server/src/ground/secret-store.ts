import { createSecretKey } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Db } from '../db/driver/connect.ts'
import type { Tables } from '../db/tables.ts'
import {
  FINGERPRINT,
  fingerprintOf,
  INSTALLATION_KEY,
  openInstallationKey,
  OTHER_KEY,
  unwrap,
  wrap,
} from '../lib/keys/master-key.ts'

/** Secrets live in the database, so that several servers share them, wrapped by a key that does not. */
export interface SecretStore {
  /** The named secret; `make` gives its first value. Two servers asking at once get the same one. */
  get(name: string, make: () => string | Promise<string>): Promise<string>
  /** The named secret, where there is one. */
  find(name: string): Promise<string | undefined>
  /** Puts another value in the place of one that is there; `change` gives none to leave it. Two servers change it one after the other. */
  replace(name: string, change: (held: string) => Promise<string | undefined>): Promise<boolean>
  /** Wraps a value that is kept elsewhere, as base64; `purpose` says where, and what is wrapped opens only there. */
  wrap(purpose: string, value: string): string
  unwrap(purpose: string, wrapped: string): string
}

/** Opens the store. @throws Error when the master key is not the one this database was made with. */
export async function openSecretStore(db: Kysely<Tables>, masterKey: Buffer): Promise<SecretStore> {
  const fingerprint = fingerprintOf(masterKey)
  // Looked for first: a server that starts while the database takes no changes still answers reads.
  const stored = (await read(db, FINGERPRINT)) ?? (await insertOrRead(db, FINGERPRINT, fingerprint))
  if (!stored.equals(fingerprint)) throw new Error(OTHER_KEY)
  // From bytes the cipher would make such a key for every value, which costs more than the ciphering.
  const key = createSecretKey(openInstallationKey(masterKey, await read(db, INSTALLATION_KEY)))
  return {
    get: async (name, make) => {
      const known = await read(db, name)
      return unwrap(key, name, known ?? (await insertOrRead(db, name, wrap(key, name, await make()))))
    },
    find: async (name) => {
      const known = await read(db, name)
      return known && unwrap(key, name, known)
    },
    replace: (name, change) =>
      db.transaction().execute(async (tx) => {
        const held = await tx.selectFrom('secrets').select('wrapped').where('name', '=', name).forUpdate().executeTakeFirst()
        const next = held && (await change(unwrap(key, name, held.wrapped)))
        if (next === undefined) return false
        await tx
          .updateTable('secrets')
          .set({ wrapped: wrap(key, name, next) })
          .where('name', '=', name)
          .execute()
        return true
      }),
    wrap: (purpose, value) => wrap(key, purpose, value).toString('base64'),
    unwrap: (purpose, wrapped) => unwrap(key, purpose, Buffer.from(wrapped, 'base64')),
  }
}

async function read(db: Db, name: string): Promise<Buffer | undefined> {
  const row = await db.selectFrom('secrets').select('wrapped').where('name', '=', name).executeTakeFirst()
  return row?.wrapped
}

async function insertOrRead(db: Db, name: string, wrapped: Buffer): Promise<Buffer> {
  // The update of nothing makes the statement return the row that another server has just inserted.
  const row = await db
    .insertInto('secrets')
    .values({ name, wrapped })
    .onConflict((conflict) => conflict.column('name').doUpdateSet((eb) => ({ name: eb.ref('excluded.name') })))
    .returning('wrapped')
    .executeTakeFirstOrThrow()
  return row.wrapped
}
