import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import * as api from '@causeway/contract'
import { WAIT } from '../../test/live-fleet.ts'
import { testServer, type TestServer } from '../../test/server.ts'
import { findJob, listJobs, startJob } from './jobs.queries.ts'
import { jobKind, type Batch, type RecurringJob } from './kinds.ts'
import { startRunner } from './runner.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())

const running: { stop(): Promise<void> }[] = []
async function run(kinds: ReturnType<typeof jobKind>[], recurring: RecurringJob[] = []) {
  const runner = await startRunner(server.ctx, { kinds, recurring })
  running.push(runner)
  return runner
}
afterEach(async () => {
  await Promise.all(running.splice(0).map((runner) => runner.stop()))
  await server.ctx.db.deleteFrom('jobs').execute()
})

const job = z.object({ name: z.string() })
type Payload = z.output<typeof job>

/** A kind of which each batch does what a test says. */
function kindOf(
  group: string,
  batch: (tx: TestServer['ctx']['db'], payload: Payload) => Promise<Partial<Batch>>,
  pausesMs: number[] = [],
) {
  return jobKind({
    name: `test of ${group}`,
    group,
    payload: job,
    pausesMs,
    batch: async (_, tx, { cursor, payload }) => ({ cursor: cursor + 1, count: 1, isLast: true, ...(await batch(tx, payload)) }),
  })
}

async function ask(kind: ReturnType<typeof kindOf>, name = 'one', total = 1): Promise<string> {
  const id = await server.ctx.db.transaction().execute((tx) => startJob(tx, kind, { payload: { name }, total }, server.ctx.now()))
  return id ?? ''
}

const stateOf = (id: string) => findJob(server.ctx.db, id)
const pause = sql`select pg_sleep(0.02)`

test('a job starts at the commit that asks for it, without waiting for a look', async () => {
  const kind = kindOf('prompt', async () => ({}))
  await run([kind])
  await vi.waitUntil(() => server.ctx.bus.isListening(), WAIT)
  const askedAt = performance.now()
  const id = await ask(kind)
  await vi.waitFor(async () => expect(await stateOf(id)).toMatchObject({ status: 'done', done: 1 }), WAIT)
  expect(performance.now() - askedAt).toBeLessThan(5000) // a look comes every 15 s only
})

test('what recurs goes on when the clock is set back, instead of waiting for as long as it was ahead', async () => {
  let runs = 0
  const recurring = [{ name: 'test of the clock', everyMs: 100_000_000, run: async () => void runs++ }]
  server.clock.now = new Date(Date.now() + 3 * 3_600_000)
  await run([], recurring)
  await vi.waitFor(async () => expect((await listJobs(server.ctx.db))[0]).toMatchObject({ done: 1, status: 'queued' }), WAIT)
  await running.pop()?.stop()
  server.clock.now = undefined
  await run([], recurring)
  await vi.waitFor(async () => expect((await listJobs(server.ctx.db))[0]).toMatchObject({ done: 2, status: 'queued' }), WAIT)
  expect(runs).toBe(2)
})

