import type pg from 'pg'
import { Client } from './hosts/client.ts'
import { POOLED_OPTIONS, START_OPTIONS } from './connect.ts'
import { codeOf } from './failures.ts'

const OLDEST_VERSION = 16
const CONNECT_LIMIT_MS = 10_000

interface Found {
  name: string
  version: string
  encoding: string
  isStandby: boolean
  mayCreate: boolean
  hasTrigrams: boolean
  zone: string
  user: string
}

/** Makes sure that the database an administrator names can be used. @throws Error with a sentence that says why not. */
export async function checkOwnDatabase(url: string): Promise<void> {
  const client = clientOf(url)
  try {
    await client.connect()
    const { rows } = await client.query<Found>(`
      select current_database() as "name", current_setting('server_version') as "version",
        current_setting('server_encoding') as "encoding", pg_is_in_recovery() as "isStandby",
        has_database_privilege(current_database(), 'create') and has_schema_privilege('public', 'create') as "mayCreate",
        exists (select 1 from pg_available_extensions where name = 'pg_trgm') as "hasTrigrams",
        current_setting('timezone') as "zone", current_user as "user"`)
    for (const found of rows) refuse(found)
    if (await sharesConnections(client, () => clientOf(url))) throw new Error(POOLER)
    for (const found of rows) refuseZone(found)
  } catch (error) {
    const why = refusesOptions(error) ? await poolerReason(url) : reason(error, client)
    throw new Error(`The database of DATABASE_URL cannot be used: ${why}`, { cause: error })
  } finally {
    await client.end().catch(() => {}) // it never was connected, or is not any more
  }
}

/** Makes sure that a pooler in front of it can be used, whichever way it pools. @throws Error as above */
export async function checkPooler(url: string): Promise<void> {
  const open = () => clientOf(url, POOLED_OPTIONS)
  const client = open()
  try {
    await client.connect()
    const { rows } = await client.query<Pick<Found, 'zone' | 'user'>>(
      `select current_setting('timezone') as "zone", current_user as "user"`,
    )
    for (const found of rows) refuseZone(found)
    if (!(await keepsStatements(client, open))) throw new Error(NO_STATEMENTS)
  } catch (error) {
    const why = refusesOptions(error) ? REFUSED_ZONE : reason(error, client)
    throw new Error(`The pooler of DATABASE_URL cannot be used: ${why}`, { cause: error })
  } finally {
    await client.end().catch(() => {}) // it never was connected, or is not any more
  }
}

/** A prepared statement is known on whichever backend its connection has next. */
async function keepsStatements(client: pg.Client, open: () => pg.Client): Promise<boolean> {
  const statement = { name: 'causeway_kept', text: 'select pg_backend_pid() as "pid"' }
  const others: pg.Client[] = []
  try {
    const { rows } = await client.query<{ pid: number }>(statement)
    for (let count = 0; count < MOST_BACKENDS; count++) {
      const other = open()
      others.push(other)
      await other.connect()
      await other.query('begin')
      // It holds the backend that has prepared the statement, so that the next use is on another one.
      if ((await backendOf(other)) === rows[0]?.pid) break
    }
    await client.query(statement)
    return true
  } catch (error) {
    if (codeOf(error) === UNKNOWN_STATEMENT) return false
    throw error
  } finally {
    await Promise.all(others.map((other) => other.end().catch(() => {}))) // as above
  }
}

const UNKNOWN_STATEMENT = '26000'
const MOST_BACKENDS = 4

function clientOf(url: string, options = START_OPTIONS): pg.Client {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_LIMIT_MS, options })
  client.on('error', () => {}) // told by the query that it breaks
  return client
}

const POOLER =
  'a connection pooler in front of it hands each transaction another connection, as PgBouncer does with pool_mode=transaction. ' +
  'Locks, prepared statements and notices need one of their own. Name PostgreSQL itself, without the pooler, or name it as DATABASE_DIRECT_URL beside the pooler.'

