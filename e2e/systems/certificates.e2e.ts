import { mkdtempSync, rmSync } from 'node:fs'
import http from 'node:http'
import http2 from 'node:http2'
import { tmpdir } from 'node:os'
import path from 'node:path'
import tls, { type PeerCertificate } from 'node:tls'
import { expect, test } from '@playwright/test'
import pg from 'pg'
import { testDatabase } from '../../apps/server/test/postgres.ts'
import { freePort, run, tail, until, type Running } from '../stage/processes.ts'
import { startAcmeDirectory, type AcmeDirectory } from './acme-directory.ts'

// The server gets its certificates from a real ACME directory (Pebble), and tells what keeps it from one.

const NAME = 'panel.causeway.test'
const SUB = 'sub.causeway.test'
const folder = mkdtempSync(path.join(tmpdir(), 'causeway-acme-'))
const ending: (() => Promise<unknown>)[] = []

test.afterEach(async () => {
  for (const end of ending.splice(0).toReversed()) await end()
})
test.afterAll(() => rmSync(folder, { recursive: true }))

test('SHIP-007 a certificate by HTTP-01, shared by two servers: HTTP/2, a redirect, account and certificate in the database', async () => {
  const directory = await openDirectory()
  const database = await openDatabase()
  const server = await startServer(directory, database.url, { SUB_PUBLIC_DOMAIN: SUB })
  const [own, sub] = [await issued(directory.tlsPort, NAME), await issued(directory.tlsPort, SUB)]
  expect([own.subjectaltname, sub.subjectaltname]).toEqual([`DNS:${NAME}`, `DNS:${SUB}`])

  expect(await askHttp2(directory.tlsPort)).toEqual({ status: 200, protocol: 'h2' })
  expect(await askHttp(directory.httpPort, NAME, '/a?b=1')).toEqual([301, `https://${NAME}:${directory.tlsPort}/a?b=1`])
  expect(await askHttp(directory.httpPort, SUB, '/x')).toEqual([301, `https://${SUB}/x`])
  expect(await askHttp(directory.httpPort, NAME, '/.well-known/acme-challenge/none')).toEqual([404, undefined])

  const second = await freePort()
  await startServer(directory, database.url, { SUB_PUBLIC_DOMAIN: SUB, PORT: String(second), HTTP_PORT: '0' })
  expect((await certificateAt(second, NAME)).serialNumber).toBe(own.serialNumber)
  const { rows } = await database.query(`select "wrappedKey", "startsAt", "endsAt", "dueAt" from "serverCertificates"`)
  for (const { wrappedKey, startsAt, endsAt, dueAt } of rows) {
    expect(wrappedKey).not.toContain('PRIVATE')
    expect((dueAt - startsAt) / (endsAt - startsAt)).toBeCloseTo(2 / 3, 3)
  }
  expect((await database.query(`select from "secrets" where "name" like 'acmeAccount %'`)).rowCount).toBe(1)
  expect(tail(server.logFile)).toContain('certificate issued')
})

test('SHIP-007 a certificate by TLS-ALPN-01 where the port of HTTP is closed, beside clients that get their answers', async () => {
  const directory = await openDirectory()
  const database = await openDatabase()
  await startServer(directory, database.url, { HTTP_PORT: '0' })
  let answered = 0
  const asking = setInterval(() => void certificateAt(directory.tlsPort, NAME).then(() => answered++), 50)
  expect((await issued(directory.tlsPort, NAME)).subjectaltname).toBe(`DNS:${NAME}`)
  clearInterval(asking)
  expect(answered).toBeGreaterThan(0)
})

test('SHIP-007 a certificate is renewed at two thirds of its life, and open connections go on', async () => {
  test.setTimeout(180_000)
  const directory = await openDirectory({ lifetimeSeconds: 60 })
  const database = await openDatabase()
  await startServer(directory, database.url)
  const first = await issued(directory.tlsPort, NAME)
  const session = http2.connect(`https://127.0.0.1:${directory.tlsPort}`, { rejectUnauthorized: false, servername: NAME })
  ending.push(async () => session.destroy())
  expect(await statusOf(session)).toBe(200)
  const begun = Date.parse(first.valid_from)
  const next = await until(
    'the certificate is another one',
    async () => {
      const { serialNumber } = await certificateAt(directory.tlsPort, NAME)
      return serialNumber !== first.serialNumber && { serialNumber, afterMs: Date.now() - begun }
    },
    90_000,
  )
  expect(next.afterMs).toBeGreaterThan(38_000)
  expect(next.afterMs).toBeLessThan(60_000)
  expect(await statusOf(session)).toBe(200)
})

test('SHIP-007 a certificate is renewed early when the directory asks for it (ARI)', async () => {
  const directory = await openDirectory()
  const database = await openDatabase()
  const first = await startServer(directory, database.url)
  const own = await issued(directory.tlsPort, NAME)
  await first.stop()
  const { rows } = await database.query(`select "chain" from "serverCertificates"`)
  const hour = 3_600_000
  await directory.adviseRenewal(rows[0].chain, new Date(Date.now() - 2 * hour), new Date(Date.now() - hour))
  // Servers ask when they start, and then as often as the directory says.
  const second = await startServer(directory, database.url)
  await until(
    'the certificate is another one',
    async () => (await certificateAt(directory.tlsPort, NAME)).serialNumber !== own.serialNumber,
  )
  expect(tail(second.logFile)).toContain('directory asks for an early renewal')
})

