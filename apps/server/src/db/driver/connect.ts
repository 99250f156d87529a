import { randomBytes } from 'node:crypto'
import { Kysely, type Transaction } from 'kysely'
import pg from 'pg'
import { ASK_AFTER_ME, KEPT_ALIVE } from './kept-alive.ts'
import { timestampOf } from '../../lib/timestamp.ts'
import { PipelinedDialect } from './pipeline.ts'
import { ANEW } from './planner.ts'
import { Described, PreparedQuery, type QueryRequest } from './prepared-query.ts'
import { endWaitsInSilence, type SilencePeriods } from './silence.ts'
import type { Tables } from '../tables.ts'
import { UncutClient } from './uncut-rows.ts'
import { tellUntold, type Telling } from './untold.ts'

export type Tx = Transaction<Tables>
/** The database, or a transaction in it: queries take either. */
export type Db = Kysely<Tables> | Tx

export interface Database {
  db: Kysely<Tables>
  /** For COPY, LISTEN and other things a query builder does not speak. */
  pool: pg.Pool
  close(): Promise<void>
}

const INT8 = 20
const DATE = 1082
const TIMESTAMPTZ = 1184
const MAX_STATEMENTS = 500
const PATIENCE_MS = 30_000
/** Frees the locks of a server that is frozen or cut off in the middle of a transaction. */
const IDLE_LIMIT_MS = 60_000
/** Sent when a connection starts. A pooler in front may refuse them, so the check at the start sends them too. */
export const START_OPTIONS = `-c timezone=UTC -c idle_in_transaction_session_timeout=${IDLE_LIMIT_MS} ${ASK_AFTER_ME}`

/** What a pooler by transactions can keep apart for each client. */
export const POOLED_OPTIONS = '-c timezone=UTC'

// Bytes and ids stay below 2^53; days are text, as a Date would shift them with the machine's zone.
pg.types.setTypeParser(INT8, Number)
pg.types.setTypeParser(DATE, (text) => text)
const anyTimestamp: (text: string) => Date = pg.types.getTypeParser(TIMESTAMPTZ)
pg.types.setTypeParser(TIMESTAMPTZ, (text) => timestampOf(text) ?? anyTimestamp(text))

interface ConnectOptions {
  max?: number
  onError?: (error: Error) => void
  /** Told when the database falls silent, and when it answers again. */
  onNotice?: (sentence: string) => void
  /** How long one may wait for a connection. */
  patienceMs?: number
  silence?: SilencePeriods
  /** One host that may be a standby: it is only read from. */
  isReplica?: boolean
  /** A pooler in front hands each transaction another connection. */
  isPooled?: boolean
}

/** Opens a pool of connections. Every distinct statement becomes a prepared one, which doubles the speed of look-ups. */
export function connect(url: string, options: ConnectOptions = {}): Database {
  const pool = new pg.Pool({
    Client: UncutClient,
    connectionString: url,
    max: options.max ?? 12,
    pipeline: true,
    options: options.isPooled ? POOLED_OPTIONS : START_OPTIONS,
    ...(options.isReplica ? { mayBeStandby: true } : {}),
    ...KEPT_ALIVE,
    // A caller that waits longer for a connection gets an error.
    connectionTimeoutMillis: options.patienceMs ?? PATIENCE_MS,
    application_name: 'causeway',
  })
  // A broken connection must not end the process. The pool reports idle ones, a connection in use reports itself: its
  // query fails, and the next caller gets a new connection.
  let isClosing = false
  const onError = (error: Error): void => {
    // A connection that is being closed may still break when the database stops right after.
    if (!isClosing) options.onError?.(error)
  }
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', onError))
  const silence = endWaitsInSilence(pool, (sentence) => options.onNotice?.(sentence), options.silence)
  const telling = options.isReplica ? undefined : tellUntold(pool)
  const db = new Kysely<Tables>({ dialect: new PipelinedDialect(withNamedStatements(pool), () => telling?.soon()) })
  pools.set(db, pool)
  if (telling) tellings.set(db, telling)
  const close = (): Promise<void> => {
    isClosing = true
    telling?.stop()
    silence.stop()
    return db.destroy()
  }
  return { db, pool, close }
}

