import { createHmac, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { verify } from '@node-rs/argon2'
import { z } from 'zod'
import type { Ctx } from '../../ctx.ts'
import type { SecretStore } from '../../ground/secret-store.ts'

// Passwords of imported administrators (docs/archive.md). The source's session secret is needed to check one. It is stored
// wrapped with the hash until the first sign-in replaces both by our own hash.

const PREFIX = 'imported$'
const PURPOSE = 'imported password'
const HASH_BYTES = 64

const imported = z.object({ hash: z.string(), key: z.string() })
type Password = { form: 'argon2id'; hash: string } | ({ form: 'hmac-scrypt' } & z.output<typeof imported>)

/** What stands in the column of the hash. */
export function wrapImportedPassword(secrets: Pick<SecretStore, 'wrap'>, password: Password): string {
  if (password.form === 'argon2id') return password.hash
  const { hash, key } = password
  return PREFIX + secrets.wrap(PURPOSE, JSON.stringify({ hash, key }))
}

export function isImportedPassword(stored: string): boolean {
  return stored.startsWith(PREFIX)
}

/** Whether the password is the one of this hash, of either form. */
export async function verifyPassword(ctx: Pick<Ctx, 'secrets'>, stored: string, password: string): Promise<boolean> {
  if (!isImportedPassword(stored)) return verify(stored, password)
  const unwrapped: unknown = JSON.parse(ctx.secrets.unwrap(PURPOSE, stored.slice(PREFIX.length)))
  const { hash, key } = imported.parse(unwrapped)
  const [salt = '', expected = ''] = hash.split(':')
  const keyed = createHmac('sha256', key).update(password).digest('hex')
  const found = await promisify<string, string, number, Buffer>(scrypt)(keyed, salt, HASH_BYTES)
  const wanted = Buffer.from(expected, 'hex')
  return wanted.length === HASH_BYTES && timingSafeEqual(found, wanted)
}
