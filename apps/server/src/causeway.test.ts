import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { testDatabase } from '../test/postgres.ts'
import { query } from '../test/query.ts'
import { testServer, type TestServer } from '../test/server.ts'

const PROGRAM = path.join(import.meta.dirname, 'causeway.ts')
const folder = mkdtempSync(path.join(os.tmpdir(), 'causeway-program-'))
chmodSync(folder, 0o700)
afterAll(() => rmSync(folder, { recursive: true }))
let server: TestServer | undefined
afterEach(() => server?.close())

const report = z.object({
  isWrong: z.boolean(),
  findings: z.array(z.object({ check: z.string(), state: z.string(), sentence: z.string() })),
})

test('SHIP-013 --version names the version, and each part with its licence', async () => {
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(path.join(import.meta.dirname, '../../../package.json'), 'utf8')))
  const { code, out } = await run(['--version'])
  expect(code).toBe(0)
  const lines = out.trim().split('\n')
  expect(lines[0]).toContain(`Causeway ${version}`)
  expect(lines).toContainEqual(expect.stringMatching(/^PostgreSQL 18\.\d+, PostgreSQL$/))
  expect(lines).toContainEqual(expect.stringMatching(/^Xray-core \d+\.\d+\.\d+, MPL-2\.0$/))
  expect(lines).toContainEqual(expect.stringMatching(/^fastify \d+\.\d+\.\d+, MIT$/))
  expect(lines.filter((line) => line.endsWith(', '))).toEqual([])
})

test('a line that cannot be understood ends with 2, and help with 0', async () => {
  expect(await run(['frobnicate'])).toMatchObject({ code: 2, error: expect.stringContaining("unknown command 'frobnicate'") })
  expect(await run(['verify'])).toMatchObject({ code: 2, error: expect.stringContaining("missing required argument 'file'") })
  const commands = [
    [],
    ['start'],
    ['admin'],
    ['backup'],
    ['doctor'],
    ['export'],
    ['health'],
    ['import'],
    ['import', 'remnawave'],
    ['restore'],
    ['upgrade'],
    ['verify'],
  ]
  for (const command of commands)
    expect(await run([...command, '--help'])).toMatchObject({ code: 0, out: expect.stringContaining('Usage: causeway') })
})

test('SHIP-012 doctor without a server ends with 1 and says so, as text and as JSON', async () => {
  const env = { DATA_DIR: folder, PORT: '1' }
  const text = await run(['doctor'], env)
  expect(text.code).toBe(1)
  expect(text.out).toMatch(/^WRONG +server +No server answers at http:\/\/127\.0\.0\.1:1 /m)
  expect(text.out).toMatch(/^WRONG +database +The database does not answer: the embedded PostgreSQL is not running/m)
  const { code, out } = await run(['doctor', '--json'], env)
  const { isWrong, findings } = report.parse(JSON.parse(out))
  expect([code, isWrong]).toEqual([1, true])
  expect(findings.filter(({ state }) => state === 'bad').map(({ check }) => check)).toEqual(['database', 'server'])
})

test('SHIP-012 doctor tells of a key that stands open, though the server closes it; SIGN-009 admin makes no installation', async () => {
  const env = { DATA_DIR: path.join(folder, 'open'), PORT: '1' }
  mkdirSync(env.DATA_DIR, { mode: 0o700 })
  const key = path.join(env.DATA_DIR, 'master.key')
  writeFileSync(key, Buffer.alloc(32, 1).toString('base64'), { mode: 0o644 })
  expect((await run(['doctor'], env)).out).toContain(`${key} is open to other users (0644)`)
  expect(await run(['admin', 'list'], env)).toMatchObject({
    code: 1,
    error: expect.stringContaining('There is no installation in'),
  })
  expect(await run(['backup'], env)).toMatchObject({ code: 1, error: expect.stringContaining('There is no database in') })
  expect(readdirSync(env.DATA_DIR)).toEqual(['master.key'])
})

test('SHIP-012 doctor of a running server finds nothing wrong, and names a node that is lost', async () => {
  const database = await testDatabase()
  server = await testServer({ database })
  const { port } = new URL(await server.app.listen({ host: '127.0.0.1', port: 0 }))
  const env = { DATA_DIR: folder, PORT: port, DATABASE_URL: database.url }
  const well = report.parse(JSON.parse((await run(['doctor', '--json'], env)).out))
  // Databases of tests may lose their data at a crash, which is what two of the findings say.
  const wrong = well.findings.filter(({ state }) => state === 'bad').map(({ sentence }) => sentence)
  expect(wrong).toEqual([expect.stringContaining('fsync = off'), expect.stringContaining('full_page_writes = off')])
  await query(database.url, `insert into "nodes" ("name", "address", "viewPosition") values ('Oslo', 'oslo.example', 1)`)
  await query(database.url, `insert into "nodeStates" ("nodeId") select "id" from "nodes" on conflict do nothing`)
  const { out } = await run(['doctor'], env)
  expect(out).toMatch(/^WRONG +nodes +Node Oslo is not connected/m)
})

