import { randomUUID } from 'node:crypto'
import type { Ctx } from '../../ctx.ts'
import { watchCpu } from '../../lib/machine.ts'
import { deleteProcess, upsertProcess } from './system.queries.ts'

const EVERY_MS = 10_000

/** Tells the other processes of this server that this one lives, until stopped. */
export function startHeartbeat(ctx: Ctx): { beat(): Promise<void>; stop(): Promise<void> } {
  const id = randomUUID()
  const startedAt = ctx.now()
  const cpuPercent = watchCpu()
  const beat = () =>
    upsertProcess(ctx.db, {
      id,
      role: ctx.config.ROLE,
      startedAt,
      seenAt: ctx.now(),
      memoryBytes: process.memoryUsage.rss(),
      cpuPercent: cpuPercent(),
    })
  const beatQuietly = () =>
    beat().catch((error: unknown) => ctx.log.warn({ err: error }, 'failed to write the process heartbeat'))
  void beatQuietly()
  const timer = setInterval(() => void beatQuietly(), EVERY_MS)
  return {
    beat,
    stop: async () => {
      clearInterval(timer)
      await deleteProcess(ctx.db, id)
    },
  }
}
