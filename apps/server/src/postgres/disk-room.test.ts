import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import * as api from '@causeway/contract'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { testServer, type TestServer } from '../../test/server.ts'
import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded-postgres.ts'
import { migrate } from '../db/migrate.ts'

// The real server and database on a small file system of their own, which is filled under them (wire: a full disk keeps
// answering reads and says why).

const MEGABYTE = 2 ** 20
const SIZE_MEGABYTES = 480
const NEVER = '2099-01-01T00:00:00Z'
const SENTENCE = 'The disk of the database is full'
const PATIENCE = { timeout: 60_000, interval: 200 }

const canMount = mountable()
if (!canMount) console.warn('SKIPPED: the tests of a full disk need root and the right to mount a tmpfs.')

let folder: string
let postgres: EmbeddedPostgres | undefined
let server: TestServer | undefined
const notices: string[] = []
beforeEach(() => {
  if (canMount) folder = mounted()
})
afterEach(async () => {
  await server?.close()
  await postgres?.stop()
  server = postgres = undefined
  notices.length = 0
  if (canMount) unmount(folder)
})

describe.runIf(canMount)('a full disk', { timeout: 240_000 }, () => {
  test('refuses changes with a sentence, goes on answering reads, and has lost nothing once there is room', async () => {
    const running = await start({ roomCheckMs: 100 })
    await expect.poll(() => readdirSync(root()), PATIENCE).toContain('ballast')
    const postmaster = postmasterPid()
    const subscriber = await running.call(api.createUser, { username: 'subscriber', expireAt: NEVER })
    const link = () => running.send('GET', `/api/sub/${subscriber.shortUuid}`, undefined, { 'user-agent': 'Happ/1.0' })
    expect((await link()).status).toBe(200) // what a new panel writes when it is first asked, a start has written
    const acknowledged = ['subscriber']
    const create = async (): Promise<number> => {
      const username = `user_${acknowledged.length}`
      const reply = await running.send('POST', '/api/users', { username, expireAt: NEVER, description: 'x'.repeat(10_000) })
      if (reply.status === 201) acknowledged.push(username)
      else if (!JSON.stringify(reply.body).includes(SENTENCE)) throw new Error(JSON.stringify(reply.body))
      return reply.status
    }
    for (let n = 0; n < 20; n++) expect(await create()).toBe(201)
    fill()
    // Some changes are still taken between two looks, also behind one that found no room for itself.
    await expect.poll(create, PATIENCE).toBe(503)
    await expect.poll(() => notices, PATIENCE).toHaveLength(1)
    for (let n = 0; n < 10; n++) expect(await create()).toBe(503)

    for (const url of [
      '/api/users',
      '/api/system/stats',
      '/api/system/stats/bandwidth',
      '/api/nodes',
      `/api/users/${subscriber.uuid}`,
    ])
      expect(`${url} ${(await running.send('GET', url)).status}`).toBe(`${url} 200`)
    expect((await link()).status).toBe(200)
    expect(await running.send('GET', '/health', undefined, {})).toMatchObject({
      status: 200,
      body: { status: 'ok', info: { database: { status: 'up', message: expect.stringContaining(SENTENCE) } } },
    })

    makeRoom()
    await expect.poll(create, PATIENCE).toBe(201)
    const kept = await running.ctx.db.selectFrom('users').select('username').execute()
    expect(new Set(kept.map(({ username }) => username))).toEqual(new Set(acknowledged))
    expect(postmasterPid()).toBe(postmaster)
    expect(notices).toEqual([
      expect.stringMatching(/is full: changes are refused/),
      expect.stringMatching(/There is room .* again/),
    ])
    await expect.poll(() => readdirSync(root()), PATIENCE).toContain('ballast')
  })

  test.each([
    // Nobody looks in time: the disk fills between two looks.
    { when: 'before anybody looked', roomCheckMs: 3000 },
    // What runs already is not told to stop, and somebody else takes the room that was given back for its end.
    { when: 'although it was given room', roomCheckMs: 100 },
  ])('that ended PostgreSQL $when, as its log found no room, is read again by itself', async ({ roomCheckMs }) => {
    const running = await start({ roomCheckMs })
    await expect.poll(() => readdirSync(root()), PATIENCE).toContain('ballast')
    const kept = await running.call(api.createUser, { username: 'kept', expireAt: NEVER })
    await expect(exhaustLog()).rejects.toThrow(/./)
    await expect.poll(async () => (await running.send('GET', `/api/users/${kept.uuid}`)).status, PATIENCE).toBe(200)
    expect(readFileSync(path.join(root(), 'postgres.log'), 'utf8')).toMatch(/PANIC: .*No space left on device/)
    let count = 0
    const change = () => running.send('POST', '/api/users', { username: `late_${++count}`, expireAt: NEVER })
    await expect.poll(change, PATIENCE).toMatchObject({ status: 503, body: { message: expect.stringContaining(SENTENCE) } })
    expect((await running.send('GET', '/api/users')).status).toBe(200)
    makeRoom()
    await expect.poll(async () => (await change()).status, PATIENCE).toBe(201)
  })
})

async function start({ roomCheckMs }: { roomCheckMs: number }): Promise<TestServer> {
  postgres = await startEmbeddedPostgres({
    dataDir: path.join(folder, 'data'),
    settings: { fsync: 'off', shared_buffers: '32MB', max_wal_size: '64MB', min_wal_size: '32MB' },
    onNotice: (sentence) => notices.push(sentence),
    roomCheckMs,
  })
  await migrate(postgres.url)
  server = await testServer({ database: { url: postgres.url, drop: async () => {} } })
  return server
}

/** Changes without pause on a disk that is filled as soon as it has room, until the database says that it cannot go on. */
async function exhaustLog(): Promise<void> {
  const client = new pg.Client({ connectionString: postgres?.url })
  client.on('error', () => {})
  await client.connect()
  await client.query('begin')
  try {
    for (;;) {
      fill()
      await client.query("select pg_logical_emit_message(false, 'full', repeat('x', 8000000)) from generate_series(1, 40)")
    }
  } finally {
    await client.end().catch(() => {})
  }
}

function root(): string {
  return path.join(folder, 'data/postgres')
}

function postmasterPid(): string {
  return readFileSync(path.join(root(), 'pg18/postmaster.pid'), 'utf8').split('\n')[0] ?? ''
}

function fill(): void {
  const { bavail, bsize } = statfsSync(folder)
  try {
    writeFileSync(path.join(folder, 'filler'), Buffer.alloc(bavail * bsize + MEGABYTE, 1), { flag: 'a' })
  } catch (error) {
    if (!(error instanceof Error) || !error.message.includes('ENOSPC')) throw error
  }
}

function makeRoom(): void {
  rmSync(path.join(folder, 'filler'))
}

function mounted(): string {
  const at = mkdtempSync(path.join(os.tmpdir(), 'causeway-full-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE_MEGABYTES}m`, 'tmpfs', at], { stdio: 'pipe' })
  chmodSync(at, 0o755) // the database's own account has to pass through
  return at
}

function unmount(at: string): void {
  execFileSync('umount', ['-l', at], { stdio: 'pipe' })
  rmSync(at, { recursive: true, force: true })
}

function mountable(): boolean {
  if (process.getuid?.() !== 0) return false
  try {
    unmount(mounted())
    return true
  } catch {
    return false
  }
}
