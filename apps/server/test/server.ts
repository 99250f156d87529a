import type { FastifyInstance, InjectOptions } from 'fastify'
import pino from 'pino'
import { DASHBOARD_HEADER, type CallInput, type Endpoint, type Reply } from '@causeway/contract'
import { buildApp } from '../src/app.ts'
import { openBackups } from '../src/backup/backup-runs.ts'
import { readConfig } from '../src/config.ts'
import type { Ctx } from '../src/ctx.ts'
import { readsOfLeader } from '../src/db/driver/hosts/replicas.ts'
import { openBus } from '../src/db/driver/bus.ts'
import { connect } from '../src/db/driver/connect.ts'
import { openAgents } from '../src/ground/agents.ts'
import { openSecretStore } from '../src/ground/secret-store.ts'
import { injectedProcess } from './injected-process.ts'
import { testDatabase } from './postgres.ts'

export interface TestServer {
  app: FastifyInstance
  ctx: Ctx
  /** The clock of the server: set it to move time. */
  clock: { now: Date | undefined }
  /** Calls as the registered administrator and gives the reply's `response`; throws with the body when it is not a success. */
  call<E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<Reply<E>>
  /** Calls as the registered administrator and gives status and body, whatever they are. */
  send(
    method: InjectOptions['method'],
    url: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<{ status: number; body: unknown; headers: Record<string, unknown> }>
  /** Headers of the registered administrator. */
  admin: Record<string, string>
  close(): Promise<void>
}

/** A server on a database of its own, with one registered administrator. Requests are injected; nothing listens. */
export async function testServer(
  options: { env?: Record<string, string>; register?: boolean; database?: Awaited<ReturnType<typeof testDatabase>> } = {},
): Promise<TestServer> {
  const database = options.database ?? (await testDatabase())
  const connected = connect(database.url, { max: 4 })
  const bus = openBus(database.url, () => {}) // some tests cut it
  const clock: TestServer['clock'] = { now: undefined }
  const secrets = await openSecretStore(connected.db, Buffer.alloc(32, 1))
  const config = readConfig({ DATABASE_URL: database.url, LOG_LEVEL: 'silent', ...options.env })
  const ctx: Ctx = {
    db: connected.db,
    pool: connected.pool,
    reads: readsOfLeader(connected.db),
    bus,
    config,
    log: pino({ level: options.env?.['LOG_LEVEL'] ?? 'silent' }),
    now: () => clock.now ?? new Date(),
    secrets,
    agents: openAgents(secrets),
    backups: openBackups(config),
    server: injectedProcess(database.url),
  }
  const app = await buildApp(ctx)
  const admin: Record<string, string> = { 'x-remnawave-client-type': 'browser' }
  const send: TestServer['send'] = async (method, url, body, headers = admin) => {
    const reply = await app.inject({
      ...(method ? { method } : {}),
      url,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    })
    const isJson = String(reply.headers['content-type'] ?? '').includes('json')
    return { status: reply.statusCode, body: isJson ? reply.json() : reply.body, headers: reply.headers }
  }
  if (options.register !== false) {
    const headers = { ...admin, [DASHBOARD_HEADER]: '1' }
    const reply = await send('POST', '/api/auth/register', { username: 'admin', password: 'Correct4horse' }, headers)
    const { response } = reply.body as { response: { accessToken: string } } // the contract's reply of register
    admin['authorization'] = `Bearer ${response.accessToken}`
  }
  return {
    app,
    ctx,
    clock,
    admin,
    send,
    call: async (endpoint, input) => {
      const { url, body } = toRequest(endpoint, input as Record<string, unknown>) // the input is an object by the endpoint's schemas
      const reply = await send(endpoint.method, url, body)
      if (reply.status !== endpoint.status) throw new Error(`${endpoint.name}: ${reply.status} ${JSON.stringify(reply.body)}`)
      const { response } = reply.body as { response: unknown } // every wrapped reply of the wire
      return endpoint.response.parse(response) as Reply<typeof endpoint> // just parsed by that endpoint's schema
    },
    close: async () => {
      await app.close()
      await ctx.agents.close()
      await ctx.backups.close()
      await bus.close()
      await connected.close()
      await database.drop()
    },
  }
}

/** Splits a flat input into path, query and body the way a client does. */
export function toRequest(endpoint: Endpoint, input: Record<string, unknown>): { url: string; body: unknown } {
  const rest = { ...input }
  const take = (key: string): unknown => {
    const value = rest[key]
    delete rest[key]
    return value
  }
  const url = endpoint.path.replaceAll(/:(\w+)/g, (_, key: string) => encodeURIComponent(String(take(key))))
  const query = new URLSearchParams()
  for (const key of Object.keys(endpoint.query.shape)) {
    const value = take(key)
    if (value !== undefined) query.set(key, typeof value === 'string' ? value : JSON.stringify(value))
  }
  const search = query.toString()
  return { url: search === '' ? url : `${url}?${search}`, body: endpoint.method === 'GET' ? undefined : rest }
}
