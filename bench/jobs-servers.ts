import { fork, type ChildProcess } from 'node:child_process'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { z } from 'zod'
import { run, until } from '../e2e/stage/processes.ts'
import { makeWorld, mintPayload, NODES_PER_REGION } from './load-world.ts'
import { cpuSeconds, databaseCpuSeconds } from './processor.ts'

// Nodes and users shared by several `jobs` servers: whether bookings keep up, and whether the sum of what they booked is that of
// what the nodes have moved, to the byte.

export interface JobsServersOptions {
  servers: number
  nodes: number
  online: number
  url: string
  dataDir: string
  seconds: number
}

const CONNECT_LIMIT_MS = 600_000
/** Two polls, and what waits in a queue of a busy machine. */
const BOOK_LIMIT_MS = 120_000
/** Longer than a poll: what is booked twice shows by then. */
const TWICE_MS = 20_000
const LOOK_MS = 30_000
const places = z.array(z.object({ address: z.string(), port: z.number() }))
const total = z.object({ moved: z.number(), users: z.number() })

export async function measureJobsServers({ servers, nodes, online, url, dataDir, seconds }: JobsServersOptions): Promise<void> {
  const fleet = fork(path.join(import.meta.dirname, 'simulated-fleet.ts'), {
    env: {
      ...process.env,
      LOAD_PAYLOAD: JSON.stringify(await mintPayload(url, dataDir)),
      LOAD_NODES: String(nodes),
      LOAD_ONLINE: String(Math.ceil(online / nodes)),
      LOAD_NODES_PER_REGION: String(NODES_PER_REGION),
      LOAD_WAITS: 'true',
    },
  })
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const env = { DATA_DIR: dataDir, DATABASE_URL: url, ROLE: 'jobs', LOG_LEVEL: 'warn' }
  const jobs = Array.from({ length: servers }, (_, at) =>
    run({ name: `bench-jobs-${at}`, args: ['apps/server/src/main.ts'], env }),
  )
  const number = async (text: string): Promise<number> => Number((await client.query<{ is: string }>(text)).rows[0]?.is)
  const booked = () => number('select coalesce(sum("lifetimeUsedTrafficBytes"), 0) as "is" from "userUsage"')
  try {
    await makeWorld(url, nodes, places.parse(await answerOf(fleet)))
    const begun = performance.now()
    await until(
      'all nodes are connected',
      async () => (await number('select count(*) as "is" from "nodeStates" where not "isConnected"')) === 0,
      CONNECT_LIMIT_MS,
    )
    console.log(`${nodes} nodes connected in ${((performance.now() - begun) / 1000).toFixed(0)} s`)
    const before = await booked()
    const usedBefore = { jobs: jobs.map(({ pid }) => cpuSeconds(pid)), database: databaseCpuSeconds(dataDir) }
    fleet.send('move')
    const movingAt = performance.now()
    while (performance.now() - movingAt < seconds * 1000) {
      await sleep(Math.min(LOOK_MS, seconds * 1000))
      const { moved } = await totalOf(fleet, 'total')
      const lateMs = await number(
        `select extract(epoch from now() - min("accountedThroughAt")) * 1000 as "is" from "nodeStates" where "isConnected"`,
      ).catch(() => Number.NaN)
      const share = (((await booked()) - before) / moved) * 100
      console.log(
        `  ${share.toFixed(1)} % of what was moved is booked; the latest node was read ${(lateMs / 1000).toFixed(0)} s ago`,
      )
    }
    const took = (performance.now() - movingAt) / 1000
    const used = jobs.map(({ pid }, at) => ((cpuSeconds(pid) - (usedBefore.jobs[at] ?? 0)) / took) * 100)
    const database = ((databaseCpuSeconds(dataDir) - usedBefore.database) / took) * 100
    const { moved, users } = await totalOf(fleet, 'stop')
    const endedAt = performance.now()
    await until('everything is booked', async () => (await booked()) - before >= moved, BOOK_LIMIT_MS)
    const bookedMs = performance.now() - endedAt
    await sleep(TWICE_MS)
    const difference = (await booked()) - before - moved
    const { rows } = await client.query<{ nodes: string }>(
      `select count(*) as "nodes" from "nodeLeases" where "expiresAt" > now() group by "owner" order by 1`,
    )
    console.log(
      `${servers} servers, ${rows.map((row) => row.nodes).join(' + ')} nodes, ${users} users moved bytes: ${moved} bytes, ` +
        `booked in full ${(bookedMs / 1000).toFixed(0)} s after the end; difference ${difference} bytes${difference === 0 ? '' : '  MISSED'}\n` +
        `of a core: servers ${used.map((one) => `${one.toFixed(0)} %`).join(', ')}, database ${database.toFixed(0)} %`,
    )
  } finally {
    await client.end()
    for (const server of jobs) await server.stop()
    fleet.kill()
  }
}

async function totalOf(fleet: ChildProcess, word: 'total' | 'stop') {
  const answer = answerOf(fleet)
  fleet.send(word)
  return total.parse(await answer)
}

function answerOf(fleet: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => fleet.once('message', resolve).once('exit', reject))
}
