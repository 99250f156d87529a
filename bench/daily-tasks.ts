import pg from 'pg'
import { connect } from '../apps/server/src/db/driver/connect.ts'
import { passOver } from '../apps/server/src/features/traffic/order.actions.ts'
import { beginTrafficOrder } from '../apps/server/src/features/traffic/order.queries.ts'
import type { Measured } from './measure.ts'

// What people come for many times a day: who used most, finding somebody, and how the service has been.

const PERIODS = { today: 'trafficToday', week: 'trafficWeek', thirtyDays: 'trafficThirtyDays', month: 'trafficMonth' } as const
const TEXTS = ['anna', 'meyer', 'petr_', 'olga1', 'silva', 'wang2', 'x0k3', 'user nobody has']

const PAGE = 25
const LIST_MS = 100

interface Asked {
  start?: number
  filters?: { id: string; value: string }[]
}

function byTraffic(sort: string, { start = 0, filters = [] }: Asked = {}): string {
  const query = new URLSearchParams({
    start: String(start),
    size: String(PAGE),
    filters: JSON.stringify(filters),
    sorting: JSON.stringify([{ id: sort, desc: true }]),
  })
  return `/api/users?${query.toString()}`
}

const textOf = (sample: number) => TEXTS[sample % TEXTS.length] ?? ''

/** The list in the order of a week's traffic, of so many users, with what people set beside it. */
function listsByWeek(users: number): Measured[] {
  const list = (name: string, asked: (sample: number) => Asked): Measured => ({
    name: `daily: list by traffic, week, ${name}`,
    targetMs: LIST_MS,
    path: (sample) => byTraffic('trafficWeek', asked(sample)),
  })
  const lastStart = Math.floor((users - 1) / PAGE) * PAGE
  return [
    list('second page', () => ({ start: PAGE })),
    list('last page', () => ({ start: lastStart })),
    list('with a search', (sample) => ({ filters: [{ id: 'search', value: textOf(sample) }] })),
    list('second page of a search', (sample) => ({ start: PAGE, filters: [{ id: 'search', value: textOf(sample % 2) }] })),
    list('active', () => ({ filters: [{ id: 'status', value: 'ACTIVE' }] })),
    list('disabled', () => ({ filters: [{ id: 'status', value: 'DISABLED' }] })),
    // Who never connected has moved nothing: all of them stand at the end of the order.
    list('never connected', () => ({ filters: [{ id: 'among', value: 'neverConnected' }] })),
  ]
}

export const dailyTasks = (users: number): Measured[] => [
  ...Object.entries(PERIODS).flatMap(([period, sort]) => [
    { name: `daily: who used most, ${period}`, targetMs: LIST_MS, path: () => `/api/x/users/top-traffic?period=${period}` },
    { name: `daily: list by traffic, ${period}`, targetMs: LIST_MS, path: () => byTraffic(sort) },
  ]),
  ...listsByWeek(users),
  {
    name: 'daily: search of everything',
    targetMs: 100,
    path: (sample) => `/api/x/search?text=${encodeURIComponent(textOf(sample))}`,
  },
  ...['day', 'week', 'month'].map((period) => ({
    name: `daily: history, ${period}`,
    targetMs: 100,
    path: () => `/api/x/usage-history?period=${period}`,
  })),
]

/** Two users of three have moved something lately, one of three today; every amount differs. */
export async function fillRecentTraffic(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`
      update "userUsage" set "trafficDay" = (now() at time zone 'utc')::date, "sumsDay" = (now() at time zone 'utc')::date,
        "dayBytes" = case "userId" % 3 when 0 then ("userId" * 7919) % 1000000007 else 0 end,
        "weekBytes" = ("userId" * 104729) % 10000000019, "thirtyDaysBytes" = ("userId" * 1299709) % 50000000021,
        "monthBytes" = ("userId" * 15485863) % 30000000001
      where "userId" % 3 < 2`)
    await client.query('vacuum (analyze) "userUsage"')
  } finally {
    await client.end()
  }
}

/** The order by traffic is made as the server's schedule makes it, and brought in step after every tenth user has moved something. */
export async function orderByTraffic(url: string): Promise<{ firstSeconds: number; nextSeconds: number }> {
  const database = connect(url)
  const { db, pool } = database
  const pass = async () => {
    const begun = performance.now()
    const { rows } = await pool.query<{ today: string }>(`select (now() at time zone 'utc')::date as "today"`)
    await passOver(db, rows[0]?.today ?? '', new Date())
    return (performance.now() - begun) / 1000
  }
  try {
    await pool.query('truncate "userTraffic"')
    await beginTrafficOrder(db)
    const firstSeconds = await pass()
    await pool.query(`update "userUsage" set "dayBytes" = "dayBytes" + "userId" % 4096 where "userId" % 10 = 0`)
    return { firstSeconds, nextSeconds: await pass() }
  } finally {
    await database.close()
  }
}
