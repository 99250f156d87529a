import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { createUser, getAuthStatus, listNodes, listUsers, login } from '@causeway/contract'
import { testDatabase } from '../apps/server/test/postgres.ts'
import { apiClient } from './stage/api-client.ts'
import { ADMIN, registerAdmin, untilServing } from './stage/panel.ts'
import { inDays } from './stage/seeding.ts'
import { freePort, root, run, type Running } from './stage/processes.ts'

// `npm start` as a newcomer and an administrator meet it: an empty data folder, crashes, mistakes.

const NOBODY = 65_534
let folder = ''
let port = 0
let origin = ''

test.beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'causeway start '))
  chmodSync(folder, 0o755)
  port = await freePort()
  origin = `http://127.0.0.1:${port}`
})

test.afterEach(() => {
  endLeftDatabase()
  rmSync(folder, { recursive: true, force: true })
})

test('an empty data folder, in a path with a space, becomes a server whose first page registers the administrator; a second one on it is refused', async ({
  page,
}) => {
  const server = await started()
  await page.goto(origin)
  await expect(page).toHaveURL(/\/auth\/login/)
  await expect(page.getByRole('button', { name: 'Register' })).toBeVisible()
  const second = await output({ PORT: String(await freePort()), DATA_DIR: folder })
  expect(second.code).toBe(1)
  expect(second.text).toContain('is using the data folder')
  expect((await apiClient(origin)(getAuthStatus, {})).isRegisterAllowed).toBe(true)
  await server.stop()
  expect(postmasterIsAlive()).toBe(false)
})

test('what was stored survives a kill -9 of the server, and then one of server and database together', async () => {
  const first = await started()
  await registerAdmin(origin)
  await first.kill()
  const second = await started()
  const { accessToken } = await apiClient(origin)(login, ADMIN)
  expect(accessToken).not.toBe('')
  await second.kill()
  endLeftDatabase('SIGKILL')
  const third = await started()
  expect((await apiClient(origin)(getAuthStatus, {})).isRegisterAllowed).toBe(false)
  await third.stop()
})

test('a taken port is told in a sentence that says what to do', async () => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve))
  const end = await output({ PORT: String(port), DATA_DIR: folder })
  expect(end.code).toBe(1)
  expect(end.text).toContain(`Port ${port} on 127.0.0.1 is taken by another program. Stop it, or choose another port with PORT.`)
  other.close()
})

