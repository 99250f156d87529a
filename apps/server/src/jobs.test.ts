import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { WAIT } from '../test/live-fleet.ts'
import { testServer, type TestServer } from '../test/server.ts'
import { startJobs } from './jobs.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())

/** Jobs that each ask the database something, as all real ones do, and how often each has done so. */
function askingJobs(count: number, ctx: TestServer['ctx']) {
  const runs = Array.from({ length: count }, () => 0)
  const jobs = runs.map((_, index) => ({
    name: `asking ${index}`,
    everyMs: 20,
    run: async () => {
      await sql`select pg_sleep(0.01)`.execute(ctx.db)
      runs[index] = (runs[index] ?? 0) + 1
    },
  }))
  return { runs, jobs }
}

test('more jobs fall due at once than there are connections, and all of them run', async () => {
  const { runs, jobs } = askingJobs(8, server.ctx) // the pool of tests has 4
  const started = startJobs(server.ctx, jobs)
  await vi.waitFor(() => expect(Math.min(...runs)).toBeGreaterThan(2), WAIT)
  await started.stop()
})

test('a job runs in one server process at a time', async () => {
  let [running, most, runs] = [0, 0, 0]
  const job = {
    name: 'alone',
    everyMs: 10,
    run: async () => {
      most = Math.max(most, ++running)
      await sql`select pg_sleep(0.03)`.execute(server.ctx.db)
      running--
      runs++
    },
  }
  const servers = [startJobs(server.ctx, [job]), startJobs(server.ctx, [job])]
  await vi.waitFor(() => expect(runs).toBeGreaterThan(5), WAIT)
  await Promise.all(servers.map((each) => each.stop()))
  expect(most).toBe(1)
})

test('jobs go on after the connection that holds their locks was ended', async () => {
  const { runs, jobs } = askingJobs(1, server.ctx)
  const started = startJobs(server.ctx, jobs)
  await vi.waitFor(() => expect(runs[0]).toBeGreaterThan(0), WAIT)
  await server.ctx.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name like 'causeway%' and pid <> pg_backend_pid()`,
  )
  const before = runs[0] ?? 0
  await vi.waitFor(() => expect(runs[0]).toBeGreaterThan(before + 2), WAIT)
  await started.stop()
})
