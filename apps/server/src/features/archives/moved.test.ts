import * as api from '@causeway/contract'
import { expect, onTestFinished, test } from 'vitest'
import { fakeAgent } from '../../../test/fake-agent.ts'
import { nodeConfig, QUICK, until } from '../../../test/live-fleet.ts'
import { testDatabase } from '../../../test/postgres.ts'
import { testServer, type TestServer } from '../../../test/server.ts'
import { exportArchive } from '../../archive/export.ts'
import { importArchive } from '../../archive/import.ts'
import { startFleet } from '../fleet/fleet.jobs.ts'

// What users, nodes and administrators notice of a move to another database, whose master key is another one.

const [THERE, HERE] = [Buffer.alloc(32, 9), Buffer.alloc(32, 1)] // of the place between, and of servers of tests

/** Moves everything to a database of its own. */
async function moved(from: string, masterKeys: { of: Buffer; to: Buffer }): Promise<string> {
  const target = await testDatabase()
  onTestFinished(() => target.drop())
  const chunks: Buffer[] = []
  const exporting = { url: from, masterKey: masterKeys.of, isEmbedded: true, madeBy: 'Causeway' }
  for await (const chunk of exportArchive(exporting, () => {})) chunks.push(chunk)
  const open = async function* () {
    yield* chunks
  }
  await importArchive({ url: target.url, open, masterKey: masterKeys.to })
  return target.url
}

async function seen(server: TestServer, headers: Record<string, string>) {
  const subscriptions: Record<string, unknown> = {}
  for (const app of ['v2rayNG/1.10.8', 'clash.meta', 'sing-box/1.12', 'Happ/3.0']) {
    const { status, body } = await server.send('GET', '/api/sub/short-ann', undefined, { 'user-agent': app })
    expect(status).toBe(200)
    subscriptions[app] = body
  }
  const users = await server.send('GET', '/api/users', undefined, headers)
  const stats = await server.send('GET', '/api/system/stats/bandwidth', undefined, headers)
  expect([users.status, stats.status]).toEqual([200, 200])
  // When a subscription was opened last is written a moment later.
  const known = JSON.stringify(users.body).replaceAll(/"subLast(OpenedAt|UserAgent)":("[^"]*"|null),/g, '')
  return { subscriptions, users: known, stats: stats.body }
}

test(
  'BACK-008 after two moves subscriptions, sums and sessions are the same, and the node connects without a new key',
  { timeout: 120_000 },
  async () => {
    const source = await testServer()
    let fleet = startFleet(source.ctx, QUICK)
    const { pubKey } = await source.call(api.getNodePublicKey, {})
    const agent = await fakeAgent(pubKey)
    onTestFinished(() => agent.close())
    const profile = await source.call(api.createConfigProfile, { name: 'Main', config: nodeConfig(['VLESS_A', 'TROJAN_B']) })
    const activeInbounds = profile.inbounds.map(({ uuid }) => uuid)
    const squad = await source.call(api.createInternalSquad, { name: 'All', inbounds: activeInbounds })
    const configProfile = { activeConfigProfileUuid: profile.uuid, activeInbounds }
    const node = await source.call(api.createNode, { name: 'Oslo', address: '127.0.0.1', port: agent.port, configProfile })
    const inbound = { configProfileUuid: profile.uuid, configProfileInboundUuid: activeInbounds[0] ?? '' }
    await source.call(api.createHost, { remark: 'Oslo', address: 'oslo.example', port: 443, inbound })
    const fields = { expireAt: '2099-01-01T00:00:00.000Z', activeInternalSquads: [squad.uuid] }
    const ann = await source.call(api.createUser, { username: 'ann', shortUuid: 'short-ann', ...fields })
    await source.call(api.createUser, { username: 'ben', ...fields })
    await until(async () => (await source.call(api.getNode, { uuid: node.uuid })).isConnected)
    await source.ctx.db.updateTable('userUsage').set({ usedTrafficBytes: 12_345, lifetimeUsedTrafficBytes: 67_890 }).execute()
    await fleet.stop()
    const before = await seen(source, source.admin)
    const between = await moved(source.ctx.config.DATABASE_URL ?? '', { of: HERE, to: THERE })
    const last = await moved(between, { of: THERE, to: HERE })
    const headers = source.admin
    await source.close()

    const server = await testServer({ register: false, database: { url: last, drop: async () => {} } })
    onTestFinished(() => server.close())
    expect(await seen(server, headers)).toEqual(before)
    fleet = startFleet(server.ctx, QUICK)
    onTestFinished(() => fleet.stop())
    const isConnected = async () => {
      const { body } = await server.send('GET', `/api/nodes/${node.uuid}`, undefined, headers)
      return (body as { response: api.Node }).response.isConnected // of the contract's reply
    }
    await server.ctx.db.updateTable('nodeStates').set({ isConnected: false }).execute()
    await until(isConnected)
    expect((await server.send('GET', '/api/keygen', undefined, headers)).status).toBe(200)
    // Users made here go on where numbers were.
    const later = { username: 'later', ...fields }
    const made = await server.send('POST', '/api/users', later, headers)
    expect(made.status).toBe(201)
    expect((made.body as { response: api.User }).response.uuid).not.toBe(ann.uuid) // of the contract's reply
  },
)
