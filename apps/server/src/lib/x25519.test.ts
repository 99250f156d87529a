import { expect, test } from 'vitest'
import { x25519PublicKey } from './x25519.ts'

test('the public key of a REALITY inbound belongs to its private key', () => {
  const publicKey = 'ZsytdQM4qCkODG97moJN_6HY3eB5HyCxo5AcFswv8D0'
  expect(x25519PublicKey('4EDbPzx7xkqJ9dVUwFCbLpXyrAxqlfbcGZzLqFuuTnA')).toBe(publicKey)
  expect(x25519PublicKey('4EDbPzx7xkqJ9dVUwFCbLpXyrAxqlfbcGZzLqFuuTnA=')).toBe(publicKey)
})

test.each(['', 'short', 'A'.repeat(44), '!!!'])('"%s" is no key', (text) => {
  expect(() => x25519PublicKey(text)).toThrow('32 bytes')
})