test('SHIP-008 a wrong name, a refused order, a closed port and a directory that is down are told; the old certificate stays', async () => {
  const refused = 'refused.causeway.test'
  const directory = await openDirectory({ refusedNames: [refused] })
  const database = await openDatabase()
  const lost = 'lost.causeway.test'
  await directory.loseName(lost)
  const first = await startServer(directory, database.url, { SUB_PUBLIC_DOMAIN: lost })
  const own = await issued(directory.tlsPort, NAME)
  expect(await failureOf(database, lost)).toMatchObject({ failure: 'nameUnknown', attempts: 1 })
  await until('the log tells it', () => tail(first.logFile).includes(`The directory finds no address of ${lost}.`))
  await first.stop()

  const second = await startServer(directory, database.url, { SUB_PUBLIC_DOMAIN: refused })
  expect(await failureOf(database, refused)).toMatchObject({ failure: 'refused', attempts: 1 })
  await until('the log tells it', () => tail(second.logFile).includes(`The directory refused a certificate for ${refused}.`))
  expect((await certificateAt(directory.tlsPort, NAME)).serialNumber).toBe(own.serialNumber)
  await second.stop()

  const elsewhere = await freePort()
  const closed = 'closed.causeway.test'
  const third = await startServer(directory, database.url, {
    SUB_PUBLIC_DOMAIN: closed,
    PORT: String(elsewhere),
    HTTP_PORT: String(await freePort()),
  })
  expect(await failureOf(database, closed)).toMatchObject({ failure: 'portClosed', attempts: 1 })
  await until('the log tells it', () =>
    tail(third.logFile).includes(`The directory does not reach ${closed} at the ports 80 and 443.`),
  )
  expect((await certificateAt(elsewhere, NAME)).serialNumber).toBe(own.serialNumber)

  // The certificate is due, and its directory is away.
  await directory.stop()
  await database.query(`update "serverCertificates" set "dueAt" = now() where "name" = '${NAME}'`)
  expect(await failureOf(database, NAME)).toMatchObject({ failure: 'directoryAway', attempts: 1 })
  expect((await certificateAt(elsewhere, NAME)).serialNumber).toBe(own.serialNumber)
  await third.stop()
})

async function openDirectory(options: Parameters<typeof startAcmeDirectory>[1] = {}): Promise<AcmeDirectory> {
  const directory = await startAcmeDirectory(folder, options)
  ending.push(() => directory.stop())
  return directory
}

interface Database {
  url: string
  query(text: string): Promise<pg.QueryResult>
}

async function openDatabase(): Promise<Database> {
  const made = await testDatabase()
  const client = new pg.Client({ connectionString: made.url })
  await client.connect()
  ending.push(
    () => made.drop(),
    () => client.end(),
  )
  return { url: made.url, query: (text) => client.query(text) }
}

async function startServer(directory: AcmeDirectory, databaseUrl: string, env: Record<string, string> = {}): Promise<Running> {
  const port = Number(env['PORT'] ?? directory.tlsPort)
  const server = run({
    name: `server-${port}`,
    args: ['apps/server/src/main.ts'],
    env: {
      PORT: String(port),
      HTTP_PORT: String(directory.httpPort),
      HOST: '127.0.0.1',
      DATABASE_URL: databaseUrl,
      DATABASE_POOL_SIZE: '6',
      DATA_DIR: folder,
      PUBLIC_URL: `https://${NAME}:${directory.tlsPort}`,
      ACME_EMAIL: 'admin@causeway.test',
      ACME_DIRECTORY: directory.url,
      NODE_EXTRA_CA_CERTS: directory.authorityFile,
      ...env,
    },
  })
  ending.push(() => server.stop())
  await until('the server serves https', () => {
    if (!server.isRunning()) throw new Error(tail(server.logFile))
    return certificateAt(port, NAME)
  })
  return server
}

function certificateAt(port: number, servername: string): Promise<PeerCertificate> {
  return new Promise((resolve, reject) => {
    const socket = tls.connect({ host: '127.0.0.1', port, servername, rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate())
      socket.end()
    })
    socket.on('error', reject)
  })
}

/** By the directory, and no longer the temporary one that vouches for itself. */
function issued(port: number, name: string): Promise<PeerCertificate> {
  return until(`${name} has a certificate`, async () => {
    const certificate = await certificateAt(port, name)
    return String(certificate.issuer.CN).startsWith('Pebble') && certificate.subjectaltname === `DNS:${name}` && certificate
  })
}

function failureOf(database: Database, name: string): Promise<{ failure: string; attempts: number }> {
  return until(`${name} has failed`, async () => {
    const { rows } = await database.query(
      `select "failure", "attempts" from "serverCertificates" where "name" = '${name}' and "failure" is not null`,
    )
    return rows[0]
  })
}

async function askHttp2(port: number): Promise<{ status: number; protocol: string | undefined }> {
  const session = http2.connect(`https://127.0.0.1:${port}`, { rejectUnauthorized: false, servername: NAME })
  try {
    return { status: await statusOf(session), protocol: session.alpnProtocol }
  } finally {
    session.close()
  }
}

function statusOf(session: http2.ClientHttp2Session): Promise<number> {
  return new Promise((resolve, reject) => {
    session.on('error', reject)
    const request = session.request({ ':path': '/health', ':authority': NAME })
    request.on('response', (headers) => {
      resolve(Number(headers[':status']))
      request.resume()
    })
    request.on('error', reject)
  })
}

function askHttp(port: number, host: string, asked: string): Promise<[number | undefined, string | undefined]> {
  return new Promise((resolve, reject) => {
    const request = http.get({ host: '127.0.0.1', port, path: asked, headers: { host } }, (response) => {
      response.resume()
      resolve([response.statusCode, response.headers.location])
    })
    request.on('error', reject)
  })
}
