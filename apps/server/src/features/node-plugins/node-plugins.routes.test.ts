import * as api from '@causeway/contract'
import { expect, test, vi } from 'vitest'
import { liveFleet, WAIT } from '../../../test/live-fleet.ts'
import { runJobs } from '../../../test/jobs.ts'

// With simulated agents; what nftables and Xray do is tested with the real ones (e2e/systems/filters.e2e.ts).

const live = liveFleet()
const call = <E extends api.Endpoint>(endpoint: E, input: api.CallInput<E>) => live.server.call(endpoint, input)
const TELL = api.agentApi.setFilters.path

async function plugin(name: string, pluginConfig: api.PluginConfig) {
  const { uuid } = await call(api.createNodePlugin, { name })
  return call(api.updateNodePlugin, { uuid, pluginConfig })
}

const stateOf = async (uuid: string) =>
  (await call(api.getNodePlugin, { uuid })).nodes?.map(({ name, problem }) => [name, problem])

test('PLUG-003 PLUG-004 nodes are told of their plugin and of its changes; agents of 2.1 are not, and the page says so', async () => {
  const [one, bystander] = [await live.connectedNode(), await live.connectedNode()]
  const old = await live.connectedNode({ generation: '2.1' })
  const told: api.AgentFilters[] = []
  one.agent.forged.set(TELL, (body) => {
    told.push(JSON.parse(body) as api.AgentFilters) // as the server sends it
    return JSON.stringify({ response: { problem: 'The agent may not change nftables: it needs CAP_NET_ADMIN.' } })
  })
  await call(api.createSharedList, { name: 'ads', config: { type: 'ipList', items: ['198.51.100.0/24'] } })
  const wall = await plugin('wall', { ingressFilter: { enabled: true, blockedIps: ['ext:ads'] } })
  const others = bystander.agent.callsTo(TELL)
  for (const { node } of [one, old]) await call(api.updateNode, { uuid: node.uuid, activePluginUuid: wall.uuid })
  await vi.waitFor(async () => {
    expect(told.at(-1)?.ingress).toEqual(['198.51.100.0/24'])
    expect(await stateOf(wall.uuid)).toEqual([
      [one.node.name, 'The agent may not change nftables: it needs CAP_NET_ADMIN.'],
      [old.node.name, expect.stringMatching(/agent of this node cannot filter/)],
    ])
  }, WAIT)
  expect(await live.getNode(one.node.uuid)).toMatchObject({ activePluginUuid: wall.uuid, isConnected: true })
  // A list that changes, and a plugin that goes.
  const cores = one.agent.cores
  await call(api.updateSharedList, { name: 'ads', config: { type: 'ipList', items: ['192.0.2.99'] } })
  await vi.waitFor(() => expect(told.at(-1)?.ingress).toEqual(['192.0.2.99']), WAIT)
  await call(api.deleteNodePlugin, { uuid: wall.uuid })
  await vi.waitFor(() => expect(told.at(-1)?.ingress).toEqual([]), WAIT)
  const samples = one.agent.callsTo(api.agentApi.takeSample.path)
  expect(one.agent.cores).toBe(cores)
  // Each change once.
  const known = told.length
  await vi.waitFor(async () => expect(one.agent.callsTo(api.agentApi.takeSample.path)).toBeGreaterThan(samples + 3), WAIT)
  expect(told.length).toBe(known)
  expect(bystander.agent.callsTo(TELL)).toBe(others)
  expect(old.agent.callsTo(TELL)).toBe(0)
  await call(api.deleteSharedList, { name: 'ads' })
})

