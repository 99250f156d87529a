import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import * as api from '@causeway/contract'
import { armor, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { runJobs } from '../../../test/jobs.ts'
import { testDatabase } from '../../../test/postgres.ts'
import { query } from '../../../test/query.ts'
import { testServer, type TestServer } from '../../../test/server.ts'
import { openArchiveFile } from '../../archive/archive-file.ts'
import { checkArchive } from '../../archive/import.ts'
import { openBackups } from '../../backup/backup-runs.ts'
import { writeDetails } from '../../backup/kept-backups.ts'
import { findIdentity, listRestorable, restore } from '../../backup/restore.ts'
import { keyFileOf } from '../../backup/shipping.ts'
import { openStore } from '../../backup/stores/open-store.ts'
import { migrate } from '../../db/migrate.ts'
import { followBackupSchedule } from './backups.jobs.ts'
import { startEmbeddedPostgres } from '../../postgres/embedded-postgres.ts'

// The real database and the real process that copies it, behind the routes.

const TIMEOUT_MS = 60_000
const place = mkdtempSync(path.join(os.tmpdir(), 'causeway-backups-'))
chmodSync(place, 0o755) // the database's own account has to pass through
const dataDir = path.join(place, 'data')
const backupDir = path.join(dataDir, 'backups')
/** That of servers of tests. */
const KEY = Buffer.alloc(32, 1).toString('base64')
const PASSPHRASE = 'correct horse battery'
let server: TestServer
let identity = ''
let recipient = ''
let lockedKey = ''

beforeAll(async () => {
  mkdirSync(dataDir)
  identity = await generateX25519Identity()
  recipient = await identityToRecipient(identity)
  const encrypter = new Encrypter()
  encrypter.setPassphrase(PASSPHRASE)
  encrypter.setScryptWorkFactor(10)
  lockedKey = armor.encode(await encrypter.encrypt(`${identity}\n`))
  writeFileSync(path.join(dataDir, 'master.key'), KEY, { mode: 0o600 })
  const postgres = await startEmbeddedPostgres({ dataDir, settings: { fsync: 'off', shared_buffers: '32MB' } })
  await migrate(postgres.url)
  server = await testServer({ database: { url: postgres.url, drop: () => postgres.stop() } })
  server.ctx.backups = openBackups({ DATABASE_URL: null, MASTER_KEY: null, dataDir, backupDir, OUTGOING_PRIVATE_HOSTS: [] })
}, TIMEOUT_MS)
afterAll(async () => {
  await server.close()
  rmSync(place, { recursive: true, force: true })
})

const jobOf = (id: string) => server.call(api.getJob, { id })
async function untilEnded(id: string): Promise<api.Job> {
  await expect
    .poll(
      async () => {
        await runJobs(server.ctx)
        return (await jobOf(id)).finishedAt
      },
      { timeout: TIMEOUT_MS, interval: 200 },
    )
    .not.toBeNull()
  return jobOf(id)
}

test(
  'a backup is made by a job, listed as the last one, downloaded whole and deleted, and another one stays',
  { timeout: TIMEOUT_MS },
  async () => {
    expect(await server.call(api.listBackups, {})).toMatchObject({ hasOwnDatabase: false, last: null, backups: [], jobId: null })
    const { jobId } = await server.call(api.makeBackup, {})
    expect(await server.call(api.makeBackup, {})).toEqual({ jobId }) // one at a time
    expect((await server.call(api.listBackups, {})).jobId).toBe(jobId)
    expect(await untilEnded(jobId)).toMatchObject({ status: 'done', done: 100, total: 100, error: null })
    const { last, backups } = await server.call(api.listBackups, {})
    const [made] = backups
    expect(made).toMatchObject({ users: 0, hasMasterKey: true, damaged: [] })
    expect(last).toMatchObject({ takenAt: made?.takenAt, folder: path.join(backupDir, made?.name ?? ''), isThere: true })

    const reply = await server.app.inject({
      method: 'POST',
      url: `/api/x/backups/${made?.name}/actions/download`,
      headers: server.admin,
    })
    expect(reply.headers['content-disposition']).toBe(`attachment; filename="${made?.name}.tar.gz"`)
    const unpacked = mkdtempSync(path.join(place, 'unpacked-'))
    writeFileSync(path.join(unpacked, 'archive'), reply.rawPayload)
    execFileSync('tar', ['-xzf', path.join(unpacked, 'archive'), '-C', unpacked])
    expect(readFileSync(path.join(unpacked, made?.name ?? '', 'master.key'), 'utf8')).toBe(KEY)
    expect(readdirSync(path.join(unpacked, made?.name ?? '', 'postgres'))).toEqual(['pg18'])

    await new Promise((resolve) => setTimeout(resolve, 1100)) // its name is of another second
    const second = await server.call(api.makeBackup, {})
    await untilEnded(second.jobId)
    expect(await server.call(api.deleteBackup, { name: made?.name ?? '' })).toEqual({ isDeleted: true })
    const left = (await server.call(api.listBackups, {})).backups.map(({ name }) => name)
    expect(left).toHaveLength(1)
    expect(readdirSync(backupDir)).toEqual(left)
    const { entries } = await server.call(api.listHistory, { limit: 10 })
    expect(entries.map(({ action }) => action).filter((action) => action.endsWith('Backup'))).toEqual([
      'deleteBackup',
      'makeBackup',
      'downloadBackup',
      'makeBackup',
    ])
  },
)

test('a name that is no backup is refused, whatever it leads to', async () => {
  mkdirSync(path.join(backupDir, 'mine'), { recursive: true })
  for (const name of ['mine', '..', '../data', 'none.part', '%2e%2e'])
    for (const [method, end] of [
      ['DELETE', ''],
      ['POST', '/actions/download'],
    ] as const) {
      const { status } = await server.send(method, `/api/x/backups/${encodeURIComponent(name)}${end}`)
      expect([404, 400]).toContain(status)
    }
  expect(existsSync(path.join(backupDir, 'mine'))).toBe(true)
  expect(existsSync(path.join(dataDir, 'master.key'))).toBe(true)
})

test('BACK-005 a disk without room is said in a sentence, and nothing is kept', { timeout: TIMEOUT_MS }, async () => {
  const large = path.join(dataDir, 'large')
  writeFileSync(large, '')
  truncateSync(large, 2 ** 43) // takes no room by itself
  onTestFinished(() => rmSync(large))
  const before = readdirSync(backupDir)
  const job = await untilEnded((await server.call(api.makeBackup, {})).jobId)
  expect(job).toMatchObject({ status: 'failed', error: expect.stringMatching(/^There is no room for .* MB are needed/) })
  expect((await server.call(api.listBackups, {})).failure).toBe(job.error)
  expect(readdirSync(backupDir)).toEqual(before)
})

test('a cancelled backup leaves nothing', { timeout: TIMEOUT_MS }, async () => {
  const before = readdirSync(backupDir)
  const { jobId } = await server.call(api.makeBackup, {})
  await runJobs(server.ctx)
  await server.call(api.cancelJob, { id: jobId })
  await server.ctx.backups.close()
  expect(readdirSync(backupDir)).toEqual(before)
})

test(
  'a server that is killed ends the copy, whose rest is no backup and goes with the next one',
  { timeout: TIMEOUT_MS },
  async () => {
    const before = (await server.call(api.listBackups, {})).backups
    const source = `import { openBackups } from ${JSON.stringify(path.join(import.meta.dirname, '../../backup/backup-runs.ts'))}
    openBackups(${JSON.stringify({ DATABASE_URL: null, MASTER_KEY: null, dataDir, backupDir, OUTGOING_PRIVATE_HOSTS: [] })}).begin('job', {})
    setInterval(() => {}, 1000)`
    const killed = spawn(process.execPath, ['--input-type=module', '-e', source], { stdio: 'ignore' })
    const drafts = () => readdirSync(backupDir).filter((name) => name.endsWith('.part'))
    await expect.poll(drafts, { timeout: TIMEOUT_MS, interval: 20 }).toHaveLength(1)
    killed.kill('SIGKILL')
    await once(killed, 'exit')
    expect((await server.call(api.listBackups, {})).backups).toEqual(before)
    // As a copy that was killed itself would leave it.
    mkdirSync(path.join(backupDir, 'cut.part'))
    writeFileSync(path.join(backupDir, 'cut.part/backup.lock'), '')
    await expect.poll(drafts, { timeout: TIMEOUT_MS }).toEqual(['cut.part'])
    await untilEnded((await server.call(api.makeBackup, {})).jobId)
    expect(drafts()).toEqual([])
    const after = await server.call(api.listBackups, {})
    expect(after.backups).toHaveLength(before.length + 1)
    expect(after.failure).toBeNull() // that one failed before is over
  },
)

test('BACK-002 a target needs a key, lies apart, and its secret is never shown', async () => {
  const patch = (body: object) => server.send('PATCH', '/api/x/backups/targets', body)
  const apart = path.join(place, 'apart')
  mkdirSync(apart)
  expect(await patch({ folder: apart })).toMatchObject({ status: 409 })
  expect(await patch({ recipient: `${recipient}x` })).toMatchObject({ status: 400 })
  expect(await patch({ recipient, folder: path.join(backupDir, 'in') })).toMatchObject({
    status: 400,
    body: { errors: [expect.objectContaining({ path: ['folder'] })] },
  })
  const store = {
    endpoint: 'https://s3.example.com',
    region: 'r',
    bucket: 'bucket',
    prefix: '',
    isPathStyle: true,
    authority: null,
  }
  expect(await patch({ recipient, store: { ...store, accessKeyId: 'id' } })).toMatchObject({ status: 400 })
  const inside = { ...store, endpoint: 'http://10.0.0.1', accessKeyId: 'id', secretAccessKey: 'hidden' }
  expect(await patch({ recipient, store: inside })).toMatchObject({ status: 400 })
  const saved = await patch({
    recipient,
    lockedKey,
    folder: apart,
    store: { ...store, accessKeyId: 'id', secretAccessKey: 'hidden' },
  })
  expect(saved).toMatchObject({ status: 200, body: { response: { targets: { store: { ...store, accessKeyId: 'id' } } } } })
  expect(await patch({ store: { ...store, accessKeyId: 'other' } })).toMatchObject({ status: 200 }) // the secret stays
  expect(await patch({ recipient: null })).toMatchObject({ status: 409 })
  const history = await server.call(api.listHistory, { action: 'updateBackupTargets', limit: 50 })
  expect(JSON.stringify([saved.body, history, await server.call(api.listBackups, {})])).not.toContain('hidden')
  expect(await patch({ store: null })).toMatchObject({ status: 200 })
  expect(await server.call(api.tryBackupTarget, { folder: apart })).toEqual({ failure: null })
  expect(await server.call(api.tryBackupTarget, { folder: '/no/where' })).toEqual({
    failure: 'There is no folder /no/where. Make it, or mount the disk it is on.',
  })
})

test(
  'BACK-003 BACK-007 BACK-011 a backup goes encrypted to its target, is restored from there by its passphrase alone, and no other key or byte opens it',
  { timeout: TIMEOUT_MS },
  async () => {
    const apart = path.join(place, 'apart')
    const older = (name: string) => writeFileSync(path.join(apart, name), 'of another')
    for (const name of ['causeway-old.json', 'causeway-old.tar.gz.age']) older(name)
    await server.call(api.createUser, { username: 'archived', expireAt: '2099-01-01T00:00:00Z' })
    expect(await untilEnded((await server.call(api.makeBackup, {})).jobId)).toMatchObject({ status: 'done', error: null })
    const { targets } = await server.call(api.listBackups, {})
    expect(targets?.states).toMatchObject([
      { target: 'folder', failure: null, backups: [{ users: 1, rehearsedAt: expect.any(String) }] },
    ])
    const name = targets?.states[0]?.backups[0]?.name ?? ''
    expect(readdirSync(apart).toSorted()).toEqual(
      ['causeway-old.json', 'causeway-old.tar.gz.age', keyFileOf(recipient), `${name}.json`, `${name}.tar.gz.age`].toSorted(),
    )
    expect(readFileSync(path.join(apart, `${name}.tar.gz.age`), 'latin1').slice(0, 21)).toBe('age-encryption.org/v1')

    const store = openStore({ id: 'folder', kind: 'folder', path: apart })
    const [backup] = await listRestorable(store, apart)
    if (!backup || !('sealed' in backup)) throw new Error('There is no encrypted backup.')
    const bare = path.join(place, 'bare')
    const restoring = { dataDir: bare, backup, store, onStep: () => {} }
    const held = await findIdentity(` ${PASSPHRASE}\n`, backup.sealed, store)
    expect(held).toBe(identity)
    await expect(findIdentity('another passphrase', backup.sealed, store)).rejects.toThrow('This passphrase does not open')
    await expect(restore({ ...restoring, identity: await generateX25519Identity() })).rejects.toThrow('This key does not open')
    const file = path.join(apart, `${name}.tar.gz.age`)
    const whole = readFileSync(file)
    const changed = Buffer.from(whole)
    changed[whole.length >> 1] = (changed[whole.length >> 1] ?? 0) ^ 1
    writeFileSync(file, changed)
    await expect(restore({ ...restoring, identity })).rejects.toThrow('a byte of it has changed')
    writeFileSync(file, whole.subarray(0, -7))
    expect(await listRestorable(store, apart)).toEqual([]) // cut short
    writeFileSync(file, whole)
    expect(readdirSync(bare).filter((each) => !each.startsWith('server.'))).toEqual([])

    expect(await restore({ ...restoring, identity })).toMatchObject({ users: 1, replaced: undefined })
    const postgres = await startEmbeddedPostgres({ dataDir: bare, settings: { fsync: 'off', shared_buffers: '32MB' } })
    const users = await query(postgres.url, 'select "username" from "users"')
    await postgres.stop()
    expect(users).toEqual([{ username: 'archived' }])
    expect(await restore({ ...restoring, identity })).toMatchObject({ replaced: expect.stringContaining('/replaced-') })
  },
)

test(
  'BACK-011 a target that is away keeps what it has, the backup stays here, and the failure is told',
  { timeout: TIMEOUT_MS },
  async () => {
    const apart = path.join(place, 'apart')
    const before = readdirSync(apart)
    renameSync(apart, `${apart}-away`)
    const kept = (await server.call(api.listBackups, {})).backups.length
    const { status, error } = await untilEnded((await server.call(api.makeBackup, {})).jobId)
    renameSync(`${apart}-away`, apart)
    expect([status, error]).toEqual([
      'failed',
      `The backup is kept on this server only. There is no folder ${apart}. Make it, or mount the disk it is on.`,
    ])
    const { backups, failure, targets } = await server.call(api.listBackups, {})
    expect([backups.length, failure]).toEqual([kept + 1, error])
    expect(targets?.states).toMatchObject([{ failure: expect.stringContaining('There is no folder'), backups: [{ users: 1 }] }])
    expect(readdirSync(apart)).toEqual(before)
    await server.call(api.updateBackupTargets, { folder: null })
  },
)

test(
  'BACK-001 the schedule makes one backup a day, makes up a missed one once, and deletes only its own',
  { timeout: TIMEOUT_MS },
  async () => {
    const at = (text: string) => {
      const [from, since] = [Date.parse(text), Date.now()]
      server.ctx.now = () => new Date(from + Date.now() - since)
    }
    const { now } = server.ctx
    onTestFinished(() => void (server.ctx.now = now))
    const scheduled = async () => (await server.call(api.listBackups, {})).backups.filter(({ isScheduled }) => isScheduled)
    const byHand = (await server.call(api.listBackups, {})).backups.length
    await server.call(api.updateInstallation, { timeZone: 'Asia/Tehran' })
    at('2026-03-04T12:00:00Z')
    await followBackupSchedule(server.ctx)
    expect((await server.call(api.listBackups, {})).jobId).toBeNull() // none is wanted yet

    const wanted = { hour: 4, keepDaily: 1, keepWeekly: 0, keepMonthly: 0 }
    expect((await server.call(api.updateBackupSchedule, wanted)).schedule).toEqual({
      ...wanted,
      timeZone: 'Asia/Tehran',
      nextAt: '2026-03-05T00:30:00.000Z',
      isLate: expect.any(Boolean),
    })
    mkdirSync(path.join(backupDir, 'earlier'))
    const figures = { bytes: 1, seconds: 1, users: 1, newestChangeAt: null, hasMasterKey: true, damaged: [] }
    writeDetails(path.join(backupDir, 'earlier'), { takenAt: new Date('2026-03-03'), ...figures, isScheduled: true })
    const follow = async () => {
      await followBackupSchedule(server.ctx)
      await followBackupSchedule(server.ctx)
      return (await server.call(api.listBackups, {})).jobId
    }
    expect(await untilEnded((await follow()) ?? '')).toMatchObject({ status: 'done' })
    expect(await follow()).toBeNull() // that of today is made
    expect(await scheduled()).toEqual([expect.not.objectContaining({ name: 'earlier' })])
    expect((await server.call(api.listBackups, {})).backups).toHaveLength(byHand + 1)
    const { entries } = await server.call(api.listHistory, { action: 'deleteBackup', limit: 50 })
    expect(entries.find(({ name }) => name === 'earlier')).toMatchObject({ actor: { kind: 'system' } })

    at('2026-03-05T00:29:00Z')
    expect(await follow()).toBeNull()
    at('2026-03-09T11:00:00Z') // four were missed
    const madeUp = (await follow()) ?? ''
    await server.call(api.cancelJob, { id: madeUp })
    expect(await follow()).toBeNull()
  },
)

test(
  'BACK-009 with DATABASE_URL the schedule makes an archive that a scratch database was filled with, and stopping leaves nothing',
  { timeout: 2 * TIMEOUT_MS },
  async () => {
    const own = await testDatabase()
    await query(
      own.url,
      `insert into "users" ("username", "shortUuid", "trojanPassword", "vlessUuid", "ssPassword", "expireAt")
      values ('ann', 'short-ann', 't', gen_random_uuid(), 's', '2099-01-01')`,
    )
    const [{ ctx }, embedded] = [server, server.ctx.backups]
    const parts = { DATABASE_URL: own.url, MASTER_KEY: Buffer.alloc(32, 1).toString('base64') }
    ctx.backups = openBackups({
      ...parts,
      dataDir: path.join(place, 'own'),
      backupDir: path.join(place, 'own-backups'),
      OUTGOING_PRIVATE_HOSTS: [],
    })
    onTestFinished(async () => {
      ctx.backups = embedded
      await own.drop()
    })
    expect(await server.call(api.listBackups, {})).toMatchObject({ hasOwnDatabase: true, last: null, backups: [] })
    const stopped = await server.call(api.makeBackup, {})
    await runJobs(ctx)
    await server.call(api.cancelJob, { id: stopped.jobId })
    await ctx.backups.close()
    expect(existsSync(ctx.backups.backupDir) ? readdirSync(ctx.backups.backupDir) : []).toEqual([])

    await server.call(api.updateBackupSchedule, { hour: 4, keepDaily: 1 })
    await followBackupSchedule(ctx)
    const { jobId } = await server.call(api.listBackups, {})
    expect(await untilEnded(jobId ?? '')).toMatchObject({ status: 'done', error: null })
    const { last, backups } = await server.call(api.listBackups, {})
    expect(backups).toEqual([expect.objectContaining({ users: 1, isScheduled: true, hasMasterKey: true, damaged: [] })])
    const folder = path.join(ctx.backups.backupDir, backups[0]?.name ?? '')
    expect(last).toMatchObject({ folder, isThere: true })
    expect(readdirSync(folder).toSorted()).toEqual(['backup.json', 'causeway.jsonl.zst'])
    const { head } = await checkArchive(openArchiveFile(path.join(folder, 'causeway.jsonl.zst'))())
    expect(head.counts).toMatchObject({ users: 1, nodes: 0 })
  },
)
