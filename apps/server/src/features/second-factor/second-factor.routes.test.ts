import * as api from '@causeway/contract'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { codeAt } from '../../../test/authenticator.ts'
import { testServer, type TestServer } from '../../../test/server.ts'
import { ATTEMPTS_PER_ADDRESS } from '../auth/auth.rules.ts'

const CREDENTIALS = { username: 'admin', password: 'Correct4horse' }
const STEP_MS = 30_000
let server: TestServer
let start: number
beforeEach(async () => {
  server = await testServer()
  // The middle of a step, so that none ends meanwhile.
  start = Math.floor(Date.now() / STEP_MS) * STEP_MS + STEP_MS / 2
  server.clock.now = new Date(start)
})
afterEach(() => server.close())

const at = (steps: number) => new Date(start + steps * STEP_MS)
const moveTo = (steps: number) => void (server.clock.now = at(steps))
const post = (path: string, body: unknown, headers: Record<string, string> = {}) => server.send('POST', path, body, headers)
const login = () => post('/api/auth/login', CREDENTIALS)
const statusOf = async (headers: Record<string, string>) => (await server.send('GET', '/api/hosts', undefined, headers)).status

/** Sets up an authenticator with the code of this step. */
async function setUp(steps = 0) {
  const { secret, uri } = await server.call(api.startAuthenticator, {})
  const made = await server.call(api.confirmAuthenticator, { code: codeAt(secret, at(steps)) })
  return { secret, uri, ...made }
}

async function ticket(): Promise<string> {
  return (await server.call(api.startSecondStep, CREDENTIALS)).ticket
}

const enter = async (code: string) => post('/api/x/auth/second-step/code', { ticket: await ticket(), code })

