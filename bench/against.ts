// node scripts/run.mjs bench/against.ts <folder of another checkout> [users] [--samples n]: asks the servers of both checkouts
// for every hot path by turns, in one run, each on a database that its own code has migrated and seeded. Prints what this one
// loses, by the clock and by the processor. The other checkout needs a node_modules of its own.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { Agent } from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { registerAdmin, untilServing } from '../e2e/stage/panel.ts'
import { freePort, root, run, until } from '../e2e/stage/processes.ts'
import { startEmbeddedPostgres } from '../apps/server/src/postgres/embedded-postgres.ts'
import { compared, type Side } from './against.rules.ts'
import { hotCalls, prepare, sampled, type Facts, type Sampled } from './hot-paths.ts'
import { figures, send } from './measure.ts'
import { threadsMs } from './processor.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { samples: { type: 'string', default: '400' }, only: { type: 'string', default: '' } },
})
const [other, count = '20000'] = positionals
if (other === undefined) throw new Error('Name the folder of the other checkout.')
const samples = Number(values.samples)
/** Asked of one side before it is the other's turn. */
const BLOCK = 20
const WARM_UP_BLOCKS = 10

interface Server {
  origin: string
  token: string
  pid: number
  facts: Facts
  sample: number
}

const dataDir = mkdtempSync(path.join(os.tmpdir(), 'causeway-against-'))
// As root the database runs under an account of its own, which has to pass through here.
chmodSync(dataDir, 0o711)
const postgres = await startEmbeddedPostgres({ dataDir })
const stops: (() => Promise<void>)[] = []
try {
  const before = await start('before', path.resolve(other))
  const now = await start('now', root)
  console.log(
    `${count} users, ${samples} samples of each, load ${os.loadavg()[0]?.toFixed(1)} on ${os.cpus().length} processors\n`,
  )
  console.log(`${'hot path'.padEnd(28)}${['before', 'now', 'before', 'now', 'loss'].map((word) => word.padStart(10)).join('')}`)
  console.log(`${''.padEnd(28)}${['p50, ms', 'p50, ms', 'CPU, ms', 'CPU, ms', '%'].map((word) => word.padStart(10)).join('')}`)
  for (const { name } of hotCalls(now.facts).filter((call) => call.name.includes(values.only))) {
    const found = compared(name, ...(await byTurns(name, before, now)))
    const cells = [found.before.p50, found.now.p50, found.before.processorMs, found.now.processorMs].map((ms) => ms.toFixed(2))
    const row = [...cells, (found.loss * 100).toFixed(1)].map((cell) => cell.padStart(10)).join('')
    console.log(`${name.padEnd(28)}${row}${found.isMissed ? '  MISSED' : ''}`)
  }
  console.log(`\nload at the end ${os.loadavg()[0]?.toFixed(1)}`)
} finally {
  for (const stop of stops) await stop()
  await postgres.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

async function start(name: string, folder: string): Promise<Server> {
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  await client.query(`create database "${name}"`)
  await client.end()
  const address = new URL(postgres.url)
  address.pathname = `/${name}`
  const url = address.href
  await seedWith(name, folder, url)
  const facts = await prepare(url)
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const server = run({
    name: `against-${name}`,
    args: ['apps/server/src/main.ts'],
    cwd: folder,
    env: { PORT: String(port), DATA_DIR: path.join(dataDir, name), DATABASE_URL: url, ROLE: 'api', LOG_LEVEL: 'warn' },
  })
  stops.push(() => server.stop())
  await untilServing(origin, server)
  return { origin, token: await registerAdmin(origin), pid: server.pid, facts, sample: 0 }
}

/** By the code of that checkout, whose tables are its own. */
async function seedWith(name: string, folder: string, url: string): Promise<void> {
  const text = `
    const { migrate } = await import('${folder}/apps/server/src/db/migrate.ts')
    const { seedDatabase } = await import('${folder}/scripts/seed/load.ts')
    await migrate('${url}')
    await seedDatabase('${url}', { users: ${Number(count)}, nodes: 20, days: 0 }, new Date())
    process.exit(0)`
  const seeding = run({ name: `against-seed-${name}`, args: ['--input-type=module', '-e', text], cwd: folder })
  await until('the database is seeded', () => !seeding.isRunning(), 600_000)
}

/** Blocks of both sides after each other, each side first as often as the other. */
async function byTurns(name: string, before: Server, now: Server): Promise<[Side, Side]> {
  const sides = [before, now].map((server) => ({
    server,
    call: callOf(server, name),
    times: [] as number[],
    blocks: [] as number[],
  }))
  const one = new Agent({ keepAlive: true, maxSockets: 1 })
  for (let block = -WARM_UP_BLOCKS; block * BLOCK < samples; block++) {
    for (const side of block % 2 === 0 ? sides : sides.toReversed()) {
      const begun = threadsMs(side.server.pid)
      const times = await askBlock(one, side.server, side.call)
      if (block < 0) continue
      side.blocks.push((threadsMs(side.server.pid) - begun) / BLOCK)
      side.times.push(...times)
    }
  }
  one.destroy()
  const [first, second] = sides.map(({ times, blocks }): Side => ({
    p50: figures(times).p50,
    processorMs: figures(blocks).p50,
  }))
  if (!first || !second) throw new Error('There are two sides.')
  return [first, second]
}

function callOf({ facts }: Server, name: string): Sampled {
  const call = hotCalls(facts).find((each) => each.name === name)
  if (!call) throw new Error(`${name} is no hot path.`)
  return call
}

async function askBlock(agent: Agent, server: Server, call: Sampled): Promise<number[]> {
  const times: number[] = []
  for (let count = 0; count < BLOCK; count++) {
    const begun = performance.now()
    await send(agent, server.origin, server.token, sampled(call, server.sample++))
    times.push(performance.now() - begun)
  }
  return times
}
