import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import * as api from '@causeway/contract'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { liveFleet, QUICK, until } from '../../test/live-fleet.ts'
import { query } from '../../test/query.ts'
import { testServer } from '../../test/server.ts'
import { startFleet } from '../features/fleet/fleet.jobs.ts'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../postgres/embedded-postgres.ts'
import type { Backup } from './backup.ts'
import { differencesOf } from './figures.ts'
import { findLastBackup, listBackups } from './kept-backups.ts'
import { migrate } from '../db/migrate.ts'

// The real database and the real command, while a server with a fleet works on the database.

const SETTINGS = { fsync: 'off', shared_buffers: '32MB' }
const COMMAND = path.resolve(import.meta.dirname, '../causeway.ts')
const NEVER = '2099-01-01T00:00:00Z'

const place = mkdtempSync(path.join(os.tmpdir(), 'causeway-backup-'))
chmodSync(place, 0o755) // the database's own account has to pass through
const dataDir = path.join(place, 'data')
let postgres: EmbeddedPostgres
let count = 0

beforeAll(() => {
  mkdirSync(path.join(dataDir, 'certificates'), { recursive: true })
  writeFileSync(path.join(dataDir, 'master.key'), Buffer.alloc(32, 1).toString('base64'), { mode: 0o600 })
  writeFileSync(path.join(dataDir, 'certificates/own.pem'), 'a certificate', { mode: 0o640 })
  symlinkSync('own.pem', path.join(dataDir, 'certificates/newest.pem'))
})
afterAll(() => rmSync(place, { recursive: true, force: true }))

const live = liveFleet({}, async () => {
  postgres = await startEmbeddedPostgres({ dataDir, settings: SETTINGS })
  await migrate(postgres.url)
  return { url: postgres.url, drop: () => postgres.stop() }
})

test('a backup made under writes holds all that was acknowledged, and its ledger goes on without counting twice', async () => {
  const { agent } = await live.connectedNode()
  const booked = await live.makeUser('booked')
  await until(() => agent.usersOf('VLESS_A').length === 1)
  agent.transfer('booked', 1000, 2000)
  await until(async () => (await live.usedBytes(booked.uuid)) === 3000)

  const acknowledged: { username: string; at: number }[] = []
  let isWriting = true
  const writing = (async () => {
    while (isWriting) {
      const username = `user_${acknowledged.length}`
      await live.server.call(api.createUser, { username, expireAt: NEVER })
      acknowledged.push({ username, at: Date.now() })
      agent.transfer('booked', 5, 5)
    }
  })()
  const target = nextTarget()
  const begunAt = Date.now()
  const { takenAt } = JSON.parse(await said(backUpApart(target))) as { takenAt: string } // what the script below prints
  isWriting = false
  await writing
  const before = acknowledged.filter(({ at }) => at < Date.parse(takenAt))
  expect(before.filter(({ at }) => at > begunAt).length).toBeGreaterThan(5)

  // What nodes count until the copy takes over is booked there once, whoever has booked it before.
  agent.transfer('booked', 7000, 8000)
  const moved = 3000 + 10 * acknowledged.length + 15_000
  await until(async () => (await live.usedBytes(booked.uuid)) === moved)
  await live.fleet?.stop()
  live.fleet = undefined
  const restored = await startEmbeddedPostgres({ dataDir: target, settings: SETTINGS })
  const server = await testServer({ register: false, database: { url: restored.url, drop: () => restored.stop() } })
  const fleet = startFleet(server.ctx, QUICK)
  onTestFinished(async () => {
    await fleet.stop()
    await server.close()
  })
  const kept = await server.ctx.db.selectFrom('users').select('username').execute()
  const names = new Set(kept.map(({ username }) => username))
  expect(before.filter(({ username }) => !names.has(username))).toEqual([])
  const usage = async (): Promise<unknown[]> =>
    query(
      restored.url,
      `select "usedTrafficBytes"::float8 as "used", (select sum("uploadBytes" + "downloadBytes")::float8 from "userNodeUsage") as "byDay" from "userUsage" where "usedTrafficBytes" > 0`,
    )
  agent.transfer('booked', 1, 1)
  await expect.poll(usage, { timeout: 20_000 }).toEqual([{ used: moved + 2, byDay: moved + 2 }])
  await until(() => agent.usersOf('VLESS_A').length === 1)
})

