import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { makeMarzbanFile } from '../../../test/marzban-source.ts'
import { storeOf } from '../../../test/move-in.ts'
import { testDatabase } from '../../../test/postgres.ts'
import { query } from '../../../test/query.ts'
import { emptySource, filledSource, type SourceDatabase } from '../../../test/remnawave-source.ts'
import { makeXuiFile } from '../../../test/xui-source.ts'
import { loadArchive } from './load.actions.ts'
import { openMarzban } from './marzban.actions.ts'
import { openRemnawaveAt, type Opened } from './move-in.actions.ts'
import { openXui } from './xui.actions.ts'

// What may go wrong on the day of the move, by the program as a whole: a sentence, and the installation as it was.

const PROGRAM = path.join(import.meta.dirname, '../../causeway.ts')
const folder = mkdtempSync(path.join(os.tmpdir(), 'causeway-bad-days-'))
const file = (name: string) => path.join(folder, name)
const KILLS = 10
/** So many that an import takes seconds. */
const MANY_USERS = 4000
let source: SourceDatabase
beforeAll(async () => {
  source = await filledSource()
})
afterAll(async () => {
  await source.drop()
  rmSync(folder, { recursive: true })
})

function start(line: string[], env: Record<string, string>) {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', PROGRAM, 'import', ...line], {
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      MASTER_KEY: Buffer.alloc(32, 1).toString('base64'),
      DATA_DIR: folder,
      ...env,
    },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, said })) // as its events are declared
  return { child, ended }
}

