import pg from 'pg'
import type { Measured } from './measure.ts'

// What people come for many times a day: who used most, finding somebody, and how the service has been.

const PERIODS = { today: 'trafficToday', week: 'trafficWeek', thirtyDays: 'trafficThirtyDays', month: 'trafficMonth' } as const
const TEXTS = ['anna', 'meyer', 'petr_', 'olga1', 'silva', 'wang2', 'x0k3', 'user nobody has']

export const dailyTasks: Measured[] = [
  ...Object.entries(PERIODS).flatMap(([period, sort]) => [
    { name: `daily: who used most, ${period}`, targetMs: 300, path: () => `/api/x/users/top-traffic?period=${period}` },
    {
      name: `daily: list by traffic, ${period}`,
      targetMs: 300,
      path: () => `/api/users?start=0&size=25&sorting=${encodeURIComponent(JSON.stringify([{ id: sort, desc: true }]))}`,
    },
  ]),
  {
    name: 'daily: search of everything',
    targetMs: 100,
    path: (sample) => `/api/x/search?text=${encodeURIComponent(TEXTS[sample % TEXTS.length] ?? '')}`,
  },
  ...['day', 'week', 'month'].map((period) => ({
    name: `daily: history, ${period}`,
    targetMs: 100,
    path: () => `/api/x/history?period=${period}`,
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
