import { setTimeout as sleep } from 'node:timers/promises'
import { agentPayload, getNode, getNodePublicKey, getUser, updateHost } from '@causeway/contract'
import { expect, test } from '@playwright/test'
import { startSimulatedAgent } from '../../scripts/seed/simulated-agent.ts'
import { MASTER_KEY, signedIn, startPanel } from '../stage/panel.ts'
import { freePort, root, run, tail, until, type Running } from '../stage/processes.ts'
import { seeding } from '../stage/seeding.ts'
import { PASSWORD, startCluster, type Cluster } from './cluster.ts'
import { runProgram } from './programs.ts'
import { startClusterLoad } from './write-load.ts'

// PgBouncer of Debian 13 before PostgreSQL, in both of its modes.

const LIMIT_MS = 180_000
const LOAD_MS = 10_000
const NEXT_POLL_MS = 40_000
const MB = 1_000_000

test.describe.configure({ mode: 'serial' })
let cluster: Cluster
const running: Running[] = []
test.beforeAll(async () => {
  test.setTimeout(LIMIT_MS)
  cluster = await startCluster()
})
test.afterEach(async () => {
  for (const each of running.splice(0)) await each.stop()
})
test.afterAll(() => cluster?.stop())

for (const mode of ['session', 'transaction'] as const)
  test(`SCALE-003 everything works through PgBouncer in ${mode} mode, under load`, async () => {
    test.setTimeout(LIMIT_MS)
    const direct = await cluster.makeDatabase(mode)
    const pooler = await startBouncer(direct, mode)
    const panel = await startPanel({
      database: { databaseUrl: pooler },
      env: { LOG_LEVEL: 'info', ...(mode === 'transaction' ? { DATABASE_DIRECT_URL: direct } : {}) },
    })
    try {
      const { api, token } = await signedIn(panel)
      const seed = seeding(api)
      const profile = await seed.makeConfigProfile()
      const squad = await seed.makeInternalSquad({ inbounds: profile.inbounds.map(({ uuid }) => uuid) })
      const host = await seed.makeHost(profile, { remark: 'before' })
      const user = await seed.makeUser({ activeInternalSquads: [squad.uuid] })
      const bystander = await seed.makeUser({ activeInternalSquads: [squad.uuid] })
      const { pubKey } = await api(getNodePublicKey, {})
      const payload = agentPayload.parse(JSON.parse(Buffer.from(pubKey, 'base64').toString()))
      const address = mode === 'session' ? '127.2.1.1' : '127.2.1.2'
      const agent = await startSimulatedAgent({ payload, host: address, isOurs: true })
      const node = await seed.makeNode(profile, { address, port: agent.port })
      await until('the node is connected', async () => (await api(getNode, node)).isConnected, 60_000)
      await until('the node knows the users', () => agent.users().length === 2)
      agent.move(user.username, MB, MB)

      const load = startClusterLoad({
        origins: [panel.origin, panel.origin],
        token,
        uuids: [user.uuid, bystander.uuid],
        links: [user.shortUuid, bystander.shortUuid],
        pauseMs: 10,
      })
      await sleep(LOAD_MS)
      // A notice makes the change show at once: what subscriptions are made of is kept for minutes otherwise.
      await api(updateHost, { uuid: host.uuid, remark: 'after' })
      await until(
        'the subscription shows the change',
        async () => (await linksOf(panel.origin, user.shortUuid)).includes('#after'),
        2000,
      )
      await load.end()
      expect(load.missed()).toEqual([])
      expect(load.contradicted()).toEqual([])
      expect(load.created().length).toBeGreaterThan(20)
      await until(
        'the traffic is booked',
        async () => (await api(getUser, user)).userTraffic?.usedTrafficBytes === 2 * MB,
        NEXT_POLL_MS,
      )
      expect((await api(getUser, bystander)).userTraffic?.usedTrafficBytes).toBe(0)
      const refused = tail(panel.process.logFile)
        .split('\n')
        .filter((line) => /prepared statement|"level":[56]0/.test(line))
      expect(refused).toEqual([])
      await agent.close()
    } finally {
      await panel.close()
    }
  })

test('SCALE-003 a pooler by transactions is refused with what helps: without a direct address, and where it keeps no statements', async () => {
  const direct = await cluster.makeDatabase('refused')
  const pooler = await startBouncer(direct, 'transaction', ['max_prepared_statements = 0'])
  expect(await refusalOf({ DATABASE_URL: pooler })).toContain('name it as DATABASE_DIRECT_URL beside the pooler')
  expect(await refusalOf({ DATABASE_URL: pooler, DATABASE_DIRECT_URL: direct })).toContain(
    'PgBouncer that takes version 1.21 or newer and max_prepared_statements above 0',
  )
})

async function startBouncer(direct: string, mode: string, more: string[] = []): Promise<string> {
  const port = await freePort()
  const users = cluster.write('pgbouncer-users.txt', `"causeway" "${PASSWORD}"\n`)
  const settings = [
    '[databases]',
    `* = host=${new URL(direct).hostname} port=5432`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'auth_type = scram-sha-256',
    `auth_file = ${users}`,
    `pool_mode = ${mode}`,
    'max_client_conn = 500',
    // Fewer than the server opens, so that by transactions every statement may get another one.
    `default_pool_size = ${mode === 'session' ? 60 : 3}`,
    ...(more.length > 0 ? more : ['max_prepared_statements = 200']),
    // Those of a session that PgBouncer does not know.
    ...(mode === 'session' ? ['ignore_startup_parameters = options'] : []),
  ]
  const file = cluster.write(`pgbouncer-${port}.ini`, `${settings.join('\n')}\n`)
  running.push(runProgram(`pgbouncer-${port}`, ['pgbouncer', '-u', 'postgres', file]))
  return `postgres://causeway:${PASSWORD}@127.0.0.1:${port}${new URL(direct).pathname}`
}

async function refusalOf(env: Record<string, string>): Promise<string> {
  const server = run({
    name: `refused-${await freePort()}`,
    args: ['apps/server/src/main.ts'],
    env: { PORT: String(await freePort()), MASTER_KEY, ...env },
    cwd: root,
  })
  running.push(server)
  await until('the server ends', () => !server.isRunning())
  return tail(server.logFile)
}

async function linksOf(origin: string, link: string): Promise<string> {
  const reply = await fetch(`${origin}/api/sub/${link}`, { headers: { 'user-agent': 'v2rayNG/1.9.0' } })
  return Buffer.from(await reply.text(), 'base64').toString()
}
