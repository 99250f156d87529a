import { createPrivateKey, createPublicKey, diffieHellman } from 'node:crypto'
import * as api from '@causeway/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testServer, type TestServer } from '../../../test/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())

test('30 key pairs are made, each of two halves that fit', async () => {
  const { keypairs } = await server.call(api.generateKeyPairs, {})
  expect(new Set(keypairs.map(({ privateKey }) => privateKey)).size).toBe(30)
  const halves = ({ publicKey: x, privateKey: d }: (typeof keypairs)[number]) => ({
    publicKey: createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x }, format: 'jwk' }),
    privateKey: createPrivateKey({ key: { kty: 'OKP', crv: 'X25519', x, d }, format: 'jwk' }),
  })
  const [one, other] = [halves(keypairs[0]!), halves(keypairs[1]!)] // there are 30
  const secret = (a: typeof one, b: typeof one) => diffieHellman({ privateKey: a.privateKey, publicKey: b.publicKey })
  expect(secret(one, other).equals(secret(other, one))).toBe(true)
  expect(keypairs[0]?.publicKey).toMatch(/^[\w-]{43}$/)
})

test('a link that no key can hold is refused', async () => {
  const linkToEncrypt = `https://sub.example.com/${'a'.repeat(600)}`
  expect((await server.send('POST', '/api/system/tools/happ/encrypt', { linkToEncrypt })).status).toBe(400)
})

test('a link is encrypted for Happ', async () => {
  const { encryptedLink } = await server.call(api.encryptHappLink, { linkToEncrypt: 'https://sub.example.com/abc' })
  expect(encryptedLink).toMatch(/^happ:\/\/crypt/)
  expect(await server.send('POST', '/api/system/tools/happ/encrypt', { linkToEncrypt: 'no link' })).toMatchObject({
    status: 400,
    body: { errors: [{ code: 'invalid_string', validation: 'url', path: ['linkToEncrypt'] }] },
  })
})
