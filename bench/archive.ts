// How long an export and an import of the same installation take, the most memory of either process, the size of the archive,
// and what an export beside a running server does to subscriptions. Ten days of usage for each user.
import { spawn } from 'node:child_process'
import { readFileSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { startEmbeddedPostgres } from '../apps/server/src/postgres/embedded-postgres.ts'
import { migrate } from '../apps/server/src/db/migrate.ts'
import { untilServing } from '../e2e/stage/panel.ts'
import { freePort, run } from '../e2e/stage/processes.ts'
import { seedDatabase } from '../scripts/seed/load.ts'
import { figures, type Figures } from './measure.ts'
import { subscriptionLoad } from './subscription-load.ts'

const ROOT = path.resolve(import.meta.dirname, '..')
const NODES = 10
const DAYS = 10
const MEMORY_EVERY_MS = 200
const ALONE_SECONDS = 30
const TARGET_TIMES = 2

interface Run {
  seconds: number
  megabytes: number
}
interface ArchiveFigures {
  users: number
  rows: number
  archiveMegabytes: number
  databaseMegabytes: number
  exported: Run
  imported: Run
  alone: Figures
  meanwhile: Figures
}

/** Prints the figures. Gives whether the target was missed. */
export async function benchArchive(dataDir: string, users: number): Promise<boolean> {
  const { rows, archiveMegabytes, databaseMegabytes, exported, imported, alone, meanwhile } = await measureArchive(dataDir, users)
  const ran = ({ seconds, megabytes }: Run) => `${seconds.toFixed(0)} s, ${megabytes} MB of memory`
  const times = ({ p50, p99 }: Figures) => `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`
  const isMissed = meanwhile.p99 > TARGET_TIMES * alone.p99
  const ratio = `${(meanwhile.p99 / alone.p99).toFixed(1)} × (target ${TARGET_TIMES})${isMissed ? '  MISSED' : ''}`
  console.log(`
${users.toLocaleString('en')} users, ${rows.toLocaleString('en')} rows, database ${databaseMegabytes} MB, archive ${archiveMegabytes} MB
export  ${ran(exported)}
import  ${ran(imported)}
subscriptions alone            ${times(alone)}
subscriptions beside an export ${times(meanwhile)}: ${ratio}`)
  return isMissed
}

/** On a database in `dataDir` that is seeded for it, unless one of that size is there. */
async function measureArchive(dataDir: string, users: number): Promise<ArchiveFigures> {
  const postgres = await startEmbeddedPostgres({ dataDir })
  const file = path.join(dataDir, 'bench.jsonl.zst')
  rmSync(file, { force: true })
  try {
    await migrate(postgres.url)
    const found = await ask<{ count: number }>(postgres.url, 'select count(*)::int as "count" from "users"')
    if (found[0]?.count !== users)
      await seedDatabase(postgres.url, { users, nodes: NODES, days: DAYS }, new Date(), (sentence) => console.log(sentence))
    const subscribers = await ask<{ shortUuid: string }>(
      postgres.url,
      'select "shortUuid" from "users" where "id" % greatest(1, (select count(*) from "users") / 2000) = 0',
    )
    const port = await freePort()
    const origin = `http://127.0.0.1:${port}`
    const env = { PORT: String(port), DATA_DIR: dataDir, DATABASE_URL: postgres.url, ROLE: 'api', LOG_LEVEL: 'warn' }
    const server = run({ name: 'bench-server', args: ['apps/server/src/main.ts'], env })
    let [alone, meanwhile, exported]: [Figures?, Figures?, (Run & { said: string })?] = []
    try {
      await untilServing(origin, server)
      const load = subscriptionLoad(
        origin,
        subscribers.map(({ shortUuid }) => shortUuid),
      )
      await load(() => sleep(ALONE_SECONDS * 100)) // what is remembered has been asked for
      alone = figures(await load(() => sleep(ALONE_SECONDS * 1000)))
      meanwhile = figures(await load(async () => void (exported = await causeway(['export', file, '--json'], env))))
    } finally {
      await server.stop()
    }
    if (!exported || !alone || !meanwhile) throw new Error('The export was not measured.')
    const [size] = await ask<{ bytes: number }>(postgres.url, `select pg_database_size(current_database())::float8 as "bytes"`)
    await ask(postgres.url, 'drop database if exists "target"')
    await ask(postgres.url, 'create database "target"')
    const target = new URL(postgres.url.replace('@/', '@socket/'))
    target.pathname = '/target'
    const imported = await causeway(['import', file, '--json'], { ...env, DATABASE_URL: target.href.replace('@socket/', '@/') })
    return {
      users,
      rows: (JSON.parse(imported.said) as { rows: number }).rows, // what the program prints with --json
      archiveMegabytes: Math.round(statSync(file).size / 1e6),
      databaseMegabytes: Math.round((size?.bytes ?? 0) / 1e6),
      exported,
      imported,
      alone,
      meanwhile,
    }
  } finally {
    await postgres.stop()
  }
}

/** Runs the program; gives what it printed and the most megabytes it had. @throws Error when it fails */
async function causeway(line: string[], env: Record<string, string>): Promise<Run & { said: string }> {
  const begun = performance.now()
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', path.join(ROOT, 'apps/server/src/causeway.ts'), ...line],
    { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  let [most, said] = [0, '']
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const timer = setInterval(() => (most = Math.max(most, megabytesOf(child.pid))), MEMORY_EVERY_MS)
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  clearInterval(timer)
  if (code !== 0) throw new Error(`causeway ${line[0]} ended with ${code}.`)
  return { seconds: (performance.now() - begun) / 1000, megabytes: most, said }
}

function megabytesOf(pid = 0): number {
  try {
    const kilobytes = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return Math.round(Number(kilobytes ?? 0) / 1024)
  } catch {
    return 0 // it has just ended
  }
}

async function ask<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}
