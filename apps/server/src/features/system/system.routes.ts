import os from 'node:os'
import * as api from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { on, type Route } from '../../http/mount.ts'
import { runtimeMetrics } from './runtime.actions.ts'
import type { ReadOnline } from '../../ground/online.queries.ts'
import { Cache } from '../../lib/cache.ts'
import { everyone } from '../../lib/scope.ts'
import { readCpus, readMemory, type Memory } from '../../lib/machine.ts'
import { countUsersByStatus, countUsersOf, listProcesses } from './system.queries.ts'
import { toProcessList, toUserCounts } from './system.rules.ts'

/** Asking the operating system costs as much as asking the database. */
const MACHINE_LIFETIME_MS = 1000

export function systemRoutes(ctx: Ctx, online: ReadOnline): Route[] {
  const cpus = readCpus()
  const machine = new Cache<Promise<{ memory: Memory; uptime: number }>>({
    most: 1,
    isFresh: (ageMs) => ageMs < MACHINE_LIFETIME_MS,
  })
  const readMachine = async () => ({ memory: await readMemory(), uptime: Math.floor(os.uptime()) })
  return [
    on(api.getSystemStats, async () => {
      const [cpu, { memory, uptime }, statusCounts, { totalTrafficBytes, onNodes: _, ...onlineStats }] = await Promise.all([
        cpus,
        machine.find('', readMachine),
        countUsersByStatus(ctx.db),
        online(),
      ])
      const { ACTIVE, DISABLED, LIMITED, EXPIRED } = statusCounts
      return {
        cpu,
        memory,
        uptime,
        timestamp: ctx.now().getTime(),
        users: {
          statusCounts,
          totalUsers: ACTIVE + DISABLED + LIMITED + EXPIRED,
          totalTrafficBytes: String(totalTrafficBytes),
        },
        onlineStats,
        nodes: { totalOnline: onlineStats.onlineNow, totalBytesLifetime: String(totalTrafficBytes) },
      }
    }),
    on(api.getUserCounts, async (_, { scope }) => {
      if (scope !== everyone) return countUsersOf(ctx.db, scope, ctx.now())
      const [statusCounts, { onlineNow, lastDay, lastWeek, neverOnline }] = await Promise.all([
        countUsersByStatus(ctx.db),
        online(),
      ])
      return toUserCounts(statusCounts, { onlineNow, lastDay, lastWeek, neverOnline })
    }),
    on(api.getHealth, async () => ({
      pm2Stats: toProcessList(await listProcesses(ctx.db, ctx.now())),
      runtimeMetrics: [runtimeMetrics(ctx.config.ROLE, ctx.now())],
    })),
  ]
}
