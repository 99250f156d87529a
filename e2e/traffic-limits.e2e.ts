import { expect, test } from '@playwright/test'
import { deleteUser, updateUser } from '@causeway/contract'
import { untilCore, type Core } from './stage/agent.ts'
import { needsEngine, xray } from './stage/engine.ts'
import { signedIn, startPanel, type Panel } from './stage/panel.ts'
import { until } from './stage/processes.ts'
import { buildTrafficWorld, subscribe, type Subscriber, type TrafficWorld } from './stage/traffic-world.ts'

// Users are added, deleted and limited on a real agent with the real Xray. Deleted and limited users are kept out in time.

test.describe.configure({ mode: 'serial', timeout: 180_000 })

const MB = 1_000_000
/** Protocol overhead: what may be counted beyond the bytes that arrived. */
const OVERHEAD = 1.03
/** A poll every 15 s, and some time for it on a busy machine. */
const NEXT_POLL_MS = 40_000
const CUT_OFF_MS = 30_000

let panel: Panel
let world: TrafficWorld
let alice: Subscriber

needsEngine()
test.beforeAll(async () => {
  panel = await startPanel()
  const { token } = await signedIn(panel)
  world = await buildTrafficWorld(panel, token, xray)
  alice = await subscribe(world, 'alice')
  await alice.fetch(0, 3 * MB)
})

test.afterAll(async () => {
  await alice?.close()
  await world?.close()
  await panel?.close()
})

test('a new user of a deleted user’s name starts at zero', async () => {
  const bob = await subscribe(world, 'bob')
  const received = await bob.fetch(0, 5 * MB)
  await until('his bytes are booked', async () => (await bob.usedBytes()) >= received, NEXT_POLL_MS)
  await world.api(deleteUser, { uuid: bob.user.uuid })
  await bob.close()
  const namesake = await subscribe(world, 'bob')
  const again = await namesake.fetch(0, 2 * MB)
  const used = await until(
    'the new bytes are booked',
    async () => ((await namesake.usedBytes()) >= again ? namesake.usedBytes() : undefined),
    NEXT_POLL_MS,
  )
  expect(used).toBeLessThan(again * OVERHEAD + 10_000)
  await namesake.close()
})

test.describe('without a restart of the core', () => {
  let core: Core

  test.beforeAll(async () => {
    core = await untilCore(world.agent)
  })
  test.afterEach(() => {
    expect(world.agent.core()).toEqual(core)
  })

  test('a limit below the use keeps new connections out within 30 s', async () => {
    expect(await alice.canConnect()).toBe(true)
    await world.api(updateUser, { uuid: alice.user.uuid, trafficLimitBytes: MB })
    await until('no connection gets through', async () => !(await alice.canConnect()), CUT_OFF_MS)
  })

  test('raising the limit lets the user in again', async () => {
    await world.api(updateUser, { uuid: alice.user.uuid, trafficLimitBytes: 0 })
    await until('connections get through', () => alice.canConnect(), CUT_OFF_MS)
  })

  test('use beyond the limit keeps new connections out within 30 s of the limit', async () => {
    const carol = await subscribe(world, 'carol')
    await world.api(updateUser, { uuid: carol.user.uuid, trafficLimitBytes: 2 * MB })
    await until('she is let in', () => carol.canConnect())
    await carol.fetch(0, 3 * MB)
    await until('no connection gets through', async () => !(await carol.canConnect()), CUT_OFF_MS)
    await carol.close()
  })

  test('a user whose time has run out is kept out within 30 s', async () => {
    const erin = await subscribe(world, 'erin')
    await world.api(updateUser, { uuid: erin.user.uuid, expireAt: new Date(Date.now() + 3000).toISOString() })
    await until('no connection gets through', async () => !(await erin.canConnect()), CUT_OFF_MS + 3000)
    await erin.close()
  })

  test('a deleted user’s client fails', async () => {
    await world.api(deleteUser, { uuid: alice.user.uuid })
    await until('no connection gets through', async () => !(await alice.canConnect()), CUT_OFF_MS)
  })
})
