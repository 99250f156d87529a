import { afterEach, expect, test, vi } from 'vitest'
import pg from 'pg'
import { testDatabase } from '../../../test/postgres.ts'
import { listenForNotices } from './database-notices.ts'

const cleanUps: (() => Promise<void>)[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
})

async function listening() {
  const database = await testDatabase()
  cleanUps.push(() => database.drop())
  const other = new pg.Client({ connectionString: database.url })
  other.on('error', () => {}) // dropping the database ends it
  await other.connect()
  cleanUps.push(() => other.end())
  const heard = { notices: 0, errors: 0 }
  const notices = listenForNotices({
    connectionString: database.url,
    channel: 'some Channel',
    onNotice: () => heard.notices++,
    onError: () => heard.errors++,
  })
  cleanUps.push(() => notices.close())
  await expect.poll(() => notices.isListening()).toBe(true)
  return { other, heard, notices }
}

test('a notice of any process is heard once its change is committed, and once per transaction', async () => {
  const { other, heard } = await listening()
  expect(heard.notices).toBe(1) // that of having begun to listen
  await other.query(`begin; select pg_notify('some Channel', ''); select pg_notify('some Channel', '')`)
  await other.query('select pg_sleep(0.05)')
  expect(heard.notices).toBe(1)
  await other.query('commit')
  await expect.poll(() => heard.notices).toBe(2)
})

test('a lost connection is made again, and then everything may have changed', async () => {
  const { other, heard, notices } = await listening()
  await other.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'causeway notices'
    and datname = current_database()`)
  await expect.poll(() => heard.errors).toBe(1)
  expect(notices.isListening()).toBe(false)
  await expect.poll(() => notices.isListening(), { timeout: 10_000 }).toBe(true)
  expect(heard.notices).toBe(2)
  await other.query(`select pg_notify('some Channel', '')`)
  await expect.poll(() => heard.notices).toBe(3)
})

test('a database that cannot be reached is tried again until it is given up', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const connectionString = 'postgres://127.0.0.1:1/none'
  let errors = 0
  const notices = listenForNotices({ connectionString, channel: 'c', onNotice: () => {}, onError: () => errors++ })
  for (const failures of [1, 2]) {
    await expect.poll(() => errors).toBeGreaterThanOrEqual(failures)
    await vi.advanceTimersByTimeAsync(1000)
  }
  await notices.close()
  const after = errors
  await vi.advanceTimersByTimeAsync(60_000)
  // Whoever had begun to connect before would have failed before.
  await expect(new pg.Client({ connectionString }).connect()).rejects.toThrow('ECONNREFUSED')
  expect(errors).toBe(after)
})
