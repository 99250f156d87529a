import { createHash, createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { testServer, type TestServer } from '../../../test/server.ts'
import { isSignedByTelegram } from './telegram.actions.ts'

const botToken = '123456:TEST-TOKEN'
const AT = 1_700_000_000
const vector = { id: 42, first_name: 'Ann', username: 'ann', auth_date: AT }
const hash = '2f72a46af165bbd42b1ef82145575f563583a3b8550a0a6a1d6e1e7bd4a1f049'

test('the test vector of the wire is accepted, a changed one is not', () => {
  expect(isSignedByTelegram({ ...vector, hash }, botToken)).toBe(true)
  expect(isSignedByTelegram({ ...vector, last_name: undefined, hash }, botToken)).toBe(true)
  expect(isSignedByTelegram({ ...vector, id: 43, hash }, botToken)).toBe(false)
  expect(isSignedByTelegram({ ...vector, last_name: 'Lee', hash }, botToken)).toBe(false)
  expect(isSignedByTelegram({ ...vector, hash: '' }, botToken)).toBe(false)
  expect(isSignedByTelegram({ ...vector, hash: 'zz' }, botToken)).toBe(false)
})

test('a name of two lines is no other field', () => {
  const signed = sign(`auth_date=${AT}\nfirst_name=Eve\nid=42\nid=7`)
  expect(isSignedByTelegram({ id: 7, first_name: 'Eve\nid=42', auth_date: AT, hash: signed }, botToken)).toBe(false)
})

function sign(lines: string): string {
  return createHmac('sha256', createHash('sha256').update(botToken).digest()).update(lines).digest('hex')
}

describe('AUTH-017 signing in with Telegram', () => {
  let server: TestServer
  beforeAll(async () => {
    const env = { TELEGRAM_OAUTH_ENABLED: 'true', TELEGRAM_BOT_TOKEN: botToken, TELEGRAM_OAUTH_ADMIN_IDS: '[42]' }
    server = await testServer({ env })
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    await server.ctx.db.deleteFrom('oauth2States').execute()
    await server.ctx.db.deleteFrom('signInAttempts').execute()
  })
  const answer = (body: object) => server.send('POST', '/api/auth/oauth2/tg/callback', body, {})

  test.each([
    ['within 15 seconds', AT + 15, 200],
    ['later', AT + 16, 403],
    ['by a clock that is a little slow', AT - 5, 200],
    ['from the future', AT - 6, 403],
  ])('an answer that comes back %s', async (_, seconds, status) => {
    server.clock.now = new Date(seconds * 1000)
    expect((await answer({ ...vector, hash })).status).toBe(status)
  })
  test('a picture and a last name are part of what is signed', async () => {
    server.clock.now = new Date(AT * 1000)
    const picture = 'https://t.me/i/userpic/320/ann.jpg'
    const signed = sign(`auth_date=${AT}\nfirst_name=Ann\nid=42\nlast_name=Lee\nphoto_url=${picture}\nusername=ann`)
    const full = { ...vector, last_name: 'Lee', photo_url: picture, hash: signed }
    expect((await answer({ ...full, photo_url: 'https://t.me/i/userpic/320/eve.jpg' })).status).toBe(403)
    expect((await answer({ ...full, last_name: 'Loo' })).status).toBe(403)
    expect((await answer(full)).status).toBe(200)
  })
  test('another account of Telegram is refused although it is signed', async () => {
    server.clock.now = new Date(AT * 1000)
    const signed = sign(`auth_date=${AT}\nfirst_name=Eve\nid=7`)
    expect(await answer({ id: 7, first_name: 'Eve', auth_date: AT, hash: signed })).toMatchObject({
      status: 403,
      body: { errorCode: 'E000' },
    })
  })
  test('an answer serves once, whatever its case and whatever stands behind it', async () => {
    server.clock.now = new Date(AT * 1000)
    const together = await Promise.all([answer({ ...vector, hash }), answer({ ...vector, hash: hash.toUpperCase() })])
    expect(together.map((reply) => reply.status).toSorted((a, b) => a - b)).toEqual([200, 403])
    expect((await answer({ ...vector, hash })).status).toBe(403)
    expect((await answer({ ...vector, hash: `${hash}zz` })).status).toBe(403)
  })
  test('a forged answer is refused', async () => {
    server.clock.now = new Date(AT * 1000)
    expect((await answer({ ...vector, username: 'eve', hash })).status).toBe(403)
  })
})
