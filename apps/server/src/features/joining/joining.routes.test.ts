import { execFileSync } from 'node:child_process'
import { createHash, randomUUID, X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import * as api from '@causeway/contract'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { makeFleet, type Fleet } from '../../../test/fleet.ts'
import { makeNodeKey } from '../../../test/node-keys.ts'
import { testServer, type TestServer } from '../../../test/server.ts'
import { readVersion } from '../../lib/product.ts'
import { fillScript, linesOf } from './joining.rules.ts'

const HOUR_MS = 3_600_000
const FILES = 'the files of a node'

let server: TestServer
let fleet: Fleet
let folder: string
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'causeway-nodes-'))
  writeFileSync(path.join(folder, `causeway-node-${readVersion()}-linux-x64.tar.gz`), FILES)
  server = await testServer({ env: { PUBLIC_URL: 'https://panel.example/', NODE_FILES_DIR: folder } })
  fleet = await makeFleet(server)
})
afterEach(() => {
  server.clock.now = undefined
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

const alpha = () => fleet.nodes[0]?.uuid ?? ''
const beta = () => fleet.nodes[1]?.uuid ?? ''
const makeCode = async (uuid = alpha()) => (await server.call(api.makeJoinCode, { uuid })).code
const joinOf = (uuid = alpha()) => server.call(api.getNodeJoin, { uuid })
const passHours = (hours: number) => {
  server.clock.now = new Date(Date.now() + hours * HOUR_MS)
}
let place = 0
const ask = async (url: string, payload?: object, remoteAddress = `192.0.2.${++place % 250}`) => {
  const reply = await server.app.inject({ method: payload ? 'POST' : 'GET', url, ...(payload ? { payload } : {}), remoteAddress })
  return { status: reply.statusCode, text: reply.body, headers: reply.headers }
}

/** Its name is that of another node, and does not count. */
const makeRequest = async (curve?: string) => (await makeNodeKey(curve, `CN=${beta()}`)).request
const sign = async (code: string, request?: string) =>
  ask(`/join/${code}/certificate`, { request: request ?? (await makeRequest()) })

test('JOIN-001 the line leads to a script that names the node, its port and the digest of each file', async () => {
  const { code, lines, url, expiresAt } = await server.call(api.makeJoinCode, { uuid: alpha() })
  expect(url).toBe(`https://panel.example/join/${code}`)
  expect(lines.curl).toBe(`curl -fsSL ${url} | sudo sh`)
  expect(Date.parse(expiresAt) - Date.now()).toBeGreaterThan(HOUR_MS - 60_000)
  const { status, text, headers } = await ask(`/join/${code}`)
  expect([status, headers['cache-control']]).toEqual([200, 'no-store'])
  expect(headers['content-type']).toContain('text/x-shellscript')
  const digest = createHash('sha256').update(FILES).digest('hex')
  for (const value of [
    `PANEL='https://panel.example'`,
    `NODE='${alpha()}'`,
    `PORT='443'`,
    `DIGEST_X64='${digest}'`,
    `DIGEST_ARM64=''`,
  ])
    expect(text).toContain(`\n${value}\n`)
  expect(text).not.toMatch(/@[A-Z0-9_]+@/)
  execFileSync('sh', ['-n'], { input: text })
  const file = await ask(`/join/${code}/files/causeway-node-x64.tar.gz`)
  expect([file.status, file.text, file.headers['content-length']]).toEqual([200, FILES, String(FILES.length)])
  for (const name of ['causeway-node-arm64.tar.gz', 'other.tar.gz', '..%2Fpackage.json'])
    expect((await ask(`/join/${code}/files/${name}`)).status).toBe(404)
  expect((await joinOf()).missing).toEqual(['arm64'])
})

test('JOIN-002 a code signs once, for its node; then, after an hour, or when it is guessed, everything answers the same 404', async () => {
  const [code, other] = [await makeCode(alpha()), await makeCode(beta())]
  const { status, text } = await sign(code)
  expect(status).toBe(200)
  const { nodeCertPem, caCertPem } = JSON.parse(text).response
  expect(new X509Certificate(nodeCertPem).subjectAltName).toBe(`URI:urn:uuid:${alpha()}`)
  expect(new X509Certificate(nodeCertPem).verify(new X509Certificate(caCertPem).publicKey)).toBe(true)
  const old = await makeCode(alpha())
  await makeCode(alpha()) // takes its place
  const answers = async (one: string) => [
    await ask(`/join/${one}`),
    await ask(`/join/${one}/files/causeway-node-x64.tar.gz`),
    await sign(one),
  ]
  for (const one of [code, old, 'a'.repeat(32), 'x'])
    for (const answer of await answers(one)) {
      expect(answer.status).toBe(404)
      expect(answer.text.replaceAll(one, 'CODE').replace(/(GET|POST) \/join\/CODE[^"]*/, '')).toBe(
        '{"message":"Cannot ","error":"Not Found","statusCode":404}',
      )
    }
  // That of another node goes on counting, until an hour is over.
  expect((await ask(`/join/${other}`)).status).toBe(200)
  passHours(1)
  for (const answer of await answers(other)) expect(answer.status).toBe(404)
  expect((await joinOf(beta())).identity.kind).toBe('secretKey')
})

test('JOIN-002 of two machines with one code, one becomes the node', async () => {
  const code = await makeCode()
  const statuses = await Promise.all([sign(code), sign(code), sign(code)].map(async (one) => (await one).status))
  expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 404, 404])
})

test('JOIN-002 guessing is held back for its address only', async () => {
  const guesses = await Promise.all(Array.from({ length: 70 }, () => ask(`/join/${randomUUID()}`, undefined, '198.51.100.7')))
  expect(guesses.filter(({ status }) => status === 404)).toHaveLength(60)
  const held = guesses.find(({ status }) => status === 429)
  expect(Number(held?.headers['retry-after'])).toBeGreaterThan(0)
  const code = await makeCode()
  expect((await ask(`/join/${code}`, undefined, '198.51.100.7')).status).toBe(429)
  expect((await ask(`/join/${code}`, undefined, '203.0.113.9')).status).toBe(200)
})

test('JOIN-002 the code stands nowhere in the database', async () => {
  const code = await makeCode()
  await ask(`/join/${code}`)
  await sign(code)
  const tables = await server.ctx.pool.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  expect(tables.rows.length).toBeGreaterThan(20)
  for (const { name } of tables.rows) {
    const { rows } = await server.ctx.pool.query(`select 1 from "${name}" t where t::text like '%' || $1 || '%'`, [code])
    expect([name, rows]).toEqual([name, []])
  }
})

test.each([
  ['of another curve', () => makeRequest('P-384')],
  ['that is none', async () => 'hello'],
  ['that is missing', async () => ''],
  ['with a changed byte', async () => (await makeRequest()).replace(/M([A-Za-z0-9])/, 'MZ$1').slice(0, -30)],
])('JOIN-003 a request %s is refused, and the code counts on', async (_, make) => {
  const code = await makeCode()
  const { status, text } = await sign(code, await make())
  expect([status, JSON.parse(text).message]).toEqual([400, 'This is not a signed request for a key on the curve P-256.'])
  expect((await sign(code)).status).toBe(200)
})

test('JOIN-006 steps and failures of a script are kept with their times, those of another node apart', async () => {
  const code = await makeCode()
  await makeCode(beta())
  const tell = (said: object) => ask(`/join/${code}/progress`, said)
  await ask(`/join/${code}`)
  expect((await joinOf()).join?.steps).toEqual({
    fetched: expect.any(String),
    downloaded: null,
    signed: null,
    installed: null,
    reached: null,
    started: null,
    serving: null,
  })
  await tell({ failure: 'portTaken', detail: '443 nginx' })
  expect((await joinOf()).join?.failure).toMatchObject({ kind: 'portTaken', detail: '443 nginx' })
  await tell({ step: 'downloaded' })
  expect((await joinOf()).join).toMatchObject({ failure: null, steps: { downloaded: expect.any(String) } })
  await sign(code)
  // Used, and told of all the same.
  expect((await tell({ step: 'installed' })).status).toBe(200)
  expect((await joinOf()).join?.steps).toMatchObject({ signed: expect.any(String), installed: expect.any(String) })
  for (const odd of [{ failure: 'unheard' }, { step: 'serving' }, { step: 5 }, {}]) expect((await tell(odd)).status).toBe(200)
  expect((await joinOf()).join).toMatchObject({ failure: null, steps: { serving: null } })
  expect((await joinOf(beta())).join?.steps.fetched).toBeNull()
})

test('JOIN-004 revoking ends all certificates of the node, and of no other', async () => {
  for (const uuid of [alpha(), beta()]) await sign(await makeCode(uuid))
  expect((await server.call(api.revokeNodeCertificate, { uuid: alpha() })).revoked).toBeGreaterThan(0)
  expect([(await joinOf(alpha())).identity.kind, (await joinOf(beta())).identity.kind]).toEqual(['revoked', 'joining'])
  expect(await server.call(api.revokeNodeCertificate, { uuid: alpha() })).toEqual({ revoked: 0 })
  await sign(await makeCode(alpha()))
  expect((await joinOf(alpha())).identity).toMatchObject({ kind: 'ownKey', endsAt: expect.any(String) })
})

test('an unknown node has no code, no joining and nothing to revoke', async () => {
  for (const endpoint of [api.makeJoinCode, api.getNodeJoin, api.revokeNodeCertificate])
    await expect(server.call(endpoint, { uuid: randomUUID() })).rejects.toThrow('Node not found')
})

test('a name of a node cannot end a comment or a quotation of the script', () => {
  const values = { panel: 'https://p', code: 'c', version: '1', now: new Date(0), files: {} }
  const node = { uuid: 'u', name: `a'; rm -rf /\n$(id)"`, port: 2222, certificates: [], isCalling: false }
  expect(fillScript('# @NAME@ @PORT@ @OTHER@', { ...values, node })).toBe('# a__ rm -rf ____id__ 2222 @OTHER@')
})

test('the lines hand on the proxy that sudo would drop', () => {
  expect(linesOf('https://p/join/c').proxy).toContain('sudo http_proxy="$http_proxy" https_proxy="$https_proxy" sh')
})