test('PLUG-002 torrents are reported once with their user, told as event, counted, and forgotten with the reports', async () => {
  const { agent, node } = await live.connectedNode()
  const ann = await live.makeUser('ann')
  await live.makeUser('ben')
  const match = {
    network: 'tcp',
    protocol: 'bittorrent',
    email: 'ann',
    level: 0,
    source: '198.51.100.4:5000',
    destination: '192.0.2.9:6881',
  }
  const more = {
    routeTarget: null,
    originalTarget: null,
    inboundTag: 'VLESS_A',
    inboundName: 'vless',
    inboundLocal: null,
    outboundTag: 'X',
    ts: 1,
  }
  const report = {
    id: '550e8400-e29b-41d4-a716-446655440abc',
    username: 'ann',
    ip: '198.51.100.4',
    at: '2026-03-03T10:00:00.000Z',
    isBlocked: true,
    blockSeconds: 600,
    match: { ...match, ...more },
  }
  const acknowledged: unknown[] = []
  agent.forged.set(api.agentApi.takeTorrents.path, (body) => {
    const asked = JSON.parse(body) as { acknowledged: string[] } // as the server sends it
    acknowledged.push(...asked.acknowledged)
    return JSON.stringify({ response: { reports: asked.acknowledged.length > 0 ? [] : [report] } })
  })
  await call(api.createWebhook, { name: 'bot', url: 'https://bot.example/hook' })
  const rule = await plugin('torrents', { torrentBlocker: { enabled: true, blockDuration: 600 } })
  const cores = agent.cores
  await call(api.updateNode, { uuid: node.uuid, activePluginUuid: rule.uuid })
  await vi.waitFor(() => expect(acknowledged).toContain(report.id), WAIT)
  expect(agent.cores).toBe(cores + 1)
  const { total, records } = await call(api.listTorrentReports, {})
  expect(total).toBe(1)
  expect(records[0]).toMatchObject({
    userId: ann.id,
    user: { username: 'ann' },
    node: { uuid: node.uuid },
    report: {
      actionReport: { blocked: true, ip: '198.51.100.4', blockDuration: 600, willUnblockAt: '2026-03-03T10:10:00.000Z' },
      xrayReport: { ...match, ...more },
    },
  })
  const { stats, topUsers, topNodes } = await call(api.getTorrentStats, {})
  expect(stats).toEqual({ distinctNodes: 1, distinctUsers: 1, totalReports: 1, reportsLast24Hours: 1 })
  expect([topUsers[0]?.username, topNodes[0]?.name]).toEqual(['ann', node.name])
  await runJobs(live.server.ctx)
  const events = await live.server.ctx.db
    .selectFrom('outbox')
    .select('event')
    .where('event', '=', 'torrent_blocker.report')
    .execute()
  const published = await live.server.ctx.db
    .selectFrom('domainEvents')
    .select('event')
    .where('event', '=', 'torrent_blocker.report')
    .execute()
  expect([...events, ...published].map(({ event }) => event)).toEqual(['torrent_blocker.report'])
  await call(api.truncateTorrentReports, {})
  expect((await call(api.listTorrentReports, {})).total).toBe(0)
  await call(api.deleteNodePlugin, { uuid: rule.uuid })
})

test('PLUG-001 connections end with access on nodes whose agents can, where the installation is set so', async () => {
  const { agent } = await live.connectedNode()
  const [ann] = [await live.makeUser('ann'), await live.makeUser('ben')]
  await vi.waitFor(() => expect(agent.usersOf('VLESS_A')).toEqual(['ann', 'ben']), WAIT)
  agent.connected.set('ann', ['198.51.100.1'])
  agent.connected.set('ben', ['198.51.100.2'])
  await call(api.disableUser, { uuid: ann.uuid })
  await vi.waitFor(() => expect(agent.connected.get('ann')).toEqual([]), WAIT)
  expect(agent.connected.get('ben')).toEqual(['198.51.100.2'])
  await call(api.updateInstallation, { isCutOffImmediate: false })
  const cuts = agent.callsTo(api.agentApi.cutConnections.path)
  const { users } = await call(api.listUsers, {})
  await call(api.disableUser, { uuid: users.find(({ username }) => username === 'ben')?.uuid ?? '' })
  await vi.waitFor(() => expect(agent.usersOf('VLESS_A')).toEqual([]), WAIT)
  expect(agent.callsTo(api.agentApi.cutConnections.path)).toBe(cuts)
  expect(agent.connected.get('ben')).toEqual(['198.51.100.2'])
  await call(api.updateInstallation, { isCutOffImmediate: true })
})

