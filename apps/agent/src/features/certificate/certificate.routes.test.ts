import { agentApi, type AgentPayload } from '@causeway/contract/agent'
import type { FastifyInstance } from 'fastify'
import { X509Certificate } from 'node:crypto'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import https from 'node:https'
import os from 'node:os'
import path from 'node:path'
import tls, { type TLSSocket } from 'node:tls'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Authority, makeAuthority } from '../../../test/authority.ts'
import { AgentClient } from '../../../test/client.ts'
import { freePorts } from '../../../test/node.ts'
import { buildApp } from '../../app.ts'
import { Identity } from '../../identity.ts'
import { makeRequest } from '../../key-request.ts'
import { CoreFiles } from '../../xray/core-files.ts'
import { Core } from '../../xray/core.ts'
import { LogMemory } from '../log/log-memory.ts'
import { Filters } from '../filters/filters.ts'

const HOUR_MS = 3_600_000
const log = pino({ level: 'silent' })
const soon = () => new Date(Date.now() + HOUR_MS)
const later = () => new Date(Date.now() + 1000 * HOUR_MS)

let authority: Authority
let app: FastifyInstance
let core: Core
let client: AgentClient
let port: number
let folder: string

beforeEach(async () => {
  authority = await makeAuthority({ nodeEndsAt: soon() })
  folder = await mkdtemp(path.join(os.tmpdir(), 'causeway-agent-'))
  const [free = 0, apiPort = 0] = await freePorts(2)
  port = free
  core = new Core({ xray: '/nowhere/xray', version: '1.2.3', apiPort, files: new CoreFiles(folder), log })
  app = await buildApp({
    core,
    filters: new Filters({ core, port, folder, log }),
    identity: identity(),
    isHashCheckDisabled: false,
    logs: { files: new CoreFiles(folder), memory: new LogMemory() },
    log,
  })
  await app.listen({ port, host: '127.0.0.1' })
  client = new AgentClient(authority, port)
})
afterEach(async () => {
  await app.close()
  await core.close()
  await rm(folder, { recursive: true, force: true })
})

const identity = (given = authority.payload) => new Identity(given, folder, log)
const endOf = (pem: string) => new X509Certificate(pem).validToDate.getTime()

/** When the certificate ends that a new connection sees. */
function shownEnd(): Promise<number> {
  return new Promise((resolve, reject) => {
    const { cert, key, ca } = authority.client
    const socket = tls.connect({ port, host: '127.0.0.1', cert, key, ca, checkServerIdentity: () => undefined }, () => {
      resolve(new Date(socket.getPeerCertificate().valid_to).getTime())
      socket.destroy()
    })
    socket.on('error', reject)
  })
}

/** Asks for the agent's health over a connection that stays open; gives which one it was. */
function askOver(connections: https.Agent, token: string): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const request = https.get(
      {
        port,
        host: '127.0.0.1',
        path: agentApi.healthcheck.path,
        agent: connections,
        headers: { authorization: `Bearer ${token}` },
      },
      (reply) => {
        const socket = reply.socket as TLSSocket // https
        reply.resume().on('end', () => (reply.statusCode === 200 ? resolve(socket) : reject(new Error(String(reply.statusCode)))))
      },
    )
    request.on('error', reject)
  })
}

it('a new certificate is shown to new connections at once; those that are open go on', async () => {
  const { cert, key, ca } = authority.client
  const connections = new https.Agent({ keepAlive: true, maxSockets: 1, cert, key, ca, checkServerIdentity: () => undefined })
  const token = await authority.token()
  const before = await askOver(connections, token)
  const next = await authority.renewed(later())
  expect(await shownEnd()).toBe(endOf(authority.payload.nodeCertPem))
  expect(await client.call(agentApi.renewCertificate, next)).toEqual({ isRenewed: true })
  expect(await shownEnd()).toBe(endOf(next.nodeCertPem))
  expect(await askOver(connections, token)).toBe(before)
  connections.destroy()
})

it('a new certificate is kept over a restart, readable to nobody else, until a key that lasts longer or is of another server is copied', async () => {
  const next = await authority.renewed(later())
  await client.call(agentApi.renewCertificate, next)
  expect((await stat(path.join(folder, 'identity.json'))).mode & 0o077).toBe(0)
  expect(identity().payload).toEqual(next)
  const copied = await authority.renewed(new Date(Date.now() + 2000 * HOUR_MS))
  expect(identity(copied).payload).toEqual(copied)
  const other = await makeAuthority({ nodeEndsAt: soon() })
  expect(identity(other.payload).payload).toEqual(other.payload)
  await writeFile(path.join(folder, 'identity.json'), '{"half')
  expect(identity().payload).toEqual(authority.payload)
})

