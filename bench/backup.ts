// What a backup of the embedded database does to subscriptions: a panel as `npm start` starts it, asked by turns with
// nothing beside and while the dashboard's button makes a backup, its rehearsal included.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { deleteBackup, listBackups, makeBackup } from '@causeway/contract'
import pg from 'pg'
import { startEmbeddedPostgres } from '../apps/server/src/postgres/embedded-postgres.ts'
import { migrate } from '../apps/server/src/db/migrate.ts'
import { apiClient, type Api } from '../e2e/stage/api-client.ts'
import { registerAdmin, untilServing } from '../e2e/stage/panel.ts'
import { freePort, run } from '../e2e/stage/processes.ts'
import { seedDatabase } from '../scripts/seed/load.ts'
import { figures, type Figures } from './measure.ts'
import { subscriptionLoad } from './subscription-load.ts'

const [NODES, DAYS] = [10, 10]
const ROUNDS = 7
const [WARM_UP_MS, ALONE_MS] = [5000, 30_000]
const TARGET_TIMES = 2

/** Prints the figures of each round. Gives whether the target was missed by the round in the middle. */
export async function benchBackup(dataDir: string, users: number): Promise<boolean> {
  const shortUuids = await seededSubscribers(dataDir, users)
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const env = { PORT: String(port), DATA_DIR: dataDir, DATABASE_URL: '', LOG_LEVEL: 'warn' }
  const server = run({ name: 'bench-server', args: ['apps/server/src/main.ts'], env })
  try {
    await untilServing(origin, server, 120_000)
    const api = apiClient(origin, await session(origin, path.join(dataDir, 'bench-session')))
    const load = subscriptionLoad(origin, shortUuids)
    await load(() => sleep(WARM_UP_MS)) // what is remembered has been asked for
    console.log(`${users.toLocaleString('en')} users; subscriptions, ms`)
    const times: number[] = []
    for (let round = 1; round <= ROUNDS; round++) {
      const alone = figures(await load(() => sleep(ALONE_MS)))
      const begun = performance.now()
      const meanwhile = figures(await load(() => backUpOnce(api)))
      const seconds = Math.round((performance.now() - begun) / 1000)
      times.push(meanwhile.p99 / alone.p99)
      console.log(`round ${round}: alone ${text(alone)}; during a backup of ${seconds} s ${text(meanwhile)}`)
    }
    const middle = times.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? Number.NaN
    const isMissed = middle > TARGET_TIMES
    console.log(
      `p99 during a backup: ${middle.toFixed(1)} × in the middle round (target ${TARGET_TIMES})${isMissed ? '  MISSED' : ''}`,
    )
    return isMissed
  } finally {
    await server.stop()
  }
}

const text = ({ p50, p99 }: Figures) => `p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)}`

/** Until it is made and rehearsed; it is deleted again for its room. @throws Error when it failed */
async function backUpOnce(api: Api): Promise<void> {
  await api(makeBackup, {})
  for (;;) {
    const { jobId, backups, failure } = await api(listBackups, {})
    if (failure) throw new Error(failure)
    const made = backups[0]
    if (jobId === null && made) return void (await api(deleteBackup, { name: made.name }))
    await sleep(500)
  }
}

/** A session of the one administrator; that of an earlier run where the folder was kept. */
async function session(origin: string, file: string): Promise<string> {
  if (existsSync(file)) return readFileSync(file, 'utf8')
  const token = await registerAdmin(origin)
  writeFileSync(file, token)
  return token
}

/** Some of the subscribers of the embedded database, which is filled unless it has so many users. */
async function seededSubscribers(dataDir: string, users: number): Promise<string[]> {
  rmSync(path.join(dataDir, 'backups'), { recursive: true, force: true })
  const postgres = await startEmbeddedPostgres({ dataDir })
  const client = new pg.Client({ connectionString: postgres.url })
  try {
    await migrate(postgres.url)
    await client.connect()
    const { rows } = await client.query<{ count: number }>('select count(*)::int as "count" from "users"')
    if (rows[0]?.count !== users)
      await seedDatabase(postgres.url, { users, nodes: NODES, days: DAYS }, new Date(), (sentence) => console.log(sentence))
    const some = await client.query<{ shortUuid: string }>(
      'select "shortUuid" from "users" where "id" % greatest(1, (select count(*) from "users") / 2000) = 0',
    )
    return some.rows.map(({ shortUuid }) => shortUuid)
  } finally {
    await client.end()
    await postgres.stop()
  }
}
