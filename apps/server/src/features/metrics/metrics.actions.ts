import { monitorEventLoopDelay } from 'node:perf_hooks'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Ctx } from '../../ctx.ts'
import { countryFlag } from '../../lib/country-flag.ts'
import { authorityValidity, readFleetKeys } from '../../ground/fleet-keys.ts'
import { refreshed } from '../../lib/recent.ts'
import type { ReadOnline } from '../../ground/online.queries.ts'
import { countUsersByStatus } from '../system/system.queries.ts'
import { listRealtimeUsage, listTagUsage } from '../usage/usage.queries.ts'
import { addMachineSeries, addProcessSeries } from './compat.actions.ts'
import { listNodeFigures } from './metrics.queries.ts'
import { isRequestResource, RecentRequests } from './recent-requests.rules.ts'

const FIGURES_LIFETIME_MS = 10_000
const NODE_LABELS = ['node_uuid', 'node_name', 'node_country_emoji', 'provider_name'] as const
const NANOSECONDS_PER_MS = 1e6
const MICROSECONDS_PER_MS = 1000
const MS_PER_SECOND = 1000

type Figures = Awaited<ReturnType<typeof readFigures>>

export interface Metrics {
  /** All series as Prometheus reads them. */
  text(): Promise<string>
  contentType: string
  noteRequest(method: string, status: number, seconds: number): void
  close(): void
}

