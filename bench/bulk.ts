import {
  bulkDeleteUsersByStatus,
  bulkResetUsersTraffic,
  bulkUpdateUsers,
  getJob,
  getSystemStats,
  type Job,
} from '@causeway/contract'
import pg from 'pg'
import { apiClient, type Api } from '../e2e/stage/api-client.ts'
import { until } from '../e2e/stage/processes.ts'
import { ask, figures, type Figures } from './measure.ts'

export interface BulkFigures {
  name: string
  /** From the request to the end of the last batch. */
  seconds: number
  /** What the default page of the list took meanwhile, in ms. */
  list: Figures
}

const JOB_LIMIT_MS = 600_000

/** Changes a tenth of the users at once, in three ways, and asks for the list all the time. The data is not the same after. */
export async function* measureBulk(url: string, origin: string, token: string, users: number): AsyncGenerator<BulkFigures> {
  const api = apiClient(origin, token)
  const uuids = await someUuids(url, Math.min(users, 100_000))
  const amount = uuids.length.toLocaleString('en')
  yield bulk(`reset of ${amount}`, () => api(bulkResetUsersTraffic, { uuids }))
  const fields = { trafficLimitBytes: 50 * 1024 ** 3, expireAt: new Date(Date.now() + 30 * 86_400_000).toISOString() }
  yield bulk(`limit and expiry of ${amount}`, () => api(bulkUpdateUsers, { uuids, fields }))
  const { statusCounts } = (await api(getSystemStats, {})).users
  yield bulk(`deletion of the ${statusCounts.EXPIRED.toLocaleString('en')} expired`, () =>
    api(bulkDeleteUsersByStatus, { status: 'EXPIRED' }),
  )

  async function bulk(name: string, start: () => Promise<{ jobId?: string | undefined }>): Promise<BulkFigures> {
    const begun = performance.now()
    const work = start().then(({ jobId }) => (jobId === undefined ? undefined : finished(api, jobId)))
    const times = await timesUntil(work, () => ask(origin, token, { path: '/api/users?start=0&size=25' }))
    return { name, seconds: (performance.now() - begun) / 1000, list: figures(times) }
  }
}

async function timesUntil(work: Promise<unknown>, measure: () => Promise<number>): Promise<number[]> {
  const times: number[] = []
  let isDone = false
  const end = work.finally(() => (isDone = true))
  while (!isDone) times.push(await measure())
  await end
  return times
}

async function finished(api: Api, id: string): Promise<Job> {
  return until(
    'the job is done',
    async () => {
      const job = await api(getJob, { id })
      if (job.status === 'failed') throw new Error(job.error ?? 'the job failed')
      return job.status === 'done' && job
    },
    JOB_LIMIT_MS,
  )
}

async function someUuids(url: string, count: number): Promise<string[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ uuid: string }>('select "uuid" from "users" order by "id" desc limit $1', [count])
    return rows.map(({ uuid }) => uuid)
  } finally {
    await client.end()
  }
}
