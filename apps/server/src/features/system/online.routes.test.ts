import { afterAll, beforeAll, expect, test } from 'vitest'
import * as api from '@causeway/contract'
import { makeFleet } from '../../../test/fleet.ts'
import { testServer, type TestServer } from '../../../test/server.ts'
import { makeUser, spend } from '../../../test/users.ts'
import { noteOnline } from '../usage-history/usage-history.queries.ts'

// One installation, and every figure that it gives of users online. Two users are online on the first node, one on the second. One was
// until two minutes ago, one before the last day, and one never.

const SECOND_MS = 1000
const SCRAPER = { METRICS_USER: 'scraper', METRICS_PASS: 'password', METRICS_COMPAT: 'true' }
let server: TestServer
let nodes: { id: number; uuid: string }[]
let everyone: string[]

beforeAll(async () => {
  server = await testServer({ env: SCRAPER })
  ;({ nodes } = await makeFleet(server))
  const [first = { id: 0 }, second = { id: 0 }] = nodes
  const seen = [
    [first.id, 10],
    [first.id, 50],
    [second.id, 5],
    [second.id, 120],
    [first.id, 2 * 86_400],
  ] as const
  const now = Date.now()
  everyone = []
  for (const [lastConnectedNodeId, seconds] of seen) {
    const { uuid } = await makeUser(server)
    everyone.push(uuid)
    await spend(server, uuid, 1, { lastConnectedNodeId, onlineAt: new Date(now - seconds * SECOND_MS) })
  }
  everyone.push((await makeUser(server)).uuid)
  // The last readings of agents do not count users online.
  await server.ctx.db.updateTable('nodeStates').set({ usersOnline: 7, isConnected: true }).execute()
})
afterAll(() => server.close())

const byUuid = (list: { uuid: string; usersOnline: number | null }[]) =>
  nodes.map(({ uuid }) => list.find((node) => node.uuid === uuid)?.usersOnline)
const count = async (value: api.UserGroup) =>
  (await server.call(api.listUsers, { start: 0, size: 1, filters: [{ id: 'among', value }] })).total

test('every figure of users online is the same on every screen and in every sum of the API', async () => {
  const { onlineStats, nodes: fleet } = await server.call(api.getSystemStats, { tz: 'UTC' })
  expect(onlineStats).toEqual({ onlineNow: 3, lastDay: 4, lastWeek: 5, neverOnline: 1 })
  expect(fleet.totalOnline).toBe(3)
  expect(await Promise.all((['onlineNow', 'onlineLastDay', 'onlineLastWeek', 'neverOnline'] as const).map(count))).toEqual([
    3, 4, 5, 1,
  ])
  expect(byUuid(await server.call(api.listNodes, {})).slice(0, 2)).toEqual([2, 1])
  expect((await server.call(api.getNode, { uuid: nodes[0]?.uuid ?? '' })).usersOnline).toBe(2)
  expect(byUuid((await server.call(api.listNodesTraffic, {})).nodes).slice(0, 2)).toEqual([2, 1])
  const { nodes: metrics } = await server.call(api.getNodesMetrics, {})
  for (const { nodeUuid, usersOnline } of metrics) expect(usersOnline).toBe(nodeUuid === nodes[0]?.uuid ? 2 : 1)
  const { uuid: profile } = (await server.call(api.listConfigProfiles, {})).configProfiles[0] ?? { uuid: '' }
  expect(byUuid((await server.call(api.prepareRollout, { uuid: profile })).nodes).slice(0, 2)).toEqual([2, 1])
  for (const which of [{ uuids: everyone }, { status: 'ACTIVE' }, { all: true }] as const)
    expect(await server.call(api.getUsersImpact, which)).toMatchObject({ users: 6, onlineNow: 3 })
})

test('a plan that stops a node cuts the users whom its row shows online, and metrics and history hold their sum', async () => {
  const [first = { uuid: '' }] = nodes
  const plan = await server.call(api.planChange, { saveNode: { uuid: first.uuid, isDisabled: true } })
  expect(plan.nodes).toMatchObject([{ uuid: first.uuid, core: 'stops', usersOnline: 2 }])
  expect(plan.users?.cut).toBe(2)
  const authorization = `Basic ${Buffer.from('scraper:password').toString('base64')}`
  const text = String((await server.send('GET', '/metrics', undefined, { authorization })).body)
  for (const prefix of ['causeway', 'remnawave']) {
    const onNodes = [...text.matchAll(new RegExp(`^${prefix}_node_online_users\\{.*\\} (\\d+)$`, 'gm'))].map(([, online]) =>
      Number(online),
    )
    expect(onNodes.reduce((sum, online) => sum + online, 0)).toBe(3)
    expect(text).toContain(`${prefix}_users_online_stats{metricType="onlineNow",app="${prefix}"} 3`)
  }
  await noteOnline(server.ctx.db, new Date())
  expect((await server.call(api.getUsageHistory, { period: 'day' })).usersOnline.at(-1)).toBe(3)
})
