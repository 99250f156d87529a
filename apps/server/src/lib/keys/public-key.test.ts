import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { publicKey } from './public-key.ts'

test('the public key of a REALITY inbound belongs to its private key', () => {
  const known = 'ZsytdQM4qCkODG97moJN_6HY3eB5HyCxo5AcFswv8D0'
  expect(publicKey('4EDbPzx7xkqJ9dVUwFCbLpXyrAxqlfbcGZzLqFuuTnA')).toBe(known)
  expect(publicKey('4EDbPzx7xkqJ9dVUwFCbLpXyrAxqlfbcGZzLqFuuTnA=')).toBe(known)
})

test('the public key of ML-KEM-768 is the one that Xray makes of the same seed', () => {
  const seed = 'eEzxX0fEtKpNHaeA0AHx0nvOqzTNFWgqzrfJF-XhuT5gTXeYhvOYn5pNqTQYxR0vvRJzXgYl8Sw6nIYxkdVkpg'
  const known = publicKey(seed)
  expect(Buffer.from(known, 'base64url')).toHaveLength(1184)
  expect(createHash('sha256').update(known).digest('hex')).toBe(
    'bb568b6ae8e6e2c0ca61d24ea1325949abc7ed9869441fa3021a6b7160124a51',
  )
})

test.each(['', 'short', 'A'.repeat(44), '!!!'])('"%s" is no key', (text) => {
  expect(() => publicKey(text)).toThrow('32 or 64 bytes')
})
