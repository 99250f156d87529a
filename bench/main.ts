// npm run bench -- [users] [--data folder] [--samples n] [--only word] [--minutes n]: seeds a scratch database by itself and prints
// how long the server takes for what has a target, how quickly the users page opens in Chromium, and how long bulk changes take.
// Left out unless --only names it: load (the whole for --seconds, with --nodes, users --online, --tabs, and so many --subscriptions
// and --changes a second; it changes what was seeded), growth (hot paths at all sizes up to [users]), "jobs servers" (--nodes and
// users --online, shared by three for --seconds), "move in", "rules and squads", archive, and backup (each beside subscriptions).
// With --data the folder is kept and used again, and bulk changes are left out.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { startEmbeddedPostgres } from '../apps/server/src/postgres/embedded-postgres.ts'
import { migrate } from '../apps/server/src/db/migrate.ts'
import { ADMIN, registerAdmin, untilServing } from '../e2e/stage/panel.ts'
import { freePort, run } from '../e2e/stage/processes.ts'
import { buildDashboard } from '../scripts/build-dashboard.ts'
import { seedDatabase } from '../scripts/seed/load.ts'
import { benchArchive } from './archive.ts'
import { benchBackup } from './backup.ts'
import { measureBooking } from './booking.ts'
import { measureBulk } from './bulk.ts'
import { LEAST_ORDERED } from '../apps/server/src/features/traffic/order.rules.ts'
import { measureHotPaths } from './hot-paths.ts'
import { dailyTasks, fillRecentTraffic, orderByTraffic } from './daily-tasks.ts'
import { measureEditor } from './editor.ts'
import { measureEvents } from './events.ts'
import { measureGrowth } from './growth.ts'
import { measureJobsServers } from './jobs-servers.ts'
import { measureLoad } from './load.ts'
import { figures, measure, planReader, type Figures, type Measured } from './measure.ts'
import { memoryOf, memoryText } from './memory.ts'
import { benchMoveIn } from './move-in.ts'
import { fillHistory } from './history.ts'
import { fillNodeFigures, type NodeFigures } from './nodes-figures.ts'
import { fillUsage } from './usage-chart.ts'
import { resellerCases } from './reseller.ts'
import { benchRulesSquads } from './rules-squads.ts'
import { usersListCases } from './users-list.ts'
import { measureStatisticsPage, withUsersPage, type OpeningFigures } from './users-page.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    data: { type: 'string' },
    samples: { type: 'string', default: '30' },
    only: { type: 'string' },
    minutes: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '600' },
    nodes: { type: 'string', default: '500' },
    online: { type: 'string', default: '100000' },
    tabs: { type: 'string', default: '200' },
    subscriptions: { type: 'string', default: '300' },
    changes: { type: 'string', default: '20' },
  },
})
const users = Number(positionals[0] ?? 1_000_000)
const samples = Number(values.samples)
const only = values.only ?? ''
const dataDir = values.data === undefined ? scratchFolder() : path.resolve(values.data)
/** In this process, with the server's own code: from the answer of the node to the end of the commit. */
const BOOKING = { name: 'booking a poll of 100,000 counters', targetMs: 2000, targetTimes: 1.5 }

const PAGE = 'users page in Chromium, 1440×900'
const PAGE_SAMPLES = 5
const BULK = 'bulk changes'
const EVENTS = { name: 'events', tabs: 200, targetPercent: 5 }
const [NODES, HISTORY, RESELLER, HOT] = ['figures of nodes', 'history of changes', 'lists of a reseller', 'hot paths'] as const
const EDITOR = { name: 'editor of config profiles', firstKeyMs: 1500, taskMs: 50 }
const [GROWTH, ARCHIVE, BACKUP, MOVE_IN, RULES_SQUADS] = ['growth', 'archive', 'backup', 'move in', 'rules and squads'] as const
const SIZES = [1000, 100_000, 1_000_000]
const [LOAD, JOBS_SERVERS] = ['load', 'jobs servers'] as const
const MEMORY = { name: 'memory at rest', settleMs: 120_000, targetMb: 220 }
/** As `npm start` starts it. */
const MEMORY_OPTIONS = ['--max-semi-space-size=8', '--heap-growing-percent=40']

