import { createHash } from 'node:crypto'

/** What a database keeps of the master key that its secrets were wrapped with. */
export function fingerprintOf(masterKey: Buffer): Buffer {
  return createHash('sha256').update('causeway master key').update(masterKey).digest()
}

export const FINGERPRINT = 'masterKeyFingerprint'
