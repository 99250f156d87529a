import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testServer, type TestServer } from '../../test/server.ts'

const UUID = '6b1f5c1e-0f2a-4c57-9d0e-2d9f3a1b7c10'
let server: TestServer
beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())

describe('the error bodies of the wire', () => {
  test('A: a known error names time, path with query, message and code', async () => {
    const reply = await server.send('GET', `/api/hosts/${UUID}?x=1`)
    expect(reply).toMatchObject({
      status: 404,
      body: {
        path: `/api/hosts/${UUID}?x=1`,
        message: 'Host not found',
        errorCode: 'A046',
        timestamp: expect.stringMatching(/Z$/),
      },
    })
  })
  test("A': a refusal tells nothing", async () => {
    const reply = await server.send('POST', '/api/auth/login', { username: 'admin', password: 'wrong' }, {})
    expect(reply).toMatchObject({ status: 403, body: { message: 'Forbidden', errorCode: 'E000', path: '/api/auth/login' } })
  })
  test('B: a body that breaks its schema lists every issue', async () => {
    const reply = await server.send('POST', '/api/internal-squads', { name: 'a!b', inbounds: 'x' })
    expect(reply.status).toBe(400)
    expect(reply.body).toMatchObject({
      statusCode: 400,
      message: 'Validation failed',
      errors: [
        { code: 'invalid_string', validation: 'regex', path: ['name'] },
        { code: 'invalid_type', expected: 'array', received: 'string', path: ['inbounds'] },
      ],
    })
  })
  test('B: of a very long list of mistakes the first ones are told', async () => {
    const reply = await server.send('POST', '/api/hosts/bulk/enable', { uuids: Array.from({ length: 10_000 }, () => 'x') })
    expect(reply.status).toBe(400)
    expect((reply.body as { errors: unknown[] }).errors).toHaveLength(20) // shape B of the wire
    const longer = await server.send('POST', '/api/hosts/bulk/enable', { uuids: Array.from({ length: 10_001 }, () => 'x') })
    expect(longer).toMatchObject({
      status: 400,
      body: {
        errors: [
          { code: 'too_big', maximum: 10_000, type: 'array', path: ['uuids'], message: 'must have at most 10000 entries' },
        ],
      },
    })
  })
  test.each([
    [
      'a number of thirty digits',
      '/api/nodes/actions/reorder',
      { nodes: [{ uuid: UUID, viewPosition: 1e30 }] },
      ['nodes', 0, 'viewPosition'],
      'is a number beyond what can be stored',
    ],
    [
      'a number of ten digits',
      '/api/hosts/actions/reorder',
      {
        hosts: [
          { uuid: UUID, viewPosition: 1 },
          { uuid: UUID, viewPosition: 2 ** 31 },
        ],
      },
      ['hosts', 1, 'viewPosition'],
      'is a number beyond what can be stored',
    ],
    [
      'the character U+0000 in an address',
      '/api/users/by-username/a%00b',
      undefined,
      ['username'],
      'must not contain the character U+0000',
    ],
  ])("B: %s is the caller's mistake, not ours, and named", async (_, url, body, path, message) => {
    expect(await server.send(body ? 'POST' : 'GET', url, body)).toMatchObject({
      status: 400,
      body: { message: 'Validation failed', errors: [{ code: 'custom', path, message }] },
    })
  })
  test('a port of thirty digits and a text too long to be looked up are refused by name', async () => {
    const config = { inbounds: [{ tag: 'D', protocol: 'vless', port: 1e30 }] }
    expect(await server.send('POST', '/api/config-profiles', { name: 'digits', config })).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/port/i) },
    })
    const user = { username: 'long', expireAt: '2099-01-01T00:00:00Z', shortUuid: 'a'.repeat(9000) }
    expect(await server.send('POST', '/api/users', user)).toMatchObject({
      status: 400,
      body: { errors: [{ path: ['shortUuid'] }] },
    })
  })
  test('B: so does a path segment that is no uuid', async () => {
    const reply = await server.send('GET', '/api/hosts/5')
    expect(reply).toMatchObject({
      status: 400,
      body: { errors: [{ code: 'invalid_string', validation: 'uuid', path: ['uuid'] }] },
    })
  })
  test.each([
    ['an unknown path', 'GET', '/api/nothing', 404, { message: 'Cannot GET /api/nothing', error: 'Not Found', statusCode: 404 }],
    [
      'an unknown method',
      'PUT',
      '/api/hosts?a=b',
      404,
      { message: 'Cannot PUT /api/hosts?a=b', error: 'Not Found', statusCode: 404 },
    ],
    ['a path that cannot be read', 'GET', '/api/hosts/%E0%A4%A', 400, { error: 'Bad Request', statusCode: 400 }],
  ] as const)('C: %s', async (_, method, url, status, body) => {
    expect(await server.send(method, url)).toMatchObject({ status, body })
  })
  test('C: a body that is no JSON', async () => {
    const reply = await inject('POST', '/api/internal-squads', '{"name":', { 'content-type': 'application/json' })
    expect(reply).toMatchObject({ status: 400, body: { error: 'Bad Request', statusCode: 400, message: expect.any(String) } })
  })
  test('C: a body of another kind', async () => {
    const reply = await inject('POST', '/api/internal-squads', 'name=a', { 'content-type': 'application/x-www-form-urlencoded' })
    expect(reply).toMatchObject({ status: 415, body: { statusCode: 415, message: expect.stringContaining('JSON') } })
  })
  test('C: no token, and an administrator without the header of browsers', async () => {
    expect(await server.send('GET', '/api/hosts', undefined, {})).toMatchObject({
      status: 401,
      body: { message: 'Unauthorized', statusCode: 401 },
    })
    const { authorization = '' } = server.admin
    expect(await server.send('GET', '/api/hosts', undefined, { authorization })).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining('API token'), error: 'Forbidden', statusCode: 403 },
    })
  })
  test('the token is checked before the body: a bad body with a bad token is 401 (docs/wire.md 3)', async () => {
    const headers = { 'content-type': 'application/json', authorization: 'Bearer nonsense' }
    expect(await inject('POST', '/api/internal-squads', '{"name":', headers)).toMatchObject({ status: 401 })
    expect(await inject('POST', '/api/internal-squads', '{}', headers)).toMatchObject({ status: 401 })
  })
})

