import * as api from '@causeway/contract'
import type { Rollout } from '@causeway/contract'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { engine } from '../../../test/engine.ts'
import type { FakeAgent } from '../../../test/fake-agent.ts'
import { liveFleet, nodeConfig, until, WAIT } from '../../../test/live-fleet.ts'
import { UNKNOWN } from '../../../test/users.ts'
import { startRunner } from '../../jobs/runner.ts'
import { rolloutsJobs } from './rollouts.jobs.ts'

// A revision goes from node to node: with agents, whose cores tell what they run.

const live = liveFleet({ ROLLOUT_WATCH_SECONDS: '1' })
const call: typeof live.server.call = (endpoint, input) => live.server.call(endpoint, input)
let runner: { stop(): Promise<void> }
let made = 0

beforeEach(async () => {
  made++
  live.profile = await call(api.createConfigProfile, { name: `rolled-${made}`, config: before() })
  live.squad = await call(api.createInternalSquad, {
    name: `rolled-${made}`,
    inbounds: live.profile.inbounds.map(({ uuid }) => uuid),
  })
  runner = await startRunner(live.server.ctx, { kinds: rolloutsJobs, recurring: [] })
})
afterEach(async () => {
  const open = (await call(api.listRollouts, {})).rollouts.filter(({ state }) => state === 'running')
  for (const { uuid } of open) await call(api.takeBackRollout, { uuid })
  await runner.stop()
})

const before = () => nodeConfig([`VLESS_${made}`, `TROJAN_${made}`])
/** Both inbounds go on, one of them under another tag. */
const after = (more: object = {}) => nodeConfig([`VLESS_${made}_NEXT`, `TROJAN_${made}`], more)
const renamed = () => [{ from: `VLESS_${made}`, to: `VLESS_${made}_NEXT` }]
const start = (more: object = {}) =>
  call(api.startRollout, { uuid: live.profile.uuid, config: after(), renamed: renamed(), ...more })
const find = async (uuid: string): Promise<Rollout> => {
  const found = (await call(api.listRollouts, {})).rollouts.find((rollout) => rollout.uuid === uuid)
  if (!found) throw new Error('there is no such roll-out')
  return found
}
const ended = (uuid: string, state: Rollout['state']) =>
  vi.waitFor(async () => expect(await find(uuid)).toMatchObject({ state }), WAIT)
const isAhead = ({ core }: FakeAgent) => core?.users.has(`VLESS_${made}_NEXT`)
/** Bytes of a user move between any two readings, however close those are; with the new revision as many as are received, if any. */
function keepMoving(agent: FakeAgent, username: string, downAhead: number | undefined): void {
  agent.beforeSample = () => {
    const down = isAhead(agent) ? downAhead : 100
    if (down !== undefined) agent.transfer(username, 10, down)
  }
}
/** One user with traffic on the node all the time, under every revision. */
async function inUse(...agents: FakeAgent[]): Promise<void> {
  const username = `busy-${made}`
  await live.makeUser(username)
  for (const agent of agents) keepMoving(agent, username, 100)
  for (const agent of agents) await until(() => agent.usersOf(`VLESS_${made}`).length > 0)
}
async function threeNodes() {
  const [one, two, three] = [await live.connectedNode(), await live.connectedNode(), await live.connectedNode()] as const
  return { one, two, three, cores: [one, two, three].map(({ agent }) => agent.core?.id) }
}