it('what does not belong here is refused, and nothing changes', async () => {
  const next = await authority.renewed(later())
  const other = await makeAuthority({ nodeEndsAt: later() })
  for (const wrong of [
    other.payload,
    { ...next, nodeKeyPem: other.payload.nodeKeyPem },
    { ...next, caCertPem: other.payload.caCertPem },
    { ...next, jwtPublicKey: other.payload.jwtPublicKey },
    { ...next, nodeCertPem: 'no certificate' },
    await authority.renewed(new Date(Date.now() + HOUR_MS / 2)), // it would end sooner
  ]) {
    const answer = await client.raw('POST', agentApi.renewCertificate.path, { body: wrong })
    expect(answer).toMatchObject({ status: 500, body: { message: 'This certificate does not belong here' } })
  }
  expect(await shownEnd()).toBe(endOf(authority.payload.nodeCertPem))
  await expect(readFile(path.join(folder, 'identity.json'))).rejects.toThrow('ENOENT')
})

const NODE = '3f2b7c1e-8a54-4a5f-9d2e-6b1a0c9d8e7f'

/** An agent whose key this node has made. */
async function joined(): Promise<AgentPayload> {
  const { keyPem: nodeKeyPem, requestPem } = await makeRequest()
  const payload = { ...(await authority.signed(requestPem, NODE, soon())), nodeKeyPem }
  await writeFile(path.join(folder, 'identity.json'), JSON.stringify(payload))
  await app.close()
  app = await buildApp({
    core,
    filters: new Filters({ core, port, folder, log }),
    identity: identity(),
    isHashCheckDisabled: false,
    logs: { files: new CoreFiles(folder), memory: new LogMemory() },
    log,
  })
  await app.listen({ port, host: '127.0.0.1' })
  return payload
}

it('JOIN-003 a node that has made its key shows it instead of the secret key, and renews it by a request of its own', async () => {
  const payload = await joined()
  expect(identity(await authority.renewed(later())).payload).toEqual(payload)
  const { request } = await client.call(agentApi.requestCertificate)
  expect(request).not.toContain('PRIVATE')
  const signed = await authority.signed(request, NODE, later())
  expect(await client.call(agentApi.takeCertificate, signed)).toEqual({ isRenewed: true })
  expect(await shownEnd()).toBe(endOf(signed.nodeCertPem))
  const kept = identity().payload
  expect(kept.nodeCertPem).toBe(signed.nodeCertPem)
  expect(kept.nodeKeyPem).not.toBe(payload.nodeKeyPem)
  expect((await stat(path.join(folder, 'identity.json'))).mode & 0o077).toBe(0)
})

it('JOIN-004 a certificate of another node, for another key, or for a request that was not made is refused', async () => {
  const payload = await joined()
  const refused = { status: 500, body: { message: 'This certificate does not belong here' } }
  const take = (body: object) => client.raw('POST', agentApi.takeCertificate.path, { body })
  const own = await authority.signed((await makeRequest()).requestPem, NODE, later())
  expect(await take(own)).toMatchObject(refused)
  const { request } = await client.call(agentApi.requestCertificate)
  const other = await makeAuthority()
  for (const wrong of [
    own,
    await authority.signed(request, 'b0a9c8d7-1111-4222-8333-444455556666', later()),
    await other.signed(request, NODE, later()),
    await authority.signed(request, NODE, new Date(Date.now() + HOUR_MS / 2)),
  ])
    expect(await take(wrong)).toMatchObject(refused)
  // The server sends no keys to such a node.
  expect(await client.raw('POST', agentApi.renewCertificate.path, { body: await authority.renewed(later()) })).toMatchObject(
    refused,
  )
  expect(identity().payload).toEqual(payload)
})

it('JOIN-008 a node with a secret key makes no requests', async () => {
  expect(await client.raw('GET', agentApi.requestCertificate.path)).toMatchObject({ status: 500 })
})

it('JOIN-004 the certificate of a node opens no agent', async () => {
  const { nodeCertPem: cert, nodeKeyPem: key } = await joined()
  const asked = client.raw('GET', agentApi.healthcheck.path, { tls: { cert, key } })
  await expect(asked).rejects.toThrow(/unsupported certificate|socket hang up|ECONNRESET|alert/)
})
