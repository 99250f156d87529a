import type { FastifyInstance } from 'fastify'
import { afterEach, describe, expect, test } from 'vitest'
import { testServer, type TestServer } from '../../test/server.ts'
import { makeUser } from '../../test/users.ts'
import { refuseUnguardedRoutes, registerPublic } from './guarded-routes.ts'
import Fastify from 'fastify'

const open: TestServer[] = []
afterEach(async () => {
  for (const server of open.splice(0)) await server.close()
})
async function serverWith(env: Record<string, string>): Promise<TestServer> {
  const server = await testServer({ env, register: false })
  open.push(server)
  return server
}

describe('with REQUIRE_HTTPS_PROXY', () => {
  const proxied = { 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'https' }
  test.each([
    ['no forwarding headers', {}, 400],
    ['plain http at the proxy', { ...proxied, 'x-forwarded-proto': 'http' }, 400],
    ['no address', { 'x-forwarded-proto': 'https' }, 400],
    ['both', proxied, 200],
  ])('a request with %s is answered with %s %i', async (_, headers, status) => {
    const server = await serverWith({ REQUIRE_HTTPS_PROXY: 'true' })
    const reply = await server.send('GET', '/api/auth/status', undefined, headers)
    expect(reply.status).toBe(status)
    expect(reply.headers['strict-transport-security'] !== undefined).toBe(status === 200)
  })
  test('cookies travel over TLS only, also where the proxy is not trusted with addresses', async () => {
    const cookiesOf = async (env: Record<string, string>, headers: Record<string, string>) => {
      const server = await serverWith(env)
      const credentials = { username: 'admin', password: 'Correct4horse' }
      return [(await server.send('POST', '/api/auth/register', credentials, headers)).headers['set-cookie']].flat().map(String)
    }
    for (const cookie of await cookiesOf({ REQUIRE_HTTPS_PROXY: 'true' }, proxied)) expect(cookie).toContain('; Secure')
    for (const cookie of await cookiesOf({}, {})) expect(cookie).not.toContain('; Secure')
  })
  test('the refusal says what to do', async () => {
    const server = await serverWith({ REQUIRE_HTTPS_PROXY: 'true' })
    const { body } = await server.send('GET', '/', undefined, {})
    expect(body).toMatchObject({ statusCode: 400, error: 'Bad Request', message: expect.stringContaining('X-Forwarded-Proto') })
  })
})

