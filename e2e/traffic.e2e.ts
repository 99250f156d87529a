import { expect, test } from '@playwright/test'
import { getNode, type Node } from '@causeway/contract'
import { untilCore } from './stage/agent.ts'
import { apiClient } from './stage/api-client.ts'
import { needsEngine, xray } from './stage/engine.ts'
import { startPanel, ADMIN, type Panel } from './stage/panel.ts'
import { until } from './stage/processes.ts'
import { buildTrafficWorld, subscribe, type Subscriber, type TrafficWorld } from './stage/traffic-world.ts'

// The proof on real input: a server on an empty folder, the real agent, the real Xray on both ends, real bytes. Everything
// stays on the loopback. One story in one order, as each step goes on from what the last one left.

test.describe.configure({ mode: 'serial', timeout: 180_000 })

const MB = 1_000_000
/** By each way: whichever of them were forgotten, or counted twice, no two mistakes make up for each other. */
const BY_WAY = [10 * MB, 20 * MB, 40 * MB, 80 * MB]
/** A request that is lost on its way, and an answer on its. */
const LOSSES = 2
/** Protocol overhead: what may be counted beyond the bytes that arrived. */
const OVERHEAD = 1.03
/** Handshakes and the tests' own attempts to connect. */
const SMALL_CHANGE = 200_000
/** A poll every 15 s, and some time for it on a busy machine. */
const NEXT_POLL_MS = 40_000

let panel: Panel
let world: TrafficWorld
let alice: Subscriber
/** What arrived at Alice's device so far. */
let arrived = 0

interface Counted {
  arrived: number
  user: number
  node: number
}
let looked: Counted = { arrived: 0, user: 0, node: 0 }

needsEngine()

test.afterAll(async () => {
  await alice?.close()
  await world?.close()
  await panel?.close()
})

test('from an empty data folder to bytes through four protocols, each counted', async ({ page }) => {
  panel = await startPanel({ database: 'embedded' })
  await page.goto(panel.origin)
  await page.getByLabel('Username').fill(ADMIN.username)
  await page.getByLabel('Password', { exact: true }).fill(ADMIN.password)
  await page.getByLabel('Confirm password').fill(ADMIN.password)
  await page.getByRole('button', { name: 'Register' }).click()
  await expect.poll(() => page.evaluate(() => localStorage.getItem('session'))).not.toBeNull()
  const token = await page.evaluate(() => localStorage.getItem('session') ?? '')

  world = await buildTrafficWorld(panel, token, xray)
  alice = await subscribe(world, 'alice')
  expect(alice.clients).toHaveLength(BY_WAY.length)
  for (const [way, bytes] of BY_WAY.entries()) {
    const received = await alice.fetch(way, bytes)
    expect(received, `bytes through way ${way}`).toBe(bytes)
    arrived += received
  }
  await expectAccounted()
  await page.goto(`${panel.origin}/dashboard/management/users`)
  await expect(
    page
      .getByRole('row')
      .filter({ hasText: 'alice' })
      .getByText(/online/i)
      .first(),
  ).toBeVisible()
})

test('a killed server loses nothing: the node goes on serving, and its next poll carries all', async () => {
  const downloading = alice.fetch(0, 20 * MB, 4 * MB)
  await bytesSent(5 * MB)
  await panel.process.kill()
  arrived += await downloading
  await panel.restart()
  await expectAccounted()
})

test('a killed core is started again by its agent and costs at most two seconds of traffic', async () => {
  const rate = 4 * MB
  const before = await untilCore(world.agent)
  const downloading = alice.fetch(1, 60 * MB, rate)
  await bytesSent(6 * rate)
  process.kill(before.pid, 'SIGKILL')
  arrived += await downloading
  await untilCore(world.agent, before)
  await until('clients get through again', () => alice.canConnect(1))
  arrived += await alice.fetch(1, 5 * MB)
  await expectAccounted({ lossBytes: 2 * rate })
})

test('a restarted agent finds its core running and goes on counting', async () => {
  const before = await untilCore(world.agent)
  const downloading = alice.fetch(2, 20 * MB, 4 * MB)
  await bytesSent(4 * MB)
  await world.agent.restart()
  arrived += await downloading
  expect(world.agent.core()).toEqual(before)
  await expectAccounted()
  expect(world.agent.core()).toEqual(before)
})

test('lost polls and lost answers change nothing', async () => {
  const lostBefore = world.calls.lost()
  const isEnough = () => world.calls.lost() >= lostBefore + LOSSES
  world.calls.loseEveryOther(true)
  for (let round = 0; round < 20 && !isEnough(); round++) arrived += await alice.fetch(3, 4 * MB, MB)
  world.calls.loseEveryOther(false)
  expect(isEnough()).toBe(true)
  await expectAccounted()
})

test('two servers on one database count once, also when one of them is killed', async () => {
  const second = await startPanel({ database: panel })
  arrived += await alice.fetch(0, 20 * MB, 4 * MB)
  await panel.process.kill()
  arrived += await alice.fetch(0, 20 * MB, 4 * MB)
  world.api = apiClient(second.origin, world.token)
  await expectAccounted()
  await panel.restart()
  await second.close()
  world.api = apiClient(panel.origin, world.token)
  arrived += await alice.fetch(0, 5 * MB)
  await expectAccounted()
})

/**
 * User and node are charged what arrived since the last look: nothing missing beyond what is allowed, nothing counted twice.
 * Waits until the node says that it has booked everything up to now.
 */
async function expectAccounted({ lossBytes = 0 } = {}): Promise<void> {
  const done = Date.now()
  const accountedThrough = async (): Promise<number> => Date.parse((await readNode()).accountedThroughAt ?? '')
  await until('the node has booked everything', async () => (await accountedThrough()) > done, NEXT_POLL_MS)
  const now: Counted = { arrived, user: await alice.usedBytes(), node: (await readNode()).trafficUsedBytes ?? 0 }
  for (const who of ['user', 'node'] as const) {
    const counted = now[who] - looked[who]
    const expected = now.arrived - looked.arrived
    expect(counted, `counted for the ${who}`).toBeGreaterThanOrEqual(expected - lossBytes)
    expect(counted, `counted for the ${who}`).toBeLessThanOrEqual(expected * OVERHEAD + SMALL_CHANGE)
  }
  looked = now
}

async function readNode(): Promise<Node> {
  return world.api(getNode, { uuid: world.node.uuid })
}

/** The download that has just begun is this far. */
async function bytesSent(bytes: number): Promise<void> {
  const before = world.bytes.sentBytes()
  await until(`${bytes} bytes are under way`, () => world.bytes.sentBytes() >= before + bytes)
}
