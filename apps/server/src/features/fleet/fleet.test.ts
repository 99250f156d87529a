import http from 'node:http'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import * as api from '@causeway/contract'
import { agentPayload } from '@causeway/contract'
import { fakeAgent, type FakeAgent } from '../../../test/fake-agent.ts'
import { liveFleet, nodeConfig, QUICK, until, WAIT } from '../../../test/live-fleet.ts'
import { testServer } from '../../../test/server.ts'
import { openAgents } from '../../ground/agents.ts'
import { mintAgentPayload, readFleetKeys } from '../../ground/fleet-keys.ts'
import { startFleet } from './fleet.jobs.ts'

const live = liveFleet()
const decode = (pubKey: string): unknown => JSON.parse(Buffer.from(pubKey, 'base64').toString())

describe('the fleet', () => {
  it.each<[string, (agent: FakeAgent) => { address?: string; port: number }, RegExp]>([
    [
      'a name that resolves to nothing',
      (agent) => ({ address: 'no-such-node.invalid', port: agent.port }),
      /no-such-node.invalid resolves to no address/,
    ],
    ['a port where nothing listens', () => ({ port: 1 }), /:1 refused the connection/],
  ])('says what is wrong with %s', async (_, target, sentence) => {
    const agent = await live.startAgent()
    const { address, port } = target(agent)
    const node = await live.makeNode({ port }, address ? { address } : {})
    await vi.waitFor(async () => expect((await live.getNode(node.uuid)).lastStatusMessage).toMatch(sentence), WAIT)
    expect(await live.getNode(node.uuid)).toMatchObject({ isConnected: false, isNodeOnline: false })
  })

  it('says when an agent belongs to another panel, and that nothing else of it is believed', async () => {
    const stranger = await testServer()
    try {
      const foreign = await stranger.call(api.getNodePublicKey, {})
      const agent = await fakeAgent(foreign.pubKey)
      live.agents.push(agent)
      const node = await live.makeNode(agent)
      const message = async () => (await live.getNode(node.uuid)).lastStatusMessage
      await vi.waitFor(async () => expect(await message()).toMatch(/certificate that is not of this panel/), WAIT)
      expect(agent.calls).toEqual([])
    } finally {
      await stranger.close()
    }
  })

  it('says that the certificate of an agent has expired', async () => {
    const payload = await mintAgentPayload(await readFleetKeys(live.server.ctx.secrets), new Date('2020-01-01'))
    const node = await live.makeNode(await live.startAgent({ payload }))
    const message = async () => (await live.getNode(node.uuid)).lastStatusMessage ?? ''
    await vi.waitFor(async () => expect(await message()).toMatch(/certificate .* has expired\. Copy a new public key/), WAIT)
  })

  it('says that something else than an agent answers', async () => {
    const plain = http.createServer((_, response) => response.end('hello'))
    await new Promise<void>((resolve) => plain.listen(0, '0.0.0.0', resolve))
    onTestFinished(() => void plain.close())
    const address = plain.address()
    const node = await live.makeNode({ port: typeof address === 'object' && address ? address.port : 0 })
    const message = async () => (await live.getNode(node.uuid)).lastStatusMessage ?? ''
    await vi.waitFor(async () => expect(await message()).toMatch(/is not an agent/), WAIT)
  })

  it('is not delayed by a node that does not answer', async () => {
    const slow = await live.startAgent()
    slow.hanging.add('/node/xray/healthcheck')
    const stuck = await live.makeNode(slow)
    const { agent } = await live.connectedNode()
    const begun = performance.now()
    await live.makeUser('quick')
    await until(() => agent.usersOf('VLESS_A').length === 1)
    expect(performance.now() - begun).toBeLessThan(2_000)
    expect(await live.getNode(stuck.uuid)).toMatchObject({ isConnected: false, isConnecting: true })
    slow.hanging.clear()
    await slow.close()
  })

  it('hands nodes of a dead server to another one, which goes on without touching the core', async () => {
    const { agent, node } = await live.connectedNode()
    const user = await live.makeUser('moved')
    await until(() => agent.usersOf('VLESS_A').length === 1)
    agent.transfer('moved', 10, 0)
    await until(async () => (await live.usedBytes(user.uuid)) === 10)
    const [before] = await live.server.ctx.db.selectFrom('nodeLeases').selectAll().execute()
    // A server that was killed renews nothing and gives nothing back.
    await live.fleet?.stop()
    await live.server.ctx.db
      .updateTable('nodeLeases')
      .set({ owner: 'killed', expiresAt: new Date(Date.now() + QUICK.leaseMs) })
      .execute()
    agent.transfer('moved', 5, 0)
    live.fleet = startFleet(live.server.ctx, QUICK)
    await until(async () => (await live.usedBytes(user.uuid)) === 15)
    const [after] = await live.server.ctx.db.selectFrom('nodeLeases').selectAll().execute()
    expect(after?.generation).toBeGreaterThan(before?.generation ?? 0)
    expect(agent.starts).toBe(1)
    expect(await live.getNode(node.uuid)).toMatchObject({ isConnected: true })
  })

  it('shares nodes between servers, and two of them at work count nothing twice', async () => {
    const secrets = live.server.ctx.secrets
    const second = { ...live.server.ctx, agents: openAgents(secrets) }
    const both = startFleet(second, QUICK)
    try {
      const nodes = await Promise.all([live.connectedNode(), live.connectedNode()])
      const user = await live.makeUser('twice')
      await until(() => nodes.every(({ agent }) => agent.usersOf('VLESS_A').length === 1))
      await until(async () => {
        const owners = await live.server.ctx.db
          .selectFrom('nodeLeases')
          .select('owner')
          .distinct()
          .where('owner', '!=', '')
          .execute()
        return owners.length === 2
      })
      let sent = 0
      for (const { agent } of [...nodes, ...nodes]) {
        agent.transfer('twice', 1000, 0)
        sent += 1000
        await new Promise((resolve) => setTimeout(resolve, QUICK.pollMs))
      }
      await until(async () => (await live.usedBytes(user.uuid)) === sent)
    } finally {
      await both.stop()
      await second.agents.close()
    }
  })

  it('settles what a 2.1 agent is unclear about by asking for the users of its inbounds', async () => {
    const { agent } = await live.connectedNode({ generation: '2.1' })
    agent.brokenTags.add('TROJAN_B')
    const user = await live.makeUser('half')
    await until(() => agent.usersOf('VLESS_A').length === 1)
    await until(async () => {
      const [task] = await live.server.ctx.db.selectFrom('deliveries').select(['attempts', 'lastError']).execute()
      return (task?.attempts ?? 0) > 0 && task?.lastError === 'The agent did not apply the change to every inbound.'
    })
    agent.brokenTags.clear()
    await until(() => agent.core?.users.get('TROJAN_B')?.get('half') === user.trojanPassword)
    await until(async () => (await live.server.ctx.db.selectFrom('deliveries').selectAll().execute()).length === 0)
  })

  it('stops the nodes of a deleted profile and leaves them disabled', async () => {
    const { agent, node } = await live.connectedNode()
    const temporary = await live.server.call(api.createConfigProfile, { name: 'temporary', config: nodeConfig(['VLESS_T']) })
    const activeInbounds = temporary.inbounds.map((inbound) => inbound.uuid)
    const configProfile = { activeConfigProfileUuid: temporary.uuid, activeInbounds }
    await live.server.call(api.updateNode, { uuid: node.uuid, configProfile })
    await until(() => agent.core?.users.has('VLESS_T'))
    await live.server.call(api.deleteConfigProfile, { uuid: temporary.uuid })
    await until(() => agent.core === null)
    await until(async () => (await live.getNode(node.uuid)).isConnected === false)
    expect(await live.getNode(node.uuid)).toMatchObject({
      isDisabled: true,
      isConnecting: false,
      isNodeOnline: false,
      xrayUptime: '0',
    })
  })

  it('says that an agent closed the connection when it does not take our token', async () => {
    const stranger = await testServer()
    try {
      const foreign = agentPayload.parse(decode((await stranger.call(api.getNodePublicKey, {})).pubKey))
      const payload = { ...agentPayload.parse(decode(live.pubKey)), jwtPublicKey: foreign.jwtPublicKey }
      const node = await live.makeNode(await live.startAgent({ payload }))
      const message = async () => (await live.getNode(node.uuid)).lastStatusMessage ?? ''
      await vi.waitFor(async () => expect(await message()).toMatch(/closed the connection .* another panel/), WAIT)
    } finally {
      await stranger.close()
    }
  })

  it('sends many changes in few calls', async () => {
    const { agent } = await live.connectedNode()
    const before = agent.calls.length
    await sql`
      with made as (
        insert into "users" ("shortUuid", "username", "expireAt", "trojanPassword", "vlessUuid", "ssPassword")
        select 'short' || n, 'many' || n, '2099-01-01', 'p', gen_random_uuid(), 's' from generate_series(1, 2000) as n returning "id"
      )
      insert into "internalSquadMembers" ("squadId", "userId")
      select s."id", made."id" from made, "internalSquads" s where s."uuid" = ${live.squad.uuid}
    `.execute(live.server.ctx.db)
    await live.server.ctx.db.updateTable('nodeStates').set({ compareRequestedAt: new Date() }).execute()
    await until(() => agent.usersOf('VLESS_A').length === 2000)
    expect(agent.callsTo('/node/x/users')).toBeLessThanOrEqual(2)
    expect(agent.starts).toBe(1)
    expect(agent.calls.length - before).toBeLessThan(60)
  })
})

