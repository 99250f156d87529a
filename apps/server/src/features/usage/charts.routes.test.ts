import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as api from '@causeway/contract'
import { testServer, type TestServer } from '../../../test/server.ts'
import { makeUser } from '../../../test/users.ts'
import { countTopUsers } from './top-users.actions.ts'

const NOW = new Date('2026-03-31T10:30:00Z')
const MIB = 1024 ** 2
let server: TestServer
let nodes: { id: number; uuid: string; name: string }[]
const users = new Map<string, number>()

beforeAll(async () => {
  server = await testServer()
  const { db } = server.ctx
  for (const username of ['always', 'former', 'newest', 'gone']) {
    const { uuid } = await makeUser(server, { username })
    const { id } = await db.selectFrom('users').select('id').where('uuid', '=', uuid).executeTakeFirstOrThrow()
    users.set(username, id)
  }
  const values = ['one', 'two', 'idle'].map((name, place) => ({ name, address: `${name}.example`, viewPosition: 10 - place }))
  nodes = await db.insertInto('nodes').values(values).returning(['id', 'uuid', 'name']).execute()
  await db
    .insertInto('nodeStates')
    .values(nodes.map(({ id }) => ({ nodeId: id })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  server.clock.now = NOW
})
afterAll(() => server.close())

function nodeAt(place: number) {
  const node = nodes[place]
  if (!node) throw new Error('no such node')
  return node
}

describe('traffic of nodes by day', () => {
  const book = (place: number, quarter: string, uploadBytes: number, downloadBytes: number) =>
    server.ctx.db
      .insertInto('nodeUsageQuarters')
      .values({ nodeId: nodeAt(place).id, quarter, uploadBytes, downloadBytes })
      .onConflict((conflict) => conflict.columns(['nodeId', 'quarter']).doUpdateSet({ uploadBytes, downloadBytes }))
      .execute()

  it('NSTAT-004 days are kept sums of quarters of hours, whoever writes these, in the order of the nodes', async () => {
    await book(0, '2026-03-25T00:00:00Z', 1, 2)
    await book(0, '2026-03-25T23:00:00Z', 3, 0)
    await book(0, '2026-03-31T10:00:00Z', 10, 0)
    await book(0, '2026-03-31T10:00:00Z', 15, 5)
    await book(1, '2026-03-31T09:00:00Z', 0, 7)
    await book(1, '2026-03-24T23:00:00Z', 0, 1000)
    const { days, nodes: found, runningSince } = await server.call(api.listNodesUsageByDay, { days: 7 })
    expect(days).toEqual(['25', '26', '27', '28', '29', '30', '31'].map((day) => `2026-03-${day}`))
    expect(runningSince).toBe('2026-03-31T00:00:00.000Z')
    expect(found).toEqual([
      { uuid: nodeAt(1).uuid, name: 'two', countryCode: 'XX', bytes: [0, 0, 0, 0, 0, 0, 7] },
      { uuid: nodeAt(0).uuid, name: 'one', countryCode: 'XX', bytes: [6, 0, 0, 0, 0, 0, 20] },
    ])
    // In Tehran the 31st had begun by then; what was booked before stays where it was.
    await server.call(api.updateInstallation, { timeZone: 'Asia/Tehran' })
    await book(1, '2026-03-30T21:00:00Z', 0, 3)
    const tehran = await server.call(api.listNodesUsageByDay, { days: 7 })
    expect(tehran.nodes[0]?.bytes.slice(-2)).toEqual([0, 10])
    expect(tehran.runningSince).toBe('2026-03-30T20:30:00.000Z')
    await server.call(api.updateInstallation, { timeZone: 'UTC' })
    const longer = await server.call(api.listNodesUsageByDay, { days: 180 })
    expect(longer.days).toHaveLength(180)
    expect(longer.nodes[0]?.bytes.slice(-8)).toEqual([1000, 0, 0, 0, 0, 0, 0, 10])
  })

  it.each(['730000', '0', '-7', '8', '7.5', 'x', ''])('%j is no period', async (days) => {
    for (const path of ['usage', `${nodeAt(0).uuid}/top-users`])
      expect(await server.send('GET', `/api/x/nodes/${path}?days=${days}`)).toMatchObject({ status: 400 })
  })
})

describe('users of a node', () => {
  const use = (username: string, day: string, downloadBytes: number, place = 0) =>
    server.ctx.db
      .insertInto('userNodeUsage')
      .values({ day, nodeId: nodeAt(place).id, userId: users.get(username) ?? 0, uploadBytes: 1, downloadBytes })
      .execute()
  const top = (days: number) => server.call(api.getNodeTopUsers, { uuid: nodeAt(0).uuid, days })
  const totals = async (days: number) => (await top(days)).users.map(({ username, total }) => [username, total])

  it('who moved most, before anything is counted, from what is kept by day', async () => {
    await use('always', '2026-03-30', MIB)
    await use('always', '2026-03-31', MIB)
    await use('former', '2025-06-01', 50 * MIB)
    await use('newest', '2026-03-31', 5 * MIB)
    await use('gone', '2026-03-30', 9 * MIB)
    await use('newest', '2026-03-31', 99 * MIB, 1)
    const week = await top(7)
    expect(week.countedThrough).toBeNull()
    expect(week.users.map(({ username }) => username)).toEqual(['gone', 'newest', 'always'])
    expect(week.users.at(-1)).toMatchObject({ total: 2 * MIB + 2, bytes: [0, 0, 0, 0, 0, MIB + 1, MIB + 1] })
    expect(week.userCount).toBe(3)
    expect(await totals(365)).toContainEqual(['former', 50 * MIB + 1])
    expect((await top(180)).users).toHaveLength(3)
  })

  it('counting changes no figure; later traffic joins, days add up, and who is deleted is shown no more', async () => {
    const before = await Promise.all([7, 30, 365].map(top))
    await countTopUsers(server.ctx)
    const after = await Promise.all([7, 30, 365].map(top))
    expect(after.map(({ users: found }) => found)).toEqual(before.map(({ users: found }) => found))
    expect(after.map(({ bytesByDay }) => bytesByDay)).toEqual(before.map(({ bytesByDay }) => bytesByDay))
    expect(after.map(({ usersByDay }) => usersByDay)).toEqual(before.map(({ usersByDay }) => usersByDay))
    expect(after[0]).toMatchObject({ countedThrough: '2026-03-30', usersByDay: [0, 0, 0, 0, 0, 2, 2] })
    expect(after[2]?.userCount).toBe(3)
    // Counting again counts nothing twice.
    await countTopUsers(server.ctx)
    expect((await top(7)).bytesByDay).toEqual(after[0]?.bytesByDay)

    const { uuid } = await server.ctx.db
      .selectFrom('users')
      .select('uuid')
      .where('username', '=', 'gone')
      .executeTakeFirstOrThrow()
    await server.call(api.deleteUser, { uuid })
    expect(await totals(7)).toEqual([
      ['newest', 5 * MIB + 1],
      ['always', 2 * MIB + 2],
    ])
  })

  it('the day after goes on from what is counted, also before it is counted itself', async () => {
    server.clock.now = new Date('2026-04-01T00:05:00Z')
    await use('former', '2026-04-01', 3 * MIB)
    const early = await top(7)
    expect(early.days.at(-1)).toBe('2026-04-01')
    expect(early.users.map(({ username }) => username)).toEqual(['newest', 'former', 'always'])
    await countTopUsers(server.ctx)
    expect((await top(7)).countedThrough).toBe('2026-03-30')
    server.clock.now = new Date('2026-04-01T00:15:00Z')
    await countTopUsers(server.ctx)
    const late = await top(7)
    expect(late.countedThrough).toBe('2026-03-31')
    expect({ ...late, countedThrough: '2026-03-30', userCount: early.userCount }).toEqual(early)
    // An order of a month ago says nothing of these days.
    server.clock.now = new Date('2026-05-01T00:15:00Z')
    expect((await top(7)).users).toEqual([])
    expect((await top(60)).users.map(({ username }) => username)).toEqual(['newest', 'former', 'always'])
    server.clock.now = NOW
  })

  it('a node that does not exist has none', async () => {
    const unknown = '/api/x/nodes/00000000-0000-4000-8000-000000000000/top-users?days=7'
    expect(await server.send('GET', unknown)).toMatchObject({ status: 404, body: { errorCode: 'A011' } })
  })
})

it('traffic by inbound and outbound as figures, up to when; a node that reports none has none', async () => {
  const { db } = server.ctx
  const at = new Date('2026-03-31T10:29:58Z')
  await db.updateTable('nodeStates').set({ accountedThroughAt: at }).where('nodeId', '=', nodeAt(0).id).execute()
  await db
    .insertInto('nodeTagUsage')
    .values([
      { nodeId: nodeAt(0).id, direction: 'inbound', tag: 'VLESS', uploadBytes: 1, downloadBytes: 2 },
      { nodeId: nodeAt(0).id, direction: 'outbound', tag: 'DIRECT', uploadBytes: 3, downloadBytes: 4 },
    ])
    .execute()
  const { nodes: found } = await server.call(api.listNodesTraffic, {})
  expect(found.map(({ name }) => name)).toEqual(['idle', 'two', 'one'])
  expect(found[0]).toMatchObject({ inbounds: [], outbounds: [], countedThroughAt: null })
  expect(found[2]).toEqual({
    uuid: nodeAt(0).uuid,
    name: 'one',
    countryCode: 'XX',
    providerName: null,
    isConnected: false,
    isDisabled: false,
    usersOnline: 0,
    countedThroughAt: at.toISOString(),
    inbounds: [{ tag: 'VLESS', uploadBytes: 1, downloadBytes: 2 }],
    outbounds: [{ tag: 'DIRECT', uploadBytes: 3, downloadBytes: 4 }],
  })
})
