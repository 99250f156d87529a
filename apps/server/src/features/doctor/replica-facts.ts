import type pg from 'pg'
import type { Config } from '../../config.ts'
import { Client } from '../../db/driver/hosts/client.ts'
import { readDatabaseUrl } from '../../db/driver/hosts/database-url.rules.ts'
import type { ReplicaFacts } from './doctor.rules.ts'

const ANSWER_LIMIT_MS = 5000

/** Asks each host of DATABASE_REPLICA_URL how far it is behind the leader. The leader itself is no replica. */
export async function readReplicas(
  leader: pg.Client,
  {
    DATABASE_REPLICA_URL: url,
    DATABASE_REPLICA_LAG_SECONDS: mostSeconds,
  }: Pick<Config, 'DATABASE_REPLICA_URL' | 'DATABASE_REPLICA_LAG_SECONDS'>,
): Promise<ReplicaFacts[]> {
  if (url === null) return []
  const { rows } = await leader.query<{ position: string }>('select pg_current_wal_lsn() as "position"')
  const { hosts, urlOf } = readDatabaseUrl(url, 'replicas')
  const asked = hosts.map(async (host): Promise<ReplicaFacts[]> => {
    const name = `${host.host}:${host.port}`
    const seconds = await secondsBehind(urlOf(host), rows[0]?.position ?? '').catch((error: unknown) => String(error))
    if (typeof seconds === 'string') return [{ host: name, reason: seconds.replace(/^Error: /, '') }]
    return seconds === null ? [] : [{ host: name, seconds, mostSeconds }]
  })
  return (await Promise.all(asked)).flat()
}

/** Without a write of its own a leader looks old: a replica that has all of it is 0 s behind. Null for a leader. */
async function secondsBehind(url: string, position: string): Promise<number | null> {
  const client = new Client({
    connectionString: url,
    mayBeStandby: true,
    connectionTimeoutMillis: ANSWER_LIMIT_MS,
    query_timeout: ANSWER_LIMIT_MS,
  })
  client.on('error', () => {}) // told by the query that it breaks
  try {
    await client.connect()
    const { rows } = await client.query<{ seconds: number | null }>(
      `select case when not pg_is_in_recovery() then null when pg_last_wal_replay_lsn() >= $1::pg_lsn then 0
        else round(coalesce(extract(epoch from now() - pg_last_xact_replay_timestamp()), 0))::integer end as "seconds"`,
      [position],
    )
    return rows[0]?.seconds ?? null
  } finally {
    await client.end().catch(() => {}) // it never was connected, or is not any more
  }
}
