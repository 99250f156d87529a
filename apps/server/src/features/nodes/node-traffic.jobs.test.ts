import { afterAll, beforeAll, expect, it } from 'vitest'
import { testServer, type TestServer } from '../../../test/server.ts'
import { resetNodesTraffic, reviewNodesTraffic } from './node-traffic.jobs.ts'

let server: TestServer

beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())

async function makeTracked(name: string, fields: { trafficResetDay: number; isTrafficTrackingActive?: boolean }) {
  const { db } = server.ctx
  const node = await db
    .insertInto('nodes')
    .values({
      name,
      address: name,
      isTrafficTrackingActive: true,
      trafficLimitBytes: 1000,
      notifyPercent: 50,
      ...fields,
      createdAt: new Date(0),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.insertInto('nodeStates').values({ nodeId: node.id, trafficUsedBytes: 600 }).execute()
  return node.id
}

const stateOf = (nodeId: number) =>
  server.ctx.db
    .selectFrom('nodeStates')
    .select(['trafficUsedBytes', 'trafficNotifiedAt'])
    .where('nodeId', '=', nodeId)
    .executeTakeFirstOrThrow()

it('traffic is told of once, and counted from zero once on the day of the month', async () => {
  server.clock.now = new Date(2026, 4, 15, 2)
  const due = await makeTracked('due', { trafficResetDay: 15 })
  const later = await makeTracked('later', { trafficResetDay: 20 })
  const untracked = await makeTracked('untracked', { trafficResetDay: 15, isTrafficTrackingActive: false })

  await reviewNodesTraffic(server.ctx)
  const told = (await stateOf(due)).trafficNotifiedAt
  expect(told).toEqual(server.clock.now)
  server.clock.now = new Date(2026, 4, 15, 3)
  await reviewNodesTraffic(server.ctx)
  expect((await stateOf(due)).trafficNotifiedAt).toEqual(told)

  await resetNodesTraffic(server.ctx)
  await resetNodesTraffic(server.ctx)
  expect(await stateOf(due)).toEqual({ trafficUsedBytes: 0, trafficNotifiedAt: null })
  expect((await stateOf(later)).trafficUsedBytes).toBe(600)
  expect((await stateOf(untracked)).trafficUsedBytes).toBe(600)
  const resets = await server.ctx.db.selectFrom('nodeTrafficResets').select(['nodeId', 'trafficBytes']).execute()
  expect(resets).toEqual([{ nodeId: due, trafficBytes: 600 }])
})
