import { setTimeout as sleep } from 'node:timers/promises'
import {
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
} from 'kysely'
import type pg from 'pg'
import type { Tables } from '../../tables.ts'
import { answerReads, connect, type Database } from '../connect.ts'
import { isPassing } from '../failures.ts'
import { readDatabaseUrl } from './database-url.rules.ts'
import { isFresh, lagMs, orderOfReads, type LeaderState, type ReplicaState, type Target } from './replicas.rules.ts'

const LOOK_MS = 1000
const ANSWER_LIMIT_MS = 1000
/** Reads wait for a replica that hangs for two looks and two questions at most: 3 s. */
const SILENCE = { lookMs: 200, answerMs: 1000 }
/** Of positions of the leader, one per look; a replica further behind has no bound that this could tell. */
const MOST_SEEN = 4000
const POSITION = `select pg_is_in_recovery() as "isStandby",
  case when pg_is_in_recovery() then 0 else ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::integer end as "timeline",
  (case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end - '0/0')::float8 as "position"`

/** For reads. Statements only: what they are asked in is no transaction. */
export interface Reads {
  /** May be a little old, and is answered while the leader is away. */
  old: Kysely<Tables>
  /** Newest; only while the leader is away as the replicas have it. */
  newest: Kysely<Tables>
  /** Of the replicas, for the health and the doctor; none where there are none. */
  replicas(): ReplicaReport[]
  close(): Promise<void>
}

export interface ReplicaReport {
  host: string
  state: 'fresh' | 'late' | 'away' | 'leading'
  lagMs: number | null
}

interface Options {
  max: number
  mostLagMs: number
  onError: (error: Error) => void
  onNotice: (sentence: string) => void
}

/** Without replicas every read is the leader's. */
export function readsOfLeader(db: Kysely<Tables>): Reads {
  return { old: db, newest: db, replicas: () => [], close: async () => {} }
}

export function openReads(leader: Database, url: string, options: Options): Reads {
  const { hosts, urlOf } = readDatabaseUrl(url, 'replicas')
  const pools = hosts.map((host) =>
    connect(urlOf(host), { max: options.max, onError: options.onError, isReplica: true, silence: SILENCE }),
  )
  const states: ReplicaState[] = hosts.map(() => ({ isUp: false, isStandby: true, timeline: 0, position: 0 }))
  const leading: LeaderState & { seen: { position: number; at: number }[] } = { isAway: false, timeline: 0, seen: [] }
  const names = hosts.map(({ host, port }) => `${host}:${port}`)
  const left = new Set<string>()
  let turn = 0
  let isClosed = false

  const look = async (): Promise<void> => {
    const at = performance.now()
    const ofLeader = await positionOf(leader.pool)
    leading.isAway = !ofLeader
    if (ofLeader) {
      leading.timeline = Math.max(leading.timeline, ofLeader.timeline)
      leading.seen.push({ position: ofLeader.position, at })
      if (leading.seen.length > MOST_SEEN) leading.seen.splice(0, MOST_SEEN / 2)
    }
    await Promise.all(
      pools.map(async ({ pool }, index) => {
        const position = await positionOf(pool)
        states[index] = position ? { isUp: true, ...position } : { isUp: false, isStandby: true, timeline: 0, position: 0 }
      }),
    )
    tell()
  }
  /** Once for each change. */
  const tell = (): void => {
    for (const { host, state, lagMs: lag } of replicas()) {
      const isLeftOut = state === 'late' || state === 'away'
      if (isLeftOut === left.has(host)) continue
      if (isLeftOut) left.add(host)
      else left.delete(host)
      const why = lag === null ? 'does not answer' : `is ${Math.round(lag / 1000)} s behind`
      options.onNotice(isLeftOut ? `The replica ${host} ${why}; it is left out.` : `The replica ${host} is used again.`)
    }
  }
  const replicas = (): ReplicaReport[] =>
    states.map((state, index) => {
      const host = names[index] ?? ''
      if (!state.isUp) return { host, state: 'away', lagMs: null }
      if (!state.isStandby) return { host, state: 'leading', lagMs: 0 }
      const lag = lagMs(state, leading)
      return {
        host,
        state: isFresh(state, leading, options.mostLagMs) ? 'fresh' : 'late',
        lagMs: Number.isFinite(lag) ? lag : null,
      }
    })
  const poolOf = (target: Target): pg.Pool => (target === 'leader' ? leader.pool : (pools[target]?.pool ?? leader.pool))
  const ask = async (order: Target[], text: string, values: readonly unknown[]): Promise<pg.QueryResult> => {
    let failure: unknown
    for (const target of order) {
      try {
        return await poolOf(target).query(text, [...values])
      } catch (error) {
        if (!isPassing(error)) throw error
        failure = error
        const state = target === 'leader' ? undefined : states[target]
        if (state) state.isUp = false
        if (target === 'leader') leading.isAway = true
      }
    }
    throw failure
  }
  const old = readOnly((text, values) =>
    ask(orderOfReads(states, leading, { atLeast: 0, mostLagMs: options.mostLagMs, turn: turn++ }), text, values),
  )
  const newest = readOnly((text, values) =>
    ask(orderOfReads(states, leading, { atLeast: Infinity, mostLagMs: options.mostLagMs, turn }), text, values),
  )
  const looking = (async () => {
    while (!isClosed) {
      await look().catch(options.onError)
      await sleep(LOOK_MS, undefined, { ref: false })
    }
  })()
  return {
    old,
    newest,
    replicas,
    close: async () => {
      isClosed = true
      await Promise.all([...pools.map((each) => each.close()), old.destroy(), newest.destroy()])
      void looking
    },
  }
}

async function positionOf(pool: pg.Pool): Promise<Omit<ReplicaState, 'isUp'> | undefined> {
  const asked = pool.query<Omit<ReplicaState, 'isUp'>>(POSITION).then(
    ({ rows }) => rows[0],
    () => undefined, // it is away
  )
  return Promise.race([asked, sleep(ANSWER_LIMIT_MS, undefined, { ref: false })])
}

type Ask = (text: string, values: readonly unknown[]) => Promise<pg.QueryResult>

function readOnly(ask: Ask): Kysely<Tables> {
  const db = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new ReadDriver(ask),
      createIntrospector: (of) => new PostgresIntrospector(of),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
  answerReads(db, ask as never)
  return db
}

/** Chooses a database for each statement anew. */
class ReadDriver implements Driver {
  readonly #connection: DatabaseConnection

  constructor(ask: Ask) {
    this.#connection = {
      executeQuery: async <R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> => {
        const { rows } = await ask(sql, parameters)
        return { rows }
      },
      streamQuery: () => refuse(),
    }
  }

  async init(): Promise<void> {}
  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection
  }
  async beginTransaction(): Promise<void> {
    refuse()
  }
  async commitTransaction(): Promise<void> {
    refuse()
  }
  async rollbackTransaction(): Promise<void> {
    refuse()
  }
  async releaseConnection(): Promise<void> {}
  async destroy(): Promise<void> {}
}

function refuse(): never {
  throw new Error('Reads that replicas may answer are single statements.')
}
