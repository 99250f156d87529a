import { finished } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { connect } from '../apps/server/src/db/connect.ts'
import type { Ctx } from '../apps/server/src/ctx.ts'
import { bookReading, newOpenLedger, openLedger } from '../apps/server/src/features/traffic/ledger.actions.ts'
import { counterName, type Bytes } from '../apps/server/src/features/traffic/ledger.rules.ts'
import { listLeases, seizeLease } from '../apps/server/src/ground/leases.queries.ts'
import { figures, type Figures } from './measure.ts'

const LEASE_MS = 3_600_000
const OWNER = 'bench'

export interface BookingFigures extends Figures {
  rowsPerSecond: number
  /** Of the least that this database can do with the same rows, by turns in the same run. */
  bareRowsPerSecond: number
}

/** Books readings of one node in which this many users have moved something, as a poll does after its answer has come. */
export async function measureBooking(url: string, users: number, samples: number): Promise<BookingFigures> {
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
    const bareTimes: number[] = []
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
      if (poll === 0) continue
      times.push(performance.now() - begun)
      bareTimes.push(await bareBooking(url, names.length))
    }
    const perSecond = (found: number[]) => (names.length * 1000) / figures(found).p50
    return { ...figures(times), rowsPerSecond: perSecond(times), bareRowsPerSecond: perSecond(bareTimes) }
  } finally {
    await database.close()
  }
}

/**
 * The rows that a booking writes, of users and their day on the node, by nothing but COPY and UPDATE ... FROM in one durable
 * transaction. What it adds is nothing, so that the ledger stays as it is.
 */
async function bareBooking(url: string, users: number): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ userId: string }>(
      `select "userId" from "acknowledgedUsers" where "nodeId" = 1 order by "userId" limit $1`,
      [users],
    )
    const begun = performance.now()
    await client.query('begin')
    await client.query('create temp table "given" ("userId" bigint, "uplink" bigint, "downlink" bigint) on commit drop')
    const stream = client.query(copyFrom('copy "given" from stdin'))
    stream.end(rows.map(({ userId }) => `${userId}\t0\t0\n`).join(''))
    await finished(stream)
    await client.query(`update "userUsage" u set "usedTrafficBytes" = u."usedTrafficBytes" + "uplink" + "downlink", "onlineAt" = now()
      from "given" where u."userId" = "given"."userId"`)
    await client.query(`update "userNodeUsage" u set "uploadBytes" = u."uploadBytes" + "uplink", "downloadBytes" = u."downloadBytes" + "downlink"
      from "given" where u."day" = (select max("day") from "userNodeUsage" where "nodeId" = 1) and u."nodeId" = 1 and u."userId" = "given"."userId"`)
    await client.query('commit')
    return performance.now() - begun
  } finally {
    await client.end()
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
