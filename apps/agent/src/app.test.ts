import { AGENT_CAPABILITIES, agentApi } from '@causeway/contract/agent'
import type { FastifyInstance } from 'fastify'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import net from 'node:net'
import tls from 'node:tls'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Authority, makeAuthority } from '../test/authority.ts'
import { AgentClient } from '../test/client.ts'
import { freePorts } from '../test/node.ts'
import { buildApp } from './app.ts'
import { Identity } from './identity.ts'
import { CoreFiles } from './xray/core-files.ts'
import { Core } from './xray/core.ts'
import { LogMemory } from './features/log/log-memory.ts'
import { Filters } from './features/filters/filters.ts'

const log = pino({ level: 'silent' })
const REFUSED = /alert|socket hang up|ECONNRESET|EPIPE/
const GONE = /socket hang up|ECONNRESET|EPIPE/

describe('the TLS port of an agent', () => {
  let authority: Authority
  let other: Authority
  let app: FastifyInstance
  let core: Core
  let client: AgentClient
  let port: number
  let folder: string

  beforeAll(async () => {
    authority = await makeAuthority()
    other = await makeAuthority()
    folder = await mkdtemp(path.join(os.tmpdir(), 'causeway-agent-'))
    const [free = 0, apiPort = 0] = await freePorts(2)
    port = free
    core = new Core({ xray: '/nowhere/xray', version: '1.2.3', apiPort, files: new CoreFiles(folder), log })
    app = await buildApp({
      core,
      filters: new Filters({ core, port, folder, log }),
      identity: new Identity(authority.payload, folder, log),
      isHashCheckDisabled: false,
      logs: { files: new CoreFiles(folder), memory: new LogMemory() },
      log,
    })
    await app.listen({ port, host: '127.0.0.1' })
    client = new AgentClient(authority, port)
  })
  afterAll(async () => {
    await app.close()
    await core.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('answers its own server', async () => {
    expect(await client.call(agentApi.healthcheck)).toEqual({
      isAlive: true,
      xrayInternalStatusCached: false,
      xrayVersion: '1.2.3',
      capabilities: AGENT_CAPABILITIES.filter((name) => name !== 'updates'),
    })
  })

  it('answers a server of the 2.1 generation, which names a kind of body where it sends none', async () => {
    const headers = {
      'content-type': 'application/json',
      'accept-encoding': 'gzip, compress, deflate, br',
      'x-force-restart': 'false',
    }
    for (const target of ['/node/xray/healthcheck', '/node/xray/status', '/node/xray/stop']) {
      expect(await client.raw('GET', target, { headers })).toMatchObject({ status: 200, body: { response: expect.any(Object) } })
    }
  })

  it('does not keep connections on which nobody says who he is', async () => {
    const idle = net.connect(port, '127.0.0.1')
    idle.resume()
    await expect(once(idle, 'close', { signal: AbortSignal.timeout(50_000) })).resolves.toBeDefined()
  })

  it.each<[string, () => Promise<object>]>([
    ['no client certificate', async () => ({ cert: undefined, key: undefined })],
    ['a certificate of another authority', async () => ({ cert: other.client.cert, key: other.client.key })],
    // Its own certificate says it is for servers only.
    ['a certificate that is not for clients', async () => nodeCertificate(authority)],
  ])('refuses the handshake with %s', async (_, tlsOptions) => {
    await expect(client.raw('GET', '/node/xray/healthcheck', { tls: await tlsOptions() })).rejects.toThrow(REFUSED)
  })

  it('shows a certificate of its own authority', async () => {
    const { ca, cert, key } = authority.client
    const socket = tls.connect({ port, host: '127.0.0.1', ca, cert, key, checkServerIdentity: () => undefined })
    await new Promise((resolve, reject) => socket.once('secureConnect', resolve).once('error', reject))
    expect(socket.authorized).toBe(true)
    socket.destroy()
    const wrong = client.raw('GET', '/node/xray/healthcheck', { tls: { ca: other.client.ca } })
    await expect(wrong).rejects.toThrow(/signature|self.signed|issuer/i)
  })

  it.each<[string, () => Promise<string | null>]>([
    ['no token', async () => null],
    ['nonsense', async () => 'nonsense'],
    ['an expired token', () => authority.token({ expiresAt: new Date(Date.now() - 1000) })],
    ['a token of another server', () => other.token()],
    [
      'a token signed with a key of its own',
      () => authority.token({ key: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey }),
    ],
    ['a token without a signature', async () => `${btoa('{"alg":"none"}')}.${btoa('{}')}.`],
  ])('destroys the connection of a caller with %s', async (_, token) => {
    const call = client.raw('GET', '/node/xray/healthcheck', { token: await token() })
    await expect(call).rejects.toThrow(GONE)
  })

  it.each([
    ['GET', '/'],
    ['GET', '/node/xray/unknown'],
    ['GET', '/node/xray/start'],
    ['GET', '/internal/get-config'],
    ['POST', '/vision/block-ip'],
  ])('destroys the connection for %s %s', async (method, target) => {
    await expect(client.raw(method, target)).rejects.toThrow(GONE)
  })

  it.each([
    ['gzip', 400],
    ['br', 400],
    ['zstd', 400],
    ['nonsense', 415],
  ])('refuses a body that says it is %s and is not, and goes on', async (encoding, expected) => {
    const headers = { 'content-encoding': encoding }
    const answer = await client.raw('POST', '/node/handler/get-inbound-users', { body: { tag: 'A' }, headers })
    expect(answer.status).toBe(expected)
    expect(await client.call(agentApi.healthcheck)).toMatchObject({ isAlive: true })
  })

  it('takes a compressed body', async () => {
    const body = JSON.stringify({ reset: 'not a boolean' })
    for (const [encoding, compress] of [['gzip', gzipSync] as const, ['zstd', zstdCompressSync] as const]) {
      const headers = { 'content-encoding': encoding }
      const answer = await client.raw('POST', '/node/stats/get-users-stats', { text: compress(body), headers })
      expect(answer).toMatchObject({ status: 400, body: { message: 'Validation failed' } })
    }
  })

  it('refuses a body that is longer than a text can be, before it is sent', async () => {
    const headers = { 'content-length': '600000000' }
    expect((await client.raw('POST', '/node/xray/start', { text: '{', headers })).status).toBe(413)
  })

  it.each([
    ['a body of another shape', { body: { tag: 5 } }],
    ['no body', {}],
    ['text that is not JSON', { text: '{"tag":' }],
  ])('answers 400 to %s', async (_, options) => {
    const { status } = await client.raw('POST', '/node/handler/get-inbound-users', options)
    expect(status).toBe(400)
  })

  it('lists what is wrong with a body', async () => {
    const { body } = await client.raw('POST', '/node/handler/add-user', { body: { data: [{ type: 'vless' }], hashData: {} } })
    expect(body).toMatchObject({ statusCode: 400, message: 'Validation failed', errors: expect.any(Array) })
  })

  it('ignores members it does not know', async () => {
    const body = { username: 'alice', hashData: { vlessUuid: '550e8400-e29b-41d4-a716-446655440000', more: 1 }, more: 2 }
    expect((await client.raw('POST', '/node/handler/remove-user', { body })).status).toBe(201)
  })

  it.each([
    ['GET', '/node/stats/get-system-stats', undefined, 'A010'],
    ['POST', '/node/stats/get-users-stats', { reset: true }, 'A011'],
    ['POST', '/node/stats/get-inbound-stats', { tag: 'A', reset: true }, 'A012'],
    ['POST', '/node/stats/get-outbound-stats', { tag: 'A', reset: true }, 'A013'],
    ['POST', '/node/handler/get-inbound-users', { tag: 'A' }, 'A014'],
    ['POST', '/node/handler/get-inbound-users-count', { tag: 'A' }, 'A014'],
    ['POST', '/node/stats/get-all-inbounds-stats', { reset: true }, 'A015'],
    ['POST', '/node/stats/get-all-outbounds-stats', { reset: true }, 'A016'],
  ])('%s %s fails with its code while no core runs', async (method, target, body, errorCode) => {
    const answer = await client.raw(method, target, { body })
    expect(answer).toMatchObject({ status: 500, body: { errorCode, path: target, timestamp: expect.any(String) } })
  })

  it('says that no core runs, without failing, where the wire has an answer for it', async () => {
    expect(await client.call(agentApi.status)).toEqual({ isRunning: false, version: null })
    expect(await client.call(agentApi.stop)).toEqual({ isStopped: true })
    expect(await client.call(agentApi.takeSample, {})).toEqual({ current: null, ended: [] })
    const removal = { username: 'alice', hashData: { vlessUuid: '550e8400-e29b-41d4-a716-446655440000' } }
    expect(await client.call(agentApi.removeUser, removal)).toMatchObject({ success: false, error: 'Xray is not running.' })
  })

  it('says that a stop failed, in the words of the wire', async () => {
    const stop = vi.spyOn(core, 'stop').mockRejectedValueOnce(new Error('EROFS: read-only file system'))
    expect(await client.call(agentApi.stop)).toEqual({ isStopped: false })
    stop.mockRestore()
    expect(await client.call(agentApi.stop)).toEqual({ isStopped: true })
  })

  it('takes a header with the hashes of hundreds of inbounds', async () => {
    const headers = { 'x-hash-payload': 'A'.repeat(60_000) }
    const { status } = await client.raw('POST', '/node/xray/start', { body: {}, headers })
    expect(status).toBe(201)
  })
})

async function nodeCertificate({ payload }: Authority): Promise<object> {
  return { cert: payload.nodeCertPem, key: payload.nodeKeyPem }
}
