import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { publicKeyText, signFile, verifyFile } from './signature.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'causeway-signature-'))
afterAll(() => rmSync(folder, { recursive: true }))

const file = path.join(folder, 'release.tar.gz')
const { privateKey } = generateKeyPairSync('ed25519')
const key = publicKeyText(privateKey)

test('SHIP-002 a signed file passes with its comment, and a changed byte is refused', async () => {
  writeFileSync(file, 'what was built')
  const signature = await signFile(file, privateKey, 'Causeway 1.2.3')
  expect(await verifyFile(file, signature, key)).toBe('Causeway 1.2.3')
  writeFileSync(file, 'what was bui1t')
  await expect(verifyFile(file, signature, key)).rejects.toThrow('is not what was signed')
})

test('a signature of another key, a changed comment, and texts that are neither are refused', async () => {
  writeFileSync(file, 'what was built')
  const signature = await signFile(file, privateKey, 'Causeway 1.2.3')
  const other = publicKeyText(generateKeyPairSync('ed25519').privateKey)
  await expect(verifyFile(file, signature, other)).rejects.toThrow('made with another key')
  await expect(verifyFile(file, signature.replace('1.2.3', '9.9.9'), key)).rejects.toThrow('comment is not what was signed')
  await expect(verifyFile(file, 'no signature', key)).rejects.toThrow('The signature is none of minisign')
  await expect(verifyFile(file, signature, 'no key')).rejects.toThrow('The key is no public key')
})

test('key and signature have the form of minisign: two letters, eight bytes that name the key, then key or signature', async () => {
  writeFileSync(file, 'what was built')
  const lines = (await signFile(file, privateKey, 'a comment')).split('\n')
  const signature = Buffer.from(lines[1] ?? '', 'base64')
  const publicKey = Buffer.from(key.split('\n')[1] ?? '', 'base64')
  expect([signature.length, signature.subarray(0, 2).toString()]).toEqual([74, 'ED'])
  expect([publicKey.length, publicKey.subarray(0, 2).toString()]).toEqual([42, 'Ed'])
  expect(signature.subarray(2, 10)).toEqual(publicKey.subarray(2, 10))
  expect(lines[2]).toBe('trusted comment: a comment')
})