test('a backup is what the data folder is: files, owners and modes, without what a start makes anew', async () => {
  const target = nextTarget()
  const output = await said(command(target))
  expect(output).toMatch(
    /^Backed up to .*: \d+ MB in [\d.]+ s, with everything until .* UTC\. Its database .* holds: [\d,]+ users/,
  )
  expect(readdirSync(target).toSorted()).toEqual(['backup.json', 'certificates', 'master.key', 'postgres'])
  expect(readdirSync(path.join(target, 'postgres'))).toEqual(['pg18'])
  expect(readFileSync(path.join(target, 'certificates/newest.pem'), 'utf8')).toBe('a certificate')
  const asThere = (name: string) => {
    const { mode, uid, gid } = statSync(path.join(dataDir, name))
    expect({ name, ...pick(statSync(path.join(target, name))) }).toEqual({ name, mode, uid, gid })
  }
  for (const name of ['master.key', 'certificates/own.pem', 'postgres', 'postgres/pg18', 'postgres/pg18/PG_VERSION'])
    asThere(name)
  expect(statSync(target).mode & 0o066).toBe(0)
  const data = readdirSync(path.join(target, 'postgres/pg18'))
  for (const name of ['postmaster.pid', 'postmaster.opts', 'backup_label', 'backup_label.old']) expect(data).not.toContain(name)
  expect(readdirSync(place).filter((name) => name.endsWith('.part'))).toEqual([])
})

test('without a folder a backup is made in BACKUP_DIR, which no backup holds, and the data folder says where the last one is', async () => {
  const output = await said(spawn(process.execPath, [COMMAND, 'backup', '--json'], { env: environment() }))
  const { folder } = JSON.parse(output) as { folder: string } // what the command prints
  expect(path.dirname(folder)).toBe(path.join(dataDir, 'backups'))
  expect(listBackups(path.join(dataDir, 'backups'))).toMatchObject([{ name: path.basename(folder), hasMasterKey: true }])
  expect(findLastBackup(dataDir)).toMatchObject({ folder, isThere: true })
  const target = nextTarget()
  await said(command(target))
  expect(readdirSync(target).toSorted()).toEqual(['backup.json', 'certificates', 'master.key', 'postgres'])
  expect(findLastBackup(dataDir)).toMatchObject({ folder: target, isThere: true })
  rmSync(path.join(dataDir, 'backups'), { recursive: true })
})

test('a folder that is there, lies in the data folder, or has none to lie in is refused, and so is a stranger’s', async () => {
  expect(await refusal(command(dataDir))).toContain(`lies in`)
  expect(await refusal(command(path.join(dataDir, 'postgres/backup')))).toContain(`${dataDir}, which is what is backed up`)
  expect(await refusal(command(place))).toContain(`${place} is there already`)
  expect(await refusal(command(path.join(place, 'no/backup')))).toContain(`There is no folder ${place}/no`)
  const target = nextTarget()
  mkdirSync(`${target}.part`)
  writeFileSync(path.join(`${target}.part`, 'mine'), '')
  expect(await refusal(command(target))).toContain('was not made by a backup')
  expect(existsSync(path.join(`${target}.part`, 'mine'))).toBe(true)
  expect(await refusal(command(target, { DATA_DIR: path.join(place, 'nothing') }))).toContain('There is no data folder')
  expect(await refusal(command(target, { DATABASE_URL: 'postgres://me@127.0.0.1/panel' }))).toContain('nothing answers at')
})

test('a backup that was killed leaves a folder that the next one names, and holds nothing in the database; another at once is no hindrance', async () => {
  const target = nextTarget()
  const killed = backUpApart(target, 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)')
  await expect.poll(() => existsSync(path.join(`${target}.part`, 'postgres/pg18/PG_VERSION')), { timeout: 20_000 }).toBe(true)
  await expect.poll(slots).toHaveLength(1)
  expect(await refusal(command(target))).toContain(`Another backup is being made in ${target}.part`)
  await said(command(nextTarget()))
  killed.kill('SIGKILL')
  await once(killed, 'exit')
  await expect.poll(slots).toEqual([])
  const other = command(nextTarget())
  let warned = ''
  other.stderr?.on('data', (chunk: Buffer) => (warned += chunk.toString()))
  await said(other)
  expect(warned).toContain(`${target}.part is left of a backup that was cut off`)
  await said(command(target)) // begins anew
  expect(existsSync(`${target}.part`)).toBe(false)
})

