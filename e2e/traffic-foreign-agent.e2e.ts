import {
  agentPayload,
  createUser,
  deleteUser,
  getNode,
  getNodePublicKey,
  getUser,
  type Node,
  type User,
} from '@causeway/contract'
import { startSimulatedAgent, type SimulatedAgent } from '../scripts/seed/simulated-agent.ts'
import { expect, test } from '@playwright/test'
import { apiClient, type Api } from './stage/api-client.ts'
import { startLossyProxy, type LossyProxy } from './stage/fault-proxy.ts'
import { signedIn, startPanel, type Panel } from './stage/panel.ts'
import { until } from './stage/processes.ts'
import { inDays, seeding } from './stage/seeding.ts'

// The same ledger with an agent of the 2.1 generation: it names no run of its core, tells its age in whole seconds and has
// no last sample. The agent is simulated, so what it counted is known to the byte.

test.describe.configure({ mode: 'serial', timeout: 120_000 })

const MB = 1_000_000
const NEXT_POLL_MS = 40_000

let panel: Panel
let agent: SimulatedAgent
let calls: LossyProxy
let api: Api
let token: string
let node: Node
let squad: string
let alice: User
/** What the agent's core has moved for Alice. */
let moved = 0

test.beforeAll(async () => {
  panel = await startPanel()
  const session = await signedIn(panel)
  token = session.token
  api = session.api
  const { pubKey } = await api(getNodePublicKey, {})
  agent = await startSimulatedAgent({ payload: agentPayload.parse(JSON.parse(Buffer.from(pubKey, 'base64').toString())) })
  calls = await startLossyProxy(agent.port)
  const seed = seeding(api)
  const profile = await seed.makeConfigProfile()
  squad = (await seed.makeInternalSquad({ inbounds: profile.inbounds.map(({ uuid }) => uuid) })).uuid
  node = await seed.makeNode(profile, { address: '127.0.0.1', port: calls.port })
  alice = await makeUser('alice')
})

test.afterAll(async () => {
  await panel?.close()
  await calls?.close()
  await agent?.close()
})

test('every byte is booked once', async () => {
  for (let round = 0; round < 2; round++) {
    move(5 * MB, 1 * MB)
    await booked(moved)
  }
})

test('lost polls and lost answers change nothing', async () => {
  calls.loseEveryOther(true)
  const lostBefore = calls.lost()
  await until(
    'two requests and two answers are lost',
    () => {
      move(50_000, 0)
      return calls.lost() >= lostBefore + 4
    },
    90_000,
  )
  calls.loseEveryOther(false)
  await booked(moved)
})

test('a killed server loses nothing', async () => {
  await panel.process.kill()
  move(7 * MB, 0)
  await panel.restart()
  await booked(moved)
})

test('two servers count once, also when the one in charge is killed', async () => {
  const second = await startPanel({ database: panel })
  move(3 * MB, 0)
  await panel.process.kill()
  move(2 * MB, 0)
  api = apiClient(second.origin, token)
  await booked(moved)
  await panel.restart()
  await second.close()
  api = apiClient(panel.origin, token)
  move(MB, 0)
  await booked(moved)
})

test('a core that dies takes with it what it counted since the last poll, and nothing is counted again', async () => {
  await booked(moved)
  const starts = agent.starts()
  agent.crash()
  await until('the server starts the core again', () => agent.starts() > starts, 60_000)
  await until('the core knows her again', () => agent.users().includes('alice'))
  move(4 * MB, 0)
  await booked(moved)
})

test('counters that somebody else clears are booked on, with a warning on the node', async () => {
  agent.clearCounters()
  move(MB, 0)
  await booked(moved)
  const { warning } = await api(getNode, { uuid: node.uuid })
  expect(warning).toBeTruthy()
})

test('a new user of a deleted user’s name starts at zero', async () => {
  await api(deleteUser, { uuid: alice.uuid })
  await until('the node has forgotten her', () => !agent.users().includes('alice'))
  alice = await makeUser('alice')
  moved = 0
  move(2 * MB, 0)
  await booked(moved)
})

async function makeUser(username: string): Promise<User> {
  const user = await api(createUser, { username, expireAt: inDays(30), activeInternalSquads: [squad] })
  await until(`the node knows ${username}`, () => agent.users().includes(username), 60_000)
  return user
}

function move(downlinkBytes: number, uplinkBytes: number): void {
  if (!agent.move('alice', uplinkBytes, downlinkBytes)) throw new Error('The core does not know her.')
  moved += downlinkBytes + uplinkBytes
}

/** Exactly these bytes, after at most one poll. */
async function booked(bytes: number): Promise<void> {
  const used = async (): Promise<number> => (await api(getUser, { uuid: alice.uuid })).usedTrafficBytes
  await expect.poll(used, { timeout: NEXT_POLL_MS, intervals: [250] }).toBe(bytes)
}
