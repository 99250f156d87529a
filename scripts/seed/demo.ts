import path from 'node:path'
import pg from 'pg'
import { startEmbeddedPostgres } from '../../apps/server/src/db/embedded-postgres.ts'
import { migrate } from '../../apps/server/src/db/migrate.ts'
import { seedDatabase } from './load.ts'

const DEMO_FOLDER = 'data-demo'
const SIZE = { users: 5000, nodes: 20, days: 365 }
const MARK = 'causeway demo'

/**
 * Prepares `npm start -- --demo`: a scratch database with a year of a believable service. Configures this process to use
 * it, and to leave the invented nodes alone.
 */
export async function prepareDemo(): Promise<void> {
  const given = process.env['DATABASE_URL']
  if (given) {
    await fill(given)
    return
  }
  const dataDir = path.resolve(process.env['CAUSEWAY_CWD'] ?? '.', process.env['DATA_DIR'] ?? DEMO_FOLDER)
  process.env['DATA_DIR'] = dataDir
  const postgres = await startEmbeddedPostgres({ dataDir, onNotice: console.log })
  try {
    await fill(postgres.url)
  } finally {
    await postgres.stop()
  }
}

async function fill(url: string): Promise<void> {
  await migrate(url)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ hasUsers: boolean; mark: string | null }>(
      `select exists (select 1 from "users") as "hasUsers", obj_description('"users"'::regclass) as "mark"`,
    )
    if (rows[0]?.mark === MARK) return
    if (rows[0]?.hasUsers)
      throw new Error(
        'This database has users of its own, so no demo is put into it. Start the demo with another DATA_DIR or DATABASE_URL.',
      )
    await seedDatabase(url, SIZE, new Date(), (sentence) => console.log(`Demo: ${sentence} ...`))
    await client.query(`comment on table "users" is '${MARK}'`)
  } finally {
    await client.end()
  }
}