test('a copy that its database does not start on is not kept, and nothing is filled that has no room', async () => {
  const target = nextTarget()
  const map = path.join(`${target}.part`, 'postgres/pg18/global/pg_filenode.map')
  const spoil = `const fs = process.getBuiltinModule('fs'); if (fs.existsSync(${JSON.stringify(map)})) fs.writeFileSync(${JSON.stringify(map)}, 'spoilt')`
  const text = await refusal(backUpApart(target, spoil))
  expect(text).toMatch(/The copy does not hold, so it is not kept\. .*could not read file.*pg_filenode\.map/)
  expect(readdirSync(place).filter((name) => name.startsWith(path.basename(target)))).toEqual([])

  const large = path.join(dataDir, 'certificates/large')
  writeFileSync(large, '')
  truncateSync(large, 2 ** 43) // takes no room by itself
  onTestFinished(() => rmSync(large))
  expect(await refusal(command(target))).toMatch(/^There is no room for .*: 8,796,\d{3} MB are needed, and there are [\d,]+ MB/)
  expect(existsSync(`${target}.part`)).toBe(false)
})

test('BACK-004 a page that the disk has spoilt is told of', async () => {
  const folder = nextTarget()
  await said(command(folder))
  const [row] = await query(postgres.url, 'select pg_relation_filepath($$kysely_migration$$) as "file"')
  const { file } = row as { file: string } // the query's only column
  const fd = openSync(path.join(folder, 'postgres/pg18', file), 'r+')
  writeSync(fd, 'spoilt', 8000)
  closeSync(fd)
  const target = nextTarget()
  expect(await refusal(command(target, { DATA_DIR: folder }))).toContain(
    `1 of its pages are not as they were written (${file}, page 0)`,
  )
  expect(existsSync(target)).toBe(true)
})

test('without a server the database is started for the copy, and no copy is kept of one that ends meanwhile', async () => {
  const folder = nextTarget()
  await said(command(folder))
  const target = nextTarget()
  expect(await said(command(target, { DATA_DIR: folder }))).toMatch(/holds: [\d,]+ users/)
  expect(existsSync(path.join(folder, 'postgres/pg18/postmaster.pid'))).toBe(false)

  const again = await startEmbeddedPostgres({ dataDir: target, settings: SETTINGS })
  const cut = nextTarget()
  const stopped = backUpApart(cut, 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)', target)
  const ending = ended(stopped)
  await expect.poll(() => existsSync(path.join(`${cut}.part`, 'postgres/pg18/PG_VERSION')), { timeout: 20_000 }).toBe(true)
  await again.stop()
  expect(await ending).toMatchObject({ code: 1, text: expect.stringContaining('The database ended while it was copied') })
  expect(existsSync(`${cut}.part`)).toBe(false)
})

test('BACK-004 the figures of a copy are those of its source, and another database in its place is not kept', async () => {
  await live.makeUser('compared')
  const [{ users }] = (await query(postgres.url, 'select count(*)::integer as "users" from "users"')) as [{ users: number }]
  const { rehearsal } = JSON.parse(await said(backUpApart(nextTarget()))) as Backup // what the script below prints
  expect(rehearsal).toMatchObject({ usersByStatus: { ACTIVE: users }, rowsByTable: { users, userUsage: users } })
  expect(rehearsal.keysDigest).toMatch(/^-?\d+ -?\d+$/)
  const { keysDigest, newestEntry, trafficBytes, usersByStatus, rowsByTable } = rehearsal
  const source = { keysDigest, newestEntry, trafficBytes, usersByStatus, rowsByTable, newestChangeAt: null }
  expect(differencesOf(source, source)).toEqual([])
  expect(differencesOf(source, { ...source, rowsByTable: { ...rowsByTable, hosts: 7 }, trafficBytes: '' })).toEqual([
    `table hosts has 7 rows and not ${rowsByTable['hosts']}`,
    'sums of traffic are not the same',
  ])
})

test('BACK-004 a table that was emptied by hand is told of once', async () => {
  await live.makeUser('member')
  await ended(command(nextTarget()))
  const rows = await query(postgres.url, 'delete from "internalSquadMembers" returning *')
  expect(rows.length).toBeGreaterThan(0)
  expect(await refusal(command(nextTarget()))).toContain('the table internalSquadMembers has lost all of its rows')
  await said(command(nextTarget()))
})

