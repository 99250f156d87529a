import { randomUUID } from 'node:crypto'
import { expect, it, vi } from 'vitest'
import { agentApi } from '@causeway/contract'
import type { XrayObject } from '@causeway/xray'
import { makeUser } from '../../../test/users.ts'
import { liveFleet, until, WAIT } from '../../../test/live-fleet.ts'

// What a node can do to the rest once somebody else is in control of it, and how somebody might get that far.

const live = liveFleet()
const GIB = 2 ** 30

it('charges nobody whom it does not serve, and what it says of its own users stays within reason', async () => {
  const { agent, node } = await live.connectedNode()
  const own = await live.makeUser('own')
  const other = await makeUser(live.server, { username: 'other', activeInternalSquads: [] })
  agent.transfer('other', GIB, GIB)
  agent.transfer('own', GIB, GIB)
  await until(async () => (await live.usedBytes(own.uuid)) === 2 * GIB)
  expect(await live.usedBytes(other.uuid)).toBe(0)

  const core = (uplink: number, coreId: string = randomUUID()) => ({
    coreId,
    startedAt: new Date().toISOString(),
    uptimeMs: 1000,
    sampledAt: new Date().toISOString(),
    users: [{ username: 'own', uplink, downlink: 1 }],
    inbounds: [],
    outbounds: [{ outbound: 'DIRECT', uplink, downlink: 1 }],
  })
  const say = (ended: unknown[]) =>
    agent.forged.set(agentApi.takeSample.path, JSON.stringify({ response: { current: core(0, 'again'), ended } }))
  // What a node takes back, users would have used less of.
  say([core(-GIB)])
  await vi.waitFor(() => expect(agent.callsTo(agentApi.takeSample.path)).toBeGreaterThan(3), WAIT)
  say([])
  await until(async () => (await live.usedBytes(own.uuid)) >= 2 * GIB)
  // Beyond what a sum can hold, the bookings of every other node of this user would fail.
  const huge = Array.from({ length: 8 }, () => core(Number.MAX_SAFE_INTEGER))
  say(huge)
  await until(async () => (await live.usedBytes(own.uuid)) > 1e12)
  expect(await live.usedBytes(own.uuid)).toBeLessThan(1e14)
  expect((await live.getNode(node.uuid)).trafficUsedBytes).toBeLessThan(1e14)
})

it.each(['2.1', 'own'] as const)(
  'of the generation %s is told the closing rule for what 2.1 agents listen on',
  async (generation) => {
    const agent = await live.startAgent({ generation })
    const received: XrayObject[] = []
    agent.refusal = (config) => {
      received.push(config)
      return null
    }
    const { uuid } = await live.makeNode(agent)
    await live.connected(uuid)
    const rule = { network: 'tcp', port: '61000,61001,61002', outboundTag: 'CAUSEWAY_CLOSED' }
    expect(received[0]).toMatchObject({ routing: { rules: [rule, rule] } })
    expect((await live.getNode(uuid)).closingRule).toEqual({ isDelivered: true, ports: [61_000, 61_001, 61_002] })
  },
)

it('neither keeps the server asking for ever nor fills its tables with names and words', async () => {
  const agent = await live.startAgent()
  let cores = 0
  agent.beforeSample = () => {
    for (let more = 0; more < 8; more++) {
      const counters = new Map(
        Array.from({ length: 300 }, (_, tag) => [`outbound>>>${cores} ${tag}`, { uplink: 1, downlink: 1 }]),
      )
      agent.ended.push({ core: { id: `core ${cores++}`, startedAt: 0, inbounds: [], users: new Map(), counters }, uptimeMs: 1 })
    }
  }
  const node = await live.makeNode(agent)
  await live.connected(node.uuid)
  await vi.waitFor(() => expect(cores).toBeGreaterThan(100), WAIT)
  const { count } = await live.server.ctx.db
    .selectFrom('nodeTagUsage')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  expect(count).toBeLessThanOrEqual(2000)
  agent.beforeSample = () => {}
  agent.ended = []

  agent.startError = 'x'.repeat(100_000)
  agent.core = null
  await until(async () => (await live.getNode(node.uuid)).lastStatusMessage?.startsWith('xxx') === true)
  expect((await live.getNode(node.uuid)).lastStatusMessage?.length).toBeLessThan(1100)
})
