import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import * as api from '@causeway/contract'
import { fakeAgent, type FakeAgent, type FakeAgentOptions } from '../../../test/fake-agent.ts'
import { testServer, type TestServer } from '../../../test/server.ts'
import { openAgents } from '../../lib/agents.ts'
import { startFleet, type FleetPeriods } from './fleet.jobs.ts'

const QUICK: FleetPeriods = { pollMs: 120, healthMs: 80, roundMs: 150, leaseMs: 1_200 }
const NEVER = '2099-01-01T00:00:00.000Z'
const WAIT = { timeout: 10_000, interval: 20 }

let server: TestServer
let pubKey: string
let profile: api.ConfigProfile
let squad: api.InternalSquad
let fleet: ReturnType<typeof startFleet> | undefined
let agents: FakeAgent[] = []
let count = 0

beforeAll(async () => {
  server = await testServer()
  pubKey = (await server.call(api.getNodePublicKey, {})).pubKey
  profile = await server.call(api.createConfigProfile, { name: 'fleet', config: config(['VLESS_A', 'TROJAN_B']) })
  squad = await server.call(api.createInternalSquad, { name: 'fleet', inbounds: profile.inbounds.map((inbound) => inbound.uuid) })
})
beforeEach(() => {
  fleet = startFleet(server.ctx, QUICK)
})
afterEach(async () => {
  for (const node of await server.call(api.listNodes, {})) await server.call(api.deleteNode, { uuid: node.uuid })
  await fleet?.stop()
  await Promise.all(agents.map((agent) => agent.close()))
  agents = []
  await server.ctx.db.deleteFrom('users').execute()
})
afterAll(() => server.close())

