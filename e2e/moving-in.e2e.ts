import {
  agentApi,
  getConfigProfile,
  getMoveIn,
  getNode,
  getUser,
  listHosts,
  runMoveIn,
  type ConfigProfile,
  type Host,
  type MoveIn,
} from '@causeway/contract'
import { expect, test } from '@playwright/test'
import { emptySource } from '../apps/server/test/remnawave-source.ts'
import { connect } from '../apps/server/src/db/driver/connect.ts'
import { openAgents, type Agents } from '../apps/server/src/ground/agents.ts'
import { readFleetKeys } from '../apps/server/src/ground/fleet-keys.ts'
import { openSecretStore } from '../apps/server/src/ground/secret-store.ts'
import { untilCore } from './stage/agent.ts'
import type { Api } from './stage/api-client.ts'
import { needsEngine, xray } from './stage/engine.ts'
import { MASTER_KEY, signedIn, startPanel, type Panel } from './stage/panel.ts'
import { until } from './stage/processes.ts'
import { buildTrafficWorld, subscribe, type Subscriber, type TrafficWorld } from './stage/traffic-world.ts'

// The moment of moving, with a real agent, core and client. One server of ours plays the panel that is left, on a database of
// the 2.1 generation; it reads counters as that does, clearing them. A download goes on through all of it.

test.describe.configure({ mode: 'serial', timeout: 240_000 })

const MB = 1_000_000
/** Longer than everything that happens meanwhile. */
const SLOW = { bytes: 12 * MB, bytesPerSecond: 400_000 }
const NEXT_POLL_MS = 40_000

let old: Panel
let next: Panel
let world: TrafficWorld
let ann: Subscriber
let bob: Subscriber
let keys: Awaited<ReturnType<typeof keysOf>>
let source: Awaited<ReturnType<typeof emptySource>>

needsEngine()

test.afterAll(async () => {
  await ann?.close()
  await bob?.close()
  await world?.close()
  await keys?.close()
  await next?.close()
  await old?.close()
  await source?.drop()
})

