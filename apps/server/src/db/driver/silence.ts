import pg from 'pg'
import { Client } from './hosts/client.ts'
import { leaderOf } from './hosts/leader.ts'
import { KEPT_ALIVE } from './kept-alive.ts'

export interface SilencePeriods {
  lookMs: number
  /** A database that lives answers a question that costs nothing in much less. */
  answerMs: number
}

const PERIODS: SilencePeriods = { lookMs: 1000, answerMs: 5000 }
/** A connection held for this many checks may run a long statement, or wait for a frozen database. */
const LONG_LOOKS = 5

/** The same meaning as where the database itself refuses connections. */
export class SilentError extends Error {
  readonly code = '08006'

  constructor() {
    super('The database does not answer.')
  }
}

/** A client of the pool, and the check since which it is checked out. */
interface Held extends pg.PoolClient {
  heldSince?: number | undefined
}

/** Members of the pool that its types leave out. */
interface Inner {
  _clients: (Held & Pick<Client, 'isElsewhere'>)[]
  _pendingQueue: { callback: (error: Error) => void }[]
}

export interface SilenceWatch {
  stop(): void
}

/**
 * Ends statements that wait for a database that does not answer: frozen, cut off, or behind a proxy that swallows
 * packets. A health check on a connection of its own tells that from a long statement, so that no statement needs a
 * timeout. While the database is silent new statements fail at once; the check goes on until it answers.
 */
export function endWaitsInSilence(pool: pg.Pool, onNotice: (sentence: string) => void, periods = PERIODS): SilenceWatch {
  const inner = pool as unknown as Inner // as above
  const url = pool.options.connectionString ?? ''
  // By number of looks, as they stand still while this process does.
  let look = 0
  let waitingSince: number | undefined
  let nextAsk = 0
  let isSilent = false
  let isAsking = false
  let isStopped = false
  pool.on('acquire', (client: Held) => void (client.heldSince = look))
  pool.on('release', (_, client: Held) => void (client.heldSince = undefined))

  const connectNow = pool.connect.bind(pool)
  const connect = (answered?: Parameters<typeof connectNow>[0]): unknown => {
    if (!isSilent) return answered ? connectNow(answered) : connectNow()
    if (!answered) return Promise.reject(new SilentError())
    return answered(new SilentError(), undefined, () => {})
  }
  Object.assign(pool, { connect })

  /** Another host leads: what still waits for the former one would do so for long. */
  const leaveFormerLeader = (): void => {
    for (const client of inner._clients) if (client.isElsewhere()) client.connection.stream.destroy()
  }
  const isSlow = (): boolean => {
    const held = inner._clients.flatMap(({ heldSince }) => heldSince ?? [])
    const isWaiting = pool.waitingCount > 0 || pool.totalCount > pool.idleCount + held.length
    waitingSince = isWaiting ? (waitingSince ?? look) : undefined
    return [...held, waitingSince ?? look].some((since) => look - since >= LONG_LOOKS)
  }
  const refuseAll = (): void => {
    for (const { callback } of inner._pendingQueue.splice(0)) callback(new SilentError())
    for (const { connection } of inner._clients) connection.stream.destroy()
  }
  const ask = async (): Promise<void> => {
    isAsking = true
    // Twice, as this process may itself have had no time to read the answer.
    const isAnswered = (await answers(url, periods.answerMs)) || (await answers(url, periods.answerMs))
    isAsking = false
    nextAsk = look + LONG_LOOKS
    if (isStopped) return
    if (isSilent && isAnswered) onNotice('The database answers again.')
    if (!isSilent && !isAnswered) onNotice(new SilentError().message)
    isSilent = !isAnswered
    if (!isSilent) return
    leaderOf(url).forget()
    refuseAll()
  }
  const timer = setInterval(() => {
    look++
    leaveFormerLeader()
    if (!isAsking && (isSilent || (look >= nextAsk && isSlow()))) void ask()
  }, periods.lookMs).unref()
  return {
    stop: () => {
      isStopped = true
      clearInterval(timer)
    },
  }
}

async function answers(url: string, limitMs: number): Promise<boolean> {
  const client = new Client({
    connectionString: url,
    application_name: 'causeway question',
    ...KEPT_ALIVE,
    connectionTimeoutMillis: limitMs,
    query_timeout: limitMs,
  })
  client.on('error', () => {}) // told by what was asked
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch (error) {
    return error instanceof pg.DatabaseError // to refuse is to answer
  } finally {
    client.connection.stream.destroy()
  }
}