it('a new revision goes to one node, and to the others once that is good; then the profile holds it', async () => {
  const { one, two, three, cores } = await threeNodes()
  await inUse(two.agent)
  const rollout = await start({ firstNodeUuid: two.node.uuid, reason: 'a better tag' })
  expect(rollout).toMatchObject({
    profileName: live.profile.name,
    profileUpdatedAt: (await call(api.getConfigProfile, { uuid: live.profile.uuid })).updatedAt,
    state: 'running',
    isPaused: false,
    reason: 'a better tag',
    actorKind: 'admin',
    actorName: 'admin',
  })
  expect(rollout.nodes.map(({ uuid, wave, state }) => [uuid, wave, state])).toEqual([
    [two.node.uuid, 1, 'waiting'],
    [one.node.uuid, 2, 'waiting'],
    [three.node.uuid, 2, 'waiting'],
  ])
  await until(() => isAhead(two.agent))
  const ahead = two.agent.core?.id
  // Meanwhile everybody else is told of the profile as it was, and users come and go everywhere.
  expect((await call(api.getConfigProfile, { uuid: live.profile.uuid })).config).toEqual(before())
  await live.makeUser('boris')
  await until(() => two.agent.usersOf(`VLESS_${made}_NEXT`).length === 2)
  await until(() => one.agent.usersOf(`VLESS_${made}`).length === 2)
  expect([one.agent.core?.id, three.agent.core?.id]).toEqual([cores[0], cores[2]])
  await ended(rollout.uuid, 'done')
  expect((await find(rollout.uuid)).nodes.map(({ state }) => state)).toEqual(['good', 'unproven', 'unproven'])
  await until(() => isAhead(one.agent) && isAhead(three.agent))
  const profile = await call(api.getConfigProfile, { uuid: live.profile.uuid })
  expect(profile.config).toEqual(after())
  expect(profile.inbounds.map(({ uuid }) => uuid)).toEqual(live.profile.inbounds.map(({ uuid }) => uuid))
  await vi.waitFor(async () => expect(await askedAnything()).toBe(false), WAIT)
  // The end is no second start.
  expect(two.agent.core?.id).toBe(ahead)
  const { revisions } = await call(api.listProfileRevisions, { uuid: live.profile.uuid })
  expect(revisions[0]).toMatchObject({ number: 2, actorName: 'admin', reason: 'a better tag' })
  expect((await call(api.listJobs, {})).find(({ kind }) => kind === 'rollOutProfile')).toMatchObject({
    status: 'done',
    done: 3,
    total: 3,
  })
})

it('hosts that follow a moved inbound move when the profile takes the revision, and no others', async () => {
  const { one } = await threeNodes()
  await inUse(one.agent)
  const inbound = live.profile.inbounds.find(({ tag }) => tag === `TROJAN_${made}`)
  if (!inbound?.port) throw new Error('the inbound has a port')
  const { port } = inbound
  const at = { configProfileUuid: live.profile.uuid, configProfileInboundUuid: inbound.uuid }
  const host = { address: 'a.example', port, inbound: at }
  const following = await call(api.createHost, { ...host, remark: 'following' })
  const bystander = await call(api.createHost, { ...host, remark: 'bystander' })
  const portOf = async ({ uuid }: { uuid: string }) => (await call(api.getHost, { uuid })).port
  const { inbounds, ...rest } = after() as ReturnType<typeof after> & { inbounds: { tag: string; port: number }[] }
  const moved = inbounds.map((each) => (each.tag === inbound.tag ? { ...each, port: port + 1000 } : each))
  const hosts = { followingHosts: [following.uuid], firstNodeUuid: one.node.uuid }
  const { uuid } = await start({ ...hosts, config: { ...rest, inbounds: moved } })
  await until(() => isAhead(one.agent))
  expect(await portOf(following)).toBe(port)
  await ended(uuid, 'done')
  expect([await portOf(following), await portOf(bystander)]).toEqual([port + 1000, port])
})

const askedAnything = async () =>
  (await live.server.ctx.db.selectFrom('nodeStates').select('startRequestedAt').execute()).some(
    ({ startRequestedAt }) => startRequestedAt,
  )

it('a core that refuses ends it: what ran before runs on, nobody else is touched, and what the core said is told', async () => {
  const { one, two, three, cores } = await threeNodes()
  const said = 'failed to build inbound handler: unknown transport. The configuration before it keeps running.'
  one.agent.refusal = (config) => (JSON.stringify(config).includes('_NEXT') ? said : null)
  const rollout = await start()
  await ended(rollout.uuid, 'failed')
  const { nodes, error } = await find(rollout.uuid)
  expect(nodes.map(({ state, failure }) => [state, failure])).toEqual([
    ['failed', 'core'],
    ['waiting', null],
    ['waiting', null],
  ])
  expect(nodes[0]?.said).toContain(said)
  expect(error).toContain(said)
  await live.connected(one.node.uuid)
  expect([one, two, three].map(({ agent }) => agent.core?.id)).toEqual(cores)
  expect([two, three].map(({ agent }) => agent.starts)).toEqual([1, 1])
  expect((await call(api.getConfigProfile, { uuid: live.profile.uuid })).config).toEqual(before())
  expect((await call(api.listJobs, {})).find(({ kind }) => kind === 'rollOutProfile')).toMatchObject({ status: 'failed', error })
  expect((await call(api.getRolloutConfig, { uuid: rollout.uuid })).config).toEqual(after())
})