describe('the address of a caller', () => {
  const forwarded = { 'x-forwarded-for': '198.51.100.9, 203.0.113.7' }
  const credentials = { username: 'admin', password: 'Correct4horse' }
  const addressOfFirst = async (server: TestServer, headers: Record<string, string> = forwarded) => {
    await server.send('POST', '/api/auth/register', credentials, headers)
    const { address } = await server.ctx.db.selectFrom('auditLog').select('address').executeTakeFirstOrThrow()
    return address
  }
  test('is what a trusted proxy says, not what the caller claims to it', async () => {
    expect(await addressOfFirst(await serverWith({ TRUSTED_PROXIES: 'loopback' }))).toBe('203.0.113.7')
  })
  test.each([
    ['198.51.100.9:1, 203.0.113.7:51234', '203.0.113.7'],
    ['203.0.113.7, 10.0.0.9:8443', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['[2001:DB8::7]:443', '2001:db8::7'],
    ['nonsense', 'unknown'],
  ])('of a proxy that writes %s is %s', async (text, address) => {
    const server = await serverWith({ TRUSTED_PROXIES: 'loopback, 10.0.0.0/8' })
    expect(await addressOfFirst(server, { 'x-forwarded-for': text })).toBe(address)
  })
  test('is that of the connection when no proxy is trusted, and the log says so once', async () => {
    const server = await serverWith({})
    const warnings: unknown[] = []
    server.app.log.warn = (...args: unknown[]) => void warnings.push(args[1])
    expect(await addressOfFirst(server)).toBe('127.0.0.1')
    await server.send('GET', '/api/auth/status', undefined, forwarded)
    expect(warnings).toEqual([expect.stringContaining('TRUSTED_PROXIES')])
  })
})

describe('what is answered to one', () => {
  test('is kept by no browser and no proxy, refusals neither', async () => {
    const server = await testServer()
    open.push(server)
    for (const url of ['/api/users', '/api/keygen', '/api/tokens', '/api/auth/status'])
      expect((await server.send('GET', url)).headers['cache-control']).toBe('no-store')
    expect((await server.send('GET', '/api/users', undefined, {})).headers['cache-control']).toBe('no-store')
  })
  test('has links of an origin only, whatever a caller has written in its place', async () => {
    const server = await testServer({ env: { TRUSTED_PROXIES: 'loopback' } })
    open.push(server)
    const user = await makeUser(server)
    const linkFor = async (headers: Record<string, string>) => {
      const { body } = await server.send('GET', `/api/users/${user.uuid}`, undefined, { ...server.admin, ...headers })
      return (body as { response: { subscriptionUrl: string } }).response.subscriptionUrl // the contract's reply of getUser
    }
    const path = `/api/sub/${user.shortUuid}`
    const host = { 'x-forwarded-host': 'panel.example:8443' }
    expect(await linkFor({ ...host, 'x-forwarded-proto': 'https' })).toBe(`https://panel.example:8443${path}`)
    expect(await linkFor({ ...host, 'x-forwarded-proto': 'javascript' })).toBe(`http://panel.example:8443${path}`)
    expect(await linkFor({ 'x-forwarded-host': '"><script>alert(1)</script>' })).toBe(path)
    const page = await server.send('GET', path, undefined, { accept: 'text/html', 'x-forwarded-host': 'a'.repeat(4000) })
    expect(page.status).toBe(200)
  })
})

describe('other origins', () => {
  test.each([
    ['*', 'https://shop.example', '*'],
    ['shop.example', 'https://shop.example', 'https://shop.example'],
    ['https://shop.example', 'https://shop.example', 'https://shop.example'],
  ])('FRONT_END_DOMAIN=%s lets %s read', async (domain, origin, allowed) => {
    const server = await serverWith({ FRONT_END_DOMAIN: domain })
    const reply = await server.send('OPTIONS', '/api/users', undefined, { origin, 'access-control-request-method': 'PATCH' })
    expect(reply.headers).toMatchObject({ 'access-control-allow-origin': allowed })
    expect(reply.headers['access-control-allow-methods']).toBe('GET, HEAD, PUT, PATCH, POST, DELETE')
    expect(reply.headers).not.toHaveProperty('access-control-allow-credentials')
  })
  test('one that is not set may not', async () => {
    const server = await serverWith({ FRONT_END_DOMAIN: 'shop.example' })
    const reply = await server.send('GET', '/api/auth/status', undefined, { origin: 'https://elsewhere.example' })
    expect(reply.headers).not.toMatchObject({ 'access-control-allow-origin': 'https://elsewhere.example' })
  })
})

describe('the widget of Telegram', () => {
  const widget = 'https://telegram.org'
  test('is allowed on the login page while that login is on', async () => {
    const env = { TELEGRAM_OAUTH_ENABLED: 'true', TELEGRAM_BOT_TOKEN: '1:x', TELEGRAM_OAUTH_ADMIN_IDS: '[42]' }
    const server = await serverWith(env)
    expect((await server.send('GET', '/auth/login')).headers['content-security-policy']).toContain(widget)
    expect((await server.send('GET', '/dashboard/users')).headers['content-security-policy']).not.toContain(widget)
  })
  test('is allowed nowhere otherwise', async () => {
    const server = await serverWith({})
    expect((await server.send('GET', '/auth/login')).headers['content-security-policy']).not.toContain(widget)
  })
})

describe('default deny', () => {
  const app = (add: (app: FastifyInstance) => unknown) => {
    const fastify = Fastify()
    refuseUnguardedRoutes(fastify)
    add(fastify)
    return fastify.ready()
  }
  test('a route that does not say who may call it keeps the server from starting', async () => {
    await expect(app((fastify) => fastify.get('/open', async () => 'x'))).rejects.toThrow('GET /open')
  })
  test('one that does starts, and so do public files', async () => {
    await expect(app((fastify) => fastify.get('/open', { config: { access: 'public' } }, async () => 'x'))).resolves.toBeDefined()
    await expect(
      app((fastify) => registerPublic(fastify, async (scope) => scope.get('/file', async () => 'x'))),
    ).resolves.toBeDefined()
  })
})
