import * as api from '@causeway/contract'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { testServer, type TestServer } from '../../../test/server.ts'
import { ATTEMPTS_PER_ADDRESS } from './auth.rules.ts'

const password = 'Correct4horse'
const NEXT = 'Another4horse'
let server: TestServer
beforeEach(async () => {
  server = await testServer()
})
afterEach(() => server.close())

/** Signs in again. Returns the headers of that session. */
async function signIn(userAgent: string, secret = password): Promise<Record<string, string>> {
  const reply = await server.send('POST', '/api/auth/login', { username: 'admin', password: secret }, { 'user-agent': userAgent })
  const { accessToken } = (reply.body as { response: { accessToken: string } }).response
  return { ...server.admin, authorization: `Bearer ${accessToken}`, 'user-agent': userAgent }
}

const statusOf = async (headers: Record<string, string>) => (await server.send('GET', '/api/hosts', undefined, headers)).status
const change = (currentPassword: string, next: string) =>
  server.send('POST', '/api/x/account/password', { currentPassword, password: next })
const login = async (secret: string) =>
  (await server.send('POST', '/api/auth/login', { username: 'admin', password: secret }, {})).status

describe('the own password', () => {
  test('SIGN-003 is changed with the current one, and every other session ends at once', async () => {
    const [phone, laptop] = [await signIn('phone'), await signIn('laptop')]
    const { token } = await server.call(api.createApiToken, { tokenName: 'bot' })
    expect(await server.call(api.changePassword, { currentPassword: password, password: NEXT })).toEqual({ endedSessions: 2 })
    expect([await statusOf(phone), await statusOf(laptop), await statusOf(server.admin)]).toEqual([401, 401, 200])
    expect(await statusOf({ authorization: `Bearer ${token}` })).toBe(200)
    expect([await login(password), await login(NEXT)]).toEqual([403, 200])
    const [entry] = await server.ctx.db.selectFrom('auditLog').selectAll().where('action', '=', 'changePassword').execute()
    expect(entry).toMatchObject({ details: { total: 2 } })
    expect(JSON.stringify(entry)).not.toContain(NEXT)
    expect(JSON.stringify(entry)).not.toContain('argon2')
  })

  test.each([
    ['with a wrong current one', 'Wrong4horses', NEXT, 'currentPassword'],
    ['to the same one', password, password, 'password'],
    ['to a short one', password, 'Short4horse', 'password'],
    ['to one of the commonest', password, 'Password1234', 'password'],
  ])('is not changed %s, which is said on its field', async (_, current, next, field) => {
    const phone = await signIn('phone')
    expect(await change(current, next)).toMatchObject({ status: 400, body: { errors: [{ path: [field] }] } })
    expect([await statusOf(phone), await login(password)]).toEqual([200, 200])
  })

  test('cannot be guessed by a session that was left open', async () => {
    for (let attempt = 0; attempt < ATTEMPTS_PER_ADDRESS; attempt++) expect((await change('Wrong4horses', NEXT)).status).toBe(400)
    expect(await change(password, NEXT)).toMatchObject({ status: 429, body: { errorCode: 'A002' } })
    // Signing in, and other sessions, are not held up by it.
    const phone = await signIn('phone')
    const changed = await server.send('POST', '/api/x/account/password', { currentPassword: password, password: NEXT }, phone)
    expect(changed.status).toBe(200)
  })

  test('of two changes at once one is made', async () => {
    const phone = await signIn('phone')
    const replies = await Promise.all([
      change(password, NEXT),
      server.send('POST', '/api/x/account/password', { currentPassword: password, password: 'Third4horses' }, phone),
    ])
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect([await login(NEXT), await login('Third4horses')].toSorted((a, b) => a - b)).toEqual([200, 403])
  })
})

describe('sessions', () => {
  test('SIGN-002 are listed with place, program and times, without those that have ended', async () => {
    await signIn('phone')
    await server.send('POST', '/api/x/auth/logout', undefined, await signIn('gone'))
    const { total, sessions } = await server.call(api.listSessions, {})
    expect(total).toBe(2)
    expect(sessions.map(({ userAgent, isCurrent }) => ({ userAgent, isCurrent }))).toEqual([
      { userAgent: 'phone', isCurrent: false },
      { userAgent: 'lightMyRequest', isCurrent: true },
    ])
    expect(sessions[0]).toMatchObject({ address: '127.0.0.1', createdAt: expect.any(String), expiresAt: expect.any(String) })
    server.clock.now = new Date(Date.now() + 11 * 3_600_000)
    await server.ctx.db.updateTable('sessions').set({ expiresAt: new Date() }).where('userAgent', '=', 'phone').execute()
    expect(await server.call(api.listSessions, {})).toMatchObject({ total: 1, sessions: [{ isCurrent: true }] })
  })

  test('SIGN-002 one is ended, and the others go on', async () => {
    const [phone, laptop] = [await signIn('phone'), await signIn('laptop')]
    const { sessions } = await server.call(api.listSessions, {})
    const uuid = sessions.find(({ userAgent }) => userAgent === 'phone')?.uuid ?? ''
    expect(await server.call(api.endSession, { uuid })).toEqual({ endedSessions: 1 })
    expect([await statusOf(phone), await statusOf(laptop), await statusOf(server.admin)]).toEqual([401, 200, 200])
    expect(await server.call(api.endSession, { uuid })).toEqual({ endedSessions: 0 })
  })

  test('SIGN-002 all others are ended at once, and recorded', async () => {
    const [phone, laptop] = [await signIn('phone'), await signIn('laptop')]
    expect(await server.call(api.endOtherSessions, {})).toEqual({ endedSessions: 2 })
    expect([await statusOf(phone), await statusOf(laptop), await statusOf(server.admin)]).toEqual([401, 401, 200])
    expect(await server.call(api.listSessions, {})).toMatchObject({ total: 1, sessions: [{ isCurrent: true }] })
    const entries = await server.ctx.db.selectFrom('auditLog').select('action').where('action', '=', 'endOtherSessions').execute()
    expect(entries).toHaveLength(1)
  })
})

test('SIGN-010 a session is told of sign-ins from new places and of changed factors, but for its own', async () => {
  const told = async (headers?: Record<string, string>) => {
    const { body } = await server.send('GET', '/api/x/account', undefined, headers)
    const { alerts } = (body as { response: { alerts: { action: string; address: string; at: string }[] } }).response
    return alerts.map(({ action, address }) => [action, address])
  }
  const phone = await signIn('a phone never seen')
  await signIn('a phone never seen')
  expect(await told(phone)).toEqual([])
  expect(await told()).toEqual([['login', '127.0.0.1']])
  expect((await change(password, NEXT)).status).toBe(200)
  expect(await told()).toEqual([['login', '127.0.0.1']])
  server.clock.now = new Date(Date.now() + 1000)
  const later = await signIn('lightMyRequest', NEXT)
  expect(await told(later)).toEqual([
    ['changePassword', '127.0.0.1'],
    ['login', '127.0.0.1'],
  ])
  server.clock.now = new Date(Date.now() + 31 * 86_400_000)
  expect(await told(await signIn('lightMyRequest', NEXT))).toEqual([])
})

test('the account has a name, and says whether its password signs in', async () => {
  expect(await server.call(api.getAccount, {})).toMatchObject({ username: 'admin', isPasswordLoginAllowed: true })
})