it.each([
  ['users who do not come back', 'users', undefined],
  ['users who come back and receive nothing', 'bytes', 0],
] as const)('%s end it, and the node is put back', async (_, failure, down) => {
  const { agent, node } = await live.connectedNode()
  await live.makeUser('anna')
  await until(() => agent.usersOf(`VLESS_${made}`).length === 1)
  keepMoving(agent, 'anna', down)
  await until(async () => (await live.usersRead(node.uuid)) === 1)
  const rollout = await start()
  await until(() => isAhead(agent))
  await ended(rollout.uuid, 'failed')
  expect((await find(rollout.uuid)).nodes).toMatchObject([{ failure, usersBefore: 1, usersBack: down === undefined ? 0 : 1 }])
  await until(() => agent.core?.users.has(`VLESS_${made}`))
  await live.connected(node.uuid)
})

it('users who are back and receive let it go on', async () => {
  const { agent, node } = await live.connectedNode()
  await live.makeUser('anna')
  keepMoving(agent, 'anna', 100)
  await until(async () => (await live.usersRead(node.uuid)) === 1)
  const rollout = await start()
  await ended(rollout.uuid, 'done')
  expect((await find(rollout.uuid)).nodes).toMatchObject([{ state: 'good', usersBefore: 1, usersBack: 1 }])
})

it.each([
  ['all nodes were restarted', (agent: FakeAgent) => restarted(agent, () => call(api.restartAllNodes, { forceRestart: true }))],
  ['its core ended and was started again', (agent: FakeAgent) => restarted(agent, () => agent.killCore(true))],
  ['its agent was restarted', (agent: FakeAgent) => agent.close().then(() => agent.listen(agent.port))],
])('a roll-out that begins right after %s counts the users of the last minutes, and fails without them', async (_, restart) => {
  const { agent, node } = await live.connectedNode()
  await live.makeUser('anna')
  await until(() => agent.usersOf(`VLESS_${made}`).length === 1)
  keepMoving(agent, 'anna', undefined)
  await until(async () => (await live.usersRead(node.uuid)) === 1)
  // Cut off by the restart, and not back yet.
  agent.beforeSample = () => {}
  await restart(agent)
  await until(async () => (await live.usersRead(node.uuid)) === 0)
  await live.connected(node.uuid)
  expect(await call(api.prepareRollout, { uuid: live.profile.uuid })).toMatchObject({
    // Online as everywhere: within the last minute.
    nodes: [{ usersOnline: 1, usersRecently: 1 }],
  })
  const { uuid } = await start()
  await ended(uuid, 'failed')
  expect((await find(uuid)).nodes).toMatchObject([{ failure: 'users', usersBefore: 1, usersBack: 0 }])
})

async function restarted(agent: FakeAgent, restart: () => unknown): Promise<void> {
  const core = agent.core?.id
  await restart()
  await until(() => agent.core && agent.core.id !== core)
}

it('a node that no user uses proves nothing: the roll-out waits there, and goes on when one receives something', async () => {
  const { one, two, three, cores } = await threeNodes()
  const { uuid } = await start({ firstNodeUuid: one.node.uuid })
  await until(async () => (await find(uuid)).nodes[0]?.state === 'unproven')
  expect(await find(uuid)).toMatchObject({ state: 'running', isProofWaived: false })
  await call(api.pauseRollout, { uuid })
  expect([two.agent.core?.id, three.agent.core?.id]).toEqual(cores.slice(1))
  await call(api.continueRollout, { uuid })
  await live.makeUser('anna')
  await until(() => one.agent.usersOf(`VLESS_${made}_NEXT`).length === 1)
  keepMoving(one.agent, 'anna', 100)
  await ended(uuid, 'done')
  expect((await find(uuid)).nodes.map(({ state }) => state)).toEqual(['good', 'unproven', 'unproven'])
})

it('a user who comes to a node that waits for proof and receives nothing ends it', async () => {
  const { agent } = await live.connectedNode()
  const { uuid } = await start()
  await until(async () => (await find(uuid)).nodes[0]?.state === 'unproven')
  await live.makeUser('anna')
  await until(() => agent.usersOf(`VLESS_${made}_NEXT`).length === 1)
  keepMoving(agent, 'anna', 0)
  await ended(uuid, 'failed')
  expect((await find(uuid)).nodes).toMatchObject([{ failure: 'bytes', usersBefore: 0, usersBack: 1 }])
})

