import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import * as api from '@causeway/contract'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { makeMarzbanFile, marzbanConfig } from '../../../test/marzban-source.ts'
import { query } from '../../../test/query.ts'
import { filledSource, node, SESSION_SECRET, TOKEN_SECRET, user, type SourceDatabase } from '../../../test/remnawave-source.ts'
import { testServer, type TestServer } from '../../../test/server.ts'
import { takeLeases } from '../../ground/leases.queries.ts'

// Moving in through the running server. What the process does around it is tested with the whole process (main.test.ts).

const QUARTER_MS = 900_000
const WAIT = { timeout: 60_000, interval: 50 }
const dataDir = mkdtempSync(path.join(os.tmpdir(), 'causeway-page-'))
let source: SourceDatabase
let server: TestServer
beforeAll(async () => {
  source = await filledSource()
})
beforeEach(async () => {
  server = await testServer({ env: { DATA_DIR: dataDir } })
})
afterEach(async () => {
  await server.close()
  rmSync(path.join(dataDir, 'move-in'), { recursive: true, force: true })
})
afterAll(async () => {
  await source.drop()
  rmSync(dataDir, { recursive: true })
})

const fromDatabase = () => ({
  panel: 'remnawave' as const,
  databaseUrl: source.url,
  sessionSecret: SESSION_SECRET,
  tokenSecret: `${TOKEN_SECRET}\n`,
})
const state = () => server.call(api.getMoveIn, {})

/** Begins, and waits until it has ended. */
async function run(wanted: Parameters<typeof server.call<typeof api.runMoveIn>>[1]) {
  await server.call(api.runMoveIn, wanted)
  await vi.waitFor(async () => expect((await state()).running).toBeNull(), WAIT)
  return state()
}

async function upload(name: string, content: Buffer, pieceBytes = 1000): Promise<void> {
  for (let offset = 0; offset < content.length; offset += pieceBytes)
    await server.call(api.uploadMoveInFile, {
      name,
      bytes: content.length,
      offset,
      content: content.subarray(offset, offset + pieceBytes).toString('base64'),
    })
}

const countUsers = async () => (await server.ctx.db.selectFrom('users').select('id').execute()).length

test('MOVE-013 a rehearsal writes nothing, and its report is there after a restart', async () => {
  const before = await state()
  expect(before).toMatchObject({ obstacle: null, upload: null, running: null, report: null, importedAt: null, isHeld: false })
  const after = await run({ ...fromDatabase(), isDryRun: true })
  expect(after).toMatchObject({ panel: 'remnawave', failure: null, importedAt: null, nodes: [], obstacle: null })
  expect(after.report).toMatchObject({ isDryRun: true, version: '2.1.4' })
  expect(after.report?.counts['admin']).toBeUndefined() // as in the import that follows
  expect(after.report?.findings.find(({ rule }) => rule === 'adminLeftOut')?.examples).toHaveLength(1)
  expect(after.report?.counts['user']).toBeGreaterThan(3)
  expect(after.report?.findings.map(({ rule }) => rule)).toContain('nameTaken')
  expect(await countUsers()).toBe(0)
  // The next process reads the same row.
  expect(await query(server.ctx.config.DATABASE_URL ?? '', 'select "report" from "moveIn"')).toEqual([{ report: after.report }])
})

test('MOVE-013 nodes are left alone after an import, taken over by a step, and given back by another', async () => {
  const imported = await run({ ...fromDatabase(), isDryRun: false })
  expect(imported).toMatchObject({ failure: null, isHeld: true, startedAt: null, obstacle: null })
  expect(imported.report).toMatchObject({ isDryRun: false })
  expect(await countUsers()).toBe(imported.report?.counts['user'])
  expect(imported.nodes.map(({ uuid, bytes }) => [uuid, bytes])).toContainEqual([node(1), null])
  const { db } = server.ctx
  const leases = async () => {
    await takeLeases(db, 'test', 10_000)
    return (await db.selectFrom('nodeLeases').select('nodeId').where('owner', '=', 'test').execute()).length
  }
  expect(await leases()).toBe(0)

  await server.call(api.markMoveIn, { mark: 'stopped' })
  const again = await run({ ...fromDatabase(), isDryRun: false })
  expect(again.failure).toBeNull()
  expect(new Date(again.importedAt ?? 0) > new Date(again.stoppedAt ?? 0)).toBe(true)

  await server.call(api.markMoveIn, { mark: 'start' })
  expect(await leases()).toBeGreaterThan(0)
  const { id: nodeId } = await db.selectFrom('nodes').select('id').where('uuid', '=', node(1)).executeTakeFirstOrThrow()
  const quarter = new Date(Math.ceil(Date.now() / QUARTER_MS) * QUARTER_MS)
  await db.insertInto('nodeUsageQuarters').values({ nodeId, quarter, uploadBytes: 70, downloadBytes: 7 }).execute()
  const started = await state()
  expect(started).toMatchObject({ isHeld: false, obstacle: expect.stringContaining('This server looks after the nodes') })
  expect(started.nodes.find(({ uuid }) => uuid === node(1))?.bytes).toBe(77)
  expect(started.nodes.filter(({ bytes }) => bytes !== 0)).toHaveLength(1)
  expect((await server.send('POST', api.runMoveIn.path, { ...fromDatabase(), isDryRun: false })).status).toBe(409)

  await server.call(api.markMoveIn, { mark: 'release' })
  expect(await leases()).toBe(0)
  expect(await state()).toMatchObject({ isHeld: true, startedAt: null, stoppedAt: null, obstacle: null })
  expect(await countUsers()).toBe(imported.report?.counts['user'])
})

