import pg from 'pg'
import { connect } from '../apps/server/src/db/driver/connect.ts'
import type { Ctx } from '../apps/server/src/ctx.ts'
import { countTopUsers } from '../apps/server/src/features/usage/top-users.actions.ts'
import type { Measured } from './measure.ts'

const NODES = 500
const DAYS = 180
const MONTHS = 12
/** Who is there every day, and who is there today. */
const DAILY_USERS = 1000
const USERS_TODAY = 100_000

export interface NodeFigures {
  cases: Measured[]
  /** How long the order of users took that is counted once a day. */
  countingSeconds: number
}

/** Half a year of five hundred nodes, and one more that every user moved something on in each month of a year. */
export async function fillNodeFigures(url: string): Promise<NodeFigures> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(
      `insert into "nodes" ("name", "address", "isDisabled") select 'Figures ' || n, 'figures-' || n || '.invalid', true
       from generate_series((select count(*) + 1 from "nodes"), $1::int) n`,
      [NODES],
    )
    await client.query(
      `insert into "nodeUsageQuarters" ("nodeId", "quarter", "uploadBytes", "downloadBytes")
       select "nodes"."id", date_trunc('hour', now()) - day * interval '1 day', 0, 1e9 * (1 + (day * "nodes"."id") % 7)
       from generate_series(0, $1::int - 1) day, "nodes" on conflict do nothing`,
      [DAYS],
    )
    const { rows } = await client.query<{ id: number; uuid: string }>(
      `select "id"::int, "uuid" from "nodes" where "name" = 'Figures ' || $1::int`,
      [NODES],
    )
    const node = rows[0]
    if (!node) throw new Error('The last node was not made.')
    await fillYear(client, node.id)
    const begun = performance.now()
    await count(url)
    return {
      countingSeconds: (performance.now() - begun) / 1000,
      cases: [
        { name: 'a year of all users of a node', targetMs: 300, path: () => `/api/x/nodes/${node.uuid}/top-users?days=365` },
        { name: 'a month of all users of a node', targetMs: 300, path: () => `/api/x/nodes/${node.uuid}/top-users?days=30` },
        { name: `${DAYS} days of ${NODES} nodes`, targetMs: 300, path: () => `/api/x/nodes/usage?days=${DAYS}` },
      ],
    }
  } finally {
    await client.end()
  }
}

async function fillYear(client: pg.Client, nodeId: number): Promise<void> {
  // A month ago, two months ago …: every user has moved something on some day of each.
  for (let month = 0; month < MONTHS; month++)
    await client.query(
      `insert into "userNodeUsage" ("day", "nodeId", "userId", "uploadBytes", "downloadBytes")
       select current_date - 1 - $2::int * 30 - ("id" % 30)::int, $1, "id", 0, 1e6 * (1 + "id" % 1000) from "users" on conflict do nothing`,
      [nodeId, month],
    )
  await client.query(
    `insert into "userNodeUsage" ("day", "nodeId", "userId", "uploadBytes", "downloadBytes")
     select current_date - day, $1, "id", 0, 1e8 from generate_series(1, 364) day, "users" where "id" <= $2 on conflict do nothing`,
    [nodeId, DAILY_USERS],
  )
  await client.query(
    `insert into "userNodeUsage" ("day", "nodeId", "userId", "uploadBytes", "downloadBytes")
     select current_date, $1, "id", 0, 1e6 from "users" order by "id" limit $2 on conflict do nothing`,
    [nodeId, USERS_TODAY],
  )
  await client.query('analyze "userNodeUsage"')
}

async function count(url: string): Promise<void> {
  const database = connect(url)
  try {
    // Counting asks for nothing but the database, the clock and how long usage is kept.
    await countTopUsers({ db: database.db, now: () => new Date(), config: { USAGE_RETENTION_DAYS: 400 } } as Ctx)
  } finally {
    await database.close()
  }
}