if (only === MOVE_IN) process.exit((await benchMoveIn(users)) ? 1 : 0)
if (only === RULES_SQUADS) process.exit((await benchRulesSquads(users, samples)) ? 1 : 0)
if (only === ARCHIVE || only === BACKUP) {
  const isMissed = await (only === ARCHIVE ? benchArchive : benchBackup)(dataDir, users)
  if (values.data === undefined) rmSync(dataDir, { recursive: true, force: true })
  process.exit(isMissed ? 1 : 0)
}
if (only === GROWTH) {
  await benchGrowth()
  process.exit(0)
}
await buildDashboard()
const postgres = await startEmbeddedPostgres({
  dataDir,
  settings: {
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_min_duration': '40ms',
    // Writing down what a booking hands over took a fifth of its time.
    'auto_explain.log_parameter_max_length': '0',
  },
})
try {
  await bench(postgres.url)
} finally {
  await postgres.stop()
  if (values.data === undefined) rmSync(dataDir, { recursive: true, force: true })
}

function scratchFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'causeway-bench-'))
  // As root the database runs under an account of its own, which has to pass through here.
  chmodSync(folder, 0o711)
  return folder
}

async function bench(url: string): Promise<void> {
  await migrate(url)
  const found = await seedOnce(url)
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const start = (ROLE: string) =>
    run({
      name: 'bench-server',
      args: [...MEMORY_OPTIONS, 'apps/server/src/main.ts'],
      env: { PORT: String(port), DATA_DIR: dataDir, DATABASE_URL: url, ROLE, LOG_LEVEL: 'warn' },
    })
  let server = start('api')
  try {
    await untilServing(origin, server)
    const [nodes, online, seconds] = [Number(values.nodes), Math.min(users, Number(values.online)), Number(values.seconds)]
    if (only === JOBS_SERVERS) return await measureJobsServers({ servers: 3, nodes, online, url, dataDir, seconds })
    if (only === LOAD) {
      await server.stop()
      server = start('all')
      await untilServing(origin, server)
      await measureLoad({
        url,
        origin,
        token: await registerAdmin(origin),
        dataDir,
        pid: server.pid,
        seconds,
        nodes,
        online,
        tabs: Number(values.tabs),
        subscriptionsPerSecond: Number(values.subscriptions),
        changesPerSecond: Number(values.changes),
      })
      return
    }
    if (MEMORY.name.includes(only)) {
      await server.stop()
      server = start('all')
      await untilServing(origin, server)
      await benchMemory(server.pid)
      await server.stop()
      server = start('api')
      await untilServing(origin, server)
    }
    const token = await registerAdmin(origin)
    describe(found)
    const plans = planReader(path.join(dataDir, 'postgres/postgres.log'))
    const cases: Measured[] = [
      ...usersListCases(found),
      {
        name: 'subscription',
        targetMs: 5,
        path: (sample) => `/api/sub/${found.shortUuids[sample % found.shortUuids.length]}`,
        headers: { 'user-agent': 'v2rayNG/1.10.8' },
      },
      // Beside a form that is being typed into: of somebody made up, with settings that are not saved.
      ...['Happ/3.0', 'clash.meta', 'Streisand'].map((userAgent) => ({
        name: `preview of a subscription for ${userAgent}`,
        targetMs: 50,
        path: () => '/api/x/subscriptions/preview',
        body: { userAgent, settings: { profileTitle: 'Typed just now' } },
      })),
      { name: 'statistics', targetMs: 10, path: () => '/api/system/stats' },
      ...dailyTasks(found.users),
      { name: 'users near their limit', path: () => '/api/x/users/near-limit' },
    ]
    const measureCases = async (some: readonly Measured[]) => {
      for (const measured of some) {
        plans()
        const result = await measure(origin, token, measured, samples)
        console.log(line(measured, result))
        if (measured.targetMs !== undefined && result.p95 > measured.targetMs)
          console.log(indented(plans()[0] ?? '(no statement took 40 ms)'))
      }
    }
    const asked = cases.filter(({ name }) => name.includes(only))
    if (asked.some(({ name }) => name.startsWith('daily')) || (HOT.includes(only) && found.users >= LEAST_ORDERED)) {
      const { firstSeconds, nextSeconds } = await orderByTraffic(url)
      console.log(
        `order by traffic made in ${firstSeconds.toFixed(1)} s, in step after every tenth user in ${nextSeconds.toFixed(1)} s`,
      )
    }
    await measureCases(asked)
    if (BOOKING.name.includes(only)) await benchBooking(url)
    if (EVENTS.name.includes(only)) await benchEvents(url, origin, token, server.pid)
    if (EDITOR.name.includes(only)) await benchEditor(origin, token)
    if (HOT.includes(only)) await benchHotPaths(url, origin, token)
    if (NODES.includes(only)) {
      const nodes = await fillNodeFigures(url)
      await measureCases(nodes.cases)
      await benchNodesChart(origin, token, nodes)
    }
    if (RESELLER.includes(only)) await measureCases(await resellerCases(url, origin, token, found))
    if (HISTORY.includes(only)) await measureCases(await fillHistory(url))
    if (PAGE.includes(only)) await benchPage(origin, token, await fillUsage(url))
    if (BULK.includes(only) && values.data === undefined) {
      // Bulk changes are made by the process that does everything, as on a machine with one server.
      await server.stop()
      server = start('all')
      await untilServing(origin, server)
      await benchBulk(url, origin, token)
    }
  } finally {
    await server.stop()
  }
}