test('MOVE-013 the administrator who imports stays signed in, and that of the source is reported as left out', async () => {
  const { report } = await run({ ...fromDatabase(), isDryRun: false })
  expect(report?.findings.find(({ rule }) => rule === 'adminLeftOut')?.examples).toHaveLength(1)
  expect(await server.call(api.getAccount, {})).toMatchObject({ username: 'admin' })
})

test('MOVE-013 a dump is uploaded in pieces, taken up again where it ended, and read whole', async () => {
  const file = path.join(dataDir, 'dump.sql.gz')
  await source.dumpTo(file)
  const content = readFileSync(file)
  const piece = (offset: number, part: Buffer) => ({
    name: 'dump.sql.gz',
    bytes: content.length,
    offset,
    content: part.toString('base64'),
  })
  await server.call(api.uploadMoveInFile, piece(0, content.subarray(0, 100)))
  expect((await state()).upload).toEqual({ name: 'dump.sql.gz', bytes: content.length, receivedBytes: 100 })
  const early = await server.send('POST', api.runMoveIn.path, { panel: 'remnawave', isDryRun: true })
  expect(early).toMatchObject({ status: 409, body: { message: expect.stringContaining('No whole file is there.') } })
  const gap = await server.send('PUT', api.uploadMoveInFile.path, piece(200, content.subarray(200, 300)))
  expect(gap).toMatchObject({ status: 409, body: { message: expect.stringContaining('does not follow') } })
  const beyond = await server.send('PUT', api.uploadMoveInFile.path, piece(100, Buffer.alloc(content.length)))
  expect(beyond).toMatchObject({ status: 400, body: { errors: [{ path: ['content'] }] } })
  await server.call(api.uploadMoveInFile, piece(100, content.subarray(100)))
  expect(statSync(path.join(dataDir, 'move-in/source')).mode & 0o077).toBe(0)
  const { report, source: name } = await run({ panel: 'remnawave', isDryRun: true })
  expect(name).toBe('dump.sql.gz')
  expect(report?.counts['user']).toBeGreaterThan(3)
  await server.call(api.deleteMoveInFile, {})
  expect(readdirSync(dataDir)).not.toContain('move-in')
})

test('MOVE-013 a file of the third panel comes with its configuration as text', async () => {
  const file = path.join(dataDir, 'm.db')
  makeMarzbanFile(file)
  await upload('db.sqlite3', readFileSync(file), 1_000_000)
  const wanted = { panel: 'marzban' as const, isDryRun: false, address: '192.0.2.1' }
  const without = await run(wanted)
  expect(without.failure).toContain('keeps the configuration of its core in a file')
  const { report, failure } = await run({ ...wanted, xrayConfig: JSON.stringify(marzbanConfig) })
  expect(failure).toBeNull()
  expect(await countUsers()).toBe(report?.counts['user'])
})

test.each([
  ['an address that is none', 'postgres//x', 400],
  ['a file of the server', 'file:///etc/passwd', 400],
])('MOVE-013 %s is refused by the name of its field', async (_, databaseUrl, status) => {
  const reply = await server.send('POST', api.runMoveIn.path, { panel: 'remnawave', isDryRun: true, databaseUrl })
  expect(reply).toMatchObject({ status, body: { errors: [{ path: ['databaseUrl'] }] } })
  expect((await state()).running).toBeNull()
})

