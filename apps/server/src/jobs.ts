import type { Ctx } from './ctx.ts'
import { openJobLocks, type JobLocks } from './db/job-locks.ts'
import { runJobs } from './features/jobs/jobs.actions.ts'
import { cleanUpSignIns } from './features/auth/auth.jobs.ts'
import { cleanUpJobs } from './features/jobs/clean-up.jobs.ts'
import { resetNodesTraffic, reviewNodesTraffic } from './features/nodes/node-traffic.jobs.ts'
import { startFleet } from './features/fleet/fleet.jobs.ts'
import { keepUsagePartitions } from './features/traffic/traffic.jobs.ts'
import { correctCounts, expireUsers, foldCounts, limitUsers, startTrafficResets } from './features/users/users.jobs.ts'

export interface PeriodicJob {
  name: string
  everyMs: number
  run: (ctx: Ctx) => Promise<unknown>
}

/** Every periodic job and its period, on one screen. Each runs in one server process at a time. */
const periodicJobs: PeriodicJob[] = [
  { name: 'bulk jobs', everyMs: 500, run: runJobs },
  { name: 'expire users', everyMs: 10_000, run: expireUsers },
  { name: 'limit users', everyMs: 30_000, run: limitUsers },
  { name: 'traffic resets', everyMs: 15_000, run: startTrafficResets },
  { name: 'node traffic resets', everyMs: 60_000, run: resetNodesTraffic },
  { name: 'node traffic reviews', everyMs: 300_000, run: reviewNodesTraffic },
  { name: 'usage partitions', everyMs: 600_000, run: keepUsagePartitions },
  { name: 'fold user counts', everyMs: 10_000, run: foldCounts },
  { name: 'correct user counts', everyMs: 600_000, run: correctCounts },
  { name: 'forget old sign-ins', everyMs: 3_600_000, run: cleanUpSignIns },
  { name: 'forget jobs', everyMs: 3_600_000, run: cleanUpJobs },
]

/** Starts the timers of the periodic jobs, and looking after nodes. A run that is still going on is not joined by the next. */
export function startJobs(ctx: Ctx, jobs = periodicJobs): { stop(): Promise<void> } {
  const running = new Map<string, Promise<void>>()
  const fleet = startFleet(ctx)
  const locks = openJobLocks(ctx.pool.options.connectionString ?? '', (error) =>
    ctx.log.warn({ err: error }, 'the connection that holds the locks of periodic jobs broke'),
  )
  const timers = jobs.map((job) =>
    setInterval(() => {
      if (running.has(job.name)) return
      const run = runAlone(ctx, locks, job).finally(() => running.delete(job.name))
      running.set(job.name, run)
    }, job.everyMs),
  )
  return {
    stop: async () => {
      for (const timer of timers) clearInterval(timer)
      await Promise.all([...running.values(), fleet.stop()])
      await locks.close()
    },
  }
}

/** Runs a job unless another server process is at it. */
async function runAlone(ctx: Ctx, locks: JobLocks, job: PeriodicJob): Promise<void> {
  try {
    if (!(await locks.take(job.name))) return
    try {
      await job.run(ctx)
    } finally {
      await locks.release(job.name)
    }
  } catch (error) {
    ctx.log.error({ err: error, job: job.name }, 'periodic job failed; it will run again')
  }
}
