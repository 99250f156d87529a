import { createCipheriv, createDecipheriv, createSecretKey, randomBytes, type KeyObject } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Kysely } from 'kysely'
import type { Db } from '../db/driver/connect.ts'
import type { Tables } from '../db/tables.ts'
import { FINGERPRINT, fingerprintOf } from '../lib/master-key.ts'

const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** After an import: the key of the installation that the archive was made of, wrapped by the one of this place. */
const INSTALLATION_KEY = 'installationKey'

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

const OTHER_KEY =
  'The master key does not belong to this database. Give the key it was made with in MASTER_KEY or in master.key of the data folder.'

/** What the secrets of this database are wrapped by, as base64, for an archive. @throws Error when the master key is another one */
export async function readInstallationKey(db: Db, masterKey: Buffer): Promise<string> {
  const stored = await read(db, FINGERPRINT)
  if (stored && !stored.equals(fingerprintOf(masterKey))) throw new Error(OTHER_KEY)
  return openInstallationKey(masterKey, await read(db, INSTALLATION_KEY)).toString('base64')
}

/** Rows of `secrets` by which this master key opens what another installation has wrapped by its own. */
export function secretsForInstallationKey(masterKey: Buffer, installationKey: string): { name: string; wrapped: Buffer }[] {
  const own = { name: FINGERPRINT, wrapped: fingerprintOf(masterKey) }
  if (checked(Buffer.from(installationKey, 'base64'), 'The key in the archive').equals(masterKey)) return [own]
  return [own, { name: INSTALLATION_KEY, wrapped: wrap(createSecretKey(masterKey), INSTALLATION_KEY, installationKey) }]
}

function openInstallationKey(masterKey: Buffer, wrapped: Buffer | undefined): Buffer {
  return wrapped ? Buffer.from(unwrap(createSecretKey(masterKey), INSTALLATION_KEY, wrapped), 'base64') : masterKey
}


/** The master key: MASTER_KEY (base64 of 32 bytes), else the file master.key in the data folder, made at first start. */
export function readMasterKey(fromEnvironment: string | null, dataDir: string): Buffer {
  if (fromEnvironment) return checked(Buffer.from(fromEnvironment, 'base64'), 'MASTER_KEY')
  const file = path.join(dataDir, 'master.key')
  if (!existsSync(file)) {
    mkdirSync(dataDir, { recursive: true })
    writeFileSync(file, `${randomBytes(KEY_BYTES).toString('base64')}\n`, { mode: 0o600, flag: 'wx' })
  }
  chmodSync(file, 0o600)
  return checked(Buffer.from(readFileSync(file, 'utf8').trim(), 'base64'), file)
}

function checked(key: Buffer, source: string): Buffer {
  if (key.length !== KEY_BYTES) throw new Error(`${source} must hold ${KEY_BYTES} bytes in base64.`)
  return key
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

// Drawn one by one, nonces were a third of wrapping. They are no secret; each is given out once.
const DRAWN_TOGETHER = 256
let drawn = Buffer.alloc(0)

function nextNonce(): Buffer {
  if (drawn.length === 0) drawn = randomBytes(NONCE_BYTES * DRAWN_TOGETHER)
  const nonce = drawn.subarray(0, NONCE_BYTES)
  drawn = drawn.subarray(NONCE_BYTES)
  return nonce
}

function wrap(key: KeyObject, name: string, value: string): Buffer {
  const nonce = nextNonce()
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(name))
  const body = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body])
}

function unwrap(key: KeyObject, name: string, wrapped: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', key, wrapped.subarray(0, NONCE_BYTES))
    .setAAD(Buffer.from(name))
    .setAuthTag(wrapped.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  return Buffer.concat([decipher.update(wrapped.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8')
}