/** Everything in a database, as one text for each table. */
async function contentsOf(url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows: tables } = await client.query<{ name: string }>(
    `select table_name as "name" from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  )
  const texts = tables.map(({ name }) => `select '${name}' as "table", t::text as "row" from "${name}" t`)
  const { rows } = await client.query<{ table: string; row: string }>(`${texts.join(' union all ')} order by 1, 2`)
  await client.end()
  return rows
}

test('MOVE-011 killed at ten random instants, an import leaves the installation as it was, and then succeeds', async () => {
  const large = await emptySource()
  onTestFinished(() => large.drop())
  await large.run(
    `insert into users (uuid, short_uuid, username, expire_at, trojan_password, vless_uuid, ss_password, t_id)
      select gen_random_uuid(), 'short-' || n, 'user_' || n, '2099-01-01', 'trojan-' || n, gen_random_uuid(), 'ss-' || n, n
      from generate_series(1, ${MANY_USERS}) n`,
  )
  const target = await testDatabase()
  onTestFinished(() => target.drop())
  const begun = performance.now()
  expect((await start(['remnawave', large.url, '--dry-run'], {}).ended).code).toBe(0)
  // A rehearsal reads as much as an import, and writes nothing.
  const lengthMs = performance.now() - begun
  const env = { DATABASE_URL: target.url }
  await query(target.url, `insert into "configProfiles" ("name", "config") values ('Seeded', '{}')`)
  await (await storeOf(target.url)).close() // the first start writes by which master key
  let before = await contentsOf(target.url)
  for (let kill = 0; kill < KILLS; kill++) {
    const { child, ended } = start(['remnawave', large.url], env)
    await sleep(Math.random() * lengthMs)
    child.kill('SIGKILL')
    const { code } = await ended
    await expect
      .poll(
        () =>
          query(
            target.url,
            `select from pg_stat_activity where application_name = 'causeway import' and datname = current_database()`,
          ),
        {
          timeout: 20_000,
        },
      )
      .toEqual([])
    const after = await contentsOf(target.url)
    // It may have been committed just before: then all of it is there.
    const isWhole = after.filter(({ table }) => table === 'users').length === MANY_USERS
    if (isWhole) before = after
    expect([code, after]).toEqual([isWhole ? code : null, before])
  }
  expect((await start(['remnawave', large.url], env).ended).code).toBe(0)
  expect(await query(target.url, 'select count(*)::int as "users" from "users"')).toEqual([{ users: MANY_USERS }])
}, 240_000)

test('MOVE-019 bad input gets a sentence that names the place, and nothing is changed', async () => {
  const target = await testDatabase()
  onTestFinished(() => target.drop())
  const store = await storeOf(target.url)
  await source.dumpTo(file('whole.sql'))
  const whole = readFileSync(file('whole.sql'))
  writeFileSync(file('cut.sql'), whole.subarray(0, Math.floor(whole.length / 2)))
  writeFileSync(file('latin.sql'), Buffer.concat([whole.subarray(0, 2000), Buffer.from([0xe4]), whole.subarray(2000)]))
  makeMarzbanFile(file('marzban.db'))
  makeXuiFile(file('x-ui.db'))
  writeFileSync(file('cut.db'), readFileSync(file('x-ui.db')).subarray(0, 6000))
  const before = await contentsOf(target.url)
  const from2x = (place: string, secret: string | null = null) =>
    openRemnawaveAt(place, { sessionSecret: secret, tokenSecret: secret })
  const fromXui = (place: string) => openXui({ place, address: null }, new Date())
  const fromMarzban = (place: string) => openMarzban({ place, config: null, address: null, path: 'sub' }, new Date())
  const cases: [() => Promise<Opened>, string | RegExp][] = [
    [() => from2x(file('cut.sql')), /The dump .*cut\.sql cannot be read: it is cut off (in the table \w+, at|after) line \d+/],
    [() => from2x(file('latin.sql')), /latin\.sql cannot be read: the file is not UTF-8 between its bytes \d+ and \d+/],
    [() => from2x(file('x-ui.db')), 'it is an SQLite database, as other panels have. Choose the panel it comes from.'],
    [() => from2x(file('')), 'it is a folder. Give the file inside.'],
    [() => from2x('mysql://root:hidden-word@127.0.0.1/panel'), 'The source is no database of mysql. Give a dump'],
    [
      () => from2x(source.url.replace(/\/[^/?]+(\?|$)/, '/no_such_database$1')),
      'cannot be opened: database "no_such_database" does not exist',
    ],
    [
      () => from2x(source.url.replace(/\/\/([^@/]*@)?/, '//no_such_role:hidden-word@')),
      'cannot be opened: role "no_such_role" does not exist',
    ],
    [
      () => from2x(source.url, 'a hidden-word that signed nothing'),
      'The secrets do not belong to this database: neither has signed one of its 3 API tokens. Nothing was changed.',
    ],
    [() => fromXui(file('cut.db')), /cut\.db cannot be read: database disk image is malformed\. Nothing was changed\./],
    [() => fromXui(file('whole.sql')), 'whole.sql is no SQLite file. Nothing was changed.'],
    [() => fromXui(file('marzban.db')), 'This is no database of a known version of this panel'],
    [() => fromMarzban(file('x-ui.db')), 'This is no database of a known version of this panel'],
    [() => fromMarzban(file('marzban.db')), 'Give its contents (--xray-config on a terminal). Nothing was changed.'],
  ]
  for (const [open, sentence] of cases) {
    const attempt = open().then(({ source: name, lines }) => loadArchive({ url: target.url, ...store, source: name }, lines))
    const said = await attempt.then(
      () => '',
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    )
    expect(said).toMatch(sentence)
    expect([said.split('\n').length, said.includes('hidden-word')]).toEqual([1, false])
    expect(await contentsOf(target.url)).toEqual(before)
  }
  await store.close()
}, 120_000)

describe.runIf(isMountable())('a full disk', () => {
  test('MOVE-011 is said, and the installation is as it was and takes the import once there is room', async () => {
    const dataDir = file('small')
    mountAt(dataDir, 300)
    onTestFinished(() => void execFileSync('umount', ['-l', dataDir]))
    const env = { DATA_DIR: dataDir, DATABASE_URL: '' }
    // A first import makes the embedded database, so that the second one finds it full.
    expect((await start(['remnawave', source.url], env).ended).said).toContain('Imported from version')
    const large = await emptySource()
    onTestFinished(() => large.drop())
    await large.run(
      `insert into users (uuid, short_uuid, username, expire_at, trojan_password, vless_uuid, ss_password, t_id, description)
        select gen_random_uuid(), 'short-' || n, 'user_' || n, '2099-01-01', 'trojan-' || n, gen_random_uuid(), 'ss-' || n, n,
          (select string_agg(md5(n::text || k::text), '') from generate_series(1, 400) k)
        from generate_series(1, 12_000) n`,
    )
    const full = await start(['remnawave', large.url], env).ended
    expect(full.code).toBe(1)
    expect(full.said).toContain('The disk of the database became full. Make room, and import again. Nothing was changed.')
    // Changes are taken again at three times the room that PostgreSQL itself needs, and its log keeps some of this disk.
    execFileSync('mount', ['-o', 'remount,size=600m', dataDir], { stdio: 'pipe' })
    const again = await start(['remnawave', source.url], env).ended
    expect(again.said).toContain('Imported from version')
    expect(again.code).toBe(0)
  }, 240_000)
})

function mountAt(at: string, megabytes: number): void {
  mkdirSync(at, { recursive: true })
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', at], { stdio: 'pipe' })
  chmodSync(at, 0o755) // the database's own account has to pass through
  chmodSync(folder, 0o755)
}

function isMountable(): boolean {
  if (process.getuid?.() !== 0) return false
  const at = mkdtempSync(path.join(os.tmpdir(), 'causeway-mount-'))
  try {
    mountAt(at, 1)
    execFileSync('umount', ['-l', at])
    return true
  } catch {
    return false
  } finally {
    rmSync(at, { recursive: true, force: true })
  }
}
