import pg from 'pg'
import { expect } from 'vitest'
import { runAllJobs } from '../jobs.ts'
import { startOutside } from '../outside.ts'
import { testServer, type TestServer } from '../server.ts'
import { putBack, readSequences } from './put-back.ts'
import { changesBetween, readDatabase, type Changes, type Reading } from './rows.ts'
import type { World } from './inhabitants.ts'
import { makeWorld } from './world.ts'

/** How something is done to the world, and on what server. */
export interface Doing {
  /** What the world lacks for it. */
  before?: (server: TestServer) => Promise<unknown>
  headers?: Record<string, string>
  /** Environment of the server. */
  env?: Record<string, string>
  /** What a provider of sign-ins answers, by path. */
  outside?: Record<string, string>
}

/** The world, which is put back after everything that is done to it. */
export async function openWalk() {
  const world = await makeWorld()
  const pool = new pg.Pool({ connectionString: world.url, max: 1 })
  // The pool says that it has ended before its connection has, which the dropped database then breaks off.
  pool.on('error', () => {})
  const [untouched, sequences] = [await readDatabase(pool), await readSequences(pool)]
  /** The last reading, while nothing has been done since. */
  let last: Reading | undefined
  return {
    world,
    untouched,
    /** What has changed when it is done, its jobs have ended and its server is closed, which writes what was to be written later. */
    changesBy: async (doing: Doing, act: (server: TestServer) => Promise<unknown>): Promise<Changes> => {
      const [before, since] = await withServer(world, doing, async (server) => {
        last = undefined
        await doing.before?.(server)
        const read = [await readDatabase(pool), new Date()] as const
        await act(server)
        await runAllJobs(server.ctx)
        return read
      })
      const after = await readDatabase(pool)
      expect(countsOf(after)).toEqual(usersOf(after))
      last = after
      return changesBetween(before, after, since)
    },
    /** Acts without comparing the database before and after. */
    act: (doing: Doing, act: (server: TestServer) => Promise<unknown>): Promise<void> =>
      withServer(world, doing, async (server) => {
        last = undefined
        await doing.before?.(server)
        await act(server)
        await runAllJobs(server.ctx)
      }),
    /** What differs from the world as it was made. */
    changesSince: async (since: Date): Promise<Changes> => changesBetween(untouched, await readDatabase(pool), since),
    putBack: async () => {
      await putBack(pool, untouched, last ?? (await readDatabase(pool)), sequences)
      last = undefined
    },
    close: async () => {
      await pool.end()
      await world.drop()
    },
  }
}

export type Walk = Awaited<ReturnType<typeof openWalk>>

async function withServer<T>(
  world: World,
  { headers, env, outside }: Doing,
  act: (server: TestServer) => Promise<T>,
): Promise<T> {
  const provider = await startOutside(outside ?? {})
  const database = { url: world.url, drop: async () => {} }
  const server = await testServer({ register: false, database, env: { ...env, OAUTH2_BASE_URL: provider.url } })
  Object.assign(server.admin, world.admin, headers)
  try {
    return await act(server)
  } finally {
    await server.close()
    provider.close()
  }
}

/** The kept numbers of users, which are the sums of differences. */
function countsOf(reading: Reading): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status, delta } of reading.get('userCounts')?.values() ?? [])
    counts[String(status)] = (counts[String(status)] ?? 0) + Number(delta)
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0))
}

function usersOf(reading: Reading): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status } of reading.get('users')?.values() ?? []) counts[String(status)] = (counts[String(status)] ?? 0) + 1
  return counts
}
