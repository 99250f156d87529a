import pg from 'pg'
import { Client } from './hosts/client.ts'
import { ASK_AFTER_ME, KEPT_ALIVE } from './kept-alive.ts'

/** Longer than a lock can take on a database that lives; a job then simply waits for its next turn. */
const ANSWER_LIMIT_MS = 5_000

/** Which of the server processes on one database works on a group of jobs just now. */
export interface JobLocks {
  /** False when another process has it. */
  take(name: string): Promise<boolean>
  release(name: string): Promise<void>
  close(): Promise<void>
}

/**
 * Advisory locks of a database session, so that they end with the process that holds them. All live on one connection
 * of their own. If each job held one of the pool's connections while waiting for a second, the pool would deadlock.
 */
export function openJobLocks(connectionString: string, onError: (error: Error) => void): JobLocks {
  const session = new pg.Pool({
    Client,
    connectionString,
    application_name: 'causeway job locks',
    options: ASK_AFTER_ME,
    max: 1,
    idleTimeoutMillis: 0, // the session is what holds the locks
    ...KEPT_ALIVE,
    connectionTimeoutMillis: ANSWER_LIMIT_MS,
    query_timeout: ANSWER_LIMIT_MS,
  })
  session.on('error', onError)
  const ask = async (call: string, name: string): Promise<boolean> => {
    const { rows } = await session.query<{ is: boolean }>(`select ${call}(hashtext($1)) as "is"`, [`job ${name}`])
    return rows[0]?.is === true
  }
  return {
    take: (name) => ask('pg_try_advisory_lock', name),
    release: async (name) => void (await ask('pg_advisory_unlock', name)),
    close: () => session.end(),
  }
}