test('MOVE-020 credentials that the page was given are in no row, file or log, also when they do not fit', async () => {
  const written: string[] = []
  for (const level of ['warn', 'error', 'info'] as const)
    vi.spyOn(server.ctx.log, level).mockImplementation((...said: unknown[]) => void written.push(JSON.stringify(said)))
  await run({ ...fromDatabase(), isDryRun: false })
  const wrong = await run({
    ...fromDatabase(),
    isDryRun: true,
    databaseUrl: source.url.replace(/\/\/([^@/]*@)?/, '//no_such_role:wrong-hidden-word@'),
  })
  expect(wrong.failure).toContain('The database of the source cannot be opened: ')
  const unfit = await run({
    ...fromDatabase(),
    isDryRun: true,
    sessionSecret: 'unfit-hidden-word',
    tokenSecret: 'other-hidden-word',
  })
  expect(unfit.failure).toContain('The secrets do not belong to this database')
  const { rows: tables } = await server.ctx.pool.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  for (const { name } of tables) {
    const { rows } = await server.ctx.pool.query<{ row: string }>(`select t::text as row from "${name}" t`)
    written.push(...rows.map(({ row }) => row))
  }
  for (const hidden of [SESSION_SECRET, TOKEN_SECRET, 'hidden-word', source.url])
    expect(written.filter((text) => text.includes(hidden))).toEqual([])
  expect(readdirSync(dataDir)).not.toContain('move-in')
})

test('MOVE-010 an installation that was changed after the import takes no other one, and says what was changed', async () => {
  await run({ ...fromDatabase(), isDryRun: false })
  await server.call(api.disableUser, { uuid: user(1) })
  const { obstacle } = await state()
  expect(obstacle).toMatch(/^This installation was changed after its import\.[^]*UTC: disable user plain, by admin$/)
  const refused = await server.send('POST', api.runMoveIn.path, { ...fromDatabase(), isDryRun: false })
  expect(refused).toMatchObject({ status: 409, body: { message: obstacle } })
  expect((await run({ ...fromDatabase(), isDryRun: true })).failure).toBeNull()
})

test('MOVE-010 a change that was undone does not stand in the way of another import', async () => {
  await run({ ...fromDatabase(), isDryRun: false })
  await server.call(api.disableUser, { uuid: user(1) })
  await server.call(api.disableUser, { uuid: user(2) })
  const { entries } = await server.call(api.listHistory, { action: 'disableUser' })
  for (const { id } of entries) await server.call(api.undoEntry, { id })
  expect((await state()).obstacle).toBeNull()
  expect((await run({ ...fromDatabase(), isDryRun: false })).failure).toBeNull()
})

test('MOVE-011 MOVE-013 a run is cancelled: an import is taken back, though its source does not answer', async () => {
  const before = await server.ctx.db.selectFrom('subscriptionSettings').selectAll().execute()
  const blocker = new pg.Client({ connectionString: source.url })
  await blocker.connect()
  try {
    await blocker.query('begin; lock table nodes_usage_history in access exclusive mode')
    for (const isDryRun of [true, false]) {
      await server.call(api.runMoveIn, { ...fromDatabase(), isDryRun })
      await vi.waitFor(async () => expect(await state()).toMatchObject({ running: { counts: { user: 9 } } }), WAIT)
      expect(await server.call(api.markMoveIn, { mark: 'cancel' })).toEqual({ isDone: true })
      await vi.waitFor(async () => expect((await state()).running).toBeNull(), WAIT)
      expect(await state()).toMatchObject({
        failure: 'The run was cancelled. Nothing was changed.',
        importedAt: null,
        report: null,
      })
    }
  } finally {
    await blocker.end()
  }
  expect(await countUsers()).toBe(0)
  expect(await server.ctx.db.selectFrom('subscriptionSettings').selectAll().execute()).toEqual(before)
  await server.call(api.markMoveIn, { mark: 'cancel' }) // nothing is under way
  expect((await run({ ...fromDatabase(), isDryRun: true })).failure).toBeNull()
})

test('while another installation is loaded only the page is answered', async () => {
  server.ctx.server.isPaused = true
  expect(await state()).toMatchObject({ running: null })
  for (const [method, address] of [
    ['GET', '/api/users'],
    ['GET', '/api/sub/whatever'],
    ['POST', '/api/auth/login'],
  ] as const) {
    const { status, body } = await server.send(method, address, method === 'POST' ? {} : undefined)
    expect([status, JSON.stringify(body)]).toEqual([503, expect.stringContaining('Another installation is being imported.')])
  }
})
