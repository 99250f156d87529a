import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import http, { type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import tls from 'node:tls'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import * as api from '@causeway/contract'
import { testServer, type TestServer } from '../../../test/server.ts'
import { keyPurpose, renewDue } from './certificates.actions.ts'
import { insertNames, setChallenge, storeCertificate } from './certificates.queries.ts'
import { answeringCertificate } from './order.actions.ts'
import { certificateId } from './renewal-info.actions.ts'

// Without a directory: a real one issues certificates in e2e/systems/certificates.e2e.ts.

const NAME = 'panel.example'
const SUB = 'sub.example'
let server: TestServer
afterEach(() => server?.close())

const start = (directory: string, env: Record<string, string> = {}) =>
  testServer({
    env: {
      PUBLIC_URL: `https://${NAME}`,
      SUB_PUBLIC_DOMAIN: SUB,
      ACME_EMAIL: 'admin@panel.example',
      ACME_DIRECTORY: directory,
      HTTP_PORT: '0',
      ...env,
    },
  })

test('SHIP-008 a rate limit is told with its end, other names are tried, and the certificate in use stays', async () => {
  const directory = await startDirectory((name) =>
    name === SUB
      ? [429, 'rateLimited', 'too many certificates already issued', { 'retry-after': '7200' }]
      : [403, 'rejectedIdentifier', 'no'],
  )
  server = await start(directory)
  const { ctx } = server
  const at = (server.clock.now = new Date('2026-05-01T12:00:00Z'))
  await insertNames(ctx.db, [NAME, SUB, 'another.example'], at)
  await keepCertificate(SUB)
  await ctx.db.updateTable('serverCertificates').set({ dueAt: at }).execute()
  const { acme } = ctx.config
  if (acme === null) throw new Error('ACME is not on.')
  await renewDue(ctx, acme, false)

  const { certificates } = await server.call(api.getInstallation, {})
  expect(certificates).toEqual([
    expect.objectContaining({ name: NAME, endsAt: null, failure: 'refused', attempts: 1, nextTryAt: '2026-05-01T12:05:00.000Z' }),
    expect.objectContaining({
      name: SUB,
      endsAt: expect.stringMatching(/^20/),
      failure: 'rateLimited',
      detail: 'too many certificates already issued',
      nextTryAt: '2026-05-01T14:00:00.000Z',
    }),
  ])
  const rows = await ctx.db.selectFrom('serverCertificates').selectAll().orderBy('name').execute()
  expect(rows.find(({ name }) => name === SUB)?.chain).toContain('BEGIN CERTIFICATE')
  expect(rows.find(({ name }) => name === 'another.example')).toMatchObject({ attempts: 0, failure: null })

  // Nothing is due again before then.
  server.clock.now = new Date('2026-05-01T12:04:59Z')
  await renewDue(ctx, acme, false)
  expect((await server.call(api.getInstallation, {})).certificates?.map(({ attempts }) => attempts)).toEqual([1, 1])
})

test('SHIP-008 a directory that is away is told', async () => {
  server = await start('http://127.0.0.1:1/directory')
  const { ctx } = server
  await insertNames(ctx.db, [NAME], ctx.now())
  if (ctx.config.acme) await renewDue(ctx, ctx.config.acme, false)
  const { certificates } = await server.call(api.getInstallation, {})
  expect(certificates).toEqual([expect.objectContaining({ name: NAME, failure: 'directoryAway', attempts: 1 })])
  expect(certificates?.[0]?.detail).toBe('http://127.0.0.1:1/directory: bad port')
})

test('SHIP-007 each name is served with its certificate, as soon as any server of the database has got it', async () => {
  server = await start('http://127.0.0.1:1/directory')
  const { ctx } = server
  // Nothing is due, so that no try of the server's own comes between.
  await insertNames(ctx.db, [NAME, SUB], new Date(Date.now() + 86_400_000))
  const { port } = new URL(await server.app.listen({ host: '127.0.0.1', port: 0 }))
  const temporary = await served(port, NAME)
  expect(temporary).toBe(await served(port, SUB))
  await keepCertificate(SUB)
  await expect.poll(() => served(port, SUB)).toBe(SUB)
  await keepCertificate(NAME)
  await expect.poll(() => served(port, NAME)).toBe(NAME)
  expect(await served(port, SUB)).toBe(SUB)
  expect(await served(port, undefined)).toBe(NAME)
})

test('SHIP-007 a connection that asks for the answer to a challenge gets it, beside others with the real certificate', async () => {
  server = await start('http://127.0.0.1:1/directory')
  const { ctx } = server
  // Nothing is due, so that no try of the server's own comes between.
  await insertNames(ctx.db, [NAME, SUB], new Date(Date.now() + 86_400_000))
  const { port } = new URL(await server.app.listen({ host: '127.0.0.1', port: 0 }))
  await keepCertificate(NAME)
  await setChallenge(ctx.db, NAME, 'token', 'token.thumbprint')
  await expect.poll(() => served(port, NAME)).toBe(NAME)
  const answered = await connect(port, NAME, ['acme-tls/1'])
  expect(answered.protocol).toBe('acme-tls/1')
  const { cert } = await answeringCertificate(NAME, 'token.thumbprint')
  expect(extensionOf(answered.certificate)).toBe(extensionOf(derOf(cert)))
  expect(extensionOf(answered.certificate)).toBeDefined()
  expect(await connect(port, SUB, ['acme-tls/1']).catch(() => 'refused')).toBe('refused')
  expect(await served(port, NAME)).toBe(NAME)
})

/** The digest in the extension of RFC 8737, the last bytes of the certificate's body before its signature. */
function extensionOf(der: Buffer | undefined): string | undefined {
  const oid = Buffer.from('06082b0601050507011f', 'hex')
  const at = der?.indexOf(oid) ?? -1
  return at < 0 ? undefined : der?.subarray(at, at + 50).toString('hex')
}

function derOf(pem: string): Buffer {
  return Buffer.from(pem.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64')
}

async function keepCertificate(name: string): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'causeway-certificate-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const kind = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '30']
  execFileSync('openssl', [...kind, '-subj', `/CN=${name}`, '-keyout', `${folder}/key`, '-out', `${folder}/chain`], {
    stdio: 'ignore',
  })
  const { db, secrets } = server.ctx
  const [chain, key] = ['chain', 'key'].map((file) => readFileSync(path.join(folder, file), 'utf8'))
  const days = (count: number) => new Date(Date.now() + count * 86_400_000)
  const wrappedKey = secrets.wrap(keyPurpose(name), key ?? '')
  await storeCertificate(db, name, { chain: chain ?? '', wrappedKey, startsAt: days(0), endsAt: days(30), dueAt: days(20) })
}

async function served(port: string, name: string | undefined): Promise<string> {
  return (await connect(port, name)).name
}

interface Met {
  protocol: string | false | null
  name: string
  certificate: Buffer | undefined
}

function connect(port: string, servername: string | undefined, protocols: string[] = []): Promise<Met> {
  return new Promise((resolve, reject) => {
    const socket = tls.connect({
      host: '127.0.0.1',
      port: Number(port),
      rejectUnauthorized: false,
      ...(servername === undefined ? {} : { servername }),
      ...(protocols.length > 0 ? { ALPNProtocols: protocols } : {}),
    })
    socket.once('secureConnect', () => {
      const { subject, raw } = socket.getPeerCertificate()
      resolve({ protocol: socket.alpnProtocol, name: String(subject.CN), certificate: raw })
      socket.destroy()
    })
    socket.on('error', reject)
  })
}

test('SHIP-007 a renewal names the certificate it replaces, and is ordered without where the directory refuses that', async () => {
  const orders: Ordered[] = []
  const directory = await startDirectory((_, order) => {
    orders.push(order)
    return order.replaces === undefined ? [403, 'rejectedIdentifier', 'no'] : [409, 'alreadyReplaced', 'replaced before']
  })
  server = await start(directory)
  const { ctx } = server
  await insertNames(ctx.db, [NAME], ctx.now())
  await keepCertificate(NAME)
  await ctx.db.updateTable('serverCertificates').set({ dueAt: ctx.now(), directory }).execute()
  if (ctx.config.acme) await renewDue(ctx, ctx.config.acme, false)
  const { chain } = await ctx.db.selectFrom('serverCertificates').select('chain').executeTakeFirstOrThrow()
  expect(orders.map(({ replaces }) => replaces)).toEqual([certificateId(chain ?? ''), undefined])
  expect(orders[0]?.replaces).toMatch(/^[\w-]+\.[\w-]+$/)
  const { certificates } = await server.call(api.getInstallation, {})
  expect(certificates).toEqual([expect.objectContaining({ name: NAME, failure: 'refused', detail: 'no' })])
})

interface Ordered {
  identifiers: { value: string }[]
  replaces?: string
}
type Refusal = [status: number, kind: string, detail: string, headers?: Record<string, string>]

/** A directory that opens accounts and refuses every order. */
async function startDirectory(refuse: (name: string, order: Ordered) => Refusal): Promise<string> {
  const directory: Server = http.createServer((request, response) => {
    const at = (name: string) => `http://${request.headers.host}/${name}`
    const reply = (status: number, body: unknown, headers: Record<string, string> = {}) =>
      response
        .writeHead(status, { 'content-type': 'application/json', 'replay-nonce': 'bm9uY2U', ...headers })
        .end(JSON.stringify(body))
    let sent = ''
    request.on('data', (part) => (sent += part))
    request.on('end', () => {
      if (request.url === '/directory')
        return reply(200, { newNonce: at('nonce'), newAccount: at('account'), newOrder: at('order') })
      if (request.url !== '/order') return reply(201, {}, { location: at('account/1') })
      const { payload } = JSON.parse(sent) as { payload: string } // a JWS
      const order = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Ordered // RFC 8555, 7.4
      const [status, kind, detail, headers] = refuse(order.identifiers[0]?.value ?? '', order)
      return reply(status, { type: `urn:ietf:params:acme:error:${kind}`, detail }, headers)
    })
  })
  await new Promise<void>((resolve) => directory.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void directory.close())
  return `http://127.0.0.1:${(directory.address() as AddressInfo).port}/directory` // listens on TCP
}
