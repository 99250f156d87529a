import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testServer, type TestServer } from '../../../test/server.ts'
import { write } from '../../features/audit/audit.actions.ts'
import { systemCaller } from '../../ctx.ts'
import { builtOnce } from './built-once.ts'
import type { Tx } from './connect.ts'
import { pipelined } from './pipeline.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())

const insert = (tx: Tx, name: string) => tx.insertInto('internalSquads').values({ name }).execute()
const names = async () => (await server.ctx.db.selectFrom('internalSquads').select('name').execute()).map(({ name }) => name)

test('statements sent together are run in their order, in one transaction', async () => {
  const counts = await server.ctx.db.transaction().execute(async (whole) => {
    const tx = await pipelined(whole)
    const count = () =>
      sql<{
        count: number
      }>`select count(*) as "count" from "internalSquads" where "name" like 'together%'`.execute(tx)
    const [before, , between, , after] = await Promise.all([
      count(),
      insert(tx, 'together 1'),
      count(),
      insert(tx, 'together 2'),
      count(),
    ])
    return [before, between, after].map(({ rows }) => rows[0]?.count)
  })
  expect(counts).toEqual([0, 1, 2])
})

test('of statements sent together none stays when one fails, and that one says why', async () => {
  const failing = server.ctx.db.transaction().execute(async (whole) => {
    const tx = await pipelined(whole)
    await Promise.all([insert(tx, 'lost 1'), sql`select 1 / 0`.execute(tx), insert(tx, 'lost 2')])
  })
  await expect(failing).rejects.toThrow('division by zero')
  expect((await names()).filter((name) => name.startsWith('lost'))).toEqual([])
  // The connection is as good as before.
  await Promise.all(Array.from({ length: 8 }, () => server.ctx.db.selectFrom('internalSquads').select('name').execute()))
})

const insertBuilt = builtOnce((tx, name: string) => tx.insertInto('internalSquads').values({ name }))

test.each([
  ['the query builder', insert],
  ['a text that is known', insertBuilt],
])('what follows the end of a transaction, by %s, is refused instead of being written outside of it', async (how, add) => {
  const refusals = await Promise.all(
    [0, 1, 20].map(async (pause) => {
      let late: Promise<unknown> = Promise.resolve()
      const failing = server.ctx.db.transaction().execute(async (whole) => {
        const tx = await pipelined(whole)
        late = add(tx, `first ${how} ${pause}`)
          .then(() => sleep(pause))
          .then(() => add(tx, `late ${how} ${pause}`))
        late.catch(() => {}) // looked at below
        await Promise.all([late, sql`select 1 / 0`.execute(tx)])
      })
      await expect(failing).rejects.toThrow('division by zero')
      return late.catch(String)
    }),
  )
  expect(refusals).toEqual(Array.from({ length: 3 }, () => expect.stringMatching(/is over|already rolled back|is aborted/)))
  expect((await names()).filter((name) => name.includes(how))).toEqual([])
})

test('a change whose record cannot be written, which is sent with the commit, is undone and says why', async () => {
  const failing = write(server.ctx, systemCaller, async (tx, record) => {
    await insert(tx, 'unrecorded')
    record({ action: 'createInternalSquad', target: 'a name with \u0000' })
  })
  await expect(failing).rejects.toThrow('invalid byte sequence')
  expect(await names()).not.toContain('unrecorded')
})
