import { expect, it } from 'vitest'
import { inboundFlow } from './flow.ts'
import { decryptionOf, encryptionFor } from './vless-encryption.ts'

const [key, seed] = ['a'.repeat(43), 'b'.repeat(86)]
const publicKeyOf = (privateKey: string) => `public ${privateKey[0]}`

it('clients of an inbound with VLESS encryption have its public keys in the same order, its look, and no padding of its', () => {
  const decryption = `mlkem768x25519plus.random.300-600s.100-111-1111.75-0-111.${key}.${seed}`
  expect(encryptionFor(decryption, publicKeyOf)).toBe('mlkem768x25519plus.random.0rtt.public a.public b')
})

it('clients of a server that gives no tickets ask for none', () => {
  expect(encryptionFor(`mlkem768x25519plus.native.0s.${key}`, publicKeyOf)).toBe('mlkem768x25519plus.native.1rtt.public a')
})

it('there is nothing to say to a server whose keys are none', () => {
  const refuse = () => {
    throw new RangeError('no key')
  }
  expect(encryptionFor(`mlkem768x25519plus.native.600s.${key}`, refuse)).toBeUndefined()
  expect(encryptionFor('mlkem768x25519plus.native.600s', publicKeyOf)).toBeUndefined()
})

it.each([
  [{ decryption: 'none' }, ''],
  [{ decryption: 'else' }, 'else'],
  [undefined, ''],
])('an inbound with the settings %j decrypts with "%s"', (settings, decryption) => {
  expect(decryptionOf({ settings })).toBe(decryption)
})

it('the flow that the settings name is that of all users, over any transport', () => {
  const streamSettings = { network: 'xhttp' }
  expect(inboundFlow({ settings: { flow: 'xtls-rprx-vision' }, streamSettings })).toBe('xtls-rprx-vision')
  expect(inboundFlow({ settings: { flow: 'other' }, streamSettings })).toBe('')
  const reality = { network: 'raw', security: 'reality' }
  expect(inboundFlow({ settings: { flow: '' }, streamSettings: reality })).toBe('')
  expect(inboundFlow({ settings: {}, streamSettings: reality })).toBe('xtls-rprx-vision')
})