describe('the authenticator', () => {
  test('SIGN-004 SIGN-003 is confirmed by a code; ten recovery codes are shown, kept as hashes, and other sessions end', async () => {
    const { accessToken } = await server.call(api.login, CREDENTIALS)
    const phone = { ...server.admin, authorization: `Bearer ${accessToken}` }
    const { uri, secret, recoveryCodes, endedSessions } = await setUp()
    expect(uri).toMatch(/^otpauth:\/\/totp\/Causeway:admin\?/)
    expect(new URL(uri).searchParams.get('secret')).toBe(secret)
    expect(new Set(recoveryCodes).size).toBe(10)
    expect(endedSessions).toBe(1)
    expect([await statusOf(phone), await statusOf(server.admin)]).toEqual([401, 200])
    expect(await server.call(api.getSecondFactor, {})).toMatchObject({
      authenticatorSince: at(0).toISOString(),
      recoveryCodesLeft: 10,
      passkeys: 0,
    })
    const tables = ['authenticators', 'recoveryCodes', 'auditLog'] as const
    const rows = await Promise.all(tables.map((table) => server.ctx.db.selectFrom(table).selectAll().execute()))
    for (const hidden of [secret, ...recoveryCodes]) expect(JSON.stringify(rows)).not.toContain(hidden)
  })

  test('is not on before a right code, and not replaced while it is on', async () => {
    const { secret } = await server.call(api.startAuthenticator, {})
    const wrong = await server.send('POST', '/api/x/account/second-factor/authenticator/actions/confirm', { code: '000000' })
    expect(wrong).toMatchObject({ status: 400, body: { errors: [{ path: ['code'] }] } })
    expect((await login()).status).toBe(200)
    // A second start forgets the first picture.
    await setUp()
    const again = await server.send('POST', '/api/x/account/second-factor/authenticator/actions/confirm', {
      code: codeAt(secret, at(0)),
    })
    expect(again.status).toBe(409)
    expect(await server.send('POST', '/api/x/account/second-factor/authenticator')).toMatchObject({ status: 409 })
  })

  test('SIGN-011 the sign-in of programs answers as before without it, and is refused clearly with it; tokens go on', async () => {
    const { token } = await server.call(api.createApiToken, { tokenName: 'bot' })
    expect(await login()).toMatchObject({ status: 200, body: { response: { accessToken: expect.any(String) } } })
    await setUp()
    expect(await login()).toMatchObject({ status: 428, body: { message: expect.stringContaining('second factor') } })
    // A wrong password learns nothing of it.
    expect((await post('/api/auth/login', { ...CREDENTIALS, password: 'Wrong4horses' })).status).toBe(403)
    expect((await post('/api/x/auth/second-step', { ...CREDENTIALS, password: 'Wrong4horses' })).status).toBe(403)
    expect(await statusOf({ authorization: `Bearer ${token}` })).toBe(200)
    await server.call(api.removeAuthenticator, {})
    expect((await login()).status).toBe(200)
  })

  test('SIGN-004 a code signs in once, a step of drift each way is allowed, and two are not', async () => {
    const { secret } = await setUp()
    // The code that has confirmed it has served.
    expect((await enter(codeAt(secret, at(0)))).status).toBe(400)
    moveTo(10)
    expect((await enter(codeAt(secret, at(8)))).status).toBe(400)
    expect((await enter(codeAt(secret, at(12)))).status).toBe(400)
    const early = codeAt(secret, at(9))
    expect((await enter(early)).status).toBe(200)
    expect(await enter(early)).toMatchObject({ status: 400, body: { message: expect.stringContaining('used before') } })
    expect((await enter(codeAt(secret, at(11)))).status).toBe(200)
    // One before it does not serve any more.
    expect((await enter(codeAt(secret, at(10)))).status).toBe(400)
  })

  test('SIGN-004 of two who use a code at once one signs in', async () => {
    const { secret } = await setUp()
    moveTo(5)
    const code = codeAt(secret, at(5))
    const replies = await Promise.all([enter(code), enter(code)])
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400])
  })

  test('SIGN-004 each recovery code signs in once; new ones replace the old ones', async () => {
    const { recoveryCodes } = await setUp()
    const [first = '', second = ''] = recoveryCodes
    expect((await enter(first.toUpperCase().replaceAll('-', ' '))).status).toBe(200)
    expect((await enter(first)).status).toBe(400)
    expect(await server.call(api.getSecondFactor, {})).toMatchObject({ recoveryCodesLeft: 9 })
    const next = await server.call(api.makeRecoveryCodes, {})
    expect((await enter(second)).status).toBe(400)
    expect((await enter(next.recoveryCodes[0] ?? '')).status).toBe(200)
  })

  test('SIGN-004 tries are counted by account, wherever they come from', async () => {
    const { secret } = await setUp()
    moveTo(5)
    const one = await ticket()
    for (let attempt = 0; attempt < ATTEMPTS_PER_ADDRESS; attempt++) {
      const address = { 'x-forwarded-for': `203.0.113.${attempt}` }
      expect((await post('/api/x/auth/second-step/code', { ticket: one, code: '000000' }, address)).status).toBe(400)
    }
    const right = { ticket: one, code: codeAt(secret, at(5)) }
    expect((await post('/api/x/auth/second-step/code', right)).status).toBe(429)
    server.clock.now = new Date(start + 19 * 60_000)
    expect((await enter(codeAt(secret, server.clock.now))).status).toBe(200)
  })

  test('a ticket is good for five minutes, and for the password it was got with', async () => {
    const { secret } = await setUp()
    const old = await ticket()
    server.clock.now = new Date(start + 5 * 60_000 + 1000)
    const code = codeAt(secret, server.clock.now)
    expect(await post('/api/x/auth/second-step/code', { ticket: old, code })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('too long') },
    })
    const fresh = await ticket()
    await server.call(api.changePassword, { currentPassword: CREDENTIALS.password, password: 'Another4horse' })
    expect((await post('/api/x/auth/second-step/code', { ticket: fresh, code })).status).toBe(400)
    // Neither is it a session.
    expect(await statusOf({ ...server.admin, authorization: `Bearer ${fresh}` })).toBe(403)
  })

  test('without a second factor there is no second step, and no recovery code', async () => {
    expect((await post('/api/x/auth/second-step', CREDENTIALS)).status).toBe(409)
    expect((await server.send('POST', '/api/x/account/second-factor/recovery-codes')).status).toBe(409)
  })
})
