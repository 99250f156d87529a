import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as api from '@causeway/contract'
import { testServer, type TestServer } from '../../../test/server.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'engine-'))
let server: TestServer
beforeAll(async () => {
  server = await testServer({ env: { ENGINE_DIR: folder } })
})
beforeEach(() => build('module '.repeat(500)))
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

function build(module: string): void {
  writeFileSync(path.join(folder, 'validator.wasm'), module)
  writeFileSync(path.join(folder, 'validator.wasm.br'), brotliCompressSync(module))
  writeFileSync(path.join(folder, 'validator.wasm.gz'), gzipSync(module))
  writeFileSync(path.join(folder, 'wasm_exec.js'), 'globalThis.Go = class {}')
  writeFileSync(path.join(folder, 'LICENSES.txt'), 'Mozilla Public License')
  writeFileSync(path.join(folder, 'xray'), 'a program')
}
const get = (url: string, encodings?: string) =>
  server.app.inject({ url, headers: encodings === undefined ? {} : { 'accept-encoding': encodings } })
const engine = async () => (await server.call(api.getValidator, {})).engine

test('EDIT-034 the validator is told of and served by this server, packed as the browser takes it, to be kept for ever', async () => {
  const { wasmUrl = '', runtimeUrl = '', licencesUrl = '', bytes } = (await engine()) ?? {}
  expect(bytes).toBe(3500)
  const brotli = await get(wasmUrl, 'gzip, deflate, br')
  expect(brotli.headers).toMatchObject({
    'content-encoding': 'br',
    'content-type': 'application/wasm',
    'cache-control': 'public, max-age=31536000, immutable',
    vary: expect.stringContaining('accept-encoding'),
  })
  expect(brotli.rawPayload).toEqual(brotliCompressSync('module '.repeat(500)))
  expect((await get(wasmUrl, 'gzip, br;q=0')).headers['content-encoding']).toBe('gzip')
  const plain = await get(wasmUrl)
  expect(plain.headers['content-encoding']).toBeUndefined()
  expect(plain.body).toBe('module '.repeat(500))
  expect((await get(runtimeUrl)).headers['content-type']).toMatch(/^text\/javascript/)
  expect((await get(licencesUrl)).body).toMatch(/Mozilla/)
})

test('another engine has another address, and the old one leads nowhere', async () => {
  const before = await engine()
  build('another')
  utimesSync(path.join(folder, 'validator.wasm'), new Date(), new Date(Date.now() + 5000))
  const after = await engine()
  expect(after?.wasmUrl).not.toBe(before?.wasmUrl)
  expect((await get(before?.wasmUrl ?? '')).statusCode).toBe(404)
})

test('nothing else of the folder is served', async () => {
  const { wasmUrl = '' } = (await engine()) ?? {}
  for (const name of ['xray', '.stamp', '..%2fgo.mod', 'toString'])
    expect((await get(wasmUrl.replace('validator.wasm', name))).statusCode).toBe(404)
})

test('where the engine was not built the server says so', async () => {
  rmSync(path.join(folder, 'validator.wasm'))
  expect(await server.call(api.getValidator, {})).toEqual({ schemaUrl: '/schemas/xray-config.json', engine: null })
  expect((await server.send('GET', '/api/x/validator', undefined, {})).status).toBe(401)
})
