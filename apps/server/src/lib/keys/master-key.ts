import { createCipheriv, createDecipheriv, createHash, createSecretKey, randomBytes, type KeyObject } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** A fingerprint of the master key, which a database keeps beside the secrets that it wraps. */
export function fingerprintOf(masterKey: Buffer): Buffer {
  return createHash('sha256').update('causeway master key').update(masterKey).digest()
}

export const FINGERPRINT = 'masterKeyFingerprint'
/** After an import: the key of the installation that the archive was made of, wrapped by the one of this place. */
export const INSTALLATION_KEY = 'installationKey'

export const OTHER_KEY =
  'The master key does not belong to this database. Give the key it was made with in MASTER_KEY or in master.key of the data folder.'

/** The master key: MASTER_KEY (base64 of 32 bytes), else the file master.key in the data folder, made at first start. */
export function readMasterKey(fromEnvironment: string | null, dataDir: string): Buffer {
  if (fromEnvironment) return checked(Buffer.from(fromEnvironment, 'base64'), 'MASTER_KEY')
  const file = fileOf(dataDir)
  if (!existsSync(file)) {
    mkdirSync(dataDir, { recursive: true })
    writeFileSync(file, `${randomBytes(KEY_BYTES).toString('base64')}\n`, { mode: 0o600, flag: 'wx' })
  }
  chmodSync(file, 0o600)
  return checked(Buffer.from(readFileSync(file, 'utf8').trim(), 'base64'), file)
}

/** The master key of an installation that is there. @throws Error where it is missing: a new one would be another one */
export function findMasterKey(fromEnvironment: string | null, dataDir: string): Buffer {
  const file = fileOf(dataDir)
  if (fromEnvironment === null && !existsSync(file))
    throw new Error(
      `There is no master key in ${file}, without which the secrets of the database are lost. DATA_DIR names the folder of the server, or MASTER_KEY the key.`,
    )
  return readMasterKey(fromEnvironment, dataDir)
}

const fileOf = (dataDir: string) => path.join(dataDir, 'master.key')

/** The key that wraps the secrets of a database; `wrapped` is that key as the database keeps it. */
export function openInstallationKey(masterKey: Buffer, wrapped: Buffer | undefined): Buffer {
  return wrapped ? Buffer.from(unwrap(createSecretKey(masterKey), INSTALLATION_KEY, wrapped), 'base64') : masterKey
}

/** Rows of `secrets` by which this master key opens what another installation has wrapped by its own. */
export function secretsForInstallationKey(masterKey: Buffer, installationKey: string): { name: string; wrapped: Buffer }[] {
  const own = { name: FINGERPRINT, wrapped: fingerprintOf(masterKey) }
  if (checked(Buffer.from(installationKey, 'base64'), 'The key in the archive').equals(masterKey)) return [own]
  return [own, { name: INSTALLATION_KEY, wrapped: wrap(createSecretKey(masterKey), INSTALLATION_KEY, installationKey) }]
}

function checked(key: Buffer, source: string): Buffer {
  if (key.length !== KEY_BYTES) throw new Error(`${source} must hold ${KEY_BYTES} bytes in base64.`)
  return key
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

export function wrap(key: KeyObject, name: string, value: string): Buffer {
  const nonce = nextNonce()
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(name))
  const body = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body])
}

export function unwrap(key: KeyObject, name: string, wrapped: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', key, wrapped.subarray(0, NONCE_BYTES))
    .setAAD(Buffer.from(name))
    .setAuthTag(wrapped.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  return Buffer.concat([decipher.update(wrapped.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8')
}