/** Up to the number of users that is asked for. */
async function benchGrowth(): Promise<void> {
  const sizes = SIZES.filter((size) => size <= users)
  console.log(
    `${`${GROWTH}: times bare, by users`.padEnd(44)}${[...sizes, 'grown'].map((size) => String(size).padStart(10)).join('')}`,
  )
  for (const { name, multiples, grown, isMissed } of await measureGrowth(sizes, samples)) {
    const cells = [...multiples, grown].map((value) => value.toFixed(2).padStart(10)).join('')
    console.log(`${name.padEnd(44)}${cells}${isMissed ? '  MISSED' : ''}`)
  }
}

async function benchBooking(url: string): Promise<void> {
  const found = await measureBooking(url, Math.min(users, 100_000), 10)
  const { counters, booked, bare } = found
  const perSecond = ({ clock }: { clock: number }) => `${((counters * 1000) / clock).toFixed(0)} rows a second`
  const [byClock, byProcessor] = [booked.clock / bare.clock, booked.processor / bare.processor]
  console.log(
    `${line(BOOKING, found)}\n  ${perSecond(booked)}, COPY and UPDATE ... FROM of the same rows ${perSecond(bare)}: ` +
      `${byClock.toFixed(2)} × (target ${BOOKING.targetTimes})${byClock > BOOKING.targetTimes ? '  MISSED' : ''}; ` +
      `of the processor ${booked.processor.toFixed(0)} ms (${booked.database.toFixed(0)} of it the database's) and ` +
      `${bare.processor.toFixed(0)} (${bare.database.toFixed(0)}): ${byProcessor.toFixed(2)} ×`,
  )
}

/** Once what starting needs is over and its connections have been given back. */
async function benchMemory(pid: number): Promise<void> {
  await sleep(MEMORY.settleMs)
  const found = memoryOf(pid, dataDir)
  const isMissed = found.server + found.database > MEMORY.targetMb
  console.log(
    `\n${MEMORY.name}, everything in one process: ${memoryText(found)}; target ${MEMORY.targetMb} MB${isMissed ? '  MISSED' : ''}`,
  )
}

/**
 * A call in ms one by one and per second side by side, each with what it is a multiple of: a row found or written without any
 * product ("bare"), and where it has to be more, the same rows by one plain statement ("plain").
 */
