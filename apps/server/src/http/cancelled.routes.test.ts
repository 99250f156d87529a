import * as api from '@causeway/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testServer, type TestServer } from '../../test/server.ts'
import { makeUser, NEVER, UNKNOWN } from '../../test/users.ts'

let server: TestServer
let user: api.User
beforeAll(async () => {
  server = await testServer()
  user = await makeUser(server)
})
afterAll(() => server.close())

const body = (fields: object) => fields

test.each([
  ['a list', 'GET', '/api/users?start=0&size=25', undefined, 'users'],
  ['a list that is counted', 'GET', '/api/users?start=0&size=25&filters=[{"id":"username","value":"x"}]', undefined, 'users'],
  ['a look-up', 'GET', `/api/users/${UNKNOWN}`, undefined, 'users'],
  ['statistics', 'GET', '/api/system/stats', undefined, 'userUsage'],
  ['a search', 'GET', '/api/x/search?text=abc', undefined, 'users'],
  ['a new user', 'POST', '/api/users', body({ username: 'cancelled', expireAt: NEVER }), 'users'],
  ['an edit', 'PATCH', '/api/users', body({ tag: 'VIP' }), 'users'],
  ['an edit of an expiry', 'PATCH', '/api/users', body({ expireAt: NEVER }), 'users'],
  ['its audit row', 'PATCH', '/api/users', body({ tag: 'OTHER' }), 'auditLog'],
  ['a new provider', 'POST', '/api/infra-billing/providers', body({ name: 'cancelled' }), 'infraProviders'],
  ['a bulk change', 'POST', '/api/users/bulk/delete', body({ uuids: [UNKNOWN] }), 'users'],
  ['a subscription', 'GET', '/api/sub/unknown-link', undefined, 'users'],
  ['a plan', 'POST', '/api/x/plan', body({ deleteHost: { uuid: UNKNOWN } }), 'hosts'],
  ['a sign-in', 'POST', '/api/auth/login', body({ username: 'admin', password: 'Correct4horse' }), 'signInAttempts'],
  ['a session', 'POST', '/api/auth/login', body({ username: 'admin', password: 'Correct4horse' }), 'sessions'],
] as const)(
  'a statement that is cancelled is answered with 503 and when to try again: %s',
  async (_, method, url, fields, table) => {
    const { pool } = server.ctx
    const blocker = await pool.connect()
    const other = await pool.connect()
    try {
      await blocker.query('begin')
      await blocker.query(`lock table "${table}" in access exclusive mode`)
      const asked = server.send(method, url, method === 'PATCH' ? { uuid: user.uuid, ...fields } : fields)
      let isAnswered = false
      void asked.finally(() => (isAnswered = true))
      await expect
        .poll(
          async () => {
            await other.query(`
          select pg_cancel_backend(pid) from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and application_name = 'causeway'`)
            return isAnswered
          },
          { timeout: 20_000, interval: 100 },
        )
        .toBe(true)
      const reply = await asked
      expect([reply.status, reply.headers['retry-after'], reply.body]).toMatchObject([503, '5', { statusCode: 503 }])
    } finally {
      await blocker.query('rollback')
      blocker.release()
      other.release()
    }
  },
)
