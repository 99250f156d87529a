import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import http2 from 'node:http2'
import https from 'node:https'
import os from 'node:os'
import path from 'node:path'
import tls from 'node:tls'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { testServer, type TestServer } from '../../../test/server.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'causeway-tls-'))
const at = (name: string) => path.join(folder, name)
const env = { TLS_CERT: at('cert.pem'), TLS_KEY: at('key.pem') }
let server: TestServer | undefined

beforeAll(() => {
  const kind = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '30']
  for (const name of ['first', 'second'])
    execFileSync('openssl', [...kind, '-subj', `/CN=${name}`, '-keyout', at(`${name}.key`), '-out', at(`${name}.crt`)], {
      stdio: 'ignore',
    })
})
afterEach(async () => {
  await server?.close()
  server = undefined
})
afterAll(() => {
  rmSync(folder, { recursive: true })
})

test(
  'SHIP-009 the server speaks https, and a replaced certificate is served without a dropped connection',
  { timeout: 60_000 },
  async () => {
    place('first')
    server = await testServer({ env })
    const { port } = new URL(await server.app.listen({ host: '127.0.0.1', port: 0 }))
    const agent = new https.Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false })
    const first = await health(port, agent)
    expect(first).toMatchObject({ status: 200, isReused: false })
    expect(await nameServed(port)).toBe('first')

    // A certificate that is not one is refused, and the old one stays in use.
    writeFileSync(env.TLS_CERT, 'no certificate')
    await new Promise((resolve) => setTimeout(resolve, 2500))
    expect(await nameServed(port)).toBe('first')

    place('second')
    await expect.poll(() => nameServed(port), { timeout: 20_000, interval: 200 }).toBe('second')
    expect(await health(port, agent)).toMatchObject({ status: 200, isReused: true })
    agent.destroy()
  },
)

test('SHIP-007 over HTTP/2 pages are answered and events are followed, without headers that it forbids', async () => {
  place('first')
  server = await testServer({ env })
  const { port } = new URL(await server.app.listen({ host: '127.0.0.1', port: 0 }))
  const session = http2.connect(`https://127.0.0.1:${port}`, { rejectUnauthorized: false })
  const { admin } = server
  const ask = (path: string) =>
    new Promise<http2.IncomingHttpHeaders & http2.IncomingHttpStatusHeader>((resolve, reject) => {
      const stream = session.request({ ...admin, ':path': path })
      stream.once('response', (headers) => {
        resolve(headers)
        stream.close()
      })
      stream.once('error', reject)
    })
  expect(await ask('/health')).toMatchObject({ ':status': 200, 'strict-transport-security': expect.any(String) })
  expect(await ask('/api/users?size=1')).toMatchObject({ ':status': 200 })
  expect(await ask('/api/x/events')).toMatchObject({ ':status': 200, 'content-type': 'text/event-stream' })
  expect(session.alpnProtocol).toBe('h2')
  session.destroy()
})

test('files that cannot be used stop the start with a sentence that names them', async () => {
  place('first')
  copyFileSync(at('second.key'), env.TLS_KEY)
  await expect(testServer({ env })).rejects.toThrow('does not belong to the certificate')
  writeFileSync(env.TLS_KEY, 'no key')
  await expect(testServer({ env })).rejects.toThrow(`${env.TLS_KEY} of TLS_KEY holds no private key in PEM.`)
  rmSync(env.TLS_CERT)
  await expect(testServer({ env })).rejects.toThrow('The file of TLS_CERT cannot be read (ENOENT')
})

function place(name: string): void {
  copyFileSync(at(`${name}.key`), env.TLS_KEY)
  copyFileSync(at(`${name}.crt`), env.TLS_CERT)
}

function health(port: string, agent: https.Agent): Promise<{ status: number | undefined; isReused: boolean }> {
  return new Promise((resolve, reject) => {
    const request = https.get({ host: '127.0.0.1', port, path: '/health', agent }, (response) => {
      response.resume().on('end', () => resolve({ status: response.statusCode, isReused: request.reusedSocket }))
    })
    request.on('error', reject)
  })
}

function nameServed(port: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = tls.connect({ host: '127.0.0.1', port: Number(port), rejectUnauthorized: false }, () => {
      const { subject } = socket.getPeerCertificate()
      socket.end()
      resolve(String(subject.CN))
    })
    socket.on('error', reject)
  })
}
