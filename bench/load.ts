import { fork } from 'node:child_process'
import { Agent } from 'node:http'
import path from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import pg from 'pg'
import { until } from '../e2e/stage/processes.ts'
import { openStream } from './events.ts'
import { makeWorld, mintPayload, NODES_PER_REGION } from './load-world.ts'
import { figures, send, type Call } from './measure.ts'
import { memoryOf, memoryText } from './memory.ts'
import { cpuSeconds, databaseCpuSeconds } from './processor.ts'

// A large service on one machine, all at once: nodes that are polled, dashboards that are open, apps that fetch their
// subscriptions and colleagues who change users. What asks runs beside the product and is counted apart.

export interface LoadOptions {
  nodes: number
  /** How many users move bytes between two polls, each of them on one node. */
  online: number
  url: string
  origin: string
  token: string
  dataDir: string
  pid: number
  seconds: number
  tabs: number
  subscriptionsPerSecond: number
  changesPerSecond: number
}

/** How long all nodes may take until they are connected. */
const CONNECT_LIMIT_MS = 600_000
/** Whatever has not been answered so long after the end counts as an error. */
const ANSWER_LIMIT_MS = 10_000
/** What was asked in each such part of the time is also looked at alone: a slow beginning is not a slow service. */
const PART_MS = 10_000
const SUBSCRIBERS = 5000
/** What an open Home asks for, and how often; it looks again at nodes and lists when it is told. */
const HOME = [
  { path: '/api/system/stats?tz=UTC', everyMs: 5100 },
  { path: '/api/system/stats/bandwidth?tz=UTC', everyMs: 5100 },
  { path: '/api/system/health', everyMs: 10_000 },
  { path: '/api/nodes', everyMs: 10_000 },
  { path: '/api/x/users/near-limit', everyMs: 60_000 },
  { path: '/api/users?start=0&size=1&sorting=%5B%7B%22id%22%3A%22createdAt%22%2C%22desc%22%3Atrue%7D%5D', everyMs: 60_000 },
]
const places = z.array(z.object({ address: z.string(), port: z.number() }))

/** Makes the service, waits until its nodes are connected, and puts it under load. Prints what it finds. */
export async function measureLoad(options: LoadOptions): Promise<void> {
  const { url, nodes, online, dataDir } = options
  const fleet = fork(path.join(import.meta.dirname, 'simulated-fleet.ts'), {
    env: {
      ...process.env,
      LOAD_PAYLOAD: JSON.stringify(await mintPayload(url, dataDir)),
      LOAD_NODES: String(nodes),
      LOAD_ONLINE: String(Math.ceil(online / nodes)),
      LOAD_NODES_PER_REGION: String(NODES_PER_REGION),
    },
  })
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const found = await new Promise((resolve, reject) => fleet.once('message', resolve).once('exit', reject))
    const begun = performance.now()
    await makeWorld(url, nodes, places.parse(found))
    await until(
      'all nodes are connected',
      async () => {
        const { rows } = await client.query<{ away: number }>(
          'select count(*)::int as "away" from "nodeStates" where not "isConnected"',
        )
        return rows[0]?.away === 0
      },
      CONNECT_LIMIT_MS,
    )
    console.log(`\n${nodes} nodes made and started in ${seconds(performance.now() - begun)}`)
    await underLoad(options, client, fleet.pid ?? 0)
  } finally {
    await client.end()
    fleet.kill()
  }
}