it('an administrator may have it go on without proof', async () => {
  const { one, two, three } = await threeNodes()
  const { uuid } = await start({ firstNodeUuid: one.node.uuid })
  await until(async () => (await find(uuid)).nodes[0]?.state === 'unproven')
  expect(await call(api.waiveRolloutProof, { uuid })).toMatchObject({ isProofWaived: true })
  await ended(uuid, 'done')
  expect([two, three].every(({ agent }) => isAhead(agent))).toBe(true)
  expect(await live.server.send('POST', `/api/x/rollouts/${UNKNOWN}/actions/waive-proof`)).toMatchObject({ status: 404 })
})

it('a roll-out can be paused, goes on when it is told to, and can be taken back', async () => {
  const { one, two } = await threeNodes()
  await inUse(one.agent)
  const { uuid } = await start({ firstNodeUuid: one.node.uuid })
  expect(await call(api.pauseRollout, { uuid })).toMatchObject({ isPaused: true })
  // Nothing was begun, or the one node that was is watched to its end.
  await vi.waitFor(async () => expect((await find(uuid)).nodes[0]?.state).toMatch(/good|waiting/), WAIT)
  expect(isAhead(two.agent)).toBe(false)
  expect(await call(api.continueRollout, { uuid })).toMatchObject({ isPaused: false })
  await until(() => isAhead(two.agent))
  expect(await call(api.takeBackRollout, { uuid })).toMatchObject({ state: 'takenBack', isPaused: false, error: null })
  await until(() => !isAhead(one.agent) && !isAhead(two.agent))
  expect((await call(api.listJobs, {})).find(({ kind }) => kind === 'rollOutProfile')).toMatchObject({ status: 'cancelled' })
  for (const action of ['pause', 'continue', 'waive-proof', 'take-back'])
    expect(await live.server.send('POST', `/api/x/rollouts/${uuid}/actions/${action}`)).toMatchObject({ status: 409 })
  expect(await live.server.send('POST', `/api/x/rollouts/${UNKNOWN}/actions/pause`)).toMatchObject({ status: 404 })
  expect(await live.server.send('POST', `/api/x/rollouts/${UNKNOWN}/actions/take-back`)).toMatchObject({ status: 404 })
  expect(await live.server.send('GET', `/api/x/rollouts/${UNKNOWN}/config`)).toMatchObject({ status: 404 })
})

it('the job cancelled at the queues takes it back', async () => {
  const { agent } = await live.connectedNode()
  const { uuid } = await start()
  await until(() => isAhead(agent))
  const job = (await call(api.listJobs, {})).find(({ kind, finishedAt }) => kind === 'rollOutProfile' && finishedAt === null)
  await call(api.cancelJob, { id: job?.id ?? '' })
  expect(await find(uuid)).toMatchObject({ state: 'takenBack' })
  await until(() => !isAhead(agent))
})

it('a node that is switched off or moved meanwhile is passed over', async () => {
  const { one, two, three } = await threeNodes()
  await inUse(one.agent, three.agent)
  const { uuid } = await start({ firstNodeUuid: one.node.uuid })
  await until(() => isAhead(one.agent))
  await call(api.disableNode, { uuid: two.node.uuid })
  await ended(uuid, 'done')
  expect((await find(uuid)).nodes.map(({ state }) => state)).toEqual(['good', 'skipped', 'good'])
  expect(isAhead(three.agent)).toBe(true)
})

it.each([
  ['switched off', (uuid: string) => call(api.disableNode, { uuid })],
  ['deleted', (uuid: string) => call(api.deleteNode, { uuid })],
])('a first node that is %s while it is watched ends it, and no other is touched', async (_, remove) => {
  const { one, two, three, cores } = await threeNodes()
  const { uuid } = await start({ firstNodeUuid: one.node.uuid })
  await until(() => isAhead(one.agent))
  await remove(one.node.uuid)
  await ended(uuid, 'failed')
  expect((await find(uuid)).error).toMatch(/^The first node was switched off, moved, deleted/)
  expect([two.agent.core?.id, three.agent.core?.id]).toEqual(cores.slice(1))
  expect((await call(api.getConfigProfile, { uuid: live.profile.uuid })).config).toEqual(before())
})

it('a first node whose core came up by itself, even before it was read again, ends it and is put back', async () => {
  const { agent, node } = await live.connectedNode()
  const { uuid } = await start()
  await until(async () => (await find(uuid)).nodes[0]?.state === 'watched')
  const crashed = agent.core?.id
  agent.killCore(true)
  await ended(uuid, 'failed')
  expect((await find(uuid)).nodes).toMatchObject([{ failure: 'restarted' }])
  await until(() => !isAhead(agent))
  expect(agent.core?.id).not.toBe(crashed)
  await live.connected(node.uuid)
})

