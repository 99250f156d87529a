import { once } from 'node:events'
import { connect as connectTo, createServer, type AddressInfo } from 'node:net'
import { TLSSocket } from 'node:tls'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mintAgentPayload, readFleetKeys } from '../../ground/fleet-keys.ts'
import type { RowTaker } from '../../lib/sent-rows.ts'
import { readAsSent } from './as-sent.ts'
import { written } from './built-once.ts'
import { connect } from './connect.ts'
import { testServer, type TestServer } from '../../../test/server.ts'

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

test('a row that its taker cannot use fails its query alone, and what stands behind it on the connection is answered', async () => {
  const connected = connect(server.ctx.pool.options.connectionString ?? '', { max: 1 })
  const { db } = connected
  const read = readAsSent()
  const upTo = (last: number) => written(db, sql`select generate_series(1, ${last}::int) as "number"`)
  const takenUntil = async (most: number) => {
    const taken: number[] = []
    const take: RowTaker['take'] = (row) => {
      if (taken.length === most) throw new Error('enough')
      taken.push(row.number(0))
    }
    await read(connected, { begin: () => {}, take }, '', [3], () => upTo(3))
    return taken
  }
  expect(await takenUntil(3)).toEqual([1, 2, 3])
  const after = Promise.allSettled([takenUntil(1), takenUntil(3), sql`select 'as ever' as "text"`.execute(db)])
  expect((await after).map((each) => (each.status === 'fulfilled' ? each.value : String(each.reason)))).toMatchObject([
    'Error: enough',
    [1, 2, 3],
    { rows: [{ text: 'as ever' }] },
  ])
  await connected.close()
})

/** Stands before the database and takes connections by TLS alone, as one with `ssl=on` does. */
async function securedBy(url: string): Promise<{ url: string; close(): void }> {
  const { host, port } = new pg.Client({ connectionString: url })
  const { nodeCertPem, nodeKeyPem } = await mintAgentPayload(await readFleetKeys(server.ctx.secrets), new Date())
  const before = createServer((plain) => {
    // What is sent first asks for TLS, and waits for the answer.
    plain.once('data', () => {
      plain.write('S')
      const secured = new TLSSocket(plain, { isServer: true, cert: nodeCertPem, key: nodeKeyPem })
      const behind = connectTo(`${host}/.s.PGSQL.${port}`)
      secured.pipe(behind).pipe(secured)
    })
  })
  before.listen(0, '127.0.0.1')
  await once(before, 'listening')
  const own = new URL(url)
  own.hostname = '127.0.0.1'
  own.port = String((before.address() as AddressInfo).port) // it listens on a port
  own.search = '?sslmode=no-verify'
  return { url: own.href, close: () => before.close() }
}

test('rows are read as they are sent, and cut, over a connection by TLS', async () => {
  const secured = await securedBy(server.ctx.pool.options.connectionString ?? '')
  const connected = connect(secured.url, { max: 1 })
  const { db } = connected
  // Longer than what TLS sends in one piece, so that rows come in parts.
  const text = 'я'.repeat(20_000)
  const read = readAsSent()
  const upTo = (last: number) => written(db, sql`select repeat('я', 20000), generate_series(1, ${last}::int)`)
  const taken: [string | null, number][] = []
  const cut = sql<{ number: number; text: string }>`select generate_series(1, 5) as "number", ${text}::text as "text"`
  const [{ rows }] = await Promise.all([
    cut.execute(db),
    read(connected, { begin: () => {}, take: (row) => taken.push([row.text(0), row.number(1)]) }, '', [5], () => upTo(5)),
  ])
  expect(rows).toEqual([1, 2, 3, 4, 5].map((number) => ({ number, text })))
  expect(taken).toEqual([1, 2, 3, 4, 5].map((number) => [text, number]))
  await connected.close()
  secured.close()
})