/** Takes statements by their text. */
export interface QueryTarget {
  query<Row extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<pg.QueryResult<Row>>
}

const pools = new WeakMap<Db, QueryTarget>()

/** The pool behind the database itself; a transaction has one connection of it. */
export function poolOf(db: Db): QueryTarget | undefined {
  return pools.get(db)
}

/** Statements whose text is known go to `query`, as they go to a pool. */
export function answerReads(db: Db, query: QueryTarget['query']): void {
  pools.set(db, { query })
}

const tellings = new WeakMap<Db, Telling>()

/** A statement outside of a transaction has changed something: what it has left to tell is told, as after a commit. */
export function hasChanged(db: Kysely<Tables>): void {
  tellings.get(db)?.soon()
}

/** Statements sent once, such as `begin`, carry no values; look-ups are recognised by their first word. */
function isPrepared(text: string, values: unknown[]): boolean {
  return (values.length > 0 && !text.startsWith(ANEW)) || text.startsWith('select ')
}

/** A query given as an object: text, values, and how its rows are read. */
function isAsked(asked: unknown): asked is QueryRequest {
  return typeof asked === 'object' && asked !== null && 'values' in asked && !('submit' in asked)
}

type Answered = (error: Error | undefined, result: pg.QueryResult) => void

function withNamedStatements(pool: pg.Pool): pg.Pool {
  const names = new Map<string, string>()
  // Behind a pooler that hands connections on, a name of another process would be another statement.
  const own = randomBytes(4).toString('hex')
  let made = 0
  const nameOf = (text: string): string | undefined => {
    const known = names.get(text)
    if (known || names.size >= MAX_STATEMENTS) return known
    const name = `${own}_${made++}`
    names.set(text, name)
    return name
  }
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown // one of pg's eight overloads, chosen below
    const sendTogether = corkedUntilNextTick(client)
    const described = new Described()
    const named = (text: unknown, values?: unknown, ...rest: unknown[]): unknown => {
      sendTogether()
      const asked: QueryRequest | undefined =
        typeof text === 'string' && Array.isArray(values) ? { text, values } : isAsked(text) ? text : undefined
      const name = asked && isPrepared(asked.text, asked.values) ? nameOf(asked.text) : undefined
      if (!asked || !(name || asked.taker)) return query(text, values, ...rest)
      const answered = [values, rest[0]].find((each): each is Answered => typeof each === 'function')
      const ask = (as: string, answer: Answered): unknown => query(new PreparedQuery(asked, as, described, answer))
      const askTwice = (answer: Answered): unknown =>
        ask(name ?? '', (error, result) => {
          if (!isOutdated(error)) return answer(error, result)
          if (names.get(asked.text) === name) names.delete(asked.text)
          const anew = nameOf(asked.text)
          // In a transaction the failure has ended it.
          if (!anew || client.getTransactionStatus() !== 'I') return answer(error, result)
          ask(anew, answer)
        })
      if (answered) return askTwice(answered)
      return new Promise((resolve, reject) => {
        askTwice((error, result) => (error ? reject(traced(error)) : resolve(result)))
      })
    }
    Object.assign(client, { query: named })
  })
  return pool
}

/**
 * The columns of a table changed after the statement was prepared, as when another server is upgraded. Each
 * connection would refuse the statement of this name from then on.
 */
function isOutdated(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '0A000' && error.routine === 'RevalidateCachedQuery'
}

/** Where an error was made says nothing: that is always where the database's answers are read. */
function traced(error: Error): Error {
  Error.captureStackTrace(error)
  return error
}

/** Statements issued in one turn leave in one write, which costs as much as a small query. */
function corkedUntilNextTick({ connection: { stream } }: pg.Client): () => void {
  let isCorked = false
  return () => {
    if (isCorked) return
    isCorked = true
    stream.cork()
    process.nextTick(() => {
      isCorked = false
      stream.uncork()
    })
  }
}