async function benchHotPaths(url: string, origin: string, token: string): Promise<void> {
  const head = ['p50, ms', '× bare', '× plain', 'per s', '× bare', '× plain', 'target'].map((word) => word.padStart(9)).join('')
  console.log(`\n${`${HOT}, one by one and from 16 connections`.padEnd(44)}${head}`)
  for await (const { name, p50, slower, perSecond, fewer, plain, target } of measureHotPaths(url, origin, token, samples)) {
    const [ofOne, ofMany] = [plain?.slower.toFixed(1) ?? '', plain?.fewer.toFixed(1) ?? '']
    const cells = [p50.toFixed(2), slower.toFixed(1), ofOne, perSecond.toFixed(0), fewer.toFixed(1), ofMany, `${target ?? ''}`]
    const verdict = target !== undefined && Math.max(slower, fewer) > target ? '  MISSED' : ''
    console.log(`${name.padEnd(44)}${cells.map((cell) => cell.padStart(9)).join('')}${verdict}`)
  }
}

async function benchEditor(origin: string, token: string): Promise<void> {
  const { lines, firstKeys, typing, pasting } = await measureEditor(origin, token)
  const possible = figures(firstKeys.map((sample) => sample.possible))
  const taken = figures(firstKeys.map((sample) => sample.taken))
  const work = figures(firstKeys.map((sample) => sample.work))
  const { firstKeyMs, taskMs } = EDITOR
  const verdict = (isMissed: boolean) => (isMissed ? '  MISSED' : '')
  const tasks = ({ longest, longestByClock, total }: typeof typing) =>
    `longest task ${longest.toFixed(0)} ms of the processor (${longestByClock.toFixed(0)} by the clock), ${total.toFixed(0)} ms in all`
  console.log(`
${EDITOR.name}, ${lines} lines, in Chromium, 1440×900
cold until a key is possible p50 ${possible.p50.toFixed(0)} ms, slowest of ${firstKeys.length} ${possible.p99.toFixed(0)} ms (target ${firstKeyMs})${verdict(possible.p50 > firstKeyMs)}
  until one has been taken p50 ${taken.p50.toFixed(0)} ms, slowest ${taken.p99.toFixed(0)} ms; p50 ${work.p50.toFixed(0)} ms of the page's thread
100 keys: ${tasks(typing)} (target ${taskMs})${verdict(typing.longest > taskMs)}
${pasting.megabytes.toFixed(1)} MB pasted: ${tasks(pasting)}`)
}

/** Beside the process's share of a core: what it takes without any tab. */
async function benchEvents(url: string, origin: string, token: string, pid: number): Promise<void> {
  const seconds = Number(values.minutes) * 60
  const { tabs, targetPercent } = EVENTS
  const found = await measureEvents(url, { origin, token, pid, tabs, seconds })
  const added = found.withTabsPercent - found.idlePercent
  console.log(
    `\n${tabs} open tabs for ${values.minutes} min, ${found.changes} changes, ${found.messages} messages: ` +
      `${added.toFixed(1)} % of a core (server alone ${found.idlePercent.toFixed(1)} %, with them ${found.withTabsPercent.toFixed(1)} %; ` +
      `target ${targetPercent} %)${added > targetPercent ? '  MISSED' : ''}`,
  )
}

async function benchPage(origin: string, token: string, heavyUser: string): Promise<void> {
  console.log(`\n${PAGE}`)
  await withUsersPage(origin, token, async ({ cold, warm, polling, chart }) => {
    for (const [name, open] of Object.entries({ cold, warm })) {
      const found: OpeningFigures[] = []
      for (let sample = 0; sample < PAGE_SAMPLES; sample++) found.push(await open())
      const rows = figures(found.map(({ firstRows }) => firstRows))
      const [sent, task] = [found[0]?.kilobytes ?? 0, Math.max(...found.map(({ longestTask }) => longestTask))]
      console.log(
        `${name.padEnd(8)}first rows p50 ${rows.p50.toFixed(0)} ms, slowest of ${PAGE_SAMPLES} ${rows.p99.toFixed(0)} ms; ` +
          `${sent.toFixed(0)} kB sent; longest task ${task.toFixed(0)} ms`,
      )
    }
    const { draw, regroup, highlight, hover } = await chart(heavyUser)
    console.log(
      `chart of 100 series over 180 days: drawn in ${draw.toFixed(0)} ms, regrouped in ${regroup.toFixed(0)} ms, ` +
        `one highlighted in ${highlight.toFixed(0)} ms; longest task while hovering ${hover.toFixed(0)} ms`,
    )
    const { heap, longestTask } = await polling(Number(values.minutes))
    const course = heap.map((megabytes) => megabytes.toFixed(1)).join(', ')
    console.log(
      `500 rows, polled for ${values.minutes} min: heap MB minute by minute ${course}; longest task ${longestTask.toFixed(0)} ms`,
    )
  })
}

