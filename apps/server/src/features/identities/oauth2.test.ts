import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { testServer, type TestServer } from '../../../test/server.ts'
import { oauth2Endpoints, verifiedEmail } from './oauth2.rules.ts'

/** A provider of sign-ins: remembers what it was asked and answers what the test says. */
let provider: Server
let asked: { url: string | undefined; authorization: string | undefined; body: string }[] = []
let emailAnswer: unknown
let server: TestServer

beforeAll(async () => {
  provider = createServer((request, response) => void answer(request).then((body) => response.end(JSON.stringify(body))))
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
  const { port } = provider.address() as AddressInfo // a TCP server has one
  const enabled = (name: string) => ({
    [`OAUTH2_${name}_ENABLED`]: 'true',
    [`OAUTH2_${name}_CLIENT_ID`]: 'id',
    [`OAUTH2_${name}_CLIENT_SECRET`]: 'secret',
    [`OAUTH2_${name}_ALLOWED_EMAILS`]: '["ann@example.com"]',
  })
  const env = {
    ...enabled('GITHUB'),
    ...enabled('POCKETID'),
    OAUTH2_POCKETID_PLAIN_DOMAIN: 'id.example.com',
    OAUTH2_BASE_URL: `http://127.0.0.1:${port}`,
    PUBLIC_URL: 'https://panel.example.com',
  }
  server = await testServer({ env })
})
afterAll(async () => {
  await server.close()
  provider.close()
})
beforeEach(async () => {
  asked = []
  emailAnswer = [{ email: 'ann@example.com', primary: true, verified: true }]
  await server.ctx.db.deleteFrom('signInAttempts').execute()
})

async function answer(request: IncomingMessage): Promise<unknown> {
  asked.push({ url: request.url, authorization: request.headers.authorization, body: await text(request) })
  if (request.url?.includes('token')) return { access_token: 'provider-token', token_type: 'bearer' }
  return emailAnswer
}

async function authorize(name = 'github', cookie?: string) {
  const reply = await server.send('POST', '/api/auth/oauth2/authorize', { provider: name }, cookie ? { cookie } : {})
  const { response } = reply.body as { response: { authorizationUrl: string } } // the contract's reply of oauth2Authorize
  const url = new URL(response.authorizationUrl)
  const browser = String(reply.headers['set-cookie']).split(';')[0] ?? ''
  return { url, state: url.searchParams.get('state') ?? '', browser, setCookie: String(reply.headers['set-cookie']) }
}

function callback(body: { provider?: string; code?: string; state: string }, cookie?: string) {
  const full = { provider: 'github', code: 'code-1', ...body }
  return server.send('POST', '/api/auth/oauth2/callback', full, cookie ? { cookie } : {})
}

const refused = { status: 403, body: { message: 'Forbidden', errorCode: 'E000' } }