test('BACK-004 without the file of the key, or with another one, nothing is kept', async () => {
  const file = path.join(dataDir, 'master.key')
  const key = readFileSync(file)
  onTestFinished(() => writeFileSync(file, key))
  const target = nextTarget()
  writeFileSync(file, Buffer.alloc(32, 2).toString('base64'))
  expect(await refusal(command(target))).toContain('The file master.key in the data folder is not the key of this database')
  rmSync(file)
  expect(await refusal(command(target))).toContain('The file master.key is missing from the data folder')
  expect(existsSync(target)).toBe(false)
})

test('BACK-007 the command lists what a folder has, restores one of them, and refuses beside a server', async () => {
  const folder = path.join(place, 'kept')
  mkdirSync(folder, { mode: 0o711 })
  await live.makeUser('restored')
  for (const name of ['first', 'second']) await ended(command(path.join(folder, name)))
  const restore = (line: string[], more: Record<string, string> = {}) =>
    spawn(process.execPath, [COMMAND, 'restore', folder, ...line], { env: environment(more), stdio: ['ignore', 'pipe', 'pipe'] })
  const found = JSON.parse(await said(restore(['--json']))) as { name: string; users: number }[] // what the command prints
  expect(found).toMatchObject([{ name: 'second' }, { name: 'first' }])
  expect(await refusal(restore(['--backup', 'second', '--yes']))).toContain('Stop it first')
  const target = path.join(place, 'restored')
  mkdirSync(target, { mode: 0o711 })
  expect(await refusal(restore(['--backup', 'third'], { DATA_DIR: target }))).toContain('There is no backup third there')
  expect(await refusal(restore(['--backup', 'first'], { DATA_DIR: target }))).toContain('so nothing is done')
  const output = await said(restore(['--backup', 'latest', '--yes'], { DATA_DIR: target }))
  expect(output).toMatch(
    /not encrypted, rehearsed .*Restored in [\d.]+ s: [\d,]+ users, as of .* UTC\. Start the server: nodes accept it/s,
  )
  expect(readFileSync(path.join(target, 'certificates/newest.pem'), 'utf8')).toBe('a certificate')
  expect(await said(restore(['--backup', 'first', '--yes'], { DATA_DIR: target }))).toContain('--delete-replaced')
  expect(await said(restore(['--delete-replaced'], { DATA_DIR: target }))).toMatch(/^Deleted: .*replaced-/)
  expect(readdirSync(target).filter((name) => name.startsWith('replaced-'))).toEqual([])
})

function nextTarget(): string {
  return path.join(place, `backup ${++count}`)
}

function environment(more: Record<string, string> = {}): NodeJS.ProcessEnv {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  return { PATH, NODE_COMPILE_CACHE, DATA_DIR: dataDir, ...more }
}

function command(target: string, more: Record<string, string> = {}): ChildProcess {
  return spawn(process.execPath, [COMMAND, 'backup', target], { env: environment(more) })
}

/** Tells more than the command does; `during` is done whenever some of it is copied. */
function backUpApart(target: string, during = '', from = dataDir): ChildProcess {
  const source = `import { backUp } from ${JSON.stringify(path.join(import.meta.dirname, 'backup.ts'))}
    const named = ${JSON.stringify({ dataDir: from, target, settings: SETTINGS })}
    const backup = await backUp({ ...named, onProgress: () => { ${during} } })
    console.log(JSON.stringify(backup))`
  return spawn(process.execPath, ['--input-type=module', '-e', source], { env: environment() })
}

async function said(child: ChildProcess): Promise<string> {
  const { code, text } = await ended(child)
  if (code !== 0) throw new Error(text)
  return text
}

async function refusal(child: ChildProcess, expected = 1): Promise<string> {
  const { code, text } = await ended(child)
  expect(code).toBe(expected)
  return text
}

async function ended(child: ChildProcess): Promise<{ code: number | null; text: string }> {
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (text += chunk.toString()))
  await once(child, 'close')
  return { code: child.exitCode, text }
}

function slots(): Promise<unknown[]> {
  return query(postgres.url, 'select slot_name from pg_replication_slots')
}

function pick({ mode, uid, gid }: { mode: number; uid: number; gid: number }) {
  return { mode, uid, gid }
}
