import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { afterEach, expect, it, test, vi } from 'vitest'
import { base64Url, keyPairText, makeKeyPair, publicKeyOf } from './key-pair.ts'
import { clamped } from './x25519.ts'

const xray = process.env['XRAY_BIN'] || path.resolve(import.meta.dirname, '../../../../../../engine/build/xray')
const hasEngine = existsSync(xray)
if (!hasEngine && process.env['REQUIRE_ENGINE'] === '1') throw new Error(`no Xray binary at ${xray}`)

const KNOWN = {
  privateKey: '4EDbPzx7xkqJ9dVUwFCbLpXyrAxqlfbcGZzLqFuuTnA',
  publicKey: 'ZsytdQM4qCkODG97moJN_6HY3eB5HyCxo5AcFswv8D0',
}

/** As in a page that came without TLS, or a browser that does not know the algorithm. */
function withoutSubtle(): void {
  vi.stubGlobal('crypto', { subtle: undefined, getRandomValues: <Bytes extends Uint8Array>(array: Bytes) => array.fill(7) })
}
afterEach(() => vi.unstubAllGlobals())

it('KEY-006 both keys are URL-safe base64 without padding or newlines', async () => {
  for (let i = 0; i < 50; i += 1) {
    const { publicKey, privateKey } = await makeKeyPair()
    expect(publicKey).toMatch(/^[\w-]{43}$/)
    expect(privateKey).toMatch(/^[\w-]{43}$/)
  }
  expect(base64Url(Uint8Array.from([255, 254, 253, 252]))).toBe('__79_A')
})

it('both together are two lines of a JSON object', () => {
  const pair = { publicKey: 'abc', privateKey: 'x_-' }
  expect(keyPairText(pair).split('\n')).toHaveLength(2)
  expect(JSON.parse(`{${keyPairText(pair)}}`)).toEqual(pair)
})

it('knows the public key of a known private one, by the browser and by arithmetic', async () => {
  const privateKey = Uint8Array.from(Buffer.from(KNOWN.privateKey, 'base64url'))
  expect(await publicKeyOf(privateKey)).toBe(KNOWN.publicKey)
  withoutSubtle()
  expect(await publicKeyOf(privateKey)).toBe(KNOWN.publicKey)
})

it('browser and arithmetic agree on any key', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ minLength: 32, maxLength: 32 }), async (random) => {
      const own = await publicKeyOf(random)
      withoutSubtle()
      const other = await publicKeyOf(random)
      vi.unstubAllGlobals()
      expect(other).toBe(own)
      expect(await publicKeyOf(clamped(random))).toBe(own)
    }),
    { numRuns: 50 },
  )
})

test.skipIf(!hasEngine)("a pair is what Xray's own x25519 makes of its private key", async () => {
  for (const make of [makeKeyPair, () => (withoutSubtle(), makeKeyPair())]) {
    const { publicKey, privateKey } = await make()
    const told = execFileSync(xray, ['x25519', '-i', privateKey], { encoding: 'utf8' })
    expect(told).toContain(`PrivateKey: ${privateKey}\n`)
    expect(told).toMatch(new RegExp(`PublicKey\\): ${publicKey}\\n`))
  }
})
