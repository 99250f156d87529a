import path from 'node:path'
import type { AgentPayload } from '@causeway/contract'
import pg from 'pg'
import { readConfig } from '../../apps/server/src/config.ts'
import { connect } from '../../apps/server/src/db/driver/connect.ts'
import { startEmbeddedPostgres } from '../../apps/server/src/postgres/embedded-postgres.ts'
import { migrate } from '../../apps/server/src/db/migrate.ts'
import { checkOwnDatabase } from '../../apps/server/src/db/driver/own-database.ts'
import { mintAgentPayload, readFleetKeys } from '../../apps/server/src/ground/fleet-keys.ts'
import { openSecretStore } from '../../apps/server/src/ground/secret-store.ts'
import { readMasterKey } from '../../apps/server/src/lib/keys/master-key.ts'
import { startFailure } from '../../apps/server/src/start-failure.ts'
import { loadBilling } from './billing.ts'
import { startDemoFleet } from './demo-fleet.ts'
import { seedDatabase } from './load.ts'

const SIZE = { users: 5000, nodes: 20, days: 365 }
const MARK = 'causeway demo'

/**
 * Prepares a scratch database with a year of a believable service, and nodes that answer, for `npm start -- --demo` and
 * `npm run dev`. The folder is used when neither DATA_DIR nor DATABASE_URL is set. Configures this process to use all that.
 */
export async function prepareDemo(folder: string): Promise<void> {
  process.env['DATA_DIR'] ??= path.resolve(process.env['CAUSEWAY_CWD'] ?? '.', folder)
  const config = readConfig()
  if (config.DATABASE_URL) {
    await checkOwnDatabase(config.DATABASE_URL)
    await prepare(config.DATABASE_URL, config)
    return
  }
  const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir, onNotice: console.log }).catch((error: unknown) => {
    throw startFailure(error, config)
  })
  // Ctrl-C while a year is being invented leaves no database running. Connections break by it, and one may tell nobody.
  const stopped: Promise<never>[] = []
  const onSignal = () => {
    process.on('uncaughtException', () => {})
    stopped.push(postgres.stop().then(() => end('Stopped; the next start makes the demo anew.')))
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const signal of signals) process.once(signal, onSignal)
  try {
    await prepare(postgres.url, config)
  } finally {
    await Promise.all(stopped)
    for (const signal of signals) process.off(signal, onSignal)
    await postgres.stop()
  }
}

function end(sentence: string): never {
  console.log(sentence)
  return process.exit(1)
}

async function prepare(url: string, config: { MASTER_KEY: string | null; dataDir: string }): Promise<void> {
  await migrate(url)
  await fill(url)
  const database = connect(url, { max: 2 })
  try {
    const payload = await mintPayload(database.db, readMasterKey(config.MASTER_KEY, config.dataDir))
    const running = await database.db.selectFrom('nodes').select(['id', 'name']).where('isDisabled', '=', false).execute()
    for (const { id, address, port } of await startDemoFleet(running, payload)) {
      await database.db.updateTable('nodes').set({ address, port }).where('id', '=', id).execute()
    }
  } finally {
    await database.close()
  }
}

async function mintPayload(db: ReturnType<typeof connect>['db'], masterKey: Buffer): Promise<AgentPayload> {
  return mintAgentPayload(await readFleetKeys(await openSecretStore(db, masterKey)), new Date())
}

async function fill(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ hasUsers: boolean; mark: string | null }>(
      `select exists (select 1 from "users") as "hasUsers", obj_description('"users"'::regclass) as "mark"`,
    )
    if (rows[0]?.mark === MARK) return
    if (rows[0]?.hasUsers) {
      throw new Error(
        'This database has users of its own, so no demo is put into it. Start the demo with another DATA_DIR or DATABASE_URL.',
      )
    }
    await seedDatabase(url, SIZE, new Date(), (sentence) => console.log(`Demo: ${sentence} ...`))
    await loadBilling(client, new Date())
    await client.query(`comment on table "users" is '${MARK}'`)
  } finally {
    await client.end()
  }
}
