import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as api from '@causeway/contract'
import { makeFleet } from '../../../test/fleet.ts'
import { runBatch, runJobs } from '../../../test/jobs.ts'
import { insertUsers } from '../../../test/many-users.ts'
import { testServer, type TestServer } from '../../../test/server.ts'
import { refused, UNKNOWN } from '../../../test/users.ts'
import { keepRecurring } from '../../jobs/jobs.queries.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer()
  await makeFleet(server)
})
beforeEach(async () => {
  await server.ctx.db.deleteFrom('jobs').execute()
  await server.ctx.db.deleteFrom('users').execute()
  await insertUsers(server.ctx.db, 1500)
})
afterAll(() => server.close())

async function reset(): Promise<string> {
  const { jobId = '' } = await server.call(api.bulkResetAllUsersTraffic, {})
  return jobId
}

test('jobs are listed as they are: open ones in the order they are worked on, then ended ones, then what recurs', async () => {
  const ended = await reset()
  await runJobs(server.ctx)
  const [running, waiting] = [await reset(), await reset()]
  await runBatch(server.ctx)
  await keepRecurring(server.ctx.db, ['expireUsers'], new Date())
  const jobs = await server.call(api.listJobs, {})
  expect(jobs.map(({ id, status, done }) => [id, status, done])).toEqual([
    [running, 'running', 1000],
    [waiting, 'queued', 0],
    [ended, 'done', 1500],
    [expect.any(String), 'queued', 0],
  ])
  expect(jobs.at(-1)).toMatchObject({ kind: 'expireUsers', isRecurring: true })
  expect(jobs.map((job) => job.isCancellable)).toEqual([true, true, false, false])
})

test('a cancelled job keeps what is done, nodes are told of it, and the next one runs', async () => {
  const id = await reset()
  await runBatch(server.ctx)
  await server.ctx.db.updateTable('nodeStates').set({ compareRequestedAt: null }).execute()
  expect(await server.call(api.cancelJob, { id })).toMatchObject({ id, status: 'cancelled', done: 1000 })
  const states = await server.ctx.db.selectFrom('nodeStates').select('compareRequestedAt').execute()
  expect(states.every(({ compareRequestedAt }) => compareRequestedAt !== null)).toBe(true)
  const next = await reset()
  await runJobs(server.ctx)
  expect(await server.call(api.getJob, { id: next })).toMatchObject({ status: 'done' })
  const resets = await server.ctx.db.selectFrom('userTrafficResets').select('userId').execute()
  expect(resets).toHaveLength(1000 + 1500)
})

test('what has ended, what recurs and what must not be left half done cannot be cancelled', async () => {
  const cancel = (id: string) => refused(server, 'POST', `/api/x/jobs/${id}/actions/cancel`)
  const ended = await reset()
  await runJobs(server.ctx)
  expect(await cancel(ended)).toEqual([409, 'A001'])
  expect(await cancel(UNKNOWN)).toEqual([404, 'A001'])
  expect(await cancel('nonsense')).toEqual([404, 'A001'])
  await keepRecurring(server.ctx.db, ['expireUsers'], new Date())
  const [recurring] = await server.call(api.listJobs, {}).then((jobs) => jobs.filter((job) => job.isRecurring))
  expect(await cancel(recurring?.id ?? '')).toEqual([409, 'A001'])
  const { id } = await server.ctx.db
    .insertInto('jobs')
    .values({ kind: 'forgetNodeUsage', group: 'deleted nodes', payload: '{"nodeId":1,"firstDay":"2026-01-01","days":1}' })
    .returning('id')
    .executeTakeFirstOrThrow()
  expect(await cancel(id)).toEqual([409, 'A001'])
  const listed = await server.call(api.listJobs, {})
  expect(listed.map((job) => job.isCancellable)).toEqual(listed.map(() => false))
})