test('a job of a kind that this server does not know is left alone, holds up nobody, and can be cancelled', async () => {
  const { db } = server.ctx
  const { id: stranger } = await db
    .insertInto('jobs')
    .values({ kind: 'of another version', group: 'shared', payload: '{}' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const kind = kindOf('shared', async () => ({}))
  await run([kind])
  const id = await ask(kind)
  await vi.waitFor(async () => expect(await stateOf(id)).toMatchObject({ status: 'done' }), WAIT)
  expect(await stateOf(stranger)).toMatchObject({ status: 'queued', attempts: 0, error: null })
  expect(await server.call(api.cancelJob, { id: stranger })).toMatchObject({ status: 'cancelled' })
})

test('jobs of a group are done in the order they were asked for, whatever their kinds, by one server at a time', async () => {
  const order: string[] = []
  let [now, most] = [0, 0]
  const note = async (tx: TestServer['ctx']['db'], { name }: Payload) => {
    most = Math.max(most, ++now)
    await pause.execute(tx)
    order.push(name)
    now--
    return {}
  }
  const [one, other] = [kindOf('together', note), { ...kindOf('together', note), name: 'other' }]
  const names = Array.from({ length: 12 }, (_, index) => `job ${index}`)
  for (const [index, name] of names.entries()) await ask(index % 2 === 0 ? one : other, name)
  await Promise.all([run([one, other]), run([one, other])])
  await vi.waitFor(() => expect(order).toHaveLength(12), WAIT)
  expect(order).toEqual(names)
  expect(most).toBe(1)
})

test('a group that takes long keeps no other group waiting', async () => {
  let isReleased = false
  const slow = kindOf('slow', async (tx) => {
    await pause.execute(tx)
    return { isLast: isReleased }
  })
  const quick = kindOf('quick', async () => ({}))
  const long = await ask(slow)
  await run([slow, quick])
  const id = await ask(quick)
  await vi.waitFor(async () => expect(await stateOf(id)).toMatchObject({ status: 'done' }), WAIT)
  await vi.waitFor(async () => expect(await stateOf(long)).toMatchObject({ status: 'running', finishedAt: null }), WAIT)
  isReleased = true
  await vi.waitFor(async () => expect(await stateOf(long)).toMatchObject({ status: 'done' }), WAIT)
})

test('a batch that fails is undone and tried again after each pause; then the job has failed, and the next one runs', async () => {
  let tries = 0
  const kind = kindOf(
    'failing',
    async (tx, { name }) => {
      await tx.insertInto('signInAttempts').values({ address: 'test', account: name }).execute()
      if (name === 'bad') throw new Error(`try ${++tries}`)
      return {}
    },
    [10, 20],
  )
  const bad = await ask(kind, 'bad')
  const good = await ask(kind, 'good')
  await run([kind])
  await vi.waitFor(async () => expect(await stateOf(good)).toMatchObject({ status: 'done' }), WAIT)
  expect(tries).toBe(3)
  expect(await stateOf(bad)).toMatchObject({ status: 'failed', done: 0, attempts: 2, error: expect.stringContaining('log') })
  const rows = await server.ctx.db.selectFrom('signInAttempts').select('account').where('address', '=', 'test').execute()
  expect(rows).toEqual([{ account: 'good' }])
})

test('what recurs is one job that comes back, in one server at a time, and is shown with its next run', async () => {
  let [now, most, runs] = [0, 0, 0]
  const recurring = {
    name: 'often',
    everyMs: 10,
    run: async () => {
      most = Math.max(most, ++now)
      await pause.execute(server.ctx.db)
      now--
      runs++
    },
  }
  await Promise.all([run([], [recurring]), run([], [recurring])])
  await vi.waitFor(() => expect(runs).toBeGreaterThan(5), WAIT)
  expect(most).toBe(1)
  expect(await listJobs(server.ctx.db)).toMatchObject([{ kind: 'often', isRecurring: true, finishedAt: null, error: null }])
})

test('what recurs and fails says so, comes back, and is well again when it succeeds', async () => {
  let isBroken = true
  const recurring = {
    name: 'moody',
    everyMs: 10,
    run: async () => {
      if (isBroken) throw new Error('not today')
    },
  }
  await run([], [recurring])
  const shown = async () => (await listJobs(server.ctx.db))[0]
  await vi.waitFor(async () => expect(await shown()).toMatchObject({ attempts: 1, error: expect.any(String) }), WAIT)
  isBroken = false
  await vi.waitFor(async () => expect(await shown()).toMatchObject({ attempts: 0, error: null }), WAIT)
})

test('more falls due at once than there are connections, and all of it runs', async () => {
  const runs = Array.from({ length: 8 }, () => 0) // the pool of tests has 4
  const recurring = runs.map((_, index) => ({
    name: `asking ${index}`,
    everyMs: 20,
    run: async () => {
      await sql`select pg_sleep(0.01)`.execute(server.ctx.db)
      runs[index] = (runs[index] ?? 0) + 1
    },
  }))
  await run([], recurring)
  await vi.waitFor(() => expect(Math.min(...runs)).toBeGreaterThan(2), WAIT)
})

test('jobs go on after every connection was ended', async () => {
  let runs = 0
  await run([], [{ name: 'lasting', everyMs: 20, run: async () => void runs++ }])
  await vi.waitFor(() => expect(runs).toBeGreaterThan(0), WAIT)
  await server.ctx.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name like 'causeway%' and pid <> pg_backend_pid()`,
  )
  const before = runs
  await vi.waitFor(() => expect(runs).toBeGreaterThan(before + 2), WAIT)
})

test('a schedule that this version no longer has is gone, one of a group stays where it was', async () => {
  const kept = { name: 'kept', everyMs: 3_600_000, run: async () => {} }
  const first = await run([], [kept, { ...kept, name: 'dropped' }])
  await vi.waitFor(async () => expect((await listJobs(server.ctx.db)).map((one) => one.done)).toEqual([1, 1]), WAIT)
  running.splice(running.indexOf(first), 1)
  await first.stop()
  await run([], [kept])
  expect(await listJobs(server.ctx.db)).toMatchObject([{ kind: 'kept', done: 1 }])
})
