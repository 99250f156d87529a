import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as api from '@causeway/contract'
import { makeFleet, takeDeliveries, type Fleet } from '../../../test/fleet.ts'
import { runJobs } from '../../../test/jobs.ts'
import { testServer, type TestServer } from '../../../test/server.ts'
import { makeUser, refused, setStatus, spend, UNKNOWN } from '../../../test/users.ts'

let server: TestServer
let fleet: Fleet
let third: string

beforeAll(async () => {
  server = await testServer()
  fleet = await makeFleet(server)
  const { uuid } = await server.call(api.createInternalSquad, { name: 'Third', inbounds: [] })
  third = uuid
})
beforeEach(async () => {
  await server.ctx.db.deleteFrom('jobs').execute()
  await server.ctx.db.deleteFrom('users').execute()
})
afterAll(() => server.close())

const CHANGE = '/api/x/users/change'
const squadAt = (index: number) => fleet.squads[index]?.uuid ?? ''
const tagged = (tag: string) => ({ filters: [{ id: 'tag' as const, value: tag }], filterModes: { tag: 'equals' } })
const read = (uuid: string) => server.call(api.getUser, { uuid })
const squadsOf = async (uuid: string) => (await read(uuid)).activeInternalSquads.map((squad) => squad.uuid).toSorted()

async function change(input: Parameters<typeof server.call<typeof api.changeUsers>>[1]) {
  const reply = await server.call(api.changeUsers, input)
  await runJobs(server.ctx)
  return reply
}

test('a change goes to the users of a filtered list and to no others, as one job', async () => {
  const [ann, ben, other] = [
    await makeUser(server, { tag: 'PAID' }),
    await makeUser(server, { tag: 'PAID' }),
    await makeUser(server, { tag: 'PAID_LATE' }),
  ]
  const reply = await change({
    ...tagged('PAID'),
    expected: 2,
    change: { kind: 'update', fields: { description: 'of the list' } },
  })
  expect(reply).toEqual({ affectedRows: 2, jobId: expect.any(String) })
  expect(await server.call(api.getJob, { id: reply.jobId ?? '' })).toMatchObject({ status: 'done', done: 2, total: 2 })
  const texts = await Promise.all([ann, ben, other].map(async ({ uuid }) => (await read(uuid)).description))
  expect(texts).toEqual(['of the list', 'of the list', null])
})

test('a list that has grown or shrunk since it was seen is not touched', async () => {
  const { uuid } = await makeUser(server, { tag: 'PAID' })
  for (const expected of [0, 2]) {
    const deletion = { ...tagged('PAID'), expected, change: { kind: 'delete' } }
    expect(await refused(server, 'POST', CHANGE, deletion)).toEqual([409, 'A088'])
    expect(await refused(server, 'POST', '/api/x/users/extend', { ...tagged('PAID'), expected, days: 1 })).toEqual([409, 'A088'])
  }
  await runJobs(server.ctx)
  expect((await read(uuid)).uuid).toBe(uuid)
  expect(await server.ctx.db.selectFrom('jobs').select('id').execute()).toEqual([])
})

test('an empty list makes no job', async () => {
  expect(await change({ ...tagged('NONE'), expected: 0, change: { kind: 'revoke' } })).toEqual({ affectedRows: 0 })
})

test('users join squads, leave them, get these alone, and nodes are told of active users whose squads changed', async () => {
  const [first, second] = [squadAt(0), squadAt(1)]
  const [ann, dan, other] = [
    await makeUser(server, { activeInternalSquads: [first] }),
    await makeUser(server, { activeInternalSquads: [first], status: 'DISABLED' }),
    await makeUser(server, { activeInternalSquads: [first] }),
  ]
  const uuids = [ann.uuid, dan.uuid]
  await takeDeliveries(server)

  await change({ uuids, change: { kind: 'squads', mode: 'add', squads: [second] } })
  expect(await squadsOf(ann.uuid)).toEqual([first, second].toSorted())
  expect(await squadsOf(dan.uuid)).toEqual([first, second].toSorted())
  expect(await takeDeliveries(server)).toEqual([ann.username])

  await change({ uuids, change: { kind: 'squads', mode: 'add', squads: [second] } })
  expect(await takeDeliveries(server)).toEqual([])

  await change({ uuids, change: { kind: 'squads', mode: 'remove', squads: [first] } })
  expect(await squadsOf(ann.uuid)).toEqual([second])

  await change({ uuids, change: { kind: 'squads', mode: 'replace', squads: [first, third] } })
  expect(await squadsOf(ann.uuid)).toEqual([first, third].toSorted())
  expect(await squadsOf(other.uuid)).toEqual([first])
})

test('a whole squad is moved to another: its members alone, who keep their other squads', async () => {
  const [first, second] = [squadAt(0), squadAt(1)]
  const [both, outside] = [
    await makeUser(server, { activeInternalSquads: [first, third] }),
    await makeUser(server, { activeInternalSquads: [third] }),
  ]
  const filters = [{ id: 'activeInternalSquads' as const, value: first }]
  const move = { kind: 'squads', mode: 'move', from: first, squads: [second] } satisfies api.UsersChange
  expect(await change({ filters, expected: 1, change: move })).toMatchObject({ affectedRows: 1 })
  expect(await squadsOf(both.uuid)).toEqual([second, third].toSorted())
  expect(await squadsOf(outside.uuid)).toEqual([third])

  // Chosen users outside the squad keep their squads.
  await change({ uuids: [outside.uuid], change: { ...move, from: second, squads: [first] } })
  expect(await squadsOf(outside.uuid)).toEqual([third])
})