describe('signing in with a provider', () => {
  test('the browser is sent to the provider with a state of its own, tied to it by a cookie', async () => {
    const { url, setCookie, state } = await authorize()
    expect(url.pathname).toBe('/login/oauth/authorize')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      response_type: 'code',
      client_id: 'id',
      scope: 'user:email',
      state,
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    })
    expect(state.length).toBeGreaterThan(40)
    expect(setCookie).toMatch(/HttpOnly; SameSite=Lax/)
    expect(setCookie).toContain('Path=/api/auth/oauth2')
  })
  test('a listed, verified address signs in', async () => {
    const { state, browser, url } = await authorize()
    expect(await callback({ state }, browser)).toMatchObject({
      status: 200,
      body: { response: { accessToken: expect.any(String) } },
    })
    expect(asked).toMatchObject([
      { url: '/login/oauth/access_token', authorization: `Basic ${Buffer.from('id:secret').toString('base64')}` },
      { url: '/user/emails', authorization: 'Bearer provider-token' },
    ])
    const exchanged = Object.fromEntries(new URLSearchParams(asked[0]?.body))
    expect(exchanged).toEqual({ grant_type: 'authorization_code', code: 'code-1', code_verifier: expect.any(String) })
    // The provider compares what was sent first with what comes now (RFC 7636, 4.6).
    const challenge = createHash('sha256')
      .update(exchanged['code_verifier'] ?? '')
      .digest('base64url')
    expect(url.searchParams.get('code_challenge')).toBe(challenge)
    expect((await authorize()).url.searchParams.get('code_challenge')).not.toBe(challenge)
  })
  test('PocketID is told where to come back to', async () => {
    emailAnswer = { email: 'ann@example.com', email_verified: true }
    const { url, state, browser } = await authorize('pocketid')
    const redirect = 'https://panel.example.com/oauth2/callback/pocketid'
    expect(url.searchParams.get('redirect_uri')).toBe(redirect)
    expect((await callback({ provider: 'pocketid', state }, browser)).status).toBe(200)
    expect(new URLSearchParams(asked[0]?.body).get('redirect_uri')).toBe(redirect)
  })
  test('two attempts of one browser do not disturb each other', async () => {
    const first = await authorize()
    const second = await authorize('github', first.browser)
    expect((await callback({ state: first.state }, second.browser)).status).toBe(200)
    expect((await callback({ state: second.state }, second.browser)).status).toBe(200)
  })
})

describe('a sign-in is refused', () => {
  test('with the state of another browser, and without a browser', async () => {
    const [mine, other] = [await authorize(), await authorize()]
    expect(await callback({ state: other.state }, mine.browser)).toMatchObject(refused)
    const again = await authorize()
    expect(await callback({ state: again.state })).toMatchObject(refused)
    expect(asked).toEqual([])
  })
  test('when a state is used twice, right or wrong the first time', async () => {
    const { state, browser } = await authorize()
    expect(await callback({ state }, 'causeway_browser=wrong')).toMatchObject(refused)
    expect(await callback({ state }, browser)).toMatchObject(refused)
  })
  test('after ten minutes', async () => {
    const { state, browser } = await authorize()
    server.clock.now = new Date(Date.now() + 10 * 60_000 + 1000)
    expect(await callback({ state }, browser)).toMatchObject(refused)
    server.clock.now = undefined
  })
  test('for another provider than it was started with, and for one that is off', async () => {
    const { state, browser } = await authorize()
    expect(await callback({ provider: 'pocketid', state }, browser)).toMatchObject(refused)
    expect(await server.send('POST', '/api/auth/oauth2/authorize', { provider: 'yandex' }, {})).toMatchObject(refused)
  })
  test.each([
    ['that is not listed', [{ email: 'eve@example.com', primary: true, verified: true }]],
    ['that is not verified', [{ email: 'ann@example.com', primary: true, verified: false }]],
    ['that is not the main one', [{ email: 'ann@example.com', primary: false, verified: true }]],
    ['that is missing', { message: 'Bad credentials' }],
  ])('for an address %s', async (_, emails) => {
    emailAnswer = emails
    const { state, browser } = await authorize()
    expect(await callback({ state }, browser)).toMatchObject(refused)
  })
})

describe('providers', () => {
  test('answer at their own addresses', () => {
    expect(oauth2Endpoints('github', null, null).emailUrl).toBe('https://api.github.com/user/emails')
    expect(oauth2Endpoints('pocketid', null, 'id.example.com').tokenUrl).toBe('https://id.example.com/api/oidc/token')
    expect(oauth2Endpoints('yandex', null, null).authorizeUrl).toBe('https://oauth.yandex.com/authorize')
  })
  test.each([
    ['pocketid', { email: 'a@b.cc', email_verified: true }, 'a@b.cc'],
    ['pocketid', { email: 'a@b.cc', email_verified: false }, undefined],
    ['pocketid', { email: 'a@b.cc' }, undefined],
    ['yandex', { default_email: 'a@ya.ru' }, 'a@ya.ru'],
    ['yandex', {}, undefined],
  ] as const)('%s vouches for the address of %j: %s', (name, body, email) => {
    expect(verifiedEmail(name, body)).toBe(email)
  })
})
