import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from '@playwright/test'
import {
  createNode,
  getConfigProfile,
  getNode,
  getNodePublicKey,
  listRollouts,
  startRollout,
  takeBackRollout,
  updateNode,
  type Rollout,
} from '@causeway/contract'
import { isObject } from '@causeway/xray'
import { startAgent, untilCore, type Agent } from './stage/agent.ts'
import { needsEngine, xray } from './stage/engine.ts'
import { signedIn, startPanel, type Panel } from './stage/panel.ts'
import { pasteConfig } from './stage/paste-config.ts'
import { openPerson } from './stage/people.ts'
import { until } from './stage/processes.ts'
import { buildTrafficWorld, subscribe, type Subscriber, type TrafficWorld } from './stage/traffic-world.ts'

// A new revision that is bad on purpose, sent to one of two nodes while both carry real traffic: whoever is on the other node
// notices nothing, and the first runs again what it ran before. Both nodes are on the loopback, so each has two of the ways in.

test.describe.configure({ mode: 'serial', timeout: 180_000 })

const MB = 1_000_000
const RATE = 1 * MB

let panel: Panel
let world: TrafficWorld
let other: Agent
let alice: Subscriber

needsEngine()
test.beforeAll(async () => {
  panel = await startPanel({ env: { ROLLOUT_WATCH_SECONDS: '2' } })
  const { token, api } = await signedIn(panel)
  world = await buildTrafficWorld(panel, token, xray)
  other = await startAgent((await api(getNodePublicKey, {})).pubKey, xray)
  const uuids = world.profile.inbounds.map(({ uuid }) => uuid)
  const has = (activeInbounds: string[]) => ({
    configProfile: { activeConfigProfileUuid: world.profile.uuid, activeInbounds },
  })
  const before = await untilCore(world.agent)
  await api(updateNode, { uuid: world.node.uuid, ...has(uuids.slice(0, 2)) })
  await untilCore(world.agent, before)
  const node = await api(createNode, { name: 'Other', address: '127.0.0.2', port: other.port, ...has(uuids.slice(2)) })
  for (const { uuid } of [world.node, node])
    await until('both nodes are connected', async () => (await api(getNode, { uuid })).isConnected, 60_000)
  alice = await subscribe(world, 'alice')
  for (const way of [0, 2]) await until(`way ${way} is open`, () => alice.canConnect(way))
})

test.afterAll(async () => {
  await alice?.close()
  await other?.close()
  await world?.close()
  await panel?.close()
})

test('a configuration that the core of the first node refuses ends no connection anywhere', async () => {
  const cores = [world.agent.core(), other.core()]
  const downloads = [alice.fetch(0, 12 * MB, RATE), alice.fetch(2, 12 * MB, RATE)]
  await flowing()
  const failed = await rollOut({ outbounds: [{ protocol: 'freedom', tag: 'DIRECT', settings: { domainStrategy: 'Teleport' } }] })
  expect(failed.nodes).toMatchObject([{ name: 'Loopback', state: 'failed', failure: 'core' }, { state: 'waiting' }])
  expect(failed.nodes[0]?.said).toMatch(/teleport.*The configuration before it keeps running\./is)
  expect(await Promise.all(downloads)).toEqual([12 * MB, 12 * MB])
  expect([world.agent.core(), other.core()]).toEqual(cores)
  await everythingAsBefore()
})

test('one that does not come up is put back: users of the other node notice nothing, and the first serves again', async () => {
  const core = other.core()
  const long = alice.fetch(2, 20 * MB, RATE)
  await flowing()
  // What `xray run -test` cannot know: somebody listens there already.
  const taken = {
    tag: 'taken',
    listen: '127.0.0.1',
    port: world.bytes.port,
    protocol: 'dokodemo-door',
    settings: { address: '127.0.0.1' },
  }
  const inbounds = isObject(world.profile.config) ? world.profile.config['inbounds'] : undefined
  const failed = await rollOut({ inbounds: [...(Array.isArray(inbounds) ? inbounds : []), taken] })
  expect(failed.nodes).toMatchObject([{ name: 'Loopback', state: 'failed', failure: 'core' }, { state: 'waiting' }])
  expect(failed.nodes[0]?.said).toMatch(/address already in use/)
  expect(await long).toBe(20 * MB)
  expect(other.core()).toEqual(core)
  await everythingAsBefore()
  expect(await alice.fetch(0, 2 * MB)).toBe(2 * MB)
})

