import { armor, Encrypter } from 'age-encryption'

/** A text that only the holder of the recipient's key can read, as text (the armor of age). */
export async function encryptText(text: string, recipient: string): Promise<string> {
  const encrypter = new Encrypter()
  encrypter.addRecipient(recipient)
  return armor.encode(await encrypter.encrypt(text))
}

/** Why nothing can be encrypted to this recipient; undefined where it can. */
export function recipientProblem(recipient: string): string | undefined {
  try {
    new Encrypter().addRecipient(recipient)
    return undefined
  } catch {
    return 'is not a public key of age: it must be a whole recipient, as age-keygen prints it'
  }
}
