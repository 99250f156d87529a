import os from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'

const RESOLUTION_MS = 20
const NANOSECONDS_PER_MS = 1e6
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
delay.enable()

/** Figures of Node.js on this process, in the form of 2.7 and later. The delays are of its whole life. */
export function runtimeMetrics(role: string, now: Date) {
  const { rss, heapUsed, heapTotal, external, arrayBuffers } = process.memoryUsage()
  return {
    rss,
    heapUsed,
    heapTotal,
    external,
    arrayBuffers,
    eventLoopDelayMs: inMs(delay.mean),
    eventLoopP99Ms: inMs(delay.percentile(99)),
    activeHandles: process.getActiveResourcesInfo().length,
    uptime: Math.floor(process.uptime()),
    pid: process.pid,
    timestamp: now.getTime(),
    instanceId: `${os.hostname()}-${process.pid}`,
    instanceType: role,
  }
}

/** Nothing has been measured in the first moments. */
function inMs(nanoseconds: number): number {
  return Number.isFinite(nanoseconds) ? Math.max(0, nanoseconds / NANOSECONDS_PER_MS - RESOLUTION_MS) : 0
}