async function underLoad(options: LoadOptions, client: pg.Client, fleetPid: number): Promise<void> {
  const { origin, token, pid, dataDir, tabs } = options
  const times = new Map<string, number[]>()
  const parts: number[][] = []
  const errors = new Map<string, number>()
  const agent = new Agent({ keepAlive: true, maxSockets: 256 })
  const under = new Set<Promise<void>>()
  const started = performance.now()
  const note = (kind: string, asked: number): void => {
    const ms = performance.now() - asked
    const found = times.get(kind)
    if (found) found.push(ms)
    else times.set(kind, [ms])
    const part = (parts[Math.floor((asked - started) / PART_MS)] ??= [])
    part.push(ms)
  }
  const ask = (kind: string, call: Call): void => {
    const begun = performance.now()
    const asked = send(agent, origin, token, call)
      .then(() => note(kind, begun))
      .catch((error: unknown) => {
        errors.set(`${kind}: ${String(error)}`, (errors.get(`${kind}: ${String(error)}`) ?? 0) + 1)
      })
      .finally(() => under.delete(asked))
    under.add(asked)
  }
  let told = 0
  const streams = await Promise.all(
    Array.from({ length: tabs }, () =>
      openStream(origin, token, (text) => {
        told += text.split('data: ').length - 1
        if (text.includes('"nodes"') || text.includes('"all"')) ask('Home: nodes, when told', { path: '/api/nodes' })
      }),
    ),
  )
  const facts = await someUsers(client)
  const timers = [
    ...HOME.map(({ path: asked, everyMs }) =>
      evenly((tabs * 1000) / everyMs, () => ask(`Home: ${asked.split('?')[0]}`, { path: asked })),
    ),
    evenly(options.subscriptionsPerSecond, (turn) =>
      ask('subscription', { path: `/api/sub/${pick(facts, turn).shortUuid}`, headers: APPS[turn % APPS.length] }),
    ),
    evenly(options.changesPerSecond, (turn) => ask(...changeOf(turn, pick(facts, turn * 7).uuid))),
  ]
  const before = {
    server: cpuSeconds(pid),
    database: databaseCpuSeconds(dataDir),
    asking: asking(fleetPid),
    bytes: await booked(client),
  }
  const lateness = monitorEventLoopDelay()
  lateness.enable()
  const begun = performance.now()
  console.log(`under load for ${options.seconds} s; memory at first ${memoryText(memoryOf(pid, dataDir))}`)
  for (let left = options.seconds; left > 0; left -= 60) {
    await sleep(Math.min(60, left) * 1000)
    console.log(`  after ${seconds(performance.now() - begun)}: ${memoryText(memoryOf(pid, dataDir))}`)
  }
  for (const timer of timers) clearInterval(timer)
  const took = (performance.now() - begun) / 1000
  const server = (cpuSeconds(pid) - before.server) / took
  const database = (databaseCpuSeconds(dataDir) - before.database) / took
  const beside = (asking(fleetPid) - before.asking) / took
  const late = lateness.percentile(99) / 1e6
  lateness.disable()
  await Promise.race([Promise.all(under), sleep(ANSWER_LIMIT_MS)])
  if (under.size > 0) errors.set('not answered in time', under.size)
  for (const stream of streams) stream.destroy()
  const failures = new Map(errors)
  agent.destroy()
  console.log(`${'asked for'.padEnd(44)}${['per s', 'p50', 'p99'].map((word) => word.padStart(9)).join('')}   ms`)
  for (const [kind, found] of [...times].toSorted(([one], [other]) => one.localeCompare(other))) {
    const { p50, p99 } = figures(found)
    console.log(`${kind.padEnd(44)}${[found.length / took, p50, p99].map((value) => value.toFixed(1).padStart(9)).join('')}`)
  }
  const slow = Array.from(parts, (part) => (part ? figures(part).p99.toFixed(0) : '-')).join(' ')
  console.log(`p99 of all that was asked in each ${seconds(PART_MS)}: ${slow}`)
  const moved = ((await booked(client)) - before.bytes) / took / 1e6
  console.log(
    `of a core: server ${share(server)}, database ${share(database)}; left of two ${share(2 - server - database)}, of which what ` +
      `asks and the agents take ${share(beside)}; what asks is itself up to ${late.toFixed(0)} ms late (99 of 100)\n` +
      `booked ${moved.toFixed(0)} MB a second; ${told} messages to ${tabs} tabs; errors: ` +
      `${failures.size === 0 ? 'none' : [...failures].map(([what, count]) => `${count} × ${what}`).join('; ')}`,
  )
}

const APPS = ['v2rayNG/1.10.8', 'clash.meta/1.19.0', 'Happ/3.10.0'].map((name) => ({ 'user-agent': name }))

interface SomeUser {
  uuid: string
  shortUuid: string
}

async function someUsers(client: pg.Client): Promise<SomeUser[]> {
  const { rows } = await client.query<SomeUser>(
    `select "uuid", "shortUuid" from "users" where "status" = 'ACTIVE' order by md5("uuid"::text) limit $1`,
    [SUBSCRIBERS],
  )
  return rows
}

function pick(users: SomeUser[], turn: number): SomeUser {
  const found = users[turn % users.length]
  if (!found) throw new Error('There are no users.')
  return found
}

/** By turns, as a service lives: somebody joins, somebody is edited, somebody pays. */
function changeOf(turn: number, uuid: string): [string, Call] {
  const expireAt = new Date(Date.now() + 40 * 86_400_000 + turn * 1000).toISOString()
  if (turn % 4 === 0)
    return [
      'create user',
      { method: 'POST', path: '/api/users', body: { username: `load_${Date.now().toString(36)}_${turn}`, expireAt } },
    ]
  if (turn % 4 === 1) return ['extend user', { method: 'POST', path: '/api/x/users/extend', body: { uuids: [uuid], days: 30 } }]
  return ['update user', { method: 'PATCH', path: '/api/users', body: { uuid, description: `paid ${turn}`, expireAt } }]
}

/** Calls so many times a second on average, whatever the answers take: people do not wait for each other. */
function evenly(perSecond: number, act: (turn: number) => void): NodeJS.Timeout {
  const begun = performance.now()
  let done = 0
  return setInterval(() => {
    for (const due = ((performance.now() - begun) / 1000) * perSecond; done < due; done++) act(done)
  }, 20)
}

/** What this process and the agents have used of the processor. */
function asking(fleetPid: number): number {
  return cpuSeconds(process.pid) + cpuSeconds(fleetPid)
}

/** What all users have used, in bytes. */
async function booked(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ bytes: number }>(
    'select sum("lifetimeUsedTrafficBytes")::float8 as "bytes" from "userUsage"',
  )
  return rows[0]?.bytes ?? 0
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(0)} s`
}

function share(cores: number): string {
  return `${(cores * 100).toFixed(0)} %`
}
