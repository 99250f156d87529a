import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { query } from '../../../test/query.ts'
import { migrate } from '../../db/migrate.ts'
import { startEmbeddedPostgres } from '../../postgres/embedded-postgres.ts'
import { backUp } from '../backup.ts'
import { listRestorable, restore } from '../restore.ts'
import { shipBackup } from '../shipping.ts'
import { folderStore } from '../stores/folder-store.ts'
import { openWalRun } from './wal-run.ts'

// The real database, its backup and its log at a target, and the restore of both.

const SETTINGS = { fsync: 'off', shared_buffers: '32MB' }
const place = mkdtempSync(path.join(os.tmpdir(), 'causeway-wal-'))
chmodSync(place, 0o755) // the database's own account has to pass through
afterAll(() => rmSync(place, { recursive: true, force: true }))
const at = (name: string) => path.join(place, name)

test('a backup and the log after it become the database as it was at each moment that was sent', async () => {
  const dataDir = at('data')
  const target = at('target')
  for (const folder of [dataDir, target]) mkdirSync(folder)
  writeFileSync(path.join(dataDir, 'master.key'), Buffer.alloc(32, 1).toString('base64'), { mode: 0o600 })
  const postgres = await startEmbeddedPostgres({ dataDir, settings: SETTINGS })
  onTestFinished(() => postgres.stop().catch(() => {}))
  await migrate(postgres.url)
  const fill = (from: number, to: number) =>
    query(
      postgres.url,
      `insert into "users" ("username", "shortUuid", "expireAt", "vlessUuid", "trojanPassword", "ssPassword")
        select 'user_' || n, 'short-' || n, '2099-01-01', gen_random_uuid(), 'trojan-' || n, 'ss-' || n from generate_series(${from}, ${to}) n`,
    )
  const identity = await generateX25519Identity()
  const recipient = await identityToRecipient(identity)
  const store = folderStore(target)
  const installation = 'aaaaaaaa-0000-4000-8000-000000000000'
  const targets = [{ id: 'folder', kind: 'folder' as const, path: target }]
  const wal = openWalRun({ ...process.env }, 100)
  onTestFinished(() => wal.close())
  // Another key first: what it opens is of no use behind a backup for this one.
  const other = await identityToRecipient(await generateX25519Identity())
  await wal.follow({ dataDir, installation, recipient: other, targets, allowedPrivateHosts: [] })
  const sent = async () => {
    const now = new Date()
    await expect.poll(() => (wal.progress()[0]?.sentUntil ?? 0) > now, { timeout: 20_000 }).toBe(true)
  }
  await fill(1, 100)
  await sent()
  const ofOtherKey = wal.progress()[0]?.chain
  await wal.follow({ dataDir, installation, recipient, targets, allowedPrivateHosts: [] })
  await sent()
  expect(wal.progress()[0]?.chain).not.toBe(ofOtherKey)
  const { folder, ...made } = await backUp({ dataDir, target: at('causeway-one'), settings: SETTINGS })
  expect(made.wal?.chain).toBe(wal.progress()[0]?.chain)
  const how = {
    installation,
    recipient,
    lockedKey: null,
    targets,
    allowedPrivateHosts: [],
    timeZone: 'UTC',
    keepDailyBackups: 7,
    keepWeeklyBackups: 4,
    keepMonthlyBackups: 12,
  }
  expect(await shipBackup(dataDir, folder, made, how)).toEqual([])
  await fill(101, 250)
  await sent()
  const [before] = (await listRestorable(store, undefined)).filter((each) => 'sealed' in each)
  await query(postgres.url, `delete from "users" where "username" like 'user_1%'`)
  await fill(1000, 9000)
  await wal.close() // sends what is left
  expect(wal.failure()).toBeNull()
  await fill(9001, 9010) // lost with the machine
  await postgres.stop()

  const [backup] = (await listRestorable(store, undefined)).filter((each) => 'sealed' in each)
  if (!backup) throw new Error('no backup is listed')
  const users = async (pieces: typeof backup.pieces) => {
    const to = at(`restored-${pieces.length}`)
    mkdirSync(to)
    const restored = await restore({ dataDir: to, backup, pieces, store, identity, onStep: () => {} })
    const started = await startEmbeddedPostgres({ dataDir: to, settings: SETTINGS })
    expect(restored.takenAt).toEqual(pieces.at(-1)?.at ?? backup.takenAt)
    const counted = await query(started.url, 'select count(*)::integer as "users" from "users"')
    expect(counted).toEqual([{ users: restored.users }])
    // Every row by every index: nothing of a page is older than another.
    await query(started.url, `reindex table "users"`)
    await started.stop()
    return restored.users
  }
  expect(await users([])).toBe(100)
  expect(await users(backup.pieces.slice(0, before?.pieces.length))).toBe(250)
  expect(await users(backup.pieces)).toBe(250 - 111 + 8001)
}, 120_000)
