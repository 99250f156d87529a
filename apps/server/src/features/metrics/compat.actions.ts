import type { monitorEventLoopDelay } from 'node:perf_hooks'
import { Gauge, type Registry } from 'prom-client'
import { ramBytes } from './compat.rules.ts'

// Series of the reference beside those of the fleet, for boards that exist (METRICS_COMPAT).

const NANOSECONDS_PER_MS = 1e6

/** A node as its series name it, and what its agent has told of the machine. */
export interface NodeMachine {
  labels: Record<string, string>
  xrayVersion: string | null
  nodeVersion: string | null
  cpuCount: number | null
  cpuModel: string | null
  totalRam: string | null
  /** Bytes that passed the core since it was counted first, and a second in this hour; undefined where none has been counted. */
  moved: { rxBytes: number; txBytes: number } | undefined
  bytesPerSecond: number | undefined
}

/** The members of 3.3 in place of `nodejs_…`. */
export function addProcessSeries(registry: Registry, eventLoop: ReturnType<typeof monitorEventLoopDelay>): void {
  const { rss, heapUsed, heapTotal, external, arrayBuffers } = process.memoryUsage()
  const figures = {
    rss_bytes: rss,
    heap_used_bytes: heapUsed,
    heap_total_bytes: heapTotal,
    external_bytes: external,
    array_buffers_bytes: arrayBuffers,
    event_loop_delay_ms: eventLoop.mean / NANOSECONDS_PER_MS,
    active_handles: process.getActiveResourcesInfo().length,
    uptime_seconds: process.uptime(),
  }
  for (const [name, value] of Object.entries(figures))
    new Gauge({ name: `remnawave_process_${name}`, help: `Process: ${name}`, registers: [registry] }).set(value)
}

/**
 * Machines of nodes, since 3.3. Agents tell of processors and memory when their core starts, and of the network what the core
 * carries: a byte from a user is received once and sent on once. What none tells has its name and no value, so that a board
 * shows that there is nothing.
 */
export function addMachineSeries(registry: Registry, nodes: readonly NodeMachine[], labelNames: readonly string[]): void {
  const gauge = (name: string, help: string, more: readonly string[] = []) =>
    new Gauge({ name: `remnawave_node_${name}`, help, labelNames: [...labelNames, ...more], registers: [registry] })
  const cpus = gauge('cpu_count', 'Processors of the node')
  const memory = gauge('memory_total_bytes', 'Memory of the node')
  const basic = gauge('basic_info', 'Versions that the node runs', ['xray_version', 'node_version'])
  const system = gauge('system_info', 'Machine of the node', ['cpu_model'])
  const [rx, tx] = [gauge('network_rx_bytes_total', RECEIVED), gauge('network_tx_bytes_total', SENT)]
  const speeds = [gauge('network_rx_bytes_per_sec', RECEIVED), gauge('network_tx_bytes_per_sec', SENT)]
  for (const { labels, xrayVersion, nodeVersion, cpuCount, cpuModel, totalRam, moved, bytesPerSecond } of nodes) {
    const bytes = ramBytes(totalRam ?? '')
    if (cpuCount !== null) cpus.set(labels, cpuCount)
    if (bytes !== undefined) memory.set(labels, bytes)
    if (moved) {
      rx.set(labels, moved.rxBytes)
      tx.set(labels, moved.txBytes)
    }
    if (bytesPerSecond !== undefined) for (const speed of speeds) speed.set(labels, bytesPerSecond)
    basic.set({ ...labels, xray_version: xrayVersion ?? 'unknown', node_version: nodeVersion ?? 'unknown' }, 1)
    system.set({ ...labels, cpu_model: cpuModel ?? 'unknown' }, 1)
  }
  for (const name of UNTOLD) gauge(name, 'Not told by agents')
}

const RECEIVED = 'Received by the core of the node'
const SENT = 'Sent by the core of the node'
const UNTOLD = ['memory_free_bytes', 'uptime_seconds']