const NO_STATEMENTS =
  'it does not keep prepared statements for its clients. With PgBouncer that takes version 1.21 or newer and max_prepared_statements above 0.'

const REFUSED_ZONE =
  'it refuses the time zone that each connection starts with. With PgBouncer before 1.20, write ignore_startup_parameters = options ' +
  "into its configuration, and run in PostgreSQL: alter role <user> set timezone = 'UTC'"

const REFUSED_OPTIONS =
  'a connection pooler in front of it refuses the options that each connection starts with. Name PostgreSQL itself. ' +
  'Or, with PgBouncer and pool_mode=session, write ignore_startup_parameters = options into its configuration.'

const refusesOptions = (error: unknown) => error instanceof Error && error.message.includes('unsupported startup parameter')

/** Poolers refuse options whichever way they pool: without options it shows. */
async function poolerReason(url: string): Promise<string> {
  const client = clientOf(url, '')
  try {
    await client.connect()
    return (await sharesConnections(client, () => clientOf(url, ''))) ? POOLER : REFUSED_OPTIONS
  } catch (error) {
    return reason(error, client)
  } finally {
    await client.end().catch(() => {}) // it never was connected, or is not any more
  }
}

/**
 * A connection keeps its backend process, and shares it with no other, unless a pooler lends backends out per transaction.
 * Asking twice, then once on another connection, finds poolers that reuse the latest backend and those that take turns.
 */
async function sharesConnections(first: pg.Client, open: () => pg.Client): Promise<boolean> {
  const second = open()
  try {
    await second.connect()
    const pids = { first: new Set<number>(), second: new Set<number>() }
    for (let round = 0; round < 3; round++) {
      for (let twice = 0; twice < 2; twice++) pids.first.add(await backendOf(first))
      pids.second.add(await backendOf(second))
    }
    return pids.first.size > 1 || pids.second.size > 1 || [...pids.first].some((pid) => pids.second.has(pid))
  } finally {
    await second.end().catch(() => {}) // it never was connected, or is not any more
  }
}

async function backendOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as "pid"')
  return rows[0]?.pid ?? 0
}

function refuse(found: Found): void {
  if (Number.parseInt(found.version, 10) < OLDEST_VERSION)
    throw new Error(`it is PostgreSQL ${found.version}, and ${OLDEST_VERSION} or newer is needed.`)
  if (found.isStandby) throw new Error('it is a standby, which cannot be written to. Name the primary.')
  if (found.encoding !== 'UTF8') throw new Error(`its encoding is ${found.encoding}. Create it with encoding UTF8.`)
  if (!found.mayCreate) throw new Error(`its user may not create tables. Make that user the owner of ${found.name}.`)
  if (!found.hasTrigrams)
    throw new Error("the extension pg_trgm is not installed beside it. It comes with PostgreSQL's contrib package.")
}

/** A pooler that ignores options leaves days to the zone of the machine. */
function refuseZone({ zone, user }: Pick<Found, 'zone' | 'user'>): void {
  if (zone === 'UTC') return
  throw new Error(
    `connections start in the time zone ${zone} instead of UTC, as a pooler in front leaves out their options. ` +
      `Run: alter role "${user}" set timezone = 'UTC'`,
  )
}

function reason(error: unknown, { host, port, user, database }: pg.Client): string {
  // A name with several addresses fails once per address.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error
  const message = first instanceof Error ? first.message : String(first)
  const code = first instanceof Error && 'code' in first ? first.code : undefined
  if (code === '3D000') return `${message}. Create it: createdb --encoding UTF8 --owner ${user} ${database}`
  if (code === '28P01' || code === '28000') return `${message}. Check the user and the password.`
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `no machine is known by the name ${host}.`
  const hasNoAnswer = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'ENOENT'].includes(String(code))
  if (hasNoAnswer || message.includes('timeout')) return `nothing answers at ${host}, port ${port} (${message}).`
  return message
}
