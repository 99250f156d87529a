import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import * as api from '@causeway/contract'
import { refuseField } from '../../http/errors.ts'
import { on, type Route } from '../../http/mount.ts'
import { happCryptoLink } from '../../lib/happ-link.ts'

const KEY_PAIRS = 30

export function toolsRoutes(): Route[] {
  return [
    on(api.generateKeyPairs, async () => ({ keypairs: await Promise.all(Array.from({ length: KEY_PAIRS }, newKeyPair)) })),
    on(api.encryptHappLink, async ({ linkToEncrypt }) => {
      const encryptedLink = happCryptoLink(linkToEncrypt)
      if (encryptedLink === '') refuseField('linkToEncrypt', 'is too long to be encrypted')
      return { encryptedLink }
    }),
  ]
}

/** As Xray's REALITY takes them: URL-safe base64 without padding. */
async function newKeyPair(): Promise<{ publicKey: string; privateKey: string }> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)('x25519')
  return { publicKey: publicKey.export({ format: 'jwk' }).x ?? '', privateKey: privateKey.export({ format: 'jwk' }).d ?? '' }
}