async function benchNodesChart(origin: string, token: string, { countingSeconds }: NodeFigures): Promise<void> {
  const { draw, regroup, highlight, hover } = await measureStatisticsPage(origin, token)
  console.log(
    `statistics of 500 nodes over 180 days: drawn in ${draw.toFixed(0)} ms, regrouped in ${regroup.toFixed(0)} ms, ` +
      `one highlighted in ${highlight.toFixed(0)} ms; longest task while hovering ${hover.toFixed(0)} ms; ` +
      `all users counted anew in ${countingSeconds.toFixed(0)} s`,
  )
}

async function benchBulk(url: string, origin: string, token: string): Promise<void> {
  console.log(`\n${BULK.padEnd(44)}${'seconds'.padStart(9)}   the list meanwhile, ms: p50      p95      p99`)
  for await (const { name, seconds, list } of measureBulk(url, origin, token, users)) {
    const cells = [list.p50, list.p95, list.p99].map((value) => value.toFixed(1).padStart(9)).join('')
    console.log(`${name.padEnd(44)}${seconds.toFixed(1).padStart(9)}${cells.padStart(45)}`)
  }
}

interface Found {
  users: number
  squads: string[]
  shortUuids: string[]
  version: string
}

async function seedOnce(url: string): Promise<Found> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rowCount } = await client.query('select from "users" limit 1')
    const begun = performance.now()
    if (rowCount === 0) {
      await seedDatabase(url, { users, nodes: 20, days: 0 }, new Date(), (sentence) => console.log(`${sentence} ...`))
      await fillRecentTraffic(url)
      console.log(`seeded in ${((performance.now() - begun) / 1000).toFixed(0)} s`)
    }
    await client.query(`delete from "admins"`)
    const count = await client.query<{ total: number }>('select count(*)::int as "total" from "users"')
    const squads = await client.query<{ uuid: string }>('select "uuid" from "internalSquads" order by "id"')
    const some = await client.query<{ shortUuid: string }>('select "shortUuid" from "users" tablesample system (1) limit 200')
    const version = await client.query<{ server_version: string }>('show server_version')
    return {
      users: count.rows[0]?.total ?? 0,
      squads: squads.rows.map((row) => row.uuid),
      shortUuids: some.rows.map((row) => row.shortUuid),
      version: version.rows[0]?.server_version ?? '',
    }
  } finally {
    await client.end()
  }
}

function describe(found: Found): void {
  const cpu = os.cpus()
  console.log(`
${found.users} users, 20 nodes; PostgreSQL ${found.version}, Node ${process.version}
${cpu.length} x ${cpu[0]?.model ?? 'unknown processor'}, ${(os.totalmem() / 2 ** 30).toFixed(1)} GiB, load ${os.loadavg()[0]?.toFixed(1)}
One request after the other over HTTP on the loopback, ${samples} samples each after 3 that do not count, signed in as ${ADMIN.username}.
Times in ms from sending the request to its last byte. A plan follows where p95 misses its target.

${'what'.padEnd(44)}${'p50'.padStart(9)}${'p95'.padStart(9)}${'p99'.padStart(9)}${'target'.padStart(9)}`)
}

function line({ name, targetMs }: Pick<Measured, 'name' | 'targetMs'>, { p50, p95, p99 }: Figures): string {
  const cells = [p50, p95, p99].map((value) => value.toFixed(1).padStart(9)).join('')
  const verdict = targetMs !== undefined && p95 > targetMs ? '  MISSED' : ''
  return `${name.padEnd(44)}${cells}${String(targetMs ?? '').padStart(9)}${verdict}`
}

function indented(text: string): string {
  return text
    .trimEnd()
    .split('\n')
    .slice(0, 40)
    .map((part) => `    ${part}`)
    .join('\n')
}