describe('bodies', () => {
  test.each([
    ['none', undefined, {}],
    ['an empty one declared as JSON', '', { 'content-type': 'application/json' }],
    ['an empty one of another type', '', { 'content-type': 'text/plain' }],
    ['{}', '{}', { 'content-type': 'application/json' }],
    ['null', 'null', { 'content-type': 'application/json' }],
  ])('an action route takes a body of %s', async (_, payload, headers) => {
    const reply = await inject('DELETE', `/api/hosts/${UUID}`, payload, headers)
    expect(reply).toMatchObject({ status: 404, body: { errorCode: 'A046' } })
  })
  test.each([
    ['64 KiB', 'without a token', '/api/auth/login', 64 * 1024],
    ['2 MiB', 'with one', '/api/hosts', 2 * 1024 * 1024],
    ['4 MiB', 'for profiles', '/api/config-profiles', 4 * 1024 * 1024],
  ])('are limited to %s %s, which the refusal names', async (most, _, url, limit) => {
    const reply = await inject('POST', url, `"${'x'.repeat(limit)}"`, { 'content-type': 'application/json' })
    expect(reply).toMatchObject({
      status: 413,
      body: {
        statusCode: 413,
        error: 'Payload Too Large',
        message: expect.stringContaining(`too large: this route takes at most ${most}.`),
      },
    })
    const fitting = await inject('POST', url, `"${'x'.repeat(limit - 2)}"`, { 'content-type': 'application/json' })
    expect(fitting.status).toBe(400)
  })
})

describe('paths', () => {
  test.each(['/api/hosts', '/api/hosts/', '/API/Hosts', '/api//hosts', '//api/hosts/'])(
    '%s is the list of hosts',
    async (url) => {
      expect(await server.send('GET', url)).toMatchObject({ status: 200, body: { response: [] } })
    },
  )
  test('names in a path keep their case', async () => {
    await server.send('POST', '/api/users', { username: 'MixedCase', expireAt: '2099-01-01T00:00:00Z' })
    const reply = await server.send('GET', '/API/Users/By-Username/MixedCase')
    expect(reply).toMatchObject({ status: 200, body: { response: { username: 'MixedCase' } } })
  })
})

describe('headers', () => {
  test('every answer hides from search engines and runs nothing but our own files', async () => {
    for (const url of ['/api/auth/status', '/api/nothing', '/api/hosts', '/x.js']) {
      const { headers } = await server.send('GET', url)
      expect(headers).toMatchObject({
        'x-robots-tag': 'noindex, nofollow, noarchive, nosnippet, noimageindex',
        'x-content-type-options': 'nosniff',
        'cross-origin-opener-policy': 'same-origin-allow-popups',
        'cross-origin-resource-policy': 'same-site',
        'referrer-policy': 'strict-origin-when-cross-origin',
      })
      const policy = String(headers['content-security-policy'])
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("script-src 'self' 'wasm-unsafe-eval';")
      expect(policy).not.toMatch(/unsafe-eval'(?<!wasm-unsafe-eval')|script-src[^;]*unsafe-inline|https?:/)
    }
  })
  test('long answers are packed when the caller takes that', async () => {
    const description = 'x'.repeat(5000)
    await server.send('POST', '/api/users', { username: 'wordy', description, expireAt: '2099-01-01T00:00:00Z' })
    const url = '/api/users/by-username/wordy'
    const reply = await server.app.inject({ url, headers: { ...server.admin, 'accept-encoding': 'br, gzip' } })
    expect(reply.headers).toMatchObject({ 'content-encoding': 'br', vary: 'accept-encoding' })
    expect(reply.rawPayload.length).toBeLessThan(1500)
    expect(brotliDecompressSync(reply.rawPayload).toString()).toContain(description)
    const plain = await server.app.inject({ url, headers: server.admin })
    expect(plain.headers).not.toHaveProperty('content-encoding')
  })
  test('what is no longer than a subscription or a page is packed at once, without a stream of its own', async () => {
    const description = 'x'.repeat(9000)
    await server.send('POST', '/api/users', { username: 'wordier', description, expireAt: '2099-01-01T00:00:00Z' })
    const headers = { ...server.admin, 'accept-encoding': 'gzip' }
    const reply = await server.app.inject({ url: '/api/users/by-username/wordier', headers })
    // A stream does not know beforehand how long it will be.
    expect(reply.headers).toMatchObject({ 'content-encoding': 'gzip', 'content-length': String(reply.rawPayload.length) })
    expect(gunzipSync(reply.rawPayload).toString()).toContain(description)
  })
  test('no other origin may read answers unless a front-end domain is set', async () => {
    const { headers } = await server.send('GET', '/api/auth/status', undefined, { origin: 'https://elsewhere.example' })
    expect(headers).not.toHaveProperty('access-control-allow-origin')
  })
})

async function inject(method: 'POST' | 'DELETE', url: string, payload: string | undefined, headers: Record<string, string>) {
  const reply = await server.app.inject({
    method,
    url,
    headers: { ...server.admin, ...headers },
    ...(payload === undefined ? {} : { payload }),
  })
  return { status: reply.statusCode, body: reply.json<unknown>() }
}
