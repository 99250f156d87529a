import { describe, expect, it, vi } from 'vitest'
import * as api from '@causeway/contract'
import { liveFleet, nodeConfig, until } from '../../../test/live-fleet.ts'

const live = liveFleet()

describe.each(['own', '2.1'] as const)('a node with an agent of generation %s', (generation) => {
  it('connects, runs the configuration with its users and shows what the agent says of itself', async () => {
    await live.makeUser('early')
    const { agent, node } = await live.connectedNode({ generation })
    expect(agent.usersOf('VLESS_A')).toEqual(['early'])
    expect(agent.usersOf('TROJAN_B')).toEqual(['early'])
    expect(await live.getNode(node.uuid)).toMatchObject({
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
    const { agent } = await live.connectedNode({ generation })
    const core = agent.core?.id
    const user = await live.makeUser('alice')
    await until(() => agent.core?.users.get('VLESS_A')?.get('alice') === user.vlessUuid)
    await until(() => agent.core?.users.get('TROJAN_B')?.get('alice') === user.trojanPassword)
    await live.server.call(api.disableUser, { uuid: user.uuid })
    await until(() => agent.usersOf('VLESS_A').length === 0 && agent.usersOf('TROJAN_B').length === 0)
    await live.server.call(api.enableUser, { uuid: user.uuid })
    await until(() => agent.usersOf('VLESS_A').length === 1)
    const revoked = await live.server.call(api.revokeUserSubscription, { uuid: user.uuid })
    await until(() => agent.core?.users.get('VLESS_A')?.get('alice') === revoked.vlessUuid)
    await live.server.call(api.deleteUser, { uuid: user.uuid })
    await until(() => agent.usersOf('VLESS_A').length === 0 && agent.usersOf('TROJAN_B').length === 0)
    expect(agent.core?.id).toBe(core)
    expect(agent.starts).toBe(1)
  })

  it('books what users transfer, times the multiplier, to user, day, node and tags', async () => {
    const { agent, node } = await live.connectedNode({ generation }, { consumptionMultiplier: 1.5 })
    const user = await live.makeUser('payer')
    await until(() => agent.usersOf('VLESS_A').length === 1)
    agent.transfer('payer', 100, 900, 'VLESS_A')
    await until(async () => (await live.usedBytes(user.uuid)) === 1500)
    agent.transfer('payer', 1, 9, 'VLESS_A')
    await until(async () => (await live.usedBytes(user.uuid)) === 1515)
    const shown = await live.server.call(api.getUser, { uuid: user.uuid })
    expect(shown.lastConnectedNode).toMatchObject({ nodeName: node.name })
    expect(shown.onlineAt).not.toBeNull()
    expect(shown.firstConnectedAt).not.toBeNull()
    expect((await live.getNode(node.uuid)).trafficUsedBytes).toBe(1010)
    const days = await live.server.ctx.db.selectFrom('userNodeUsage').select(['uploadBytes', 'downloadBytes']).execute()
    expect(days).toEqual([{ uploadBytes: 101, downloadBytes: 909 }])
    const tags = await live.server.ctx.db
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
    const { agent } = await live.connectedNode({ generation })
    const first = await live.makeUser('heir')
    await until(() => agent.usersOf('VLESS_A').length === 1)
    agent.transfer('heir', 500, 500)
    await until(async () => (await live.usedBytes(first.uuid)) === 1000)
    agent.transfer('heir', 70, 7)
    await live.server.call(api.deleteUser, { uuid: first.uuid })
    const second = await live.makeUser('heir')
    await until(() => agent.core?.users.get('VLESS_A')?.get('heir') === second.vlessUuid)
    expect(await live.usedBytes(second.uuid)).toBe(0)
    agent.transfer('heir', 3, 4)
    await until(async () => (await live.usedBytes(second.uuid)) === 7)
  })

  it('cuts off a user that used up its limit, and lets it in again when the limit is raised, without a restart', async () => {
    const { agent } = await live.connectedNode({ generation })
    const user = await live.makeUser('greedy', { trafficLimitBytes: 1000 })
    await until(() => agent.usersOf('VLESS_A').length === 1)
    agent.transfer('greedy', 600, 600)
    await until(() => agent.usersOf('VLESS_A').length === 0)
    expect((await live.server.call(api.getUser, { uuid: user.uuid })).status).toBe('LIMITED')
    agent.transfer('greedy', 10, 0)
    await until(async () => (await live.usedBytes(user.uuid)) === 1210)
    await live.server.call(api.updateUser, { uuid: user.uuid, trafficLimitBytes: 5000 })
    await until(() => agent.usersOf('VLESS_A').length === 1)
    expect(agent.starts).toBe(1)
  })

  it('goes on where it was when its core is restarted: nothing is lost or counted twice', async () => {
    const { agent, node } = await live.connectedNode({ generation })
    const user = await live.makeUser('steady')
    await until(() => agent.usersOf('VLESS_A').length === 1)
    agent.transfer('steady', 1000, 0)
    await until(async () => (await live.usedBytes(user.uuid)) === 1000)
    agent.transfer('steady', 50, 0)
    const core = agent.core?.id
    await live.server.call(api.restartAllNodes, { forceRestart: true })
    await until(() => agent.core?.id !== core)
    await live.connected(node.uuid)
    agent.transfer('steady', 5, 0)
    await until(async () => (await live.usedBytes(user.uuid)) === 1055)
  })

  it('notices a dead core, says why, starts it again and keeps what was counted', async () => {
    const { agent, node } = await live.connectedNode({ generation })
    const user = await live.makeUser('phoenix')
    await until(() => agent.usersOf('VLESS_A').length === 1)
    agent.transfer('phoenix', 100, 0)
    await until(async () => (await live.usedBytes(user.uuid)) === 100)
    agent.startError = 'the port is taken'
    agent.killCore()
    await until(async () => (await live.getNode(node.uuid)).lastStatusMessage === 'the port is taken')
    expect(await live.getNode(node.uuid)).toMatchObject({
      isConnected: false,
      isNodeOnline: true,
      isXrayRunning: false,
      xrayUptime: '0',
    })
    agent.startError = null
    await live.connected(node.uuid)
    expect(agent.usersOf('VLESS_A')).toEqual(['phoenix'])
    expect(await live.usedBytes(user.uuid)).toBe(100)
  })

  it('takes everything that happened while it was away in one comparison, without a restart of its core', async () => {
    const { agent, node } = await live.connectedNode({ generation })
    const [stays, goes] = [await live.makeUser('stays'), await live.makeUser('goes')]
    await until(() => agent.usersOf('VLESS_A').length === 2)
    const core = agent.core?.id
    const { port } = agent
    await agent.close()
    const message = async () => (await live.getNode(node.uuid)).lastStatusMessage ?? ''
    await until(async () => (await message()).includes('refused the connection'))
    expect(await live.getNode(node.uuid)).toMatchObject({
      isConnected: false,
      isNodeOnline: false,
      xrayUptime: '0',
      usersOnline: 0,
    })
    await live.server.call(api.deleteUser, { uuid: goes.uuid })
    await live.makeUser('comes')
    const revoked = await live.server.call(api.revokeUserSubscription, { uuid: stays.uuid })
    await agent.listen(port)
    await live.connected(node.uuid)
    await until(() => agent.usersOf('VLESS_A').join() === 'comes,stays' && agent.usersOf('TROJAN_B').join() === 'comes,stays')
    expect(agent.core?.users.get('VLESS_A')?.get('stays')).toBe(revoked.vlessUuid)
    expect(agent.core?.id).toBe(core)
    expect(await live.server.ctx.db.selectFrom('deliveries').selectAll().execute()).toEqual([])
  })

  it('restarts its core when the configuration changes, and only then', async () => {
    const { agent, node } = await live.connectedNode({ generation })
    const core = agent.core?.id
    await live.server.call(api.restartNode, { uuid: node.uuid })
    await until(() => agent.starts === 2)
    expect(agent.core?.id).toBe(core)
    await live.server.call(api.updateConfigProfile, {
      uuid: live.profile.uuid,
      config: nodeConfig(['VLESS_A', 'TROJAN_B'], { log: { loglevel: `debug` } }),
    })
    await until(() => agent.core?.id !== core)
    await live.server.call(api.updateConfigProfile, { uuid: live.profile.uuid, config: nodeConfig(['VLESS_A', 'TROJAN_B']) })
    await live.connected(node.uuid)
  })

  it('ends its core when it is disabled, also if its agent comes back only later', async () => {
    const { agent, node } = await live.connectedNode({ generation })
    const user = await live.makeUser('last')
    await until(() => agent.usersOf('VLESS_A').length === 1)
    const { port } = agent
    await agent.close()
    agent.transfer('last', 11, 0)
    await live.server.call(api.disableNode, { uuid: node.uuid })
    await agent.listen(port)
    await until(() => agent.core === null)
    expect(await live.usedBytes(user.uuid)).toBe(11)
    await live.server.call(api.enableNode, { uuid: node.uuid })
    await live.connected(node.uuid)
    agent.transfer('last', 4, 0)
    await until(async () => (await live.usedBytes(user.uuid)) === 15)
  })

  it('ends its core when its profile is deleted while its agent is away', async () => {
    const other = await live.server.call(api.createConfigProfile, {
      name: `away_${generation === 'own' ? 'own' : 'old'}`,
      config: nodeConfig([`VLESS_AWAY_${generation}`]),
    })
    const { agent, node } = await live.connectedNode({ generation })
    const activeInbounds = other.inbounds.map((inbound) => inbound.uuid)
    const first = agent.core?.id
    await live.server.call(api.updateNode, {
      uuid: node.uuid,
      configProfile: { activeConfigProfileUuid: other.uuid, activeInbounds },
    })
    await until(() => agent.core?.id !== first)
    await live.connected(node.uuid)
    const { port } = agent
    await agent.close()
    await until(async () => !(await live.getNode(node.uuid)).isNodeOnline)
    await live.server.call(api.deleteConfigProfile, { uuid: other.uuid })
    expect(await live.getNode(node.uuid)).toMatchObject({ isDisabled: true, configProfile: { activeConfigProfileUuid: null } })
    await agent.listen(port)
    await until(() => agent.core === null)
  })

  it('is read and stopped before it is deleted', async () => {
    const { agent, node } = await live.connectedNode({ generation })
    const user = await live.makeUser('orphan')
    await until(() => agent.usersOf('VLESS_A').length === 1)
    agent.transfer('orphan', 0, 77)
    await live.server.call(api.deleteNode, { uuid: node.uuid })
    expect(agent.core).toBeNull()
    expect(await live.usedBytes(user.uuid)).toBe(77)
  })

  it('warns when another panel clears its counters, and books what they show', async () => {
    const { agent, node } = await live.connectedNode({ generation })
    const user = await live.makeUser('shared')
    await until(() => agent.usersOf('VLESS_A').length === 1)
    agent.transfer('shared', 1000, 0)
    await until(async () => (await live.usedBytes(user.uuid)) === 1000)
    agent.clearCounters('user>>>')
    agent.transfer('shared', 5, 0)
    await until(async () => (await live.usedBytes(user.uuid)) === 1005)
    expect((await live.getNode(node.uuid)).warning).toContain('Another panel')
  })

  it('loses nothing and counts nothing twice when answers get lost', async () => {
    const { agent } = await live.connectedNode({ generation })
    const user = await live.makeUser('lossy')
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
    await until(async () => (await live.usedBytes(user.uuid)) === sent)
  })
})

it('an agent of generation 2.1 gets nothing more of what was being told once one call went unanswered', async () => {
  const { agent } = await live.connectedNode({ generation: '2.1' })
  const users = await Promise.all(Array.from({ length: 40 }, (_, index) => live.makeUser(`many_${index}`)))
  await until(() => agent.usersOf('VLESS_A').length === 40)
  const path = '/node/handler/remove-user'
  agent.lostReplies.add(path)
  const callsAtFailure: number[] = []
  const warn = vi.spyOn(live.server.ctx.log, 'warn').mockImplementation(() => void callsAtFailure.push(agent.callsTo(path)))
  await live.server.call(api.bulkDeleteUsers, { uuids: users.map((user) => user.uuid) })
  await until(() => callsAtFailure.length > 0)
  warn.mockRestore()
  expect(callsAtFailure[0]).toBeLessThanOrEqual(8)
  agent.lostReplies.clear()
  await until(() => agent.usersOf('VLESS_A').length === 0)
})

it('an agent that cannot forget its ended cores is not asked for them again and again', async () => {
  const { agent, node } = await live.connectedNode()
  const user = await live.makeUser('recalled')
  await until(() => agent.usersOf('VLESS_A').length === 1)
  const counters = new Map([['user>>>recalled', { uplink: 10, downlink: 0 }]])
  const ended = Array.from({ length: 8 }, (_, index) => ({
    core: { id: `ended ${index}`, startedAt: 0, inbounds: [], users: new Map(), counters },
    uptimeMs: 1,
  }))
  Object.defineProperty(agent, 'ended', { get: () => ended, set: () => {} })
  await until(async () => (await live.usedBytes(user.uuid)) === 80)
  agent.transfer('recalled', 5, 0)
  await until(async () => (await live.usedBytes(user.uuid)) === 85)
  const second = await live.makeUser('served')
  await until(() => agent.core?.users.get('VLESS_A')?.get('served') === second.vlessUuid)
  expect(await live.getNode(node.uuid)).toMatchObject({ isConnected: true })
})

/** Makes changes of a node's state fail while something happens, as when the server dies in their midst. */
async function whileStateRefuses<T>(
  condition: string,
  happens: (refusals: () => Promise<number>) => Promise<T>,
  code = 'P0001',
): Promise<T> {
  const { pool } = live.server.ctx
  // What a sequence has given is not taken back with the transaction.
  await pool.query(`create sequence refusals start 0 minvalue 0`)
  const refusals = async (): Promise<number> => {
    const { rows } = await pool.query<{ count: number }>('select "last_value" as "count" from refusals')
    return rows[0]?.count ?? 0
  }
  await pool.query(
    `create function refuse() returns trigger language plpgsql as $$ begin perform nextval('refusals'); raise exception 'refused by a test' using errcode = '${code}'; end $$`,
  )
  await pool.query(
    `create trigger refuse before update on "nodeStates" for each row when (${condition}) execute function refuse()`,
  )
  try {
    return await happens(refusals)
  } finally {
    await pool.query(`drop function refuse cascade`)
    await pool.query(`drop sequence refusals`)
  }
}

it('what was queued for a node is not forgotten when its loss cannot be noted', async () => {
  const { agent, node } = await live.connectedNode()
  const { port } = agent
  await whileStateRefuses('old."isConnected" and not new."isConnected"', async (refusals) => {
    const calls = agent.calls.length
    await agent.close()
    await live.makeUser('late')
    await until(async () => (await refusals()) > 2) // the worker fails meanwhile, again and again
    expect(agent.calls.length).toBe(calls)
  })
  await agent.listen(port)
  await live.connected(node.uuid)
  await until(() => agent.usersOf('VLESS_A').join() === 'late')
})

it('a core that came up by itself is compared, also when that could not be noted with its first reading', async () => {
  await live.makeUser('stays')
  const { agent } = await live.connectedNode()
  await until(() => agent.usersOf('VLESS_A').length === 1)
  await whileStateRefuses('new."compareRequestedAt" is not null or (old."isConnected" and not new."isConnected")', async () => {
    await until(() => agent.callsTo('/node/x/sample') > 2)
    const users = new Map(['VLESS_A', 'TROJAN_B'].map((tag) => [tag, new Map<string, string>()]))
    agent.killCore()
    agent.core = { id: 'up by itself', startedAt: performance.now(), inbounds: [], users, counters: new Map() }
    const calls = agent.callsTo('/node/x/sample')
    await until(() => agent.callsTo('/node/x/sample') > calls + 2)
  })
  await until(() => agent.usersOf('VLESS_A').join() === 'stays')
})

it('a database that fails for a moment does not make a node look lost, nor start it again', async () => {
  const { agent, node } = await live.connectedNode()
  const user = await live.makeUser('patient')
  await until(() => agent.usersOf('VLESS_A').length === 1)
  const changedAt = (await live.getNode(node.uuid)).lastStatusChange
  const refuseBookings = 'old."sampleSequence" <> new."sampleSequence"'
  await whileStateRefuses(
    refuseBookings,
    async () => {
      const calls = agent.callsTo('/node/x/sample')
      agent.transfer('patient', 100, 0)
      await until(() => agent.callsTo('/node/x/sample') > calls + 1)
    },
    '40P01',
  )
  await until(async () => (await live.usedBytes(user.uuid)) === 100)
  expect(await live.getNode(node.uuid)).toMatchObject({ isConnected: true, lastStatusChange: changedAt })
  expect(agent.starts).toBe(1)
})

it('a database that fails while a node connects is not taken for a core that does not run', async () => {
  const agent = await live.startAgent()
  const refuseStarts = 'old."runningConfigHash" is null and new."runningConfigHash" is not null'
  const node = await whileStateRefuses(
    refuseStarts,
    async (refusals) => {
      const made = await live.makeNode(agent)
      await until(async () => (await refusals()) > 1)
      expect(await live.getNode(made.uuid)).toMatchObject({ isConnecting: true, lastStatusMessage: null })
      return made
    },
    '40P01',
  )
  await live.connected(node.uuid)
  expect(agent.cores).toBe(1)
})

it('books what the core of a crashed 2.1 agent has counted before the start that replaces that core', async () => {
  const { agent, node } = await live.connectedNode({ generation: '2.1' })
  const user = await live.makeUser('survivor')
  await until(() => agent.usersOf('VLESS_A').length === 1)
  const core = agent.core?.id
  const { port } = agent
  await agent.close()
  agent.transfer('survivor', 1000, 9000, 'VLESS_A')
  agent.forgetCore()
  await until(async () => !(await live.getNode(node.uuid)).isNodeOnline)
  await agent.listen(port)
  await until(() => agent.core?.id !== core)
  await until(async () => (await live.usedBytes(user.uuid)) === 10_000)
})