/** Prometheus metrics: the fleet and its users from the database, and this process's own. */
export function openMetrics(ctx: Ctx, onlineCount: ReadOnline): Metrics {
  const own = new Registry()
  own.setDefaultLabels({ app: 'causeway' })
  collectDefaultMetrics({ register: own, prefix: 'causeway_' })
  const requests = new Histogram({
    name: 'causeway_http_request_seconds',
    help: 'Time to answer requests',
    labelNames: ['method', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
    registers: [own],
  })
  const eventLoop = monitorEventLoopDelay()
  eventLoop.enable()
  const recent = new RecentRequests()
  const cpu = measureCpu()
  const figures = refreshed(FIGURES_LIFETIME_MS, () => readFigures(ctx, onlineCount))
  return {
    contentType: own.contentType,
    text: async () => {
      const now = await figures()
      const fleet = fleetMetrics('causeway', now)
      addCertificateMetrics(fleet, now)
      const parts = [await own.metrics(), await fleet.metrics()]
      if (ctx.config.METRICS_COMPAT) {
        const compat = fleetMetrics('remnawave', now)
        addProcessMetrics(compat, ctx, { eventLoop, recent, cpuPercent: cpu() })
        addProcessSeries(compat, eventLoop)
        addMachineSeries(compat, machinesOf(now), NODE_LABELS)
        parts.push(await compat.metrics())
      }
      return parts.map((part) => part.trimEnd()).join('\n') + '\n'
    },
    noteRequest: (method, status, seconds) => {
      requests.observe({ method, status: String(status) }, seconds)
      recent.note(seconds * MS_PER_SECOND, performance.now())
    },
    close: () => eventLoop.disable(),
  }
}

/** What passes a core comes from one side and goes to the other, so that both directions of its inbounds and outbounds count. */
function machinesOf({ nodes, tags, realtime }: Figures) {
  const byNode = Map.groupBy(tags, ({ nodeId }) => nodeId)
  const speeds = new Map(realtime.map((moved) => [moved.nodeUuid, moved]))
  return nodes.map((node) => {
    const counted = byNode.get(node.id)
    const sum = (inbound: 'uploadBytes' | 'downloadBytes', outbound: 'uploadBytes' | 'downloadBytes') =>
      (counted ?? []).reduce((bytes, row) => bytes + row[row.direction === 'inbound' ? inbound : outbound], 0)
    const hour = speeds.get(node.uuid)
    return {
      ...node,
      labels: labelsOf(node),
      moved: counted && { rxBytes: sum('uploadBytes', 'downloadBytes'), txBytes: sum('downloadBytes', 'uploadBytes') },
      bytesPerSecond: hour && Math.round((hour.uploadBytes + hour.downloadBytes) / Math.max(1, hour.seconds)),
    }
  })
}

async function readFigures({ db, secrets, now }: Ctx, onlineCount: ReadOnline) {
  const [nodes, tags, realtime, statuses, online, keys] = await Promise.all([
    listNodeFigures(db),
    listTagUsage(db),
    listRealtimeUsage(db, now()),
    countUsersByStatus(db),
    onlineCount(),
    readFleetKeys(secrets),
  ])
  return { nodes, tags, realtime, statuses, online, authorityExpiresAt: authorityValidity(keys).validTo }
}

/** The series of the wire's generation (docs/wire.md 28), under our name or the one that existing boards read. */
function fleetMetrics(prefix: 'causeway' | 'remnawave', { nodes, tags, statuses, online }: Figures): Registry {
  const registry = new Registry()
  registry.setDefaultLabels({ app: prefix })
  const registers = [registry]
  const gauge = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Gauge({ name: `${prefix}_${name}`, help, labelNames: [...labelNames], registers })
  const onlineUsers = gauge('node_online_users', 'Users online on the node', NODE_LABELS)
  const status = gauge('node_status', '1 when the node is connected', NODE_LABELS)
  const bytes = (name: string, help: string) =>
    new Counter({ name: `${prefix}_${name}`, help, labelNames: [...NODE_LABELS, 'tag'], registers })
  const counters = {
    inbound: [bytes('node_inbound_upload_bytes', 'Bytes from users'), bytes('node_inbound_download_bytes', 'Bytes to users')],
    outbound: [bytes('node_outbound_upload_bytes', 'Bytes sent on'), bytes('node_outbound_download_bytes', 'Bytes received')],
  } as const
  const labelsById = new Map<number, Record<(typeof NODE_LABELS)[number], string>>()
  for (const node of nodes) {
    const labels = labelsOf(node)
    labelsById.set(node.id, labels)
    onlineUsers.set(labels, online.onNodes[node.uuid] ?? 0)
    status.set(labels, node.isConnected ? 1 : 0)
  }
  for (const { nodeId, direction, tag, uploadBytes, downloadBytes } of tags) {
    const labels = labelsById.get(nodeId)
    if (!labels) continue
    const [upload, download] = counters[direction]
    upload.inc({ ...labels, tag }, uploadBytes)
    download.inc({ ...labels, tag }, downloadBytes)
  }
  const byStatus = gauge('users_status', 'Users by status', ['status'])
  for (const [name, count] of Object.entries(statuses)) byStatus.set({ status: name }, count)
  const byOnline = gauge('users_online_stats', 'Users by when they were last online', ['metricType'])
  const { onlineNow, lastDay, lastWeek, neverOnline } = online
  for (const [metricType, count] of Object.entries({ onlineNow, lastDay, lastWeek, neverOnline }))
    byOnline.set({ metricType }, count)
  const total = Object.values(statuses).reduce((sum, count) => sum + count, 0)
  gauge('users_total', 'All users', ['type']).set({ type: 'all' }, total)
  return registry
}

function labelsOf(node: Figures['nodes'][number]): Record<(typeof NODE_LABELS)[number], string> {
  return {
    node_uuid: node.uuid,
    node_name: node.name,
    node_country_emoji: countryFlag(node.countryCode),
    provider_name: node.providerName ?? 'unknown',
  }
}

/** When what the fleet trusts each other by ends, for alerts: in seconds since 1970, as certificates are watched everywhere. */
function addCertificateMetrics(registry: Registry, { nodes, authorityExpiresAt }: Figures): void {
  const registers = [registry]
  const labelNames = ['node_uuid', 'node_name']
  const name = 'causeway_node_certificate_expires_seconds'
  const gauge = new Gauge({ name, help: 'When the certificate of the agent ends', labelNames, registers })
  for (const { uuid, name: node_name, certificateExpiresAt } of nodes) {
    if (certificateExpiresAt) gauge.set({ node_uuid: uuid, node_name }, certificateExpiresAt.getTime() / 1000)
  }
  const help = 'When the authority of the nodes ends'
  new Gauge({ name: 'causeway_authority_expires_seconds', help, registers }).set(authorityExpiresAt.getTime() / 1000)
}

interface ProcessFigures {
  eventLoop: ReturnType<typeof monitorEventLoopDelay>
  recent: RecentRequests
  cpuPercent: number
}

/** The figures of this process under the names of the reference; ours are prom-client's own. */
function addProcessMetrics(registry: Registry, { config }: Ctx, { eventLoop, recent, cpuPercent }: ProcessFigures): void {
  const { rss, heapUsed, heapTotal } = process.memoryUsage()
  const resources = process.getActiveResourcesInfo()
  const requests = resources.filter(isRequestResource).length
  const at = performance.now()
  const figures = {
    heap_used_bytes: heapUsed,
    heap_total_bytes: heapTotal,
    heap_usage_percent: (heapUsed / heapTotal) * 100,
    memory_usage_bytes: rss,
    cpu_usage_percent: cpuPercent,
    active_handlers: resources.length - requests,
    active_requests: requests,
    event_loop_latency_p50: eventLoop.percentile(50) / NANOSECONDS_PER_MS,
    event_loop_latency_p95: eventLoop.percentile(95) / NANOSECONDS_PER_MS,
    http_req_rate: recent.perMinute(at),
    http_req_latency_p50: recent.latency(50, at),
    http_req_latency_p95: recent.latency(95, at),
  }
  const instance_name = config.ROLE === 'all' ? 'Server' : 'REST API'
  for (const [name, value] of Object.entries(figures)) {
    const labelNames = ['instance_id', 'instance_name']
    const gauge = new Gauge({ name: `remnawave_nodejs_${name}`, help: `Process: ${name}`, labelNames, registers: [registry] })
    gauge.set({ instance_id: '0', instance_name }, value)
  }
}

/** The share of one core that the process took since it was asked before, or since the start. */
function measureCpu(): () => number {
  let before = { usage: process.cpuUsage(), at: performance.now() }
  let percent = 0
  return () => {
    const now = { usage: process.cpuUsage(), at: performance.now() }
    const elapsedMs = now.at - before.at
    // Over a shorter time the figure would say more of the scrape than of the process.
    if (elapsedMs < MS_PER_SECOND) return percent
    const usedMs = (now.usage.user + now.usage.system - before.usage.user - before.usage.system) / MICROSECONDS_PER_MS
    percent = (usedMs / elapsedMs) * 100
    before = now
    return percent
  }
}
