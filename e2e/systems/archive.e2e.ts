import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { expect, test } from '@playwright/test'
import { getNode, getSystemStats, getUser } from '@causeway/contract'
import { apiClient } from '../stage/api-client.ts'
import { needsEngine, xray } from '../stage/engine.ts'
import { registerAdmin, untilServing } from '../stage/panel.ts'
import { freePort, root, run, until, type Running } from '../stage/processes.ts'
import { buildTrafficWorld, subscribe, type Subscriber, type TrafficWorld } from '../stage/traffic-world.ts'
import { startOtherPostgres } from './other-postgres.ts'

// An installation moves from the embedded database to an own one of another major version and back, each time to a place with
// another master key, as docs/archive.md says. A real node serves throughout.

needsEngine()
const LIMIT_MS = 600_000
const APPS = ['v2rayNG/1.10.8', 'clash.meta', 'sing-box/1.12', 'Happ/3.0']
const MEGABYTE = 1_000_000
/** More than a node is polled apart. */
const SETTLED_MS = 8000

/** A data folder with a key of its own, and what the guide calls the environment of the server. */
interface Place {
  DATA_DIR: string
  DATABASE_URL: string
  MASTER_KEY: string
}
const folder = mkdtempSync(path.join(tmpdir(), 'causeway-archive-'))
chmodSync(folder, 0o755) // the embedded database's own account has to pass through
const file = (name: string) => path.join(folder, name)
let port: number
let other: Awaited<ReturnType<typeof startOtherPostgres>>
let server: Running
let [world, ann]: [TrafficWorld?, Subscriber?] = []

test.afterAll(async () => {
  await ann?.close()
  await world?.close()
  await server?.stop()
  await other?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const place = (name: string, DATABASE_URL = ''): Place => ({
  DATA_DIR: file(name),
  DATABASE_URL,
  MASTER_KEY: randomBytes(32).toString('base64'),
})

async function start(at: Place): Promise<void> {
  server = run({ name: 'archive-server', args: ['apps/server/src/main.ts'], env: { ...at, PORT: String(port) } })
  await untilServing(`http://127.0.0.1:${port}`, server, LIMIT_MS)
}

/** The program at a terminal, in this place. @throws Error with what it said when it fails */
function causeway(at: Place, ...line: string[]): Record<string, unknown> {
  const program = ['--disable-warning=ExperimentalWarning', 'apps/server/src/causeway.ts', ...line, '--json']
  const { status, stdout, stderr } = spawnSync(process.execPath, program, {
    cwd: root,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], ...at },
  })
  if (status !== 0) throw new Error(`causeway ${line.join(' ')} ended with ${status}: ${stderr}`)
  return JSON.parse(stdout) as Record<string, unknown> // printed by --json
}

/** What users and administrators see of it. */
async function seen(token: string, { user }: Subscriber, node: string) {
  const api = apiClient(`http://127.0.0.1:${port}`, token)
  const subscriptions: Record<string, string> = {}
  for (const app of APPS) {
    const reply = await fetch(`http://127.0.0.1:${port}/api/sub/${user.shortUuid}`, { headers: { 'user-agent': app } })
    expect(reply.status).toBe(200)
    subscriptions[app] = await reply.text()
  }
  const { usedTrafficBytes, vlessUuid, trojanPassword, ssPassword, activeInternalSquads } = await api(getUser, {
    uuid: user.uuid,
  })
  return {
    subscriptions,
    user: { usedTrafficBytes, vlessUuid, trojanPassword, ssPassword, activeInternalSquads },
    users: (await api(getSystemStats, {})).users,
    node: (await api(getNode, { uuid: node })).uuid,
  }
}

/** Once all that was moved is booked. */
async function settled(...of: Parameters<typeof seen>): ReturnType<typeof seen> {
  let before = await seen(...of)
  return until('nothing is booked any more', async () => {
    await sleep(SETTLED_MS)
    const now = await seen(...of)
    const isSame = isDeepStrictEqual(now, before)
    before = now
    return isSame && now
  })
}

test('BACK-008 embedded to own of another major version and back: same subscriptions, node and sums, and no new key', async () => {
  test.setTimeout(LIMIT_MS)
  port = await freePort()
  other = await startOtherPostgres(await freePort())
  const [first, own, last] = [place('first'), place('own', other.url), place('last')]
  await start(first)
  const origin = `http://127.0.0.1:${port}`
  const token = await registerAdmin(origin)
  const panel = { origin, port, databaseUrl: '', process: server, restart: async () => {}, close: async () => {} }
  world = await buildTrafficWorld(panel, token, xray)
  ann = await subscribe(world, 'ann')
  const [subscriber, { node, agent }] = [ann, world]
  await subscriber.fetch(0, MEGABYTE)
  await until('the bytes are booked', async () => (await subscriber.usedBytes()) >= MEGABYTE, 60_000)
  const core = agent.core()

  for (const [from, to] of [
    [first, own],
    [own, last],
  ] as const) {
    const archive = file(`${path.basename(to.DATA_DIR)}.jsonl.zst`)
    const before = await settled(token, subscriber, node.uuid)
    // The guide: stop the server, export, import at the new place, start there.
    await server.stop()
    const exported = causeway(from, 'export', archive)
    expect(causeway(to, 'import', archive)).toMatchObject({ users: 1, rows: exported['rows'] })
    expect(() => causeway(to, 'import', archive)).toThrow(/This installation (is not empty|was changed)/)
    await start(to)
    const api = apiClient(origin, token)
    expect(await seen(token, subscriber, node.uuid)).toEqual(before)
    await until('the node is connected', async () => (await api(getNode, { uuid: node.uuid })).isConnected, 60_000)
    expect(agent.core()).toEqual(core)
    const booked = await subscriber.usedBytes()
    expect(await subscriber.canConnect()).toBe(true)
    await until('what connecting moved is booked', async () => (await subscriber.usedBytes()) > booked, 60_000)
  }
  const used = await subscriber.usedBytes()
  await subscriber.fetch(0, MEGABYTE)
  await until('bytes are booked as before', async () => (await subscriber.usedBytes()) >= used + MEGABYTE, 60_000)
})
