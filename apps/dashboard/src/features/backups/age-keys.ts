// Keys of age are made here, in the browser: the server never has the one that opens.

export interface MadeKey {
  identity: string
  recipient: string
}

/** Below the usual 18, which takes a phone most of a minute. */
const SCRYPT_WORK_FACTOR = 16
/** Characters of the key that are asked for, to see that it was kept. */
export const ASKED_BACK = 6

export async function makeKey(): Promise<MadeKey> {
  const { generateX25519Identity, identityToRecipient } = await import('age-encryption')
  const identity = await generateX25519Identity()
  return { identity, recipient: await identityToRecipient(identity) }
}

/** The key as a file of age that the passphrase opens. */
export async function lockKey({ identity }: MadeKey, passphrase: string): Promise<string> {
  const { armor, Encrypter } = await import('age-encryption')
  const encrypter = new Encrypter()
  encrypter.setPassphrase(passphrase)
  encrypter.setScryptWorkFactor(SCRYPT_WORK_FACTOR)
  return armor.encode(await encrypter.encrypt(`${identity}\n`))
}

export function isAskedBack({ identity }: MadeKey, answer: string): boolean {
  return answer.trim().toUpperCase() === identity.slice(-ASKED_BACK)
}
