import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as api from '@causeway/contract'
import { makeFleet, takeDeliveries } from '../../../test/fleet.ts'
import { runJobs } from '../../../test/jobs.ts'
import { testServer, type TestServer } from '../../../test/server.ts'
import { makeUser, NEVER, refused, setStatus, UNKNOWN } from '../../../test/users.ts'

let server: TestServer

beforeAll(async () => {
  server = await testServer()
  await makeFleet(server)
})
beforeEach(async () => {
  server.clock.now = new Date('2026-03-10T12:00:00.000Z')
  await server.ctx.db.deleteFrom('jobs').execute()
  await server.ctx.db.deleteFrom('users').execute()
})
afterAll(() => server.close())

const AHEAD = '2026-06-12T08:00:00.000Z'
const PASSED = '2026-02-01T00:00:00.000Z'

async function fourUsers() {
  const [paid, late, endless, off] = [
    await makeUser(server, { expireAt: AHEAD, tag: 'PAID' }),
    await makeUser(server, { expireAt: PASSED }),
    await makeUser(server, { expireAt: NEVER }),
    await makeUser(server, { expireAt: PASSED, status: 'DISABLED' }),
  ]
  await setStatus(server, late.uuid, 'EXPIRED')
  await takeDeliveries(server)
  return { paid, late, endless, off, uuids: [paid, late, endless, off].map(({ uuid }) => uuid) }
}

async function standing(uuid: string) {
  const { expireAt, status } = await server.call(api.getUser, { uuid })
  return [expireAt, status]
}

test('selected users are extended by one job: from their own expiry or from now, never backwards, and nodes are told of those who come back', async () => {
  const { paid, late, endless, off, uuids } = await fourUsers()
  expect(await server.call(api.previewExpiry, { uuids: [...uuids, UNKNOWN] })).toEqual({
    users: 4,
    past: 2,
    endless: 1,
    movedBack: 0,
  })
  const reply = await server.call(api.extendUsers, { uuids: [...uuids, UNKNOWN], months: 1, days: 2 })
  expect(reply).toMatchObject({ affectedRows: 4 })
  server.clock.now = new Date('2026-03-10T13:00:00.000Z') // the job comes to them later than it was asked for
  await runJobs(server.ctx)
  expect(await server.call(api.getJob, { id: reply.jobId ?? '' })).toMatchObject({ status: 'done', done: 4, total: 4 })
  expect(await standing(paid.uuid)).toEqual(['2026-07-14T08:00:00.000Z', 'ACTIVE'])
  expect(await standing(late.uuid)).toEqual(['2026-04-12T12:00:00.000Z', 'ACTIVE'])
  expect(await standing(endless.uuid)).toEqual([NEVER, 'ACTIVE'])
  expect(await standing(off.uuid)).toEqual(['2026-04-12T12:00:00.000Z', 'DISABLED'])
  expect(await takeDeliveries(server)).toEqual([late.username])
})

test('those whom filters find are extended and nobody else, and all without naming anybody', async () => {
  const { paid, late } = await fourUsers()
  const filters = [{ id: 'tag' as const, value: 'PAI' }]
  expect(await server.call(api.previewExpiry, { filters })).toMatchObject({ users: 1, past: 0 })
  expect(await server.call(api.extendUsers, { filters, days: 1 })).toMatchObject({ affectedRows: 1 })
  await runJobs(server.ctx)
  expect(await standing(paid.uuid)).toEqual(['2026-06-13T08:00:00.000Z', 'ACTIVE'])
  expect(await standing(late.uuid)).toEqual([PASSED, 'EXPIRED'])
  expect(await server.call(api.extendUsers, { all: true, days: 1 })).toMatchObject({ affectedRows: 4 })
  await runJobs(server.ctx)
  expect(await standing(paid.uuid)).toEqual(['2026-06-14T08:00:00.000Z', 'ACTIVE'])
  expect(await standing(late.uuid)).toEqual(['2026-03-11T12:00:00.000Z', 'ACTIVE'])
})

test('a date for all is told beforehand whom it would move back', async () => {
  await fourUsers()
  expect(await server.call(api.previewExpiry, { all: true, expireAt: '2026-05-01T00:00:00.000Z' })).toEqual({
    users: 4,
    past: 2,
    endless: 1,
    movedBack: 2,
  })
})

test('nobody, nothing and too much are refused, and no job is made for nobody', async () => {
  const extend = (body: object) => refused(server, 'POST', '/api/x/users/extend', body)
  expect(await extend({ months: 1 })).toEqual([400, 'uuids'])
  expect(await extend({ all: true })).toEqual([400, 'months'])
  expect(await extend({ all: true, days: -1 })).toEqual([400, 'days'])
  expect(await extend({ filters: [{ id: 'nodeName', value: 'no uuid' }], days: 1 })).toEqual([400, 'filters.0'])
  expect(await server.call(api.extendUsers, { uuids: [UNKNOWN], days: 1 })).toEqual({ affectedRows: 0 })
})
