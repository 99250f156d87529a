import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { startEmbeddedPostgres } from '../src/postgres/embedded-postgres.ts'
import { migrate } from '../src/db/migrate.ts'

// One PostgreSQL for a whole test run, and in it one migrated template of which every test file gets a copy.

const URL_VARIABLE = 'CAUSEWAY_TEST_POSTGRES_URL'
const TEMPLATE = 'causeway'
const FOLDER_PREFIX = 'causeway-test-'
/** How often it is looked whether a database is left alone, and the pause between two looks. */
const MOST_LOOKS = 20
const LOOK_MS = 10
// Tests may lose their data at a crash, and several runs may share a machine.
const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  shared_buffers: '64MB',
  max_connections: '300',
}

/** Vitest's global set-up; also for other runners. Returns what ends it. */
export async function setup(): Promise<() => Promise<void>> {
  // Projects of one run share it.
  if (process.env[URL_VARIABLE]) return async () => {}
  await sweep()
  const dataDir = await mkdtemp(path.join(os.tmpdir(), `${FOLDER_PREFIX}${process.pid}-`))
  await chmod(dataDir, 0o755) // the database's own account has to pass through
  const postgres = await startEmbeddedPostgres({ dataDir, settings: SETTINGS })
  await migrate(postgres.url)
  process.env[URL_VARIABLE] = postgres.url
  return async () => {
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** A database of the caller's own in a few hundredths of a second: migrated and empty, or a copy of one that nothing is connected to. */
export async function testDatabase(copyOf?: string): Promise<{ url: string; drop(): Promise<void> }> {
  const server = process.env[URL_VARIABLE]
  if (!server) throw new Error("No test database runs: run this with `vitest run --project 'node*'`, whose set-up starts it.")
  const name = `test_${randomBytes(6).toString('hex')}`
  const admin = databaseUrl(server, 'postgres')
  const template = copyOf === undefined ? TEMPLATE : new URL(copyOf).pathname.slice(1)
  await execute(admin, `create database ${name} template ${template}`)
  return { url: databaseUrl(server, name), drop: () => drop(admin, name) }
}

/** A database of the caller's own as it was right before a migration, named without `.sql`. */
export async function databaseBefore(migration: string): Promise<{ url: string; drop(): Promise<void> }> {
  const server = process.env[URL_VARIABLE]
  if (!server) throw new Error("No test database runs: run this with `vitest run --project 'node*'`, whose set-up starts it.")
  const names = (await readdir(path.join(import.meta.dirname, '../src/db/migrations'))).map((file) => file.replace('.sql', ''))
  const before = names.toSorted()[names.toSorted().indexOf(migration) - 1]
  const name = `test_${randomBytes(6).toString('hex')}`
  const admin = databaseUrl(server, 'postgres')
  await execute(admin, `create database ${name}`)
  const url = databaseUrl(server, name)
  await migrate(url, before)
  return { url, drop: () => drop(admin, name) }
}

/** The same server, another database of it. */
export function databaseUrl(url: string, name: string): string {
  const parsed = new URL(url)
  parsed.pathname = `/${name}`
  return parsed.href
}

/** A connection that is closing is ended by its own side, as long as it does so soon: ended by force it would report that. */
async function drop(admin: string, name: string): Promise<void> {
  await withClient(admin, async (client) => {
    for (let look = 0; look < MOST_LOOKS; look++) {
      const { rows } = await client.query('select from pg_stat_activity where "datname" = $1 limit 1', [name])
      if (rows.length === 0) break
      await sleep(LOOK_MS)
    }
    await client.query(`drop database if exists ${name} with (force)`)
  })
}

function execute(url: string, sql: string): Promise<void> {
  return withClient(url, async (client) => void (await client.query(sql)))
}

async function withClient(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

/** Ends what a killed run left behind: its database lives on by itself. */
async function sweep(): Promise<void> {
  for (const name of await readdir(os.tmpdir())) {
    const owner = name.startsWith(FOLDER_PREFIX) ? Number(name.slice(FOLDER_PREFIX.length).split('-')[0]) : Number.NaN
    if (Number.isNaN(owner) || isAlive(owner)) continue
    const folder = path.join(os.tmpdir(), name)
    const pidFile = (await readdir(path.join(folder, 'postgres')).catch(() => [])).find((entry) => /^pg\d+$/.test(entry))
    const text = pidFile ? await readFile(path.join(folder, 'postgres', pidFile, 'postmaster.pid'), 'utf8').catch(() => '') : ''
    const pid = Number(text.split('\n')[0])
    // Numbers are given out again: only a process that works in that very folder is the database of that run.
    const home = await readlink(`/proc/${pid}/cwd`).catch(() => '')
    if (pid > 0 && home.startsWith(`${folder}/`)) process.kill(pid, 'SIGQUIT')
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
