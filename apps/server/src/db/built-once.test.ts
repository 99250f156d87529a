import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testServer, type TestServer } from '../../test/server.ts'
import { builtOnce } from './built-once.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())

test('later calls bring their own values', async () => {
  const named = builtOnce((db, username: string) => db.selectFrom('admins').select('username').where('username', '=', username))
  expect(await named(server.ctx.db, 'nobody')).toEqual([])
  expect(await named(server.ctx.db, 'admin')).toEqual([{ username: 'admin' }])
})

test('a text that holds more than the values given is refused with the first call', async () => {
  const limited = builtOnce((db, username: string) =>
    db
      .selectFrom('admins')
      .select('username')
      .where('username', '=', username)
      .where(sql`1`, '=', 1),
  )
  await expect(limited(server.ctx.db, 'admin')).rejects.toThrow('in their order')
})