it('a first node that somebody starts anew is watched from the beginning, and may be good', async () => {
  const { agent } = await live.connectedNode()
  await inUse(agent)
  const { uuid } = await start()
  await until(async () => (await find(uuid)).nodes[0]?.state === 'watched')
  const ahead = agent.core?.id
  await call(api.restartAllNodes, { forceRestart: true })
  await until(() => agent.core && agent.core.id !== ahead)
  await ended(uuid, 'done')
  expect(isAhead(agent)).toBe(true)
})

it('while it runs, the profile is neither saved nor deleted nor rolled out again; its name may change', async () => {
  await live.connectedNode()
  const { uuid } = live.profile
  await start()
  const refused = {
    status: 409,
    body: { message: expect.stringMatching(/is being rolled out\. Wait until that has ended, or take it back/) },
  }
  expect(await live.server.send('PATCH', '/api/config-profiles', { uuid, config: before() })).toMatchObject(refused)
  expect(await live.server.send('POST', `/api/x/config-profiles/${uuid}/rollouts`, { config: after({ log: {} }) })).toMatchObject(
    refused,
  )
  expect(await live.server.send('DELETE', `/api/config-profiles/${uuid}`)).toMatchObject(refused)
  expect(await call(api.updateConfigProfile, { uuid, name: `other-${made}` })).toMatchObject({ name: `other-${made}` })
})

it('what cannot be rolled out is refused with a sentence', async () => {
  const { uuid } = live.profile
  const send = (body: object, of = uuid) => live.server.send('POST', `/api/x/config-profiles/${of}/rollouts`, body)
  expect(await send({ config: after() })).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('No node that runs') },
  })
  await live.connectedNode()
  const bad = nodeConfig(['VLESS X', 'VLESS X'])
  expect(await send({ config: bad })).toMatchObject({ status: 400 })
  expect(await send({ config: before() })).toMatchObject({ status: 400, body: { message: expect.stringContaining('already') } })
  expect(await send({ config: after(), firstNodeUuid: UNKNOWN })).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('Choose another') },
  })
  expect(await send({ config: after() }, UNKNOWN)).toMatchObject({ status: 404 })
  await call(api.createConfigProfile, { name: `taken-${made}`, config: nodeConfig([`VLESS_${made}_NEXT`]) })
  expect(await send({ config: after() })).toMatchObject({ status: 409 })
})

it('a tag that another profile took meanwhile ends it, and all nodes are put back', async () => {
  const { agent } = await live.connectedNode()
  await inUse(agent)
  const { uuid } = await start()
  await until(() => isAhead(agent))
  await call(api.createConfigProfile, { name: `taken-${made}`, config: nodeConfig([`VLESS_${made}_NEXT`]) })
  await ended(uuid, 'failed')
  expect((await find(uuid)).error).toMatch(/exists in another profile by now/)
  await until(() => !isAhead(agent))
})

it('before it begins, it is told whom one could begin with, and whose agent tries configurations itself', async () => {
  const { uuid } = live.profile
  expect(await call(api.prepareRollout, { uuid })).toMatchObject({ watchSeconds: 1, first: null, nodes: [] })
  const own = await live.connectedNode()
  const foreign = await live.connectedNode({ generation: '2.1' })
  const { nodes, first } = await call(api.prepareRollout, { uuid })
  expect(nodes.map((node) => [node.uuid, node.testsConfig, node.usersOnline])).toEqual([
    [own.node.uuid, true, 0],
    [foreign.node.uuid, false, 0],
  ])
  expect(first).toBe(own.node.uuid)
})

it.skipIf(!engine.xray)('where an agent does not try a configuration, the Xray of the server does', async () => {
  await live.connectedNode({ generation: '2.1' })
  const { uuid } = live.profile
  const config = after({ outbounds: [{ protocol: 'teleport', tag: 'DIRECT' }] })
  expect(await live.server.send('POST', `/api/x/config-profiles/${uuid}/rollouts`, { config })).toMatchObject({
    status: 400,
    body: { message: expect.stringMatching(/^Xray refuses this configuration: .*teleport/) },
  })
  expect(await call(api.prepareRollout, { uuid })).toMatchObject({ hasEngine: true })
})