function config(tags: string[], more: object = {}) {
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

async function startAgent(options: FakeAgentOptions = {}): Promise<FakeAgent> {
  const agent = await fakeAgent(pubKey, options)
  agents.push(agent)
  return agent
}

async function makeNode(agent: { port: number }, fields: { address?: string; consumptionMultiplier?: number } = {}) {
  count++
  const configProfile = { activeConfigProfileUuid: profile.uuid, activeInbounds: profile.inbounds.map((inbound) => inbound.uuid) }
  // Addresses are unique, and all of 127.0.0.0/8 is this machine.
  const address = `127.0.0.1`.replace(/1$/, String(count % 250))
  return server.call(api.createNode, {
    name: `node ${count}`,
    address: 'localhost',
    port: agent.port,
    configProfile,
    ...fields,
    ...(fields.address ? {} : { address }),
  })
}

const getNode = (uuid: string) => server.call(api.getNode, { uuid })
const connected = (uuid: string) =>
  vi.waitFor(async () => expect(await getNode(uuid)).toMatchObject({ isConnected: true, isConnecting: false }), WAIT)

async function connectedNode(options: FakeAgentOptions = {}, fields: Parameters<typeof makeNode>[1] = {}) {
  const agent = await startAgent(options)
  const node = await makeNode(agent, fields)
  await connected(node.uuid)
  return { agent, node }
}

const makeUser = (username: string, fields: object = {}) =>
  server.call(api.createUser, { username, expireAt: NEVER, activeInternalSquads: [squad.uuid], ...fields })
const usedBytes = async (uuid: string) => (await server.call(api.getUser, { uuid })).usedTrafficBytes
const until = (check: () => unknown) => vi.waitFor(async () => expect(await check()).toBe(true), WAIT)
/** All calls that end a core or could. */
const starts = (agent: FakeAgent) => agent.callsTo('/node/xray/start')

describe.each(['own', '2.1'] as const)('a node with an agent of generation %s', (generation) => {
  it('connects, runs the configuration with its users and shows what the agent says of itself', async () => {
    await makeUser('early')
    const { agent, node } = await connectedNode({ generation })
    expect(agent.usersOf('VLESS_A')).toEqual(['early'])
    expect(agent.usersOf('TROJAN_B')).toEqual(['early'])
    expect(await getNode(node.uuid)).toMatchObject({
      isNodeOnline: true,
      isXrayRunning: true,
      lastStatusMessage: null,
      xrayVersion: '25.8.3',
      nodeVersion: '2.1.4',
      cpuCount: 4,
      cpuModel: 'Fake/3.00 GHz',
      totalRam: '8.33 GB',
    })
  })

  it('gets users as they are created, disabled, revoked, enabled and deleted, without a restart of its core', async () => {
    const { agent } = await connectedNode({ generation })
    const core = agent.core?.id
    const user = await makeUser('alice')
    await until(() => agent.core?.users.get('VLESS_A')?.get('alice') === user.vlessUuid)
    await until(() => agent.core?.users.get('TROJAN_B')?.get('alice') === user.trojanPassword)
    await server.call(api.disableUser, { uuid: user.uuid })
    await until(() => agent.usersOf('VLESS_A').length === 0 && agent.usersOf('TROJAN_B').length === 0)
    await server.call(api.enableUser, { uuid: user.uuid })
    await until(() => agent.usersOf('VLESS_A').length === 1)
    const revoked = await server.call(api.revokeUserSubscription, { uuid: user.uuid })
    await until(() => agent.core?.users.get('VLESS_A')?.get('alice') === revoked.vlessUuid)
    await server.call(api.deleteUser, { uuid: user.uuid })
    await until(() => agent.usersOf('VLESS_A').length === 0 && agent.usersOf('TROJAN_B').length === 0)
    expect(agent.core?.id).toBe(core)
    expect(starts(agent)).toBe(1)
  })

  it('books what users transfer, times the multiplier, to user, day, node and tags', async () => {
    const { agent, node } = await connectedNode({ generation }, { consumptionMultiplier: 1.5 })
    const user = await makeUser('payer')
    await until(() => agent.usersOf('VLESS_A').length === 1)
    agent.transfer('payer', 100, 900, 'VLESS_A')
    await until(async () => (await usedBytes(user.uuid)) === 1500)
    agent.transfer('payer', 1, 9, 'VLESS_A')
    await until(async () => (await usedBytes(user.uuid)) === 1515)
    const shown = await server.call(api.getUser, { uuid: user.uuid })
    expect(shown.lastConnectedNode).toMatchObject({ nodeName: node.name })
    expect(shown.onlineAt).not.toBeNull()
    expect(shown.firstConnectedAt).not.toBeNull()
    expect((await getNode(node.uuid)).trafficUsedBytes).toBe(1010)
    const days = await server.ctx.db.selectFrom('userNodeUsage').select(['uploadBytes', 'downloadBytes']).execute()
    expect(days).toEqual([{ uploadBytes: 101, downloadBytes: 909 }])
    const tags = await server.ctx.db
      .selectFrom('nodeTagUsage')
      .select(['direction', 'tag', 'downloadBytes'])
      .orderBy('tag')
      .execute()
    expect(tags).toEqual([
      { direction: 'outbound', tag: 'DIRECT', downloadBytes: 909 },
      { direction: 'inbound', tag: 'VLESS_A', downloadBytes: 909 },
    ])
  })

  it('a user of the same name as a deleted one starts at zero', async () => {
    const { agent } = await connectedNode({ generation })
    const first = await makeUser('heir')
    await until(() => agent.usersOf('VLESS_A').length === 1)
    agent.transfer('heir', 500, 500)
    await until(async () => (await usedBytes(first.uuid)) === 1000)
    agent.transfer('heir', 70, 7)
    await server.call(api.deleteUser, { uuid: first.uuid })
    const second = await makeUser('heir')
    await until(() => agent.core?.users.get('VLESS_A')?.get('heir') === second.vlessUuid)
    expect(await usedBytes(second.uuid)).toBe(0)
    agent.transfer('heir', 3, 4)
    await until(async () => (await usedBytes(second.uuid)) === 7)
  })

  it('cuts off a user that used up its limit, and lets it in again when the limit is raised, without a restart', async () => {
    const { agent } = await connectedNode({ generation })
    const user = await makeUser('greedy', { trafficLimitBytes: 1000 })
    await until(() => agent.usersOf('VLESS_A').length === 1)
    agent.transfer('greedy', 600, 600)
    await until(() => agent.usersOf('VLESS_A').length === 0)
    expect((await server.call(api.getUser, { uuid: user.uuid })).status).toBe('LIMITED')
    agent.transfer('greedy', 10, 0)
    await until(async () => (await usedBytes(user.uuid)) === 1210)
    await server.call(api.updateUser, { uuid: user.uuid, trafficLimitBytes: 5000 })
    await until(() => agent.usersOf('VLESS_A').length === 1)
    expect(starts(agent)).toBe(1)
  })

  it('goes on where it was when its core is restarted: nothing is lost or counted twice', async () => {
    const { agent, node } = await connectedNode({ generation })
    const user = await makeUser('steady')
    await until(() => agent.usersOf('VLESS_A').length === 1)
    agent.transfer('steady', 1000, 0)
    await until(async () => (await usedBytes(user.uuid)) === 1000)
    agent.transfer('steady', 50, 0)
    const core = agent.core?.id
    await server.call(api.restartAllNodes, { forceRestart: true })
    await until(() => agent.core?.id !== core)
    await connected(node.uuid)
    agent.transfer('steady', 5, 0)
    await until(async () => (await usedBytes(user.uuid)) === 1055)
  })

  it('notices a dead core, says why, starts it again and keeps what was counted', async () => {
    const { agent, node } = await connectedNode({ generation })
    const user = await makeUser('phoenix')
    await until(() => agent.usersOf('VLESS_A').length === 1)
    agent.transfer('phoenix', 100, 0)
    await until(async () => (await usedBytes(user.uuid)) === 100)
    agent.startError = 'the port is taken'
    agent.killCore()
    await until(async () => (await getNode(node.uuid)).lastStatusMessage === 'the port is taken')
    expect(await getNode(node.uuid)).toMatchObject({
      isConnected: false,
      isNodeOnline: true,
      isXrayRunning: false,
      xrayUptime: '0',
    })
    agent.startError = null
    await connected(node.uuid)
    expect(agent.usersOf('VLESS_A')).toEqual(['phoenix'])
    expect(await usedBytes(user.uuid)).toBe(100)
  })

  it('takes everything that happened while it was away in one comparison, without a restart of its core', async () => {
    const { agent, node } = await connectedNode({ generation })
    const [stays, goes] = [await makeUser('stays'), await makeUser('goes')]
    await until(() => agent.usersOf('VLESS_A').length === 2)
    const core = agent.core?.id
    const { port } = agent
    await agent.close()
    await until(async () => (await getNode(node.uuid)).isConnected === false)
    expect((await getNode(node.uuid)).lastStatusMessage).toContain('refused the connection')
    await server.call(api.deleteUser, { uuid: goes.uuid })
    await makeUser('comes')
    const revoked = await server.call(api.revokeUserSubscription, { uuid: stays.uuid })
    await agent.listen(port)
    await connected(node.uuid)
    await until(() => agent.usersOf('VLESS_A').join() === 'comes,stays' && agent.usersOf('TROJAN_B').join() === 'comes,stays')
    expect(agent.core?.users.get('VLESS_A')?.get('stays')).toBe(revoked.vlessUuid)
    expect(agent.core?.id).toBe(core)
    expect(await server.ctx.db.selectFrom('deliveries').selectAll().execute()).toEqual([])
  })

  it('restarts its core when the configuration changes, and only then', async () => {
    const { agent, node } = await connectedNode({ generation })
    const core = agent.core?.id
    await server.call(api.restartNode, { uuid: node.uuid })
    await until(() => starts(agent) === 2)
    expect(agent.core?.id).toBe(core)
    await server.call(api.updateConfigProfile, {
      uuid: profile.uuid,
      config: config(['VLESS_A', 'TROJAN_B'], { log: { loglevel: `debug` } }),
    })
    await until(() => agent.core?.id !== core)
    await server.call(api.updateConfigProfile, { uuid: profile.uuid, config: config(['VLESS_A', 'TROJAN_B']) })
    await connected(node.uuid)
  })

  it('ends its core when it is disabled, also if its agent comes back only later', async () => {
    const { agent, node } = await connectedNode({ generation })
    const user = await makeUser('last')
    await until(() => agent.usersOf('VLESS_A').length === 1)
    const { port } = agent
    await agent.close()
    agent.transfer('last', 11, 0)
    await server.call(api.disableNode, { uuid: node.uuid })
    await agent.listen(port)
    await until(() => agent.core === null)
    expect(await usedBytes(user.uuid)).toBe(11)
    await server.call(api.enableNode, { uuid: node.uuid })
    await connected(node.uuid)
    agent.transfer('last', 4, 0)
    await until(async () => (await usedBytes(user.uuid)) === 15)
  })

  it('is read and stopped before it is deleted', async () => {
    const { agent, node } = await connectedNode({ generation })
    const user = await makeUser('orphan')
    await until(() => agent.usersOf('VLESS_A').length === 1)
    agent.transfer('orphan', 0, 77)
    await server.call(api.deleteNode, { uuid: node.uuid })
    expect(agent.core).toBeNull()
    expect(await usedBytes(user.uuid)).toBe(77)
  })

  it('warns when another panel clears its counters, and books what they show', async () => {
    const { agent, node } = await connectedNode({ generation })
    const user = await makeUser('shared')
    await until(() => agent.usersOf('VLESS_A').length === 1)
    agent.transfer('shared', 1000, 0)
    await until(async () => (await usedBytes(user.uuid)) === 1000)
    agent.clearCounters('user>>>')
    agent.transfer('shared', 5, 0)
    await until(async () => (await usedBytes(user.uuid)) === 1005)
    expect((await getNode(node.uuid)).warning).toContain('Another panel')
  })

  it('loses nothing and counts nothing twice when answers get lost', async () => {
    const { agent } = await connectedNode({ generation })
    const user = await makeUser('lossy')
    await until(() => agent.usersOf('VLESS_A').length === 1)
    const path = generation === 'own' ? '/node/x/sample' : '/node/stats/get-users-stats'
    let sent = 0
    for (let round = 0; round < 4; round++) {
      agent.lostReplies.add(path)
      agent.transfer('lossy', 100, 1)
      sent += 101
      const calls = agent.callsTo(path)
      await until(() => agent.callsTo(path) > calls)
      agent.lostReplies.delete(path)
    }
    await until(async () => (await usedBytes(user.uuid)) === sent)
  })
})

describe('the fleet', () => {
  it.each<[string, (agent: FakeAgent) => { address?: string; port: number }, RegExp]>([
    [
      'a name that resolves to nothing',
      (agent) => ({ address: 'no-such-node.invalid', port: agent.port }),
      /no-such-node.invalid resolves to no address/,
    ],
    ['a port where nothing listens', () => ({ port: 1 }), /:1 refused the connection/],
  ])('says what is wrong with %s', async (_, target, sentence) => {
    const agent = await startAgent()
    const { address, port } = target(agent)
    const node = await makeNode({ port }, address ? { address } : {})
    await vi.waitFor(async () => expect((await getNode(node.uuid)).lastStatusMessage).toMatch(sentence), WAIT)
    expect(await getNode(node.uuid)).toMatchObject({ isConnected: false, isNodeOnline: false })
  })

  it('says when an agent belongs to another panel, and that nothing else of it is believed', async () => {
    const stranger = await testServer()
    try {
      const foreign = await stranger.call(api.getNodePublicKey, {})
      const agent = await fakeAgent(foreign.pubKey)
      agents.push(agent)
      const node = await makeNode(agent)
      const message = async () => (await getNode(node.uuid)).lastStatusMessage
      await vi.waitFor(async () => expect(await message()).toMatch(/certificate that is not of this panel/), WAIT)
      expect(agent.calls).toEqual([])
    } finally {
      await stranger.close()
    }
  })

  it('is not delayed by a node that does not answer', async () => {
    const slow = await startAgent()
    slow.hanging.add('/node/xray/healthcheck')
    const stuck = await makeNode(slow)
    const { agent } = await connectedNode()
    const begun = performance.now()
    await makeUser('quick')
    await until(() => agent.usersOf('VLESS_A').length === 1)
    expect(performance.now() - begun).toBeLessThan(2_000)
    expect(await getNode(stuck.uuid)).toMatchObject({ isConnected: false, isConnecting: true })
    slow.hanging.clear()
    await slow.close()
  })

  it('hands nodes of a dead server to another one, which goes on without touching the core', async () => {
    const { agent, node } = await connectedNode()
    const user = await makeUser('moved')
    await until(() => agent.usersOf('VLESS_A').length === 1)
    agent.transfer('moved', 10, 0)
    await until(async () => (await usedBytes(user.uuid)) === 10)
    const [before] = await server.ctx.db.selectFrom('nodeLeases').selectAll().execute()
    // A server that was killed renews nothing and gives nothing back.
    await fleet?.stop()
    await server.ctx.db
      .updateTable('nodeLeases')
      .set({ owner: 'killed', expiresAt: new Date(Date.now() + QUICK.leaseMs) })
      .execute()
    agent.transfer('moved', 5, 0)
    fleet = startFleet(server.ctx, QUICK)
    await until(async () => (await usedBytes(user.uuid)) === 15)
    const [after] = await server.ctx.db.selectFrom('nodeLeases').selectAll().execute()
    expect(after?.generation).toBeGreaterThan(before?.generation ?? 0)
    expect(starts(agent)).toBe(1)
    expect(await getNode(node.uuid)).toMatchObject({ isConnected: true })
  })

  it('shares nodes between servers, and two of them at work count nothing twice', async () => {
    const secrets = server.ctx.secrets
    const second = { ...server.ctx, agents: openAgents(secrets) }
    const both = startFleet(second, QUICK)
    try {
      const nodes = await Promise.all([connectedNode(), connectedNode()])
      const user = await makeUser('twice')
      await until(() => nodes.every(({ agent }) => agent.usersOf('VLESS_A').length === 1))
      await until(async () => {
        const owners = await server.ctx.db.selectFrom('nodeLeases').select('owner').distinct().where('owner', '!=', '').execute()
        return owners.length === 2
      })
      let sent = 0
      for (const { agent } of [...nodes, ...nodes]) {
        agent.transfer('twice', 1000, 0)
        sent += 1000
        await new Promise((resolve) => setTimeout(resolve, QUICK.pollMs))
      }
      await until(async () => (await usedBytes(user.uuid)) === sent)
    } finally {
      await both.stop()
      await second.agents.close()
    }
  })

  it('settles what a 2.1 agent is unclear about by asking for the users of its inbounds', async () => {
    const { agent } = await connectedNode({ generation: '2.1' })
    agent.brokenTags.add('TROJAN_B')
    const user = await makeUser('half')
    await until(() => agent.usersOf('VLESS_A').length === 1)
    await until(async () => {
      const [task] = await server.ctx.db.selectFrom('deliveries').select(['attempts', 'lastError']).execute()
      return (task?.attempts ?? 0) > 0 && task?.lastError === 'The agent did not apply the change to every inbound.'
    })
    agent.brokenTags.clear()
    await until(() => agent.core?.users.get('TROJAN_B')?.get('half') === user.trojanPassword)
    await until(async () => (await server.ctx.db.selectFrom('deliveries').selectAll().execute()).length === 0)
  })

  it('sends many changes in few calls', async () => {
    const { agent } = await connectedNode()
    const before = agent.calls.length
    await sql`
      with made as (
        insert into "users" ("shortUuid", "username", "expireAt", "trojanPassword", "vlessUuid", "ssPassword")
        select 'short' || n, 'many' || n, ${NEVER}, 'p', gen_random_uuid(), 's' from generate_series(1, 2000) as n returning "id"
      )
      insert into "internalSquadMembers" ("squadId", "userId")
      select s."id", made."id" from made, "internalSquads" s where s."uuid" = ${squad.uuid}
    `.execute(server.ctx.db)
    await server.ctx.db.updateTable('nodeStates').set({ compareRequestedAt: new Date() }).execute()
    await until(() => agent.usersOf('VLESS_A').length === 2000)
    expect(agent.callsTo('/node/x/users')).toBeLessThanOrEqual(2)
    expect(starts(agent)).toBe(1)
    expect(agent.calls.length - before).toBeLessThan(60)
  })
})
