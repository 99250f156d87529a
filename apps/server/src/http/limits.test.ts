import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testServer, type TestServer } from '../../test/server.ts'
import { excess } from './bodies.ts'

let server: TestServer
let port = 0
beforeAll(async () => {
  server = await testServer()
  await server.app.listen({ port: 0, host: '127.0.0.1' })
  port = (server.app.server.address() as AddressInfo).port // a TCP server has one
})
afterAll(() => server.close())

/** Writes bytes to the server as they are and gives all that comes back; fails when the connection is torn down. */
async function exchange(...parts: string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  const answer = text(socket)
  for (const part of parts) if (!socket.write(part)) await once(socket, 'drain')
  socket.end()
  return answer
}

const head = (method: string, path: string, length: number, more = '') =>
  `${method} ${path} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n${more}content-length: ${length}\r\n\r\n`

describe('a body that is too large', () => {
  const SIZE = 5_000_000
  test.each([
    ['a public route', 'POST', '/api/auth/login', 413],
    ['an unknown route', 'POST', '/api/nothing', 413],
    ['/health, which takes none', 'GET', '/health', 413],
    ['a guarded route without a token', 'POST', '/api/users/bulk/delete', 413],
    ['the board of queues', 'POST', '/api/queues', 413],
  ])('at %s is answered before the connection closes', async (_, method, path, status) => {
    const answer = await exchange(head(method, path, SIZE), ...Array<string>(50).fill(' '.repeat(SIZE / 50)))
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(answer).toContain('too large')
  })
  test('is refused as well when it does not say how large it is', async () => {
    const chunk = `${(64_000).toString(16)}\r\n${' '.repeat(64_000)}\r\n`
    const start =
      'POST /api/auth/login HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n'
    const answer = await exchange(start, ...Array<string>(20).fill(chunk), '0\r\n\r\n')
    expect(answer).toMatch(/^HTTP\/1.1 413 /)
  })
  test('without a token is not read even where a large one may be sent', async () => {
    const answer = await exchange(head('POST', '/api/config-profiles', 2_000_000), ' '.repeat(2_000_000))
    expect(answer).toMatch(/^HTTP\/1.1 401 /)
  })
})

test.each([
  [
    '{"name": "x", // mine\n"config": {}}',
    'The request body is not valid JSON at line 1, column 15: A comment stands here. JSON has none, so it would not be kept: remove it.',
  ],
  [
    '{"config":\n{"inbounds": [1,]}}',
    'The request body is not valid JSON at line 2, column 16: A comma stands before a "]", with nothing between.',
  ],
  ['{"config": {"__proto__": {}}}', 'The request body has a key that cannot be taken: "__proto__" or "constructor".'],
])('%j is refused with its place', async (payload, message) => {
  const headers = { ...server.admin, 'content-type': 'application/json' }
  const reply = await server.app.inject({ method: 'POST', url: '/api/x/config-profiles/check', headers, payload })
  expect([reply.statusCode, reply.json()]).toEqual([400, expect.objectContaining({ message })])
})

test('a byte order mark before the body is passed over', async () => {
  const headers = { ...server.admin, 'content-type': 'application/json' }
  const payload = '\ufeff{"config": {"inbounds": []}}'
  expect((await server.app.inject({ method: 'POST', url: '/api/x/config-profiles/check', headers, payload })).statusCode).toBe(
    200,
  )
})

test('a request that does not arrive in time is ended with a reason', async () => {
  const limits = server.app.server
  expect([limits.requestTimeout, limits.headersTimeout]).toEqual([30_000, 30_000])
  Object.assign(limits, { requestTimeout: 500, headersTimeout: 500 }) // what follows happens after 30 s otherwise
  const socket = connect(port, '127.0.0.1')
  socket.write(head('POST', '/api/auth/login', 100) + '{')
  expect(await text(socket)).toMatch(/^HTTP\/1.1 408 Request Timeout\r\n/)
  Object.assign(limits, { requestTimeout: 30_000, headersTimeout: 30_000 })
}, 30_000)

test.each([
  ['an address that cannot be read', 'GET /api/%E0%A4%A HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n', 400],
  ['no HTTP at all', 'hello\r\n\r\n', 400],
  ['headers without end', `GET / HTTP/1.1\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
])('%s is refused with the headers of every answer', async (_, request, status) => {
  const answer = await exchange(request)
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  for (const header of [
    "content-security-policy: default-src 'none'",
    'x-content-type-options: nosniff',
    'x-robots-tag: noindex',
  ])
    expect(answer.toLowerCase()).toContain(header)
  expect(answer).toContain(`"statusCode":${status}`)
})

describe('JSON is bounded before it is parsed', () => {
  const send = async (payload: string) => {
    const headers = { ...server.admin, 'content-type': 'application/json' }
    const reply = await server.app.inject({ method: 'POST', url: '/api/config-profiles', headers, payload })
    return { status: reply.statusCode, body: reply.json<unknown>() }
  }
  test.each([
    ['lists in lists', '['.repeat(5000) + ']'.repeat(5000)],
    ['objects in objects', '{"a":'.repeat(5000) + '1' + '}'.repeat(5000)],
    ['lists that never end', '['.repeat(2_000_000)],
  ])('in its depth: %s', async (_, payload) => {
    expect(await send(payload)).toMatchObject({
      status: 400,
      body: { message: 'The request body is nested deeper than 100 levels.', statusCode: 400 },
    })
  })
  test('in the number of its values', async () => {
    expect(await send(`[${'0,'.repeat(200_000)}0]`)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('more than 120000 values') },
    })
  })
  test('and what stands in texts does not count', () => {
    expect(excess(Buffer.from(JSON.stringify({ a: '[{"\\'.repeat(100_000) })))).toBeUndefined()
    expect(excess(Buffer.from('"never ended \\'))).toBeUndefined()
    expect(excess(Buffer.from('['.repeat(100) + ']'.repeat(100)))).toBeUndefined()
  })
})
