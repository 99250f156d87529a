import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { KEPT_ALIVE } from '../kept-alive.ts'
import { readDatabaseUrl, type DatabaseHost } from './database-url.rules.ts'
import { chooseLeader, type HostState } from './leader.rules.ts'

const ANSWER_LIMIT_MS = 3000
/** A host that is cut off must not delay the one that leads; one that leads on a later timeline is waited for. */
const GRACE_MS = 500
/** Callers of a cluster without a leader share one question for so long. */
const PAUSE_MS = 500

/** The meaning of a database that refuses connections: none of the hosts takes writes, or this one does not. */
export class NoLeaderError extends Error {
  readonly code = '08006'
}

export interface Leader {
  /** The host that takes writes, as last found. @throws NoLeaderError */
  find(): Promise<DatabaseHost>
  /** Whether this is the host last found; true while none is known. */
  isAt(host: { host: string; port: number }): boolean
  /** Asks anew at the next call. */
  forget(): void
}

const leaders = new Map<string, Leader>()

/** One per address, so that all connections of the process learn of a failover at once. */
export function leaderOf(url: string): Leader {
  const leader = leaders.get(url) ?? openLeader(url)
  leaders.set(url, leader)
  return leader
}

function openLeader(url: string): Leader {
  const { hosts, urlOf } = readDatabaseUrl(url)
  let known: DatabaseHost | undefined = hosts.length === 1 ? hosts[0] : undefined
  let finding: Promise<DatabaseHost> | undefined
  let timeline = 0
  const ask = async (): Promise<DatabaseHost> => {
    const chosen = chooseLeader(await statesOf(hosts, urlOf), timeline)
    if ('reason' in chosen) throw chosen.refusal ?? new NoLeaderError(chosen.reason)
    timeline = chosen.timeline
    known = chosen.host
    return chosen.host
  }
  return {
    find: async () => {
      if (known) return known
      finding ??= ask().finally(() => void sleep(PAUSE_MS, undefined, { ref: false }).then(() => (finding = undefined)))
      return finding
    },
    isAt: ({ host, port }) => !known || (known.host === host && known.port === port),
    forget: () => {
      if (hosts.length > 1) known = undefined
    },
  }
}

/** Asks all at once. Once one leads, the others have a moment only. */
async function statesOf(hosts: DatabaseHost[], urlOf: (host: DatabaseHost) => string): Promise<HostState[]> {
  const states = new Map<DatabaseHost, HostState>()
  const asked = hosts.map(async (host) => {
    const state = await stateOf(host, urlOf(host))
    states.set(host, state)
    if (state.kind !== 'leader') throw new Error('no leader')
  })
  const all = Promise.allSettled(asked)
  await Promise.any(asked).then(
    () => Promise.race([all, sleep(GRACE_MS, undefined, { ref: false })]),
    () => {}, // all have answered
  )
  return hosts.map((host) => states.get(host) ?? { kind: 'silent', host, reason: 'no answer' })
}

async function stateOf(host: DatabaseHost, url: string): Promise<HostState> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'causeway question',
    ...KEPT_ALIVE,
    connectionTimeoutMillis: ANSWER_LIMIT_MS,
    query_timeout: ANSWER_LIMIT_MS,
  })
  client.on('error', () => {}) // told by what was asked
  try {
    await client.connect()
    const { rows } = await client.query<{ timeline: string | null }>(
      `select case when not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off'
        then left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) end as "timeline"`,
    )
    const timeline = rows[0]?.timeline ?? null
    return timeline === null ? { kind: 'standby', host } : { kind: 'leader', host, timeline: Number.parseInt(timeline, 16) }
  } catch (error) {
    const reason = error instanceof Error ? error.message || String(error) : String(error)
    return error instanceof pg.DatabaseError ? { kind: 'refused', host, reason, error } : { kind: 'silent', host, reason }
  } finally {
    client.connection.stream.destroy()
  }
}
