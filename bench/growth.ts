import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { startEmbeddedPostgres } from '../apps/server/src/postgres/embedded-postgres.ts'
import { migrate } from '../apps/server/src/db/migrate.ts'
import { registerAdmin, untilServing } from '../e2e/stage/panel.ts'
import { freePort, run } from '../e2e/stage/processes.ts'
import { seedDatabase } from '../scripts/seed/load.ts'
import { LEAST_ORDERED } from '../apps/server/src/features/traffic/order.rules.ts'
import { orderByTraffic } from './daily-tasks.ts'
import { measureHotPaths } from './hot-paths.ts'

export interface Growth {
  name: string
  /** Times the bare call of the same size: one for each size. */
  multiples: number[]
  /** Of the last to the first. */
  grown: number
  isMissed: boolean
}

/** They send more when there is more; named, so that nothing joins them unseen. */
const LINEAR = new Set(['users, page of 1,000', 'plain: rows of 1,000 users'])
/** What a measurement is believed to be off. */
const DOUBT = 1.5

/** Every hot path at each of these sizes, each on a database of its own. Nothing may grow faster than the logarithm. */
export async function measureGrowth(sizes: readonly number[], samples: number): Promise<Growth[]> {
  const found = new Map<string, number[]>()
  for (const users of sizes) {
    for (const [name, multiple] of await multiplesAt(users, samples)) found.set(name, [...(found.get(name) ?? []), multiple])
  }
  const [first = 1, last = 1] = [sizes[0], sizes.at(-1)]
  const allowed = (Math.log(last) / Math.log(first)) * DOUBT
  return [...found].map(([name, multiples]) => {
    const most = multiples.at(-1) ?? 0
    const grown = most / (multiples[0] ?? 1)
    // What costs less than the bare call of its size is not seen growing, only the machine's other work.
    return { name, multiples, grown, isMissed: grown > allowed && most > 1 && !LINEAR.has(name) }
  })
}

async function multiplesAt(users: number, samples: number): Promise<[string, number][]> {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'causeway-growth-'))
  chmodSync(dataDir, 0o711) // as root the database runs under an account of its own, which has to pass through here
  const postgres = await startEmbeddedPostgres({ dataDir })
  try {
    await migrate(postgres.url)
    await seedDatabase(postgres.url, { users, nodes: 20, days: 0 }, new Date())
    // What measures is beside it alone, so that the schedule that keeps the order does not run.
    if (users >= LEAST_ORDERED) await orderByTraffic(postgres.url)
    const port = await freePort()
    const origin = `http://127.0.0.1:${port}`
    const env = { PORT: String(port), DATA_DIR: dataDir, DATABASE_URL: postgres.url, ROLE: 'api', LOG_LEVEL: 'warn' }
    const server = run({ name: 'bench-growth', args: ['apps/server/src/main.ts'], env })
    try {
      await untilServing(origin, server)
      const found: [string, number][] = []
      const token = await registerAdmin(origin)
      for await (const { name, slower } of measureHotPaths(postgres.url, origin, token, samples)) found.push([name, slower])
      return found
    } finally {
      await server.stop()
    }
  } finally {
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