test('asked to stop while it starts for the first time, it ends and leaves no database running', async () => {
  const child = spawn(process.execPath, ['scripts/causeway.ts', 'start'], {
    cwd: root,
    stdio: 'ignore',
    env: { ...inherited(), PORT: String(port), DATA_DIR: folder, LOG_LEVEL: 'warn' },
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  await expect.poll(() => existsSync(path.join(folder, 'postgres/pg18')), { timeout: 60_000, intervals: [10] }).toBe(true)
  child.kill('SIGINT')
  expect(await ended).toBe(0)
  expect(postmasterPid()).toBeUndefined()
})

test('every mistake in the configuration gets a sentence', async () => {
  const end = await output({ PORT: 'eighty', LOG_LEVEL: 'loud', ROLE: 'boss', DATA_DIR: folder })
  expect(end.code).toBe(1)
  for (const sentence of ['PORT must be a whole number', 'LOG_LEVEL must be', 'ROLE must be all, api or jobs'])
    expect(end.text).toContain(sentence)
})

test('a data folder that is none and a database that does not answer are told in a sentence', async () => {
  const file = path.join(folder, 'file')
  writeFileSync(file, '')
  const noFolder = await output({ PORT: String(port), DATA_DIR: file })
  expect(noFolder.code).toBe(1)
  expect(noFolder.text).toMatch(/^The data folder .*file cannot be used \(EEXIST.*name another one in DATA_DIR\.\n$/)
  const noDatabase = await output({
    PORT: String(port),
    DATA_DIR: folder,
    DATABASE_URL: 'postgres://me:secret@127.0.0.1:1/panel',
  })
  expect(noDatabase.code).toBe(1)
  expect(noDatabase.text).toMatch(/^The database of DATABASE_URL cannot be used: nothing answers at 127\.0\.0\.1, port 1 .*\n$/)
})

test('a database of one’s own takes the place of the embedded one, and no demo is put into one that has users', async () => {
  const database = await testDatabase()
  const server = await started({ DATABASE_URL: database.url })
  const api = apiClient(origin, await registerAdmin(origin))
  expect(readdirSync(folder)).not.toContain('postgres')
  await api(createUser, { username: 'customer', expireAt: inDays(30) })
  await server.stop()
  const end = await output({ PORT: String(port), DATA_DIR: folder, DATABASE_URL: database.url }, ['--demo'])
  expect(end.code).toBe(1)
  expect(end.text).toContain('This database has users of its own, so no demo is put into it.')
  await database.drop()
})

test('the demo shows a fleet at work', async () => {
  test.setTimeout(120_000)
  const server = await started({}, ['--demo'])
  const api = apiClient(origin, await registerAdmin(origin))
  const { total } = await api(listUsers, { size: 25 })
  expect(total).toBe(5000)
  await expect
    .poll(async () => (await api(listNodes, {})).filter((node) => node.isConnected).length, { timeout: 60_000 })
    .toBe(17)
  await server.stop()
})

test('an ordinary user can run it', async () => {
  test.skip(process.getuid?.() !== 0, 'only root can become somebody else')
  const canEnter = spawnSync('/bin/sh', ['-c', 'test -r scripts/causeway.ts'], { cwd: root, uid: NOBODY, gid: NOBODY })
  test.skip(canEnter.status !== 0, 'other users may not enter this checkout')
  chownSync(folder, NOBODY, NOBODY)
  const home = path.join(folder, 'home')
  mkdirSync(home)
  chownSync(home, NOBODY, NOBODY)
  const child = spawn(process.execPath, ['scripts/causeway.ts', 'start'], {
    cwd: root,
    uid: NOBODY,
    gid: NOBODY,
    stdio: 'ignore',
    env: { ...inherited(), HOME: home, PORT: String(port), DATA_DIR: path.join(home, 'data'), LOG_LEVEL: 'warn' },
  })
  await expect
    .poll(async () => (await apiClient(origin)(getAuthStatus, {}).catch(() => undefined))?.isRegisterAllowed, { timeout: 30_000 })
    .toBe(true)
  child.kill('SIGTERM')
  await new Promise((resolve) => child.once('exit', resolve))
  expect(child.exitCode).toBe(0)
})

async function started(env: Record<string, string> = {}, options: string[] = []): Promise<Running> {
  const server = run({
    name: `start-${port}`,
    args: ['scripts/causeway.ts', 'start', ...options],
    env: { PORT: String(port), DATA_DIR: folder, LOG_LEVEL: 'warn', ...env },
  })
  await untilServing(origin, server, 100_000)
  return server
}

async function output(env: Record<string, string>, options: string[] = []): Promise<{ code: number | null; text: string }> {
  const child = spawn(process.execPath, ['scripts/causeway.ts', 'start', ...options], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...inherited(), ...env },
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, text }
}

function inherited(): Record<string, string | undefined> {
  return { PATH: process.env['PATH'], KEEP_DASHBOARD: process.env['KEEP_DASHBOARD'] }
}

function postmasterPid(): number | undefined {
  try {
    return Number(readFileSync(path.join(folder, 'postgres/pg18/postmaster.pid'), 'utf8').split('\n')[0])
  } catch {
    return undefined // it has stopped and taken its file away
  }
}

function postmasterIsAlive(): boolean {
  const pid = postmasterPid()
  return pid !== undefined && process.kill(pid, 0)
}

/** A failed test must not leave a database running. */
function endLeftDatabase(signal: NodeJS.Signals = 'SIGQUIT'): void {
  const pid = postmasterPid()
  if (pid === undefined) return
  try {
    process.kill(pid, signal)
  } catch {
    // it ended with its server
  }
}
