import { finished } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { connect } from '../apps/server/src/db/driver/connect.ts'
import type { Ctx } from '../apps/server/src/ctx.ts'
import { bookReading, newOpenLedger, openLedger } from '../apps/server/src/features/traffic/ledger.actions.ts'
import type { Bytes } from '../apps/server/src/features/traffic/baselines.rules.ts'
import { counterName } from '../apps/server/src/features/traffic/ledger.rules.ts'
import { listLeases, seizeLease } from '../apps/server/src/ground/leases.queries.ts'
import { figures, type Figures } from './measure.ts'
import { cpuSeconds } from './processor.ts'

const LEASE_MS = 3_600_000
const OWNER = 'bench'

export interface BookingFigures extends Figures {
  counters: number
  booked: Cost
  /** The least that this database can do with the same rows, by turns in the same run. */
  bare: Cost
}

/** In the middle, in milliseconds. */
interface Cost {
  clock: number
  /** Of the processor, by whoever asks and the process of the database that answers. */
  processor: number
  /** The part of it that the process of the database takes. */
  database: number
}

/** Books readings of one node in which this many users have moved something, as a poll does after its answer has come. */
export async function measureBooking(url: string, users: number, samples: number): Promise<BookingFigures> {
  const database = connect(url, { max: 1 })
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const names = await knowUsers(database.pool, users)
    await seizeLease(database.db, 1, OWNER, LEASE_MS)
    const lease = (await listLeases(database.db, OWNER)).find(({ nodeId }) => nodeId === 1)
    if (!lease) throw new Error('The lease was not given.')
    const ctx = { db: database.db, now: () => new Date() } as Ctx // booking asks for nothing but the database and the clock
    const open = newOpenLedger()
    const { sequence } = await openLedger(ctx, 1, open)
    const booked: Cost[] = []
    const bare: Cost[] = []
    for (let poll = 0; poll <= samples; poll++) {
      const counters = new Map(names.map((name, at) => [counterName('user', name), movedBytes(poll + 1, at)]))
      const reading = { sequence: sequence + poll + 1, ended: [], current: { coreId: 'bench', counters } }
      const facts = { lease, consumptionMultiplier: 1, isNewRunExpected: false, coreStartedAt: new Date(), askedAt: new Date() }
      // Who asked seldom enough has another connection by now.
      const cost = await costOf(await backendOf(database.pool), () => bookReading(ctx, open, reading, facts))
      // The first one makes all baselines; those that follow are what a running node costs.
      if (poll === 0) continue
      booked.push(cost)
      bare.push(await bareBooking(client, names.length))
    }
    const middle = (found: Cost[], what: keyof Cost) => figures(found.map((cost) => cost[what])).p50
    const costs = (found: Cost[]) => ({
      clock: middle(found, 'clock'),
      processor: middle(found, 'processor'),
      database: middle(found, 'database'),
    })
    return { ...figures(booked.map(({ clock }) => clock)), counters: names.length, booked: costs(booked), bare: costs(bare) }
  } finally {
    await client.end()
    await database.close()
  }
}

/** Of each user something else, as in life: texts that repeat themselves would be cheaper to keep. */
function movedBytes(times: number, user: number): Bytes {
  return { uplink: times * (10_000 + user), downlink: times * (100_000 + 7 * user) }
}

async function costOf(backend: number, act: () => Promise<unknown>): Promise<Cost> {
  const [begun, own, its] = [performance.now(), process.cpuUsage(), cpuSeconds(backend)]
  await act()
  const { user, system } = process.cpuUsage(own)
  const [clock, database] = [performance.now() - begun, (cpuSeconds(backend) - its) * 1000]
  return { clock, processor: (user + system) / 1000 + database, database }
}

/**
 * The rows that a booking writes, of users and their day on the node, by nothing but COPY and UPDATE ... FROM in one durable
 * transaction. What it adds is nothing, so that the ledger stays as it is.
 */
async function bareBooking(client: pg.Client, users: number): Promise<Cost> {
  const { rows } = await client.query<{ userId: number }>(
    `select "userId" from "acknowledgedUsers" where "nodeId" = 1 order by "userId" limit $1`,
    [users],
  )
  return await costOf(await backendOf(client), async () => {
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
  })
}

/** The process of the database behind a connection. */
async function backendOf(connection: Pick<pg.Pool, 'query'>): Promise<number> {
  const { rows } = await connection.query<{ pid: number }>('select pg_backend_pid() as "pid"')
  return rows[0]?.pid ?? 0
}

/** The node has acknowledged these users. */
async function knowUsers(pool: pg.Pool, users: number): Promise<string[]> {
  await pool.query(`delete from "acknowledgedUsers" where "nodeId" = 1`)
  const { rows } = await pool.query<{ username: string }>(
    `insert into "acknowledgedUsers" ("nodeId", "username", "userId", "vlessUuid", "tags")
     select 1, "username", "id", "vlessUuid", array['VLESS_REALITY'] from "users" order by "id" desc limit $1 returning "username"`,
    [users],
  )
  return rows.map((row) => row.username)
}