test('unclear changes of squads are refused by the field that is wrong', async () => {
  const { uuid } = await makeUser(server)
  const [first, second] = [squadAt(0), squadAt(1)]
  for (const [wrong, field] of [
    [{ mode: 'add', squads: [] }, 'change.squads'],
    [{ mode: 'move', squads: [first] }, 'change.from'],
    [{ mode: 'move', squads: [first], from: first }, 'change.squads'],
  ] as const) {
    const sent = { uuids: [uuid], change: { kind: 'squads', ...wrong } }
    expect(await refused(server, 'POST', CHANGE, sent)).toEqual([400, field])
  }
  const unknown = { uuids: [uuid], change: { kind: 'squads', mode: 'add', squads: [second, UNKNOWN] } }
  expect(await refused(server, 'POST', CHANGE, unknown)).toEqual([400, 'A088'])
})

test('traffic is added for every period, or until the next reset takes it back', async () => {
  const fields = { trafficLimitBytes: 100, trafficLimitStrategy: 'MONTH' } as const
  const [kept, once, other] = [await makeUser(server, fields), await makeUser(server, fields), await makeUser(server, fields)]
  await change({ uuids: [kept.uuid], change: { kind: 'addTraffic', bytes: 50, isOnce: false } })
  await change({ uuids: [once.uuid], change: { kind: 'addTraffic', bytes: 50, isOnce: true } })
  await server.call(api.addUserTraffic, { uuid: once.uuid, bytes: 20, isOnce: true })
  const limits = () =>
    Promise.all(
      [kept, once, other].map(async ({ uuid }) => {
        const { trafficLimitBytes, extraTrafficBytes } = await read(uuid)
        return [trafficLimitBytes, extraTrafficBytes]
      }),
    )
  expect(await limits()).toEqual([
    [150, 0],
    [170, 70],
    [100, 0],
  ])
  await server.call(api.bulkResetUsersTraffic, { uuids: [kept.uuid, once.uuid] })
  await runJobs(server.ctx)
  expect(await limits()).toEqual([
    [150, 0],
    [100, 0],
    [100, 0],
  ])
  // A limit that is set replaces what was granted.
  await server.call(api.addUserTraffic, { uuid: once.uuid, bytes: 20, isOnce: true })
  await server.call(api.updateUser, { uuid: once.uuid, trafficLimitBytes: 500 })
  await server.call(api.resetUserTraffic, { uuid: once.uuid })
  expect((await limits())[1]).toEqual([500, 0])
})

test('a limited user comes back with more traffic, and one without a limit is refused', async () => {
  const limited = await makeUser(server, { trafficLimitBytes: 100 })
  const endless = await makeUser(server)
  await spend(server, limited.uuid, 120)
  await setStatus(server, limited.uuid, 'LIMITED')
  await takeDeliveries(server)
  expect(await server.call(api.addUserTraffic, { uuid: limited.uuid, bytes: 10, isOnce: false })).toMatchObject({
    status: 'LIMITED',
  })
  expect(await server.call(api.addUserTraffic, { uuid: limited.uuid, bytes: 50, isOnce: true })).toMatchObject({
    status: 'ACTIVE',
    trafficLimitBytes: 160,
    // Its traffic is never reset, so that there is one period.
    extraTrafficBytes: 0,
  })
  expect(await takeDeliveries(server)).toEqual([limited.username])
  const add = (uuid: string) => refused(server, 'POST', `/api/x/users/${uuid}/add-traffic`, { bytes: 1, isOnce: false })
  expect(await add(endless.uuid)).toEqual([409, 'A039'])
  expect(await add(UNKNOWN)).toEqual([404, 'A025'])
})

test('a change says whom it is for, and its effect can be read for a filtered list', async () => {
  expect(await refused(server, 'POST', CHANGE, { change: { kind: 'revoke' } })).toEqual([400, 'uuids'])
  await makeUser(server, { tag: 'PAID' })
  await makeUser(server)
  expect(await server.call(api.getUsersImpact, tagged('PAID'))).toEqual({ users: 1, onlineNow: 0, nodes: 0 })
})

test('100,000 users of a list are one job, whose targets stand before the reply', async () => {
  await sql`insert into "users" ("username", "shortUuid", "trojanPassword", "vlessUuid", "ssPassword", "expireAt", "tag")
    select 'many_' || n, 'many_' || n, 'x', gen_random_uuid(), 'x', '2099-01-01', 'MANY' from generate_series(1, 100000) as n`.execute(
    server.ctx.db,
  )
  const started = performance.now()
  const { jobId } = await server.call(api.changeUsers, {
    ...tagged('MANY'),
    expected: 100_000,
    change: { kind: 'update', fields: { description: null } },
  })
  expect(performance.now() - started).toBeLessThan(10_000)
  const { rows } = await sql<{ total: number }>`select count(*) as "total" from "jobTargets"`.execute(server.ctx.db)
  expect(rows).toEqual([{ total: 100_000 }])
  expect(await server.call(api.getJob, { id: jobId ?? '' })).toMatchObject({ total: 100_000, status: 'queued' })
})
