import { execFileSync } from 'node:child_process'
import { expect, test } from '@playwright/test'
import {
  createInternalSquad,
  createUser,
  deleteUser,
  disableUser,
  getUser,
  updateConfigProfile,
  updateUser,
  type User,
} from '@causeway/contract'
import { CutDownload, download } from '../stage/downloads.ts'
import { needsEngine, xray } from '../stage/engine.ts'
import { signedIn, startPanel, type Panel } from '../stage/panel.ts'
import { until } from '../stage/processes.ts'
import { inDays } from '../stage/seeding.ts'
import { buildTrafficWorld, type TrafficWorld } from '../stage/traffic-world.ts'
import { fetchXraySubscription, startXrayClient, type XrayClient } from '../stage/xray-client.ts'

// Open connections end with access, through every protocol of the node, within two seconds; those of others go on.

test.describe.configure({ mode: 'serial', timeout: 300_000 })

const MB = 1_000_000
/** Takes minutes, unless it is cut. */
const [SIZE, RATE] = [30 * MB, 0.2 * MB]
const LIMIT_MS = 2000

let panel: Panel
let world: TrafficWorld
let bystander: Downloads

needsEngine()
test.beforeAll(async () => {
  panel = await startPanel()
  const { token } = await signedIn(panel)
  world = await buildTrafficWorld(panel, token, xray)
  // An inbound on the loopback address counts as filled by other inbounds of the machine.
  const { uuid, config } = world.profile
  const inbounds = (config as { inbounds: object[] }).inbounds.map((inbound) => ({ ...inbound, listen: '0.0.0.0' }))
  const core = world.agent.core()
  await world.api(updateConfigProfile, { uuid, config: { ...(config as object), inbounds } })
  await until('the node runs the new configuration', () => world.agent.core()?.pid !== core?.pid)
  bystander = await connect(await makeUser('bystander'), '127.0.0.40')
})
test.afterAll(async () => {
  await bystander?.close()
  await world?.close()
  await panel?.close()
})

const makeUser = (username: string, squads = [world.squad.uuid]) =>
  world.api(createUser, { username, expireAt: inDays(30), activeInternalSquads: squads })

interface Downloads {
  /** Whether the client has a connection to the node by each way, as the kernel knows it. */
  open(): boolean[]
  close(): Promise<void>
}

/** A slow download by every way of a user, from an address of its own: the core counts no connection from 127.0.0.1. */
async function connect({ shortUuid }: User, address: string): Promise<Downloads> {
  const configs = await fetchXraySubscription(panel.origin, shortUuid)
  const clients: XrayClient[] = []
  for (const config of configs) {
    const [first, ...others] = config['outbounds'] as object[] // as every rendered configuration has
    const outbounds = [{ ...first, sendThrough: address }, ...others]
    clients.push(await startXrayClient(xray, { ...config, outbounds }, world.authorityFile))
  }
  const portOf = (way: number) => clients[way]?.socksPort ?? 0
  for (const way of clients.keys())
    await until(`way ${way} is open`, () =>
      download({ socksPort: portOf(way), server: world.bytes, bytes: 1000 }).then(
        () => true,
        () => false,
      ),
    )
  for (const way of clients.keys())
    // Some clients leave their application without a word when the connection behind it is reset.
    void download({ socksPort: portOf(way), server: world.bytes, bytes: SIZE, bytesPerSecond: RATE }).catch((error: unknown) => {
      if (!(error instanceof CutDownload)) throw error
    })
  const open = () => {
    const sockets = execFileSync('ss', ['-Htn', 'state', 'established', 'src', address], { encoding: 'utf8' })
    return world.profile.inbounds.map(({ port }) => sockets.includes(`:${port}`))
  }
  await until('every way is open', () => open().every(Boolean))
  return { open, close: () => Promise.all(clients.map((client) => client.close())).then(() => {}) }
}

/** How long after this has happened the downloads are as they should be. */
async function measured(downloads: Downloads, ask: () => Promise<unknown>, open: boolean[]): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, 1500))
  // Sockets of what was tried before are gone by then.
  await until('every way is open', () => downloads.open().every(Boolean))
  await ask()
  const begun = Date.now()
  await until('connections have ended', () => downloads.open().join() === open.join())
  const ms = Date.now() - begun
  expect(bystander.open()).toEqual(open.map(() => true))
  return ms
}

/** Changes a user, and waits for the status that comes by itself. */
async function become(uuid: string, status: string, edit: { trafficLimitBytes: number } | { expireAt: string }): Promise<void> {
  await world.api(updateUser, { uuid, ...edit })
  await until(`the user is ${status}`, async () => (await world.api(getUser, { uuid })).status === status, 90_000)
}

const NONE = [false, false, false, false]
const endings: [string, string, (user: User) => Promise<unknown>][] = [
  ['disabled', '127.0.0.41', ({ uuid }) => world.api(disableUser, { uuid })],
  ['limited', '127.0.0.42', ({ uuid }) => become(uuid, 'LIMITED', { trafficLimitBytes: 1 })],
  ['expired', '127.0.0.43', ({ uuid }) => become(uuid, 'EXPIRED', { expireAt: new Date(Date.now() + 1000).toISOString() })],
  ['deleted', '127.0.0.44', ({ uuid }) => world.api(deleteUser, { uuid })],
  ['without squad', '127.0.0.45', ({ uuid }) => world.api(updateUser, { uuid, activeInternalSquads: [] })],
]

for (const [how, address, end] of endings) {
  test(`PLUG-001 connections of a user that is ${how} end within two seconds, through every protocol`, async () => {
    const user = await makeUser(how.replace(' ', '-'))
    const downloads = await connect(user, address)
    try {
      const ms = await measured(downloads, () => end(user), NONE)
      console.log(`${how}: ${ms} ms`)
      expect(ms).toBeLessThan(LIMIT_MS)
    } finally {
      await downloads.close()
    }
  })
}

test('PLUG-001 a user that loses one of two squads keeps the connections of the other', async () => {
  const uuids = world.profile.inbounds.map(({ uuid }) => uuid)
  const [first, second] = [
    await world.api(createInternalSquad, { name: 'first-ways', inbounds: uuids.slice(0, 2) }),
    await world.api(createInternalSquad, { name: 'second-ways', inbounds: uuids.slice(2) }),
  ]
  const user = await makeUser('between', [first.uuid, second.uuid])
  const downloads = await connect(user, '127.0.0.46')
  try {
    const lose = () => world.api(updateUser, { uuid: user.uuid, activeInternalSquads: [second.uuid] })
    const ms = await measured(downloads, lose, [false, false, true, true])
    console.log(`without one of two squads: ${ms} ms`)
    expect(ms).toBeLessThan(LIMIT_MS)
  } finally {
    await downloads.close()
  }
})
