import { afterEach, expect, test, vi } from 'vitest'
import pg from 'pg'
import { testDatabase } from '../../../test/postgres.ts'
import { openBus } from './bus.ts'

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
  const heard = { jobs: [] as (string | undefined)[], events: [] as (string | undefined)[], errors: 0 }
  const bus = openBus(database.url, () => heard.errors++)
  cleanUps.push(() => bus.close())
  const stop = bus.hear('jobs', (payload) => heard.jobs.push(payload))
  bus.hear('events', (payload) => heard.events.push(payload))
  await expect.poll(() => bus.isListening()).toBe(true)
  return { url: database.url, other, heard, bus, stop }
}

test('a notice of any process is heard by its topic alone, once it is committed, and once per transaction', async () => {
  const { other, heard, stop } = await listening()
  expect(heard).toEqual({ jobs: [undefined], events: [undefined], errors: 0 }) // the connection came up
  await other.query(`begin; select pg_notify('jobs', 'a'); select pg_notify('jobs', 'a')`)
  await other.query('select pg_sleep(0.05)')
  expect(heard.jobs).toEqual([undefined])
  await other.query('commit')
  await expect.poll(() => heard.jobs).toEqual([undefined, 'a'])
  stop()
  await other.query(`select pg_notify('jobs', 'b'), pg_notify('events', 'c')`)
  await expect.poll(() => heard.events).toEqual([undefined, 'c'])
  expect(heard.jobs).toEqual([undefined, 'a'])
})

test('all topics of a process share one connection', async () => {
  const { other } = await listening()
  const { rows } = await other.query<{ connections: number }>(
    'select count(*)::int as "connections" from pg_stat_activity where "datname" = current_database() and "pid" <> pg_backend_pid()',
  )
  expect(rows).toEqual([{ connections: 1 }])
})

test('a lost connection is made again, and then everything may have changed', async () => {
  const { other, heard, bus } = await listening()
  await other.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'causeway bus'
    and datname = current_database()`)
  await expect.poll(() => heard.errors).toBe(1)
  expect(bus.isListening()).toBe(false)
  await expect.poll(() => bus.isListening(), { timeout: 10_000 }).toBe(true)
  expect(heard.jobs).toEqual([undefined, undefined])
  await other.query(`select pg_notify('jobs', 'later')`)
  await expect.poll(() => heard.jobs).toEqual([undefined, undefined, 'later'])
})

test('a change is settled when each of several processes has heard it, and not before', async () => {
  const { url, other, heard, bus } = await listening()
  const second = openBus(url, () => {})
  cleanUps.push(() => second.close())
  const there: (string | undefined)[] = []
  second.hear('events', (payload) => there.push(payload))
  await expect.poll(() => there).toEqual([undefined])
  await other.query(`select pg_notify('events', 'hosts')`)
  const begun = performance.now()
  await bus.settled()
  expect([heard.events, there]).toEqual([
    [undefined, 'hosts'],
    [undefined, 'hosts'],
  ])
  expect(performance.now() - begun).toBeLessThan(900) // by the answers, not by the timeout
})

test('a database that cannot be reached is tried again until the bus is closed', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const connectionString = 'postgres://127.0.0.1:1/none'
  let errors = 0
  const bus = openBus(connectionString, () => errors++)
  for (const failures of [1, 2]) {
    await expect.poll(() => errors).toBeGreaterThanOrEqual(failures)
    await vi.advanceTimersByTimeAsync(1000)
  }
  await bus.close()
  const after = errors
  await vi.advanceTimersByTimeAsync(60_000)
  // An attempt that had begun before would have failed before.
  await expect(new pg.Client({ connectionString }).connect()).rejects.toThrow('ECONNREFUSED')
  expect(errors).toBe(after)
})
