import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest'
import * as api from '@causeway/contract'
import { startFleet, type FleetPeriods } from '../src/features/fleet/fleet.jobs.ts'
import { fakeAgent, type FakeAgent, type FakeAgentOptions } from './fake-agent.ts'
import { runAllJobs } from './jobs.ts'
import { testDatabase } from './postgres.ts'
import { testServer, type TestServer } from './server.ts'

/** What takes seconds outside of tests. */
export const QUICK: FleetPeriods = { pollMs: 120, healthMs: 80, patienceMs: 5_000, roundMs: 150, leaseMs: 1_200 }
export const WAIT = { timeout: 20_000, interval: 20 }
const NEVER = '2099-01-01T00:00:00.000Z'

/** An agent on this machine, of a node that nothing was signed for. */
export const nodeAt = (port: number) => ({ address: '127.0.0.1', port, uuid: randomUUID(), identity: null })

export interface LiveFleet {
  server: TestServer
  pubKey: string
  profile: api.ConfigProfile
  squad: api.InternalSquad
  fleet: ReturnType<typeof startFleet> | undefined
  agents: FakeAgent[]
  startAgent(options?: FakeAgentOptions): Promise<FakeAgent>
  makeNode(agent: { port: number }, fields?: { address?: string; consumptionMultiplier?: number }): Promise<api.Node>
  getNode(uuid: string): Promise<api.Node>
  connected(uuid: string): Promise<void>
  /** Users that moved anything in the last reading of the node. */
  usersRead(uuid: string): Promise<number>
  connectedNode(
    options?: FakeAgentOptions,
    fields?: { consumptionMultiplier?: number },
  ): Promise<{ agent: FakeAgent; node: api.Node }>
  /** A user who may use every inbound. */
  makeUser(username: string, fields?: object): Promise<api.User>
  usedBytes(uuid: string): Promise<number>
}

/** A server that looks after nodes, for every test of a file; nodes, agents and users are gone after each. */
export function liveFleet(env: Record<string, string> = {}, database = testDatabase): LiveFleet {
  let count = 0
  // Set by beforeAll, before any test can read it.
  const live = { agents: [] as FakeAgent[] } as LiveFleet
  const call: TestServer['call'] = (endpoint, input) => live.server.call(endpoint, input)

  beforeAll(async () => {
    live.server = await testServer({ env, database: await database() })
    live.pubKey = (await call(api.getNodePublicKey, {})).pubKey
    live.profile = await call(api.createConfigProfile, { name: 'fleet', config: nodeConfig(['VLESS_A', 'TROJAN_B']) })
    const inbounds = live.profile.inbounds.map((inbound) => inbound.uuid)
    live.squad = await call(api.createInternalSquad, { name: 'fleet', inbounds })
  })
  beforeEach(() => {
    live.fleet = startFleet(live.server.ctx, QUICK)
  })
  afterEach(async () => {
    for (const node of await call(api.listNodes, {})) await call(api.deleteNode, { uuid: node.uuid })
    await runAllJobs(live.server.ctx) // which forget what the nodes were used for
    await live.fleet?.stop()
    await Promise.all(live.agents.map((agent) => agent.close()))
    live.agents = []
    await live.server.ctx.db.deleteFrom('users').execute()
  })
  afterAll(() => live.server.close())

  live.startAgent = async (options) => {
    const agent = await fakeAgent(live.pubKey, options)
    live.agents.push(agent)
    return agent
  }
  live.makeNode = (agent, fields = {}) => {
    count++
    const activeInbounds = live.profile.inbounds.map((inbound) => inbound.uuid)
    return call(api.createNode, {
      name: `node ${count}`,
      address: `127.0.0.${count % 250}`, // addresses are unique, and all of 127.0.0.0/8 is this machine
      port: agent.port,
      configProfile: { activeConfigProfileUuid: live.profile.uuid, activeInbounds },
      ...fields,
    })
  }
  live.getNode = (uuid) => call(api.getNode, { uuid })
  live.connected = (uuid) =>
    vi.waitFor(async () => expect(await live.getNode(uuid)).toMatchObject({ isConnected: true, isConnecting: false }), WAIT)
  live.usersRead = async (uuid) => {
    const { rows } = await live.server.ctx.pool.query<{ usersOnline: number }>(
      'select s."usersOnline" from "nodeStates" s join "nodes" n on n."id" = s."nodeId" where n."uuid" = $1',
      [uuid],
    )
    return rows[0]?.usersOnline ?? 0
  }
  live.connectedNode = async (options, fields) => {
    const agent = await live.startAgent(options)
    const node = await live.makeNode(agent, fields)
    await live.connected(node.uuid)
    return { agent, node }
  }
  live.makeUser = (username, fields = {}) =>
    call(api.createUser, { username, expireAt: NEVER, activeInternalSquads: [live.squad.uuid], ...fields })
  live.usedBytes = async (uuid) => (await call(api.getUser, { uuid })).usedTrafficBytes
  return live
}

export function nodeConfig(tags: string[], more: object = {}) {
  const inbounds = tags.map((tag, index) => {
    const protocol = tag.startsWith('VLESS') ? 'vless' : 'trojan'
    return {
      tag,
      port: 1000 + index,
      protocol,
      settings: { clients: [], ...(protocol === 'vless' ? { decryption: 'none' } : {}) },
    }
  })
  return { inbounds, outbounds: [{ protocol: 'freedom', tag: 'DIRECT' }], ...more }
}

/** Waits until it is so. */
export const until = (check: () => unknown) => vi.waitFor(async () => expect(await check()).toBe(true), WAIT)
