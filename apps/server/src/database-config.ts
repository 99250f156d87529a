import { z } from 'zod'
import { readDatabaseUrl } from './db/driver/hosts/database-url.rules.ts'
import { whole } from './lib/environment-values.ts'

// Settings of a database of one's own. A part of config.ts.

const address = (use: 'writes' | 'replicas') =>
  z
    .string()
    .default('')
    .transform((value, context) => {
      if (value === '') return null
      try {
        readDatabaseUrl(value, use)
        return value
      } catch (error) {
        context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) })
        return z.NEVER
      }
    })

export const databaseSettings = {
  DATABASE_URL: address('writes'),
  /** PostgreSQL itself, where DATABASE_URL is a pooler that hands each transaction another connection. */
  DATABASE_DIRECT_URL: address('writes'),
  /** Standbys that answer what may be old. */
  DATABASE_REPLICA_URL: address('replicas'),
  /** A replica that is further behind is left out. */
  DATABASE_REPLICA_LAG_SECONDS: whole(10, 1, 3600),
  DATABASE_POOL_SIZE: whole(12, 2, 200),
}

const settings = z.object(databaseSettings)
type Settings = z.output<typeof settings>

/** All but the pool of connections needs PostgreSQL itself. */
export function withPooler({ DATABASE_URL, DATABASE_DIRECT_URL }: Settings) {
  if (DATABASE_DIRECT_URL === null) return { poolerUrl: null }
  return { DATABASE_URL: DATABASE_DIRECT_URL, poolerUrl: DATABASE_URL }
}

export function databaseMistakes({ DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_REPLICA_URL }: Settings): string[] {
  if (DATABASE_URL !== null) return []
  return [
    ...(DATABASE_DIRECT_URL === null ? [] : ['DATABASE_DIRECT_URL needs DATABASE_URL, the address of the pooler.']),
    ...(DATABASE_REPLICA_URL === null ? [] : ['DATABASE_REPLICA_URL needs DATABASE_URL, which takes the writes.']),
  ]
}