describe.each(['own', '2.1'] as const)('thousands of users on a node of generation %s', (generation) => {
  it('get and lose an inbound by their squad, and its core goes on', async () => {
    const { agent } = await live.connectedNode({ generation })
    const core = agent.core?.id
    await sql`
      with made as (
        insert into "users" ("shortUuid", "username", "expireAt", "trojanPassword", "vlessUuid", "ssPassword")
        select 'short' || n, 'many' || n, '2099-01-01', 'p', gen_random_uuid(), 's' from generate_series(1, 1050) as n returning "id"
      )
      insert into "internalSquadMembers" ("squadId", "userId")
      select s."id", made."id" from made, "internalSquads" s where s."uuid" = ${live.squad.uuid}
    `.execute(live.server.ctx.db)
    const { uuid, inbounds } = live.squad
    const all = inbounds.map((one) => one.uuid)
    for (const [given, count] of [
      [all.slice(0, 1), 0],
      [all, 1050],
    ] as const) {
      await live.server.call(api.updateInternalSquad, { uuid, inbounds: [...given] })
      await until(() => agent.usersOf('VLESS_A').length === 1050 && agent.usersOf('TROJAN_B').length === count)
    }
    expect(agent.core?.id).toBe(core)
    expect(agent.starts).toBe(1)
  })
})

it('lets go of everything when it is stopped as soon as it has begun', async () => {
  const server = await testServer()
  await startFleet(server.ctx, QUICK).stop()
  // Ends only when every connection has been given back.
  await server.close()
  expect(server.ctx.pool.totalCount).toBe(0)
})