test('MOVE-014 MOVE-013 a node and its subscribers move while they download: no byte twice, none lost, the same core', async ({
  page,
}) => {
  old = await startPanel()
  const { token } = await signedIn(old)
  world = await buildTrafficWorld(old, token, xray)
  ann = await subscribe(world, 'ann')
  bob = await subscribe(world, 'bob')
  keys = await keysOf(old)
  source = await emptySource()
  const core = await untilCore(world.agent)
  expect(await ann.fetch(0, 2 * MB)).toBe(2 * MB)
  const slow = ann.fetch(1, SLOW.bytes, SLOW.bytesPerSecond)

  // The old panel reads its counters a last time, is stopped, and does not see what is moved after that.
  const profile = await world.api(getConfigProfile, { uuid: world.profile.uuid })
  const hosts = await world.api(listHosts, {})
  await old.process.stop()
  const booked = await readCounters(true)
  expect(booked.get('ann')).toBeGreaterThan(2 * MB)
  await fillSource({ profile, hosts, booked })
  expect(await bob.fetch(2, 3 * MB)).toBe(3 * MB)

  next = await startPanel()
  const { api, token: session } = await signedIn(next)
  await api(runMoveIn, { panel: 'remnawave', isDryRun: false, databaseUrl: source.url })
  const imported = await ended(api)
  expect(imported).toMatchObject({ failure: null, isHeld: true, nodes: [{ name: 'Loopback', bytes: null }] })
  // Until the nodes are taken over the agent is not called, and nothing is booked.
  expect(await used(api)).toEqual([booked.get('ann'), booked.get('bob')])

  await page.addInitScript((text) => localStorage.setItem('session', text), session)
  await page.goto(`${next.origin}/dashboard/utils/move-in`)
  const step = (name: string) => page.getByRole('region', { name: 'The moment' }).getByRole('listitem').filter({ hasText: name })
  await step('Stop the old panel').getByRole('button', { name: 'It is stopped' }).click()
  await expect(step('Stop the old panel').getByRole('img', { name: 'Done' })).toBeVisible()
  await api(runMoveIn, { panel: 'remnawave', isDryRun: false, databaseUrl: source.url })
  expect((await ended(api)).failure).toBeNull()
  await expect(step('Import again').getByRole('img', { name: 'Done' })).toBeVisible({ timeout: 20_000 })
  await page.getByRole('button', { name: 'Take the nodes over' }).click()
  await expect(step('Every node is connected').getByText('Connected', { exact: true })).toBeVisible({ timeout: NEXT_POLL_MS })
  await expect(step('Traffic goes on counting').getByRole('img', { name: 'Done' })).toBeVisible({ timeout: NEXT_POLL_MS })

  expect(await slow).toBe(SLOW.bytes)
  expect(await bob.fetch(3, MB)).toBe(MB)
  // What the core has counted since the old panel cleared it, and what that had booked: to the byte.
  const counted = await readCounters(false)
  const expected = ['ann', 'bob'].map((name) => (booked.get(name) ?? 0) + (counted.get(name) ?? 0))
  await expect.poll(() => used(api), { timeout: NEXT_POLL_MS, intervals: [500] }).toEqual(expected)
  expect(expected[0]).toBeGreaterThan(2 * MB + SLOW.bytes)
  expect(expected[1]).toBeGreaterThan(4 * MB)
  expect(world.agent.core()).toEqual(core)

  // Going back: this server leaves the node alone, and its users stay connected.
  await page.getByRole('button', { name: 'Give the nodes back' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Give the nodes back' }).click()
  await expect(step('Every node is connected').getByText('Left to the old panel')).toBeVisible()
  expect(await ann.canConnect()).toBe(true)
  expect(world.agent.core()).toEqual(core)
})

test('MOVE-014 the old panel goes on with its node after the nodes were given back', async () => {
  const core = world.agent.core()
  await old.restart()
  await until(
    'the node is connected again',
    async () => (await world.api(getNode, { uuid: world.node.uuid })).isConnected,
    60_000,
  )
  expect(await ann.canConnect()).toBe(true)
  expect(world.agent.core()).toEqual(core)
})

/** Keys of the old panel, and calls to its agent in its name. */
async function keysOf(panel: Panel) {
  const database = connect(panel.databaseUrl, { max: 1 })
  const secrets = await openSecretStore(database.db, Buffer.from(MASTER_KEY, 'base64'))
  const agents: Agents = openAgents(secrets)
  return {
    fleet: await readFleetKeys(secrets),
    agents,
    close: async () => {
      await agents.close()
      await database.close()
    },
  }
}

/** Bytes of each user since the counters were cleared last. */
async function readCounters(reset: boolean): Promise<Map<string, number>> {
  const { uuid, address, port } = world.node
  const read = await keys.agents.call({ uuid, address, port, identity: null }, agentApi.getUsersStats, { reset })
  return new Map(read.users.map(({ username, uplink, downlink }) => [username, uplink + downlink]))
}

async function used(api: Api): Promise<number[]> {
  const users = await Promise.all([ann, bob].map(({ user: { uuid } }) => api(getUser, { uuid })))
  return users.map(({ usedTrafficBytes }) => usedTrafficBytes)
}

function ended(api: Api): Promise<MoveIn> {
  return until(
    'the import has ended',
    async () => {
      // For a moment nothing listens.
      const state = await api(getMoveIn, {}).catch(() => undefined)
      return state?.running === null ? state : undefined
    },
    60_000,
  )
}

interface Contents {
  profile: ConfigProfile
  hosts: Host[]
  /** Of each user, by name. */
  booked: ReadonlyMap<string, number>
}

/** The old panel's contents as the 2.1 generation keeps them. */
async function fillSource({ profile, hosts, booked }: Contents): Promise<void> {
  const { run } = source
  const { fleet } = keys
  await run(`insert into keygen (priv_key, pub_key, ca_cert, ca_key, client_cert, client_key) values ($1, $2, $3, $4, $5, $6)`, [
    fleet.jwtPrivateKeyPem,
    fleet.jwtPublicKeyPem,
    fleet.caCertPem,
    fleet.caKeyPem,
    fleet.clientCertPem,
    fleet.clientKeyPem,
  ])
  await fillProfile(profile)
  const { node, squad } = world
  await run(
    `insert into nodes (uuid, name, address, port, is_connected, is_xray_running, is_node_online, is_traffic_tracking_active,
        country_code, consumption_multiplier, active_config_profile_uuid, view_position, xray_version)
      values ($1, $2, $3, $4, true, true, true, true, 'XX', 1000000000, $5, 1, '25.1.1')`,
    [node.uuid, node.name, node.address, node.port, profile.uuid],
  )
  await run(`insert into internal_squads (uuid, name) values ($1, $2)`, [squad.uuid, squad.name])
  for (const { uuid } of profile.inbounds) {
    await run('insert into config_profile_inbounds_to_nodes values ($1, $2)', [uuid, node.uuid])
    await run('insert into internal_squad_inbounds values ($1, $2)', [squad.uuid, uuid])
  }
  for (const host of hosts)
    await run(
      `insert into hosts (uuid, view_position, remark, address, port, sni, fingerprint, config_profile_inbound_uuid, config_profile_uuid)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        host.uuid,
        host.viewPosition,
        host.remark,
        host.address,
        host.port,
        host.sni,
        host.fingerprint,
        host.inbound.configProfileInboundUuid,
        host.inbound.configProfileUuid,
      ],
    )
  for (const { user } of [ann, bob]) {
    await run(
      `insert into users (t_id, uuid, short_uuid, username, expire_at, trojan_password, vless_uuid, ss_password, used_traffic_bytes,
          lifetime_used_traffic_bytes) values ($1, $2, $3, $4, '2099-01-01', $5, $6, $7, $8, $8)`,
      [
        user === ann.user ? 1 : 2,
        user.uuid,
        user.shortUuid,
        user.username,
        user.trojanPassword,
        user.vlessUuid,
        user.ssPassword,
        booked.get(user.username) ?? 0,
      ],
    )
    await run('insert into internal_squad_members values ($1, $2)', [squad.uuid, user.uuid])
  }
}

async function fillProfile({ uuid, name, config, inbounds }: ConfigProfile): Promise<void> {
  await source.run('insert into config_profiles (uuid, name, config) values ($1, $2, $3)', [uuid, name, JSON.stringify(config)])
  for (const inbound of inbounds)
    await source.run(
      `insert into config_profile_inbounds (uuid, profile_uuid, tag, type, network, security, port, raw_inbound)
        values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [
        inbound.uuid,
        uuid,
        inbound.tag,
        inbound.type,
        inbound.network,
        inbound.security,
        inbound.port,
        JSON.stringify(inbound.rawInbound),
      ],
    )
}