test('an agent that hangs is noticed within 30 s, its core serves on, and it is there again as soon as it goes on', async () => {
  const { uuid } = world.node
  const isConnected = async () => (await world.api(getNode, { uuid })).isConnected
  const { pid } = world.agent.process
  const core = world.agent.core()
  process.kill(pid, 'SIGSTOP')
  try {
    await until('the node counts as lost', async () => !(await isConnected()), 30_000)
    expect(await alice.fetch(0, MB)).toBe(MB)
  } finally {
    process.kill(pid, 'SIGCONT')
  }
  await until('the node is back', isConnected, 30_000)
  expect(world.agent.core()).toEqual(core)
})

test('a revision that carries nothing is not called good, also begun right after a restart of the core with a user on it', async () => {
  const { uuid } = world.node
  const before = await untilCore(world.agent)
  process.kill(before.pid, 'SIGKILL')
  await untilCore(world.agent, before)
  await until('the node is connected', async () => (await world.api(getNode, { uuid })).isConnected)
  let isOver = false
  // She goes on trying, as apps do.
  const trying = (async () => {
    while (!isOver) await alice.fetch(0, MB).catch(() => sleep(200))
  })()
  const config = {
    ...(isObject(world.profile.config) ? world.profile.config : {}),
    outbounds: [{ protocol: 'blackhole', tag: 'DIRECT' }],
  }
  const sent = await world.api(startRollout, { uuid: world.profile.uuid, config, firstNodeUuid: uuid })
  const states = new Set<string>()
  const judged = await until('the roll-out is judged', async () => {
    const { rollouts } = await world.api(listRollouts, {})
    const rollout = rollouts.find((one) => one.uuid === sent.uuid)
    for (const node of rollout?.nodes ?? []) states.add(`${node.name} ${node.state}`)
    return rollout?.nodes.some(({ state }) => state === 'failed' || state === 'unproven') ? rollout : undefined
  })
  expect(judged.nodes.find(({ name }) => name === 'Other')?.state).toBe('waiting')
  expect([...states].filter((state) => / (good|done)$/.test(state))).toEqual([])
  if (judged.state !== 'failed') await world.api(takeBackRollout, { uuid: sent.uuid })
  isOver = true
  await trying
  await everythingAsBefore()
})

test('18 one node first: begun in the editor, watched to its end, and its result stays', async ({ browser }) => {
  const who = await openPerson(browser, panel, { token: world.token, api: world.api }, 'mouse')
  const { page } = who
  let isOver = false
  const trying = Promise.all(
    [0, 2].map(async (way) => {
      while (!isOver) await alice.fetch(way, MB).catch(() => sleep(200))
    }),
  )
  const changed = { ...(isObject(world.profile.config) ? world.profile.config : {}), log: { loglevel: 'error' } }
  await page.goto(`/dashboard/management/config-profiles/${world.profile.uuid}`)
  await pasteConfig(page, JSON.stringify(changed, null, 2))
  const save = page.getByRole('button', { name: 'Save', exact: true })
  await expect(save).toBeEnabled({ timeout: 60_000 })
  const before = who.steps()
  await who.choose(save)
  await who.choose(page.getByRole('radio', { name: 'One node first' }))
  await who.choose(page.getByRole('button', { name: 'Begin with one node' }))
  const strip = page.getByRole('region', { name: 'Roll-out' })
  await expect(strip).toContainText('A new revision is being rolled out')
  await expect(strip).toContainText('The roll-out has ended well', { timeout: 60_000 })
  expect(who.steps() - before).toBe(3)
  await page.reload()
  await expect(strip).toContainText('The roll-out has ended well')
  expect((await world.api(getConfigProfile, { uuid: world.profile.uuid })).config).toEqual(changed)
  isOver = true
  await trying
  for (const way of [0, 2]) expect(await alice.fetch(way, MB)).toBe(MB)
  await page.context().close()
})

/** Sends the profile with another section to the node called Loopback; gives the roll-out as it failed. */
async function rollOut(change: object): Promise<Rollout> {
  const config = { ...(isObject(world.profile.config) ? world.profile.config : {}), ...change }
  const { uuid } = await world.api(startRollout, { uuid: world.profile.uuid, config, firstNodeUuid: world.node.uuid })
  const found = await until('the roll-out has failed', async () => {
    const { rollouts } = await world.api(listRollouts, {})
    return rollouts.find((rollout) => rollout.uuid === uuid && rollout.state === 'failed')
  })
  expect(found.error).toContain('Loopback')
  return found
}

async function flowing(): Promise<void> {
  const target = world.bytes.sentBytes() + RATE
  await until('bytes flow', () => world.bytes.sentBytes() > target)
}

async function everythingAsBefore(): Promise<void> {
  await until('the first node is connected again', async () => (await world.api(getNode, { uuid: world.node.uuid })).isConnected)
  for (const way of [0, 1, 2, 3]) await until(`way ${way} is open`, () => alice.canConnect(way))
  expect((await world.api(getConfigProfile, { uuid: world.profile.uuid })).config).toEqual(world.profile.config)
}
