import { connect } from '../apps/server/src/db/connect.ts'
import type { Ctx } from '../apps/server/src/ctx.ts'
import { bookReading, newOpenLedger, openLedger } from '../apps/server/src/features/traffic/ledger.actions.ts'
import { counterName, type Bytes } from '../apps/server/src/features/traffic/ledger.rules.ts'
import { listLeases, seizeLease } from '../apps/server/src/ground/leases.queries.ts'
import { figures, type Figures } from './measure.ts'

const LEASE_MS = 3_600_000
const OWNER = 'bench'

/** Books readings of one node in which this many users have moved something, as a poll does after its answer has come. */
export async function measureBooking(url: string, users: number, samples: number): Promise<Figures> {
  const database = connect(url)
  try {
    const names = await knowUsers(database.pool, users)
    await seizeLease(database.db, 1, OWNER, LEASE_MS)
    const lease = (await listLeases(database.db, OWNER)).find(({ nodeId }) => nodeId === 1)
    if (!lease) throw new Error('The lease was not given.')
    const ctx = { db: database.db, now: () => new Date() } as Ctx // booking asks for nothing but the database and the clock
    const open = newOpenLedger()
    const { sequence } = await openLedger(ctx, 1, open)
    const times: number[] = []
    for (let poll = 0; poll <= samples; poll++) {
      const bytes: Bytes = { uplink: (poll + 1) * 10_000, downlink: (poll + 1) * 100_000 }
      const counters = new Map(names.map((name) => [counterName('user', name), bytes]))
      const reading = { sequence: sequence + poll + 1, ended: [], current: { coreId: 'bench', counters } }
      const begun = performance.now()
      await bookReading(ctx, open, reading, {
        lease,
        consumptionMultiplier: 1,
        isNewRunExpected: false,
        coreStartedAt: new Date(),
        askedAt: new Date(),
      })
      // The first one makes all baselines; those that follow are what a running node costs.
      if (poll > 0) times.push(performance.now() - begun)
    }
    return figures(times)
  } finally {
    await database.close()
  }
}

/** The node has acknowledged these users. */
async function knowUsers(pool: ReturnType<typeof connect>['pool'], users: number): Promise<string[]> {
  await pool.query(`delete from "acknowledgedUsers" where "nodeId" = 1`)
  const { rows } = await pool.query<{ username: string }>(
    `insert into "acknowledgedUsers" ("nodeId", "username", "userId", "vlessUuid", "tags")
     select 1, "username", "id", "vlessUuid", array['VLESS_REALITY'] from "users" order by "id" desc limit $1 returning "username"`,
    [users],
  )
  return rows.map((row) => row.username)
}
