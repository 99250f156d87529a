import { readFileSync } from 'node:fs'
import { expect, test } from '@playwright/test'
import { createNode, getNode, getNodePublicKey, listJobs, createUser, type Node } from '@causeway/contract'
import type { Api } from './stage/api-client.ts'
import { makeAuthority } from './stage/certificates.ts'
import { query } from './stage/database.ts'
import { needsEngine, xray } from './stage/engine.ts'
import { OLDER_HASH, startForeignAgent, type ForeignAgent } from './stage/foreign-agent.ts'
import { makeNodeProfile, type NodeProfile } from './stage/node-profile.ts'
import { signedIn, startPanel, type Panel } from './stage/panel.ts'
import { until } from './stage/processes.ts'
import { inDays, seeding, uniqueName } from './stage/seeding.ts'
import { answerThrough } from './stage/through-proxy.ts'
import { makeHosts } from './stage/traffic-world.ts'
import { startWebsite, type Website } from './stage/website.ts'
import { fetchXraySubscription, startXrayClient, type XrayClient } from './stage/xray-client.ts'

// What a node of a 2.1 agent keeps for itself, asked for by a subscriber through a real Xray: reached without the closing rule,
// as a server without it had left the node, and closed once the server was upgraded, by itself.

test.describe.configure({ mode: 'serial', timeout: 240_000 })

const CONFIG = '61001/internal/get-config'
const SUPERVISOR = '61002/RPC2'
const OWN_NAMES = ['127.0.0.1', 'localhost', '0.0.0.0', '[::ffff:127.0.0.1]']
/** Another machine, as the node's profile has it. */
const ELSEWHERE = '203.0.113.7'

let panel: Panel
let api: Api
let agent: ForeignAgent
let inbounds: NodeProfile
let website: Website
let node: Node
const ways = new Map<string, XrayClient>()

needsEngine()
test.beforeAll(async () => {
  panel = await startPanel({ env: { ROLLOUT_WATCH_SECONDS: '1' } })
  api = (await signedIn(panel)).api
  const authority = await makeAuthority()
  website = await startWebsite()
  inbounds = await makeNodeProfile('closing', authority)
  const outbounds = [
    { tag: 'DIRECT', protocol: 'freedom' },
    { tag: 'ELSEWHERE', protocol: 'freedom', settings: { redirect: `127.0.0.1:${website.port}` } },
  ]
  const rules = [{ type: 'field', ip: [ELSEWHERE], outboundTag: 'ELSEWHERE' }]
  const seed = seeding(api)
  const profile = await seed.makeConfigProfile({ config: { ...inbounds.config, outbounds, routing: { rules } } })
  const uuids = profile.inbounds.map(({ uuid }) => uuid)
  const squad = await seed.makeInternalSquad({ inbounds: uuids })
  const alice = await api(createUser, { username: uniqueName('alice'), expireAt: inDays(30), activeInternalSquads: [squad.uuid] })
  await makeHosts(api, profile, inbounds)
  agent = await startForeignAgent((await api(getNodePublicKey, {})).pubKey, xray)
  agent.hear('older')
  const configProfile = { activeConfigProfileUuid: profile.uuid, activeInbounds: uuids }
  node = await api(createNode, { name: 'Loopback', address: '127.0.0.1', port: agent.port, configProfile })
  await until('the node is connected', async () => (await api(getNode, { uuid: node.uuid })).isConnected, 60_000)
  for (const config of await fetchXraySubscription(panel.origin, alice.shortUuid)) {
    ways.set(config.remarks, await startXrayClient(xray, config, authority.file))
    // Xray takes no multiplexed TCP from users with a flow.
    if (config.remarks.endsWith('reality')) continue
    const [first = {}, ...others] = config['outbounds'] as object[] // as in every configuration of Xray
    const muxed = { ...config, outbounds: [{ ...first, mux: { enabled: true, concurrency: 8 } }, ...others] }
    ways.set(`${config.remarks}, multiplexed`, await startXrayClient(xray, muxed, authority.file))
  }
  expect(ways.size).toBe(7)
})

test.afterAll(async () => {
  for (const way of ways.values()) await way.close()
  await agent?.close()
  await website?.close()
  await inbounds?.close()
  await panel?.close()
})

test('without the closing rule every way in leads to the configuration and the supervisor of the node', async () => {
  for (const [name, way] of ways) {
    expect(await answerOf(way, '127.0.0.1', CONFIG), name).toContain('privateKey')
    expect(await answerOf(way, 'localhost', SUPERVISOR), name).toContain('methodResponse')
  }
})

test('after an upgrade the server restarts the node once, by itself, and says so', async () => {
  await panel.process.stop()
  agent.hear('today')
  await query(panel, `update "nodeStates" set "runningConfigHash" = $1, "closedPorts" = null`, [OLDER_HASH])
  await query(panel, `update "jobs" set "dueAt" = now() where "kind" = 'findOpenNodes'`)
  await panel.restart()
  await until('the rule is delivered', async () => (await api(getNode, { uuid: node.uuid })).closingRule?.isDelivered, 60_000)
  const job = () => api(listJobs, {}).then((jobs) => jobs.find(({ kind }) => kind === 'deliverClosingRule'))
  await until('the job ends', async () => (await job())?.finishedAt !== null, 60_000)
  expect(await job()).toMatchObject({ status: 'done', done: 1, total: 1 })
  expect(agent.starts()).toBe(2)
  expect(readFileSync(panel.process.logFile, 'utf8')).toContain('closing rule delivered')
  expect((await api(getNode, { uuid: node.uuid })).closingRule).toEqual({ isDelivered: true, ports: [61_000, 61_001, 61_002] })
})

test('then no way leads there by any address or name of the node, and all lead everywhere else', async () => {
  for (const [name, way] of ways) await until(`${name} carries traffic again`, () => isServed(way, `127.0.0.1:${website.port}`))
  agent.asked.splice(0)
  for (const [name, way] of ways) {
    for (const host of OWN_NAMES) for (const target of [CONFIG, SUPERVISOR]) await answerOf(way, host, target)
    expect(agent.asked, name).toEqual([])
    // The same port of another machine.
    expect(await isServed(way, `${ELSEWHERE}:61002`), name).toBe(true)
  }
})

test('the next start of the server restarts nothing', async () => {
  await panel.process.stop()
  await query(panel, `update "jobs" set "dueAt" = now() where "kind" = 'findOpenNodes'`)
  const runs = () => query<{ done: number }>(panel, `select "done" from "jobs" where "kind" = 'findOpenNodes'`)
  const [before] = await runs()
  await panel.restart()
  await until('the server has looked for open nodes', async () => ((await runs())[0]?.done ?? 0) > (before?.done ?? 0))
  expect((await api(listJobs, {})).filter(({ kind }) => kind === 'deliverClosingRule')).toHaveLength(1)
  expect(agent.starts()).toBe(2)
})

function answerOf({ socksPort }: XrayClient, host: string, target: string): Promise<string> {
  const [port, ...path] = target.split('/')
  return answerThrough(socksPort, `${host}:${port}`, `/${path.join('/')}`)
}

async function isServed({ socksPort }: XrayClient, target: string): Promise<boolean> {
  return (await answerThrough(socksPort, target, '/')) === website.text
}
