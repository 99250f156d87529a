import pg from 'pg'
import type { Measured } from './measure.ts'

// The history of changes: who changed which thing, over a million entries.

const ENTRIES = 1_000_000
const BY_TOKEN = 5
const TARGET_MS = 50
/** A month of entries every three seconds. */
const SPREAD = `now() - make_interval(secs => (${ENTRIES} - n) * 2.6)`

/** Entries of ten administrators and tokens: most are edits of users, one of a hundred a deletion, some of nodes and hosts. */
export async function fillHistory(url: string): Promise<Measured[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows: known } = await client.query<{ count: string }>(`select count(*) from "auditLog"`)
    if (Number(known[0]?.count) < ENTRIES)
      await client.query(`
        insert into "auditLog" ("at", "actorKind", "actorUuid", "actorName", "address", "action", "kind", "target", "name", "before", "after")
        select ${SPREAD}, case when n % ${BY_TOKEN} = 0 then 'apiToken' else 'admin' end,
          ('00000000-0000-4000-8000-' || lpad((n % 10)::text, 12, '0'))::uuid, 'actor ' || n % 10, '203.0.113.7',
          case when n % 100 = 0 then 'deleteUser' when n % 100 = 1 then 'updateNode' when n % 100 = 2 then 'updateHost' else 'updateUser' end,
          case when n % 100 = 1 then 'node' when n % 100 = 2 then 'host' else 'user' end,
          ('00000000-0000-4000-9000-' || lpad((n % 50000)::text, 12, '0')), 'thing ' || n % 50000,
          jsonb_build_object('users', jsonb_build_array(jsonb_build_object('id', n, 'tag', 'A', 'description', 'before ' || n))),
          jsonb_build_object('users', jsonb_build_array(jsonb_build_object('id', n, 'tag', 'B', 'description', 'after ' || n)))
        from generate_series(1, ${ENTRIES}) n`)
    await client.query(`vacuum analyze "auditLog"`)
  } finally {
    await client.end()
  }
  const history = (name: string, query: (sample: number) => string): Measured => ({
    name: `history of changes: ${name}`,
    targetMs: TARGET_MS,
    path: (sample) => `/api/x/history?limit=50&${query(sample)}`,
  })
  const actor = (sample: number) => `actor=00000000-0000-4000-8000-${String(sample % 10).padStart(12, '0')}`
  const before = (sample: number) => `to=${new Date(Date.now() - sample * 3_600_000).toISOString()}`
  return [
    history('first page', () => ''),
    history('a page of another day', before),
    history('by actor', actor),
    history('by kind, rare', () => 'kind=node'),
    history('by action and actor', (sample) => `action=deleteUser&${actor(sample)}`),
    history('of one thing', (sample) => `target=00000000-0000-4000-9000-${String(sample * 7).padStart(12, '0')}`),
    { name: 'history of changes: deleted', targetMs: TARGET_MS, path: () => '/api/x/deleted?limit=50' },
    { name: 'history of changes: actors', targetMs: TARGET_MS, path: () => '/api/x/history/actors' },
  ]
}