test('PLUG-003 shows who a filter would block before it is saved: connected, and known from requests', async () => {
  const { agent, node } = await live.connectedNode()
  const [ann, ben] = [await live.makeUser('ann'), await live.makeUser('ben')]
  await live.makeUser('cid')
  agent.connected.set('ann', ['198.51.100.7', '192.0.2.50'])
  agent.connected.set('cid', ['192.0.2.51'])
  const { db } = live.server.ctx
  const row = { userId: ben.id ?? 0, requestIp: '198.51.100.9', userAgent: 'App/1', requestAt: new Date() }
  await db.insertInto('subscriptionRequests').values(row).execute()
  const pluginConfig = { ingressFilter: { enabled: true, blockedIps: ['198.51.100.0/24'] } }
  const before = (await call(api.listNodePlugins, {})).total
  const preview = await call(api.previewNodePlugin, { pluginConfig })
  const network = '198.51.100.0/24'
  expect(preview).toEqual({
    blocked: [
      { ip: '198.51.100.7', network, username: 'ann', userUuid: ann.uuid, isConnected: true, nodes: [node.name] },
      { ip: '198.51.100.9', network, username: 'ben', userUuid: ben.uuid, isConnected: false, nodes: [] },
    ],
    total: 2,
    nodesRead: 1,
    nodesUnread: 0,
  })
  expect((await call(api.listNodePlugins, {})).total).toBe(before)
})

test('blocks by hand reach the nodes that can, and no address that must be let through', async () => {
  const [one, old] = [await live.connectedNode(), await live.connectedNode({ generation: '2.1' })]
  const block = (ip: string) =>
    live.server.send('POST', '/api/node-plugins/executor', {
      command: { command: 'blockIps', ips: [{ ip, timeout: 60 }] },
      targetNodes: { target: 'allNodes' },
    })
  const { status, body } = await block('198.51.100.1')
  expect(status).toBe(200)
  expect(body).toMatchObject({
    response: {
      eventSent: true,
      nodes: [
        { nodeName: one.node.name, error: null },
        { nodeName: old.node.name, error: expect.stringMatching(/agent of this node cannot/) },
      ],
    },
  })
  expect(await block('127.0.0.1')).toMatchObject({
    status: 400,
    body: { message: expect.stringMatching(/lock out 127\.0\.0\.1/) },
  })
})

test('names, networks and lists that cannot be are refused with a sentence', async () => {
  const refused = async (method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) => {
    const answer = await live.server.send(method, `/api/node-plugins${path}`, body)
    return [answer.status, (answer.body as { message?: string }).message]
  }
  const { uuid } = await plugin('one', {})
  expect(await refused('POST', '', { name: 'one' })).toEqual([400, expect.stringMatching(/name exists already/)])
  const config = (pluginConfig: object) => refused('PATCH', '', { uuid, pluginConfig })
  expect(await config({ ingressFilter: { enabled: true, blockedIps: ['ext:none'] } })).toEqual([
    400,
    'ingressFilter.blockedIps: there is no shared list none.',
  ])
  expect(await config({ torrentBlocker: { enabled: true, blockDuration: 1, webhookUrl: 'https://x.example' } })).toEqual([
    400,
    expect.stringMatching(/torrentBlocker.webhookUrl: nodes report to this panel only/),
  ])
  // As published defaults have it: an address beside a rule that is switched off, and members of later generations.
  const published = { torrentBlocker: { enabled: false, blockDuration: 1, webhookUrl: 'https://x.example' }, postStart: {} }
  expect(await config(published)).toEqual([200, undefined])
  const list = (items: unknown, type = 'ipList') => refused('POST', '/shared-lists', { name: 'nets', config: { type, items } })
  expect(await list([64512], 'asList')).toEqual([400, expect.stringMatching(/no database of AS numbers/)])
  expect(await list(['example.com'])).toEqual([400, expect.stringMatching(/example.com is no address or network/)])
  expect((await list(Array.from({ length: 100_001 }, () => '192.0.2.1')))[0]).toBe(400)
  expect((await list(['198.51.100.1']))[0]).toBe(201)
  await call(api.updateNodePlugin, { uuid, pluginConfig: { ingressFilter: { enabled: true, blockedIps: ['ext:nets'] } } })
  expect(await refused('DELETE', '/shared-lists/nets')).toEqual([409, 'Plugins use this list: one.'])
  // A shared list is refused the addresses that a plugin is refused.
  expect(await refused('PATCH', '/shared-lists', { name: 'nets', config: { type: 'ipList', items: ['0.0.0.0/0'] } })).toEqual([
    400,
    expect.stringMatching(/would lock out 127\.0\.0\.1/),
  ])
  expect((await call(api.getSharedList, { name: 'nets' })).config.items).toEqual(['198.51.100.1'])
})
