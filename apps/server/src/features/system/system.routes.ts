import os from 'node:os'
import * as api from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { on, type Route } from '../../http/mount.ts'
import { readCpus, readMemory, watchCpu } from '../../lib/machine.ts'
import { refreshed } from '../../lib/recent.ts'
import { countOnline, countOnNodes, countStatuses } from './system.queries.ts'

/** Counting who is online looks at every user; polls and pages share one look within this time. */
const ONLINE_LIFETIME_MS = 5000
const MIB = 1024 * 1024

export function systemRoutes(ctx: Ctx): Route[] {
  const online = refreshed(ONLINE_LIFETIME_MS, () => countOnline(ctx.db, ctx.now()))
  const cpus = readCpus()
  const cpuPercent = watchCpu()
  const processName = ctx.config.ROLE === 'all' ? 'Server-0' : 'API-0'
  return [
    on(api.getSystemStats, async () => {
      const [cpu, memory, statusCounts, totalOnline, { totalTrafficBytes, ...onlineStats }] = await Promise.all([
        cpus,
        readMemory(),
        countStatuses(ctx.db),
        countOnNodes(ctx.db),
        online(),
      ])
      const { ACTIVE, DISABLED, LIMITED, EXPIRED } = statusCounts
      return {
        cpu,
        memory,
        uptime: os.uptime(),
        timestamp: ctx.now().getTime(),
        users: {
          statusCounts,
          totalUsers: ACTIVE + DISABLED + LIMITED + EXPIRED,
          totalTrafficBytes: String(totalTrafficBytes),
        },
        onlineStats,
        nodes: { totalOnline },
      }
    }),
    on(api.getHealth, async () => ({
      pm2Stats: [
        {
          name: processName,
          memory: `${(process.memoryUsage.rss() / MIB).toFixed(2)} MiB`,
          cpu: cpuPercent().toFixed(1),
        },
      ],
    })),
  ]
}
