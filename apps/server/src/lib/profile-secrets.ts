import { randomBytes, randomInt } from 'node:crypto'
import type { ProfileSecrets } from '@causeway/xray'

const SHORT_ID_BYTES = 8
const MAX_NUMBER = 1_000_000
/** Of a profile begun from a shipped one. Any 32 bytes are a private key of X25519. */
export function newProfileSecrets(): ProfileSecrets {
  return {
    number: randomInt(MAX_NUMBER),
    privateKey: randomBytes(32).toString('base64url'),
    shortId: randomBytes(SHORT_ID_BYTES).toString('hex'),
  }
}
