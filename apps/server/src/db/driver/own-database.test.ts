import { randomBytes } from 'node:crypto'
import { createServer } from 'node:net'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { databaseUrl, testDatabase } from '../../../test/postgres.ts'
import { startPooler } from '../../../test/pooler.ts'
import { checkOwnDatabase } from './own-database.ts'

let database: Awaited<ReturnType<typeof testDatabase>>
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

test('a database that can be used is let be', async () => {
  await expect(checkOwnDatabase(database.url)).resolves.toBeUndefined()
})

test('one that does not exist is told with the command that makes it', async () => {
  await expect(checkOwnDatabase(databaseUrl(database.url, 'missing'))).rejects.toThrow(
    /database "missing" does not exist\. Create it: createdb --encoding UTF8 --owner postgres missing/,
  )
})

test('a place where nothing answers is named', async () => {
  await expect(checkOwnDatabase('postgres://me:secret@127.0.0.1:1/name')).rejects.toThrow(
    /^The database of DATABASE_URL cannot be used: nothing answers at 127\.0\.0\.1, port 1 \(/,
  )
})

test('a name that no machine has is named, and the password never', async () => {
  const failure = checkOwnDatabase('postgres://me:secret@nowhere.invalid/name')
  await expect(failure).rejects.toThrow('no machine is known by the name nowhere.invalid')
  await expect(failure).rejects.not.toThrow('secret')
})

test('what is no PostgreSQL ends with a sentence too', async () => {
  const other = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const address = other.address()
  const port = typeof address === 'object' ? address?.port : undefined
  await expect(checkOwnDatabase(`postgres://me@127.0.0.1:${port}/name`)).rejects.toThrow(
    /^The database of DATABASE_URL cannot be used: ./,
  )
  other.close()
})

test.each([
  ['one that takes what connections start with', { refusesOptions: false }],
  ['one that refuses it', { refusesOptions: true }],
])('a pooler in transaction mode is named as the reason: %s', async (_, options) => {
  const pooler = await startPooler(database.url, options)
  const failure = await checkOwnDatabase(pooler.url).catch((error: unknown) => String(error))
  pooler.close()
  expect(failure).toBe(
    'Error: The database of DATABASE_URL cannot be used: a connection pooler in front of it hands each transaction another ' +
      'connection, as PgBouncer does with pool_mode=transaction. Locks, prepared statements and notices need one of their own. ' +
      'Name PostgreSQL itself, without the pooler, or name it as DATABASE_DIRECT_URL beside the pooler.',
  )
})

test('a pooler that leaves out what connections start with is found by their zone, and the command that helps is named', async () => {
  const admin = new pg.Client({ connectionString: database.url })
  await admin.connect()
  await admin.query(`alter role current_user set timezone = 'Asia/Tehran'`)
  // Options in the address stand for a pooler that ignores those of the program.
  const ignoring = new URL(database.url)
  ignoring.searchParams.set('options', '-c timezone=Asia/Tehran')
  try {
    await expect(checkOwnDatabase(ignoring.href)).rejects.toThrow(
      /start in the time zone Asia\/Tehran instead of UTC, .* Run: alter role "postgres" set timezone = 'UTC'$/,
    )
  } finally {
    await admin.query('alter role current_user reset timezone')
    await admin.end()
  }
})

test('a user who may not create tables, and an encoding that cannot hold every name, are refused', async () => {
  const name = `narrow_${randomBytes(4).toString('hex')}`
  const admin = new pg.Client({ connectionString: databaseUrl(database.url, 'postgres') })
  await admin.connect()
  try {
    await admin.query(`create role ${name} login`)
    await admin.query(`create database ${name} template template0 encoding 'LATIN1' locale 'C' locale_provider libc`)
    const asOther = new URL(database.url)
    asOther.username = name
    await expect(checkOwnDatabase(asOther.href)).rejects.toThrow(
      /its user may not create tables\. Make that user the owner of test_/,
    )
    await expect(checkOwnDatabase(databaseUrl(database.url, name))).rejects.toThrow(
      'its encoding is LATIN1. Create it with encoding UTF8.',
    )
  } finally {
    await admin.query(`drop database if exists ${name}`)
    await admin.query(`drop role if exists ${name}`)
    await admin.end()
  }
})
