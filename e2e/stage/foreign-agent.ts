import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { Server as PlainServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { json } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { agentApi, agentErrors, agentPayload, HASH_PAYLOAD_HEADER, hashPayload } from '@causeway/contract'
import { isObject, objectAt, textAt, type XrayObject } from '@causeway/xray'
import { z } from 'zod'
import { run, tail, until, type Running } from './processes.ts'

// An agent of the 2.1 generation with a real Xray: the ports, the start and the counters that it has (docs/wire.md 21 to 24), and
// what listens on its node for the node alone. It takes no live changes of users: each is a start.

const API = '127.0.0.1:61000'
const CONFIG_PORT = 61_001
const SUPERVISOR_PORT = 61_002
const CLOSED = 'CAUSEWAY_CLOSED'

export interface ForeignAgent {
  port: number
  /** Paths that were asked for on the ports of the node alone. */
  asked: string[]
  starts(): number
  /** What starts are for from now on: as of a server without the closing rule, or of today's. */
  hear(server: 'older' | 'today'): void
  close(): Promise<void>
}

/** The hash by which a server without the closing rule named every configuration here. */
export const OLDER_HASH = 'b'.repeat(64)
const stats = z.object({ stat: z.array(z.object({ name: z.string(), value: z.coerce.number().default(0) })).default([]) })

export async function startForeignAgent(pubKey: string, xray: string): Promise<ForeignAgent> {
  const payload = agentPayload.parse(JSON.parse(Buffer.from(pubKey, 'base64').toString()))
  const folder = mkdtempSync(path.join(tmpdir(), 'causeway-foreign-'))
  const file = path.join(folder, 'config.json')
  const asked: string[] = []
  let heard: 'older' | 'today' = 'today'
  let core: { process: Running; startedAt: number; hash: string; config: XrayObject } | undefined
  let starts = 0

  async function start(config: XrayObject, given: string): Promise<void> {
    const hash = heard === 'older' ? OLDER_HASH : given
    if (core?.hash === hash) return
    await core?.process.stop()
    const own = withOwnApi(heard === 'older' ? withoutClosingRule(config) : config)
    writeFileSync(file, JSON.stringify(own))
    const running = run({ name: 'foreign-core', command: xray, args: ['run', '-c', file] })
    core = { process: running, startedAt: performance.now(), hash, config: own }
    starts++
    await until('the core of the foreign agent answers', async () => {
      if (!running.isRunning()) throw new Error(tail(running.logFile))
      await counters('')
      return true
    })
  }

  async function counters(pattern: string): Promise<Map<string, { uplink: number; downlink: number }>> {
    if (!core?.process.isRunning()) throw new Error('no core')
    const args = ['api', 'statsquery', `--server=${API}`, `-pattern=${pattern}`]
    const { stdout } = await promisify(execFile)(xray, args)
    const found = new Map<string, { uplink: number; downlink: number }>()
    for (const { name, value } of stats.parse(JSON.parse(stdout)).stat) {
      const [, key = '', , way] = name.split('>>>')
      const bytes = found.get(key) ?? { uplink: 0, downlink: 0 }
      found.set(key, way === 'uplink' ? { ...bytes, uplink: value } : { ...bytes, downlink: value })
    }
    return found
  }
  const listed = async (kind: string, key: string) =>
    Array.from(await counters(`${kind}>>>`), ([name, bytes]) => ({ [key]: name, ...bytes }))

  const repliers: Record<string, (body: unknown, hashes: string) => unknown> = {
    [agentApi.healthcheck.path]: () => ({ isAlive: true, xrayInternalStatusCached: core !== undefined, xrayVersion: '25.8.3' }),
    [agentApi.start.path]: async (body, header) => {
      const { emptyConfig } = hashPayload.parse(JSON.parse(Buffer.from(header, 'base64').toString()))
      if (isObject(body)) await start(body, emptyConfig)
      const systemInformation = { cpuCores: 2, cpuModel: 'Virtual', memoryTotal: '4.11 GB' }
      return { isStarted: true, version: '25.8.3', error: null, systemInformation, nodeInformation: { version: '2.1.4' } }
    },
    [agentApi.stop.path]: async () => {
      await core?.process.stop()
      core = undefined
      return { isStopped: true }
    },
    [agentApi.getSystemStats.path]: () => {
      if (!core?.process.isRunning()) throw new Error('no core')
      const none = ['numGoroutine', 'numGC', 'alloc', 'totalAlloc', 'sys', 'mallocs', 'frees', 'liveObjects', 'pauseTotalNs']
      const uptime = Math.floor((performance.now() - core.startedAt) / 1000)
      return { ...Object.fromEntries(none.map((name) => [name, 1])), uptime }
    },
    [agentApi.getUsersStats.path]: async () => ({ users: await listed('user', 'username') }),
    [agentApi.getAllInboundsStats.path]: async () => ({ inbounds: await listed('inbound', 'inbound') }),
    [agentApi.getAllOutboundsStats.path]: async () => ({ outbounds: await listed('outbound', 'outbound') }),
    [agentApi.addUser.path]: () => ({ success: false, error: 'not live' }),
    [agentApi.removeUser.path]: () => ({ success: false, error: 'not live' }),
  }
  const tls = { cert: payload.nodeCertPem, key: payload.nodeKeyPem, ca: payload.caCertPem }
  const server = createServer(
    { ...tls, requestCert: true, rejectUnauthorized: true, maxHeaderSize: 65_536 },
    (request, response) => {
      const reply = repliers[request.url ?? '']
      if (!reply) return void request.socket.destroy()
      void (async () => {
        const body: unknown = request.method === 'POST' ? await json(request) : undefined
        try {
          const answer = await reply(body, String(request.headers[HASH_PAYLOAD_HEADER]))
          response.writeHead(request.method === 'POST' ? 201 : 200).end(JSON.stringify({ response: answer }))
        } catch (error) {
          const { code, message } = agentErrors.systemStatsError
          const failure = {
            timestamp: new Date().toISOString(),
            path: request.url,
            message: `${message}: ${String(error)}`,
            errorCode: code,
          }
          response.writeHead(500).end(JSON.stringify(failure))
        }
      })()
    },
  )
  server.on('tlsClientError', () => {})
  const forNode = (port: number, answer: () => string): PlainServer =>
    createHttpServer((request, reply) => {
      asked.push(`${port}${request.url}`)
      const text = answer()
      reply.setHeader('content-length', Buffer.byteLength(text)).end(text)
    }).listen(port, '127.0.0.1')
  const local = [
    forNode(CONFIG_PORT, () => JSON.stringify(core?.config ?? {})),
    forNode(SUPERVISOR_PORT, () => '<methodResponse><params/></methodResponse>'),
  ]
  await Promise.all([...local, server.listen(0, '127.0.0.1')].map(listening))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a listening TCP server has no port')
  return {
    port: address.port,
    asked,
    starts: () => starts,
    hear: (next) => {
      heard = next
    },
    close: async () => {
      for (const each of [server, ...local]) {
        each.close()
        each.closeAllConnections()
      }
      await core?.process.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function listening(server: Server | PlainServer): Promise<void> {
  return new Promise((resolve, reject) => server.once('listening', resolve).once('error', reject))
}

/** Replaced whole, as these agents do. */
function withOwnApi(config: XrayObject): XrayObject {
  const all = { statsUserUplink: true, statsUserDownlink: true }
  const system = {
    statsInboundUplink: true,
    statsInboundDownlink: true,
    statsOutboundUplink: true,
    statsOutboundDownlink: true,
  }
  return {
    ...config,
    stats: {},
    api: { services: ['HandlerService', 'StatsService', 'RoutingService'], listen: API, tag: 'OTHER_API' },
    policy: { levels: { '0': all }, system },
  }
}

function withoutClosingRule(config: XrayObject): XrayObject {
  const without = (list: unknown, key: string) => (Array.isArray(list) ? list.filter((each) => textAt(each, key) !== CLOSED) : [])
  const routing = objectAt(config, 'routing')
  const rules = without(routing['rules'], 'outboundTag')
  return { ...config, outbounds: without(config['outbounds'], 'tag'), routing: { ...routing, rules } }
}
