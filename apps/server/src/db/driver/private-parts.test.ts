import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { PostgresDriver, Transaction } from 'kysely'
import pg from 'pg'
import { Parser } from 'pg-protocol/dist/parser.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testDatabase } from '../../../test/postgres.ts'
import { connect, type Database } from './connect.ts'

// What this folder uses of the driver and of the query builder although their types leave it out. When a test here fails after an
// update: read the new source of the named member, mend its user (named beside it), run `npm run bench` against the version
// before, and only then write the new version below.
const VERSIONS = { pg: '8.23.1', 'pg-pool': '3.14.0', 'pg-protocol': '1.16.1', kysely: '0.29.9' }

const SRC = path.resolve(import.meta.dirname, '../..')
const require = createRequire(import.meta.url)

let database: Awaited<ReturnType<typeof testDatabase>>
let connected: Database
beforeAll(async () => {
  database = await testDatabase()
  connected = connect(database.url, { max: 1 })
})
afterAll(async () => {
  await connected.close()
  await database.drop()
})

test.each(Object.entries(VERSIONS))('%s is the version whose private parts were read', (name, version) => {
  const ofPg = createRequire(require.resolve('pg'))
  const entry = (name === 'pg' || name === 'kysely' ? require : ofPg).resolve(name)
  const folder = entry.slice(0, entry.lastIndexOf(`/${name}/`) + name.length + 2)
  const { version: found } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as { version: string } // npm's form
  expect(found).toBe(version)
})

const methodsOf = (prototype: object, names: string[]) =>
  names.filter((name) => typeof Reflect.get(prototype, name) !== 'function')

test('a query of the driver has the members that prepared-query.ts overrides and sets', async () => {
  const client = await connected.pool.connect()
  try {
    const query = new pg.Query('select 1 as "one"')
    const isDone = new Promise((resolve) => query.once('end', resolve))
    client.query(query)
    await isDone
    expect(methodsOf(query, ['prepare', 'handleRowDescription', 'handleDataRow', 'submit'])).toEqual([])
    for (const member of ['name', 'values', 'callback', '_result', '_accumulateRows', '_canceledDueToError'])
      expect(Reflect.has(query, member) && member).toBe(member)
    const result: unknown = Reflect.get(query, '_result')
    for (const member of ['fields', '_parsers', '_prebuiltEmptyResultObject']) expect(result).toHaveProperty(member)
  } finally {
    client.release()
  }
})

test('a connection and its parser have the members that uncut-rows.ts overrides', async () => {
  expect(methodsOf(Parser.prototype, ['parse', 'handlePacket'])).toEqual([])
  const client = await connected.pool.connect()
  try {
    const { connection } = client as unknown as { connection: object } // its types leave it out
    expect(methodsOf(connection, ['attachListeners', 'describe', 'emit'])).toEqual([])
    expect(connection).toHaveProperty('stream')
    expect(methodsOf(client, ['getTransactionStatus', 'query'])).toEqual([])
  } finally {
    client.release()
  }
})

test('a pool has the members that silence.ts reads', async () => {
  const held = await connected.pool.connect()
  const waits = connected.pool.connect()
  try {
    const { _clients: clients, _pendingQueue: queue } = connected.pool as unknown as {
      _clients: unknown[]
      _pendingQueue: { callback: unknown }[]
    } // its types leave them out
    expect(clients).toEqual([held])
    expect(queue.map(({ callback }) => typeof callback)).toEqual(['function'])
  } finally {
    held.release()
    ;(await waits).release()
  }
})

test('the query builder has the members that pipeline.ts builds on', async () => {
  const names = ['acquireConnection', 'beginTransaction', 'commitTransaction', 'rollbackTransaction', 'releaseConnection']
  expect(methodsOf(PostgresDriver.prototype, names)).toEqual([])
  await connected.db.transaction().execute(async (tx) => {
    expect(tx).toBeInstanceOf(Transaction)
    expect(methodsOf(tx.getExecutor(), ['provideConnection', 'withConnectionProvider', 'executeQuery'])).toEqual([])
  })
})

test('nothing outside of this folder touches private parts of the driver', () => {
  const PRIVATE =
    /from 'pg-protocol|\._?(_clients|_pendingQueue|_result|_parsers|_accumulateRows|_canceledDueToError)\b|connection\.stream|attachListeners/
  const files = globSync('**/*.ts', { cwd: SRC }).filter((file) => !file.startsWith('db/driver/'))
  expect(files.length).toBeGreaterThan(200)
  expect(files.filter((file) => PRIVATE.test(readFileSync(path.join(SRC, file), 'utf8')))).toEqual([])
})
