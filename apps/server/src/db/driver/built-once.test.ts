import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testServer, type TestServer } from '../../../test/server.ts'
import { builtOnce, builtOncePerShape } from './built-once.ts'

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

test('each choice of columns has a text of its own, and what is undefined is not among them', async () => {
  const rename = builtOncePerShape((db, fields: { username?: string; createdAt?: Date }, username: string) =>
    db.updateTable('admins').set(fields).where('username', '=', username).returning(['username', 'createdAt']),
  )
  const [early, late] = [new Date('2026-01-01'), new Date('2026-02-01')]
  expect(await rename(server.ctx.db, { createdAt: early }, 'admin')).toEqual([{ username: 'admin', createdAt: early }])
  expect(await rename(server.ctx.db, { username: undefined, createdAt: late }, 'admin')).toEqual([
    { username: 'admin', createdAt: late },
  ])
  expect(await rename(server.ctx.db, { username: 'other' }, 'admin')).toEqual([{ username: 'other', createdAt: late }])
  expect(await rename(server.ctx.db, { createdAt: early, username: 'admin' }, 'other')).toEqual([
    { username: 'admin', createdAt: early },
  ])
  expect(await rename(server.ctx.db, { createdAt: early, username: 'x' }, 'nobody')).toEqual([])
})
