import pg from 'pg'
import type { Panel } from './panel.ts'

/** What no call of the API can bring about: times that passed, traffic that flowed, users by the thousand. */
export async function query<Row extends pg.QueryResultRow>(panel: Panel, text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client({ connectionString: panel.databaseUrl })
  await client.connect()
  try {
    return (await client.query<Row>(text, values)).rows
  } finally {
    await client.end()
  }
}
