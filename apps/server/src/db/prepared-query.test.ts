import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from './connect.ts'
import { testServer, type TestServer } from '../../test/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer({ register: false })
})
afterAll(() => server.close())

test('no two processes give a statement the same name, so that none runs for the other behind a pooler', async () => {
  const named = async () => {
    const connected = connect(server.ctx.pool.options.connectionString ?? '', { max: 1 })
    const { rows } = await sql<{ name: string }>`select "name" from pg_prepared_statements`.execute(connected.db)
    await connected.close()
    return rows.map(({ name }) => name)
  }
  const names = [...(await named()), ...(await named())]
  expect(names).toHaveLength(2)
  expect(new Set(names).size).toBe(2)
})

test('columns that another server adds while this one runs leave no statement refused', async () => {
  const { db, pool } = server.ctx
  const whole = () => db.selectFrom('savedViews').selectAll().orderBy('uuid')
  const onEach = () => Promise.all(Array.from({ length: 8 }, () => whole().execute()))
  const { sql: text } = whole().compile()
  await onEach()
  await sql`alter table "savedViews" add column "later" text`.execute(db)
  await onEach()
  expect((await pool.query(text)).fields.map(({ name }) => name)).toContain('later')
  // A transaction cannot be gone on with, but the next one can.
  await sql`alter table "savedViews" drop column "later"`.execute(db)
  const inTransaction = () => db.transaction().execute((tx) => whole().$call((query) => tx.executeQuery(query)))
  await Promise.allSettled(Array.from({ length: 8 }, inTransaction))
  expect((await inTransaction()).rows).toEqual([])
  await onEach()
})