async function run(
  line: string[],
  env: Record<string, string> = {},
): Promise<{ code: number | null; out: string; error: string }> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', PROGRAM, ...line], {
    env: { PATH: process.env['PATH'], ...env },
  })
  const texts = { out: '', error: '' }
  child.stdout.on('data', (chunk: Buffer) => (texts.out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (texts.error += chunk.toString()))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, ...texts }
}

test(
  'BACK-008 export beside a running server, and import elsewhere: a killed one leaves nothing, a second one is refused',
  { timeout: 120_000 },
  async () => {
    const [source, target] = [await testDatabase(), await testDatabase()]
    server = await testServer({ database: source })
    onTestFinished(() => target.drop())
    await server.ctx.secrets.get('of a server', () => 'word')
    const file = path.join(folder, 'all.jsonl.zst')
    const from = { DATA_DIR: folder, DATABASE_URL: source.url, MASTER_KEY: Buffer.alloc(32, 1).toString('base64') }
    const to = { DATA_DIR: folder, DATABASE_URL: target.url, MASTER_KEY: Buffer.alloc(32, 2).toString('base64') }
    expect((await run(['export', file], from)).out).toMatch(/^Exported to .*all.jsonl.zst: 1 MB, 0 users in \d+ rows, in /)
    expect(statSync(file).mode & 0o777).toBe(0o600)

    const killed = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', PROGRAM, 'import', file], {
      env: { PATH: process.env['PATH'], ...to },
    })
    const isAtWork = `select from pg_stat_activity where application_name = 'causeway import' and datname = current_database()`
    await expect.poll(() => query(target.url, isAtWork), { timeout: 20_000, interval: 20 }).toHaveLength(1)
    killed.kill('SIGKILL')
    await expect.poll(() => query(target.url, isAtWork), { timeout: 20_000 }).toHaveLength(0)
    const admins = `select "username" from "admins"`
    expect(await query(target.url, admins)).toEqual([])
    const { code, out } = await run(['import', file, '--json'], to)
    expect([code, JSON.parse(out)]).toMatchObject([0, { users: 0, madeBy: expect.stringMatching(/^Causeway /) }])
    expect(await query(target.url, admins)).toEqual([{ username: 'admin' }])
    await query(target.url, `insert into "infraProviders" ("name") values ('here')`)
    const refused = await run(['import', file, '--json'], to)
    expect(refused).toMatchObject({ code: 1, error: expect.stringContaining('not empty: it has 1 provider') })
    expect(JSON.parse(refused.out)).toEqual({ error: refused.error.trim() })
  },
)

test('SIGN-009 admin lists, resets a password and a second factor, and unlocks beside a running server, which is in the history', async () => {
  const database = await testDatabase()
  server = await testServer({ database })
  const env = { DATA_DIR: folder, DATABASE_URL: database.url, MASTER_KEY: Buffer.alloc(32, 1).toString('base64') }
  const { id: adminId } = await server.ctx.db.selectFrom('admins').select('id').executeTakeFirstOrThrow()
  const secret = server.ctx.secrets.wrap('authenticator', 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP')
  await server.ctx.db.insertInto('authenticators').values({ adminId, secret, confirmedAt: new Date() }).execute()
  await server.ctx.db
    .updateTable('installation')
    .set({ signInNetworks: ['203.0.113.0/24'] })
    .execute()
  await server.ctx.db.insertInto('signInAttempts').values({ address: '127.0.0.1', account: 'admin' }).execute()
  expect((await run(['admin', 'list'], env)).out).toMatch(/^admin +owner +second factor +1 open session$/m)
  expect(await run(['admin', 'reset-password', 'nobody'], env)).toMatchObject({
    code: 1,
    error: expect.stringContaining('nobody'),
  })
  const { out } = await run(['admin', 'reset-password', 'admin'], env)
  const password = /admin: (\S+)/.exec(out)?.[1] ?? ''
  expect((await server.send('GET', '/api/hosts')).status).toBe(401)
  expect((await run(['admin', 'reset-second-factor', 'admin'], env)).code).toBe(0)
  expect((await run(['admin', 'unlock'], env)).code).toBe(0)
  const login = await server.send('POST', '/api/auth/login', { username: 'admin', password }, {})
  expect(login.status).toBe(200)
  const entries = await server.ctx.db.selectFrom('auditLog').selectAll().where('actorName', '=', 'causeway admin').execute()
  expect(entries.map(({ action }) => action).toSorted()).toEqual(['resetPassword', 'resetSecondFactor', 'unlockSignIn'])
  expect(JSON.stringify(entries)).not.toContain(password)
}, 60_000)
