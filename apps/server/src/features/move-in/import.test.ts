import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import * as api from '@causeway/contract'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { BOTH, load, NONE, read, storeOf } from '../../../test/move-in.ts'
import { testDatabase } from '../../../test/postgres.ts'
import { query } from '../../../test/query.ts'
import { filledSource, PASSWORD, SESSION_SECRET, user, type SourceDatabase } from '../../../test/remnawave-source.ts'
import { testServer } from '../../../test/server.ts'
import { loadArchive } from './load.actions.ts'
import { openRemnawave } from './remnawave.actions.ts'
import { openSource } from '../move-in-sources/source.actions.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'causeway-import-'))
const file = (name: string) => path.join(folder, name)
let source: SourceDatabase
const targets: { drop(): Promise<void> }[] = []
beforeAll(async () => {
  source = await filledSource()
})
afterEach(async () => {
  for (const target of targets.splice(0)) await target.drop()
})
afterAll(async () => {
  await source.drop()
  rmSync(folder, { recursive: true })
})

test('a dump that is cut off, not UTF-8, of another form, or of no file is refused with the place', async () => {
  await source.dumpTo(file('whole.sql'))
  const whole = readFileSync(file('whole.sql'))
  const refused = async (name: string, contents: Buffer | string) => {
    writeFileSync(file(name), contents)
    return read(file(name), NONE).then(
      () => '',
      (error: Error) => error.message,
    )
  }
  expect(await refused('cut.sql', whole.subarray(0, whole.length - 600))).toMatch(/cut off in the table users, at line \d+/)
  expect(await refused('end.sql', whole.subarray(0, whole.indexOf('-- PostgreSQL database dump complete')))).toMatch(
    /cut off after line \d+/,
  )
  expect(await refused('latin.sql', Buffer.concat([Buffer.from([0xe4, 0x0a]), whole]))).toMatch(
    /is not UTF-8 between its bytes 0 and \d+/,
  )
  expect(await refused('custom.sql', Buffer.from('PGDMP\u0001\u00ff', 'latin1'))).toContain('pg_restore --file=')
  expect(await refused('inserts.sql', 'INSERT INTO public.users VALUES (1);\n')).toContain('without --inserts')
  expect(await refused('zip.sql.gz', gzipSync(whole).subarray(0, 900))).toContain('cannot be read: unexpected end of file.')
  expect(await refused('empty.sql', '')).toContain('it is empty')
  await expect(read(file('none.sql'), NONE)).rejects.toThrow('There is no file')
  await expect(read('postgres://someone:hidden-word@127.0.0.1:1/x', NONE)).rejects.toThrow(/cannot be opened: .*ECONNREFUSED/)
})

test('a database of the source that ends while it is read is told with the table', async () => {
  const opened = await openSource(source.url)
  const { lines } = await openRemnawave(opened, NONE)
  const end = `select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'causeway import' and datname = current_database()`
  const readOn = async () => {
    for await (const batch of lines) if (batch.some(({ kind }) => kind === 'user')) await query(source.url, end)
  }
  await expect(readOn()).rejects.toThrow(/^The table \w+ of the source could not be read to its end: /)
  await opened.close()
})

test('an installation with contents of its own takes no import and stays as it was', async () => {
  const target = await newTarget()
  await query(target, `insert into "infraProviders" ("name") values ('Own')`)
  await expect(load(target, source.url, NONE)).rejects.toThrow(
    'This installation is not empty: it has 1 provider. Import into a new one, by another DATA_DIR or DATABASE_URL. Nothing was changed.',
  )
  expect(await query(target, `select "name" from "infraProviders"`)).toEqual([{ name: 'Own' }])
})

test('MOVE-010 an import is replaced by a newer one while nothing was changed, and refused with the changes after that', async () => {
  const changing = await filledSource()
  const database = await testDatabase()
  await load(database.url, changing.url, BOTH)
  const server = await testServer({ database, register: false, env: { DATABASE_URL: database.url } })
  try {
    const { body } = await server.send('POST', '/api/auth/login', { username: 'boss', password: PASSWORD }, {})
    const { response } = body as { response: { accessToken: string } } // the contract's reply of a sign-in
    server.admin['authorization'] = `Bearer ${response.accessToken}`
    await changing.run(`update users set used_traffic_bytes = 400, short_uuid = 'short-2-newlink' where uuid = $1`, [user(2)])
    await changing.run(`delete from users where uuid = $1`, [user(3)])
    await load(database.url, changing.url, BOTH)
    const users = await query(
      database.url,
      `select "uuid", "shortUuid", "usedTrafficBytes"::int as used from "users" u
      join "userUsage" on "userId" = "id" where "uuid" in ('${user(2)}', '${user(3)}')`,
    )
    expect(users).toEqual([{ uuid: user(2), shortUuid: 'short-2-newlink', used: 400 }])
    expect(await query(database.url, `select sum("delta")::int as users from "userCounts"`)).toEqual([{ users: 8 }])
    expect(
      await query(database.url, `select count(*)::int as imports from "auditLog" where "action" = 'importInstallation'`),
    ).toEqual([{ imports: 2 }])
    // Sessions of the replaced administrator have ended.
    expect((await server.send('GET', '/api/nodes')).status).not.toBe(200)
    const again = await server.send('POST', '/api/auth/login', { username: 'boss', password: PASSWORD }, {})
    server.admin['authorization'] = `Bearer ${(again.body as { response: { accessToken: string } }).response.accessToken}`
    await server.call(api.disableUser, { uuid: user(1) })
    await expect(load(database.url, changing.url, BOTH)).rejects.toThrow(
      /^This installation was changed after its import\. Import into a new one.*\n  \S+ \d\d:\d\d UTC: disable user plain, by boss$/,
    )
    expect(await query(database.url, `select "status" from "users" where "uuid" = '${user(1)}'`)).toEqual([
      { status: 'DISABLED' },
    ])
  } finally {
    await server.close()
    await changing.drop()
  }
})

test('an administrator who has registered here stays, and the one of the source is left out', async () => {
  const target = await newTarget()
  await query(
    target,
    `insert into "admins" ("username", "passwordHash") values ('here', 'hash');
    insert into "auditLog" ("actorKind", "action", "target") values ('anonymous', 'registerAdmin', 'here')`,
  )
  const [store, opened] = [await storeOf(target), await openSource(source.url)]
  const { lines } = await openRemnawave(opened, BOTH)
  const loaded = await loadArchive({ url: target, secrets: store.secrets, source: 'remnawave' }, lines)
  await opened.close()
  await store.close()
  expect(loaded).toMatchObject({ administratorsLeftOut: ['boss'], counts: { user: 9 } })
  expect(await query(target, `select "username" from "admins"`)).toEqual([{ username: 'here' }])
})

test('after an import the database has the same indexes, constraints and triggers as before', async () => {
  const target = await newTarget()
  const shape = async () => [
    await query(
      target,
      `select tablename, indexname, indexdef from pg_indexes
      where schemaname = 'public' and tablename !~ '^userNodeUsage\\d' order by 1, 2`,
    ),
    await query(
      target,
      `select conrelid::regclass::text as "table", conname, contype, pg_get_constraintdef(oid) as definition, convalidated
      from pg_constraint where connamespace = 'public'::regnamespace and conrelid::regclass::text !~ 'userNodeUsage\\d' order by 1, 2`,
    ),
    await query(
      target,
      `select tgrelid::regclass::text as "table", tgname, tgenabled from pg_trigger where not tgisinternal order by 1, 2`,
    ),
  ]
  const before = await shape()
  await load(target, source.url, BOTH)
  expect(await shape()).toEqual(before)
})

test('MOVE-009 a value that may stand once and stands twice in the source is told with its column', async () => {
  const twice = await filledSource()
  try {
    await query(twice.url, `update users set short_uuid = 'same-link' where uuid in ('${user(1)}', '${user(2)}')`)
    const target = await newTarget()
    await expect(load(target, twice.url, BOTH)).rejects.toThrow(
      /^Two rows of the source have the same value in a column of users .* Key \("shortUuid"\)=\(same-link\) .*Nothing was changed\.$/,
    )
    expect(await query(target, `select from "users"`)).toEqual([])
  } finally {
    await twice.drop()
  }
})

test('MOVE-011 an import that is cut off leaves the installation as it was, and can be started again', async () => {
  const target = await newTarget()
  const contents = async () => {
    const [row] = await query(
      target,
      `select (select count(*) from "users")::int as users, (select count(*) from "configProfiles")::int as profiles,
        (select count(*) from pg_indexes where tablename = 'users')::int as indexes, (select count(*) from "secrets" where name = 'fleetKeys')::int as keys,
        (select count(*) from pg_trigger where tgenabled = 'D')::int as disabled`,
    )
    return row
  }
  await query(target, `insert into "configProfiles" ("name", "config") values ('Seeded', '{}')`)
  const before = await contents()
  for (const after of [1, 2, 4]) {
    const opened = await openSource(source.url)
    const { lines } = await openRemnawave(opened, BOTH)
    async function* cut() {
      let batches = 0
      for await (const batch of lines) {
        yield batch
        batches++
        if (batches === after) throw new Error('cut off')
      }
    }
    const store = await storeOf(target)
    await expect(loadArchive({ url: target, secrets: store.secrets, source: 'remnawave' }, cut())).rejects.toThrow('cut off')
    await store.close()
    await opened.close()
    expect(await contents()).toEqual(before)
  }
  await load(target, source.url, BOTH)
  expect(await contents()).toMatchObject({ users: 9, profiles: 2, keys: 1, disabled: 0 })
})

test('MOVE-011 killed while it writes, the import leaves the installation as it was', async () => {
  const target = await newTarget()
  await query(target, `insert into "configProfiles" ("name", "config") values ('Seeded', '{}')`)
  const blocker = new pg.Client({ connectionString: source.url })
  await blocker.connect()
  // The users are read and written by then; the import waits for what comes after them.
  await blocker.query('begin; lock table internal_squad_members in access exclusive mode')
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', PROGRAM, 'import', 'remnawave', source.url], {
    env: { ...ENVIRONMENT, DATABASE_URL: target, DATA_DIR: folder },
  })
  const isWriting = async () =>
    (await query(target, `select from pg_stat_activity where application_name = 'causeway import' and backend_xid is not null`))
      .length
  await vi.waitUntil(isWriting, { timeout: 30_000, interval: 50 })
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
  await blocker.end()
  await vi.waitUntil(async () => (await isWriting()) === 0, { timeout: 30_000 })
  expect(await query(target, `select "name" from "configProfiles"`)).toEqual([{ name: 'Seeded' }])
  await load(target, source.url, NONE)
  expect(await query(target, `select count(*)::int as users from "users"`)).toEqual([{ users: 9 }])
})

test('MOVE-008, MOVE-020 the program reports a dry run without opening the target, imports, and tells no credentials', async () => {
  const target = await newTarget()
  writeFileSync(file('session'), `${SESSION_SECRET}\n`)
  const place = source.url
  const env = { DATABASE_URL: 'postgres://none@127.0.0.1:1/none', DATA_DIR: folder }
  const before = readdirSync(folder)
  const dry = await run(['import', 'remnawave', place, '--dry-run', '--json', '--session-secret-file', file('session')], env)
  expect(dry.error).toBe('')
  expect(readdirSync(folder)).toEqual(before)
  expect(JSON.parse(dry.out)).toMatchObject({ version: '2.1.4', isDryRun: true, counts: { user: 9, userUsage: 4 } })
  const made = await run(['import', 'remnawave', place, '--session-secret-file', file('session')], {
    ...env,
    DATABASE_URL: target,
  })
  expect(made).toMatchObject({ code: 0, error: '' })
  expect(made.out).toContain('9  users\n')
  expect(made.out).toContain('anna becomes anna_4, as ANNA is older')
  const text = dry.out + made.out + dry.error + made.error + JSON.stringify(await query(target, 'select * from "admins"'))
  expect(text).not.toContain(SESSION_SECRET)
  await query(target, `insert into "auditLog" ("actorKind", "action", "target") values ('admin', 'deleteHost', 'a host')`)
  const again = await run(['import', 'remnawave', place], { ...env, DATABASE_URL: target })
  expect(again).toMatchObject({ code: 1, out: '' })
  expect(again.error).toContain('This installation was changed after its import')
})

async function newTarget(): Promise<string> {
  const target = await testDatabase()
  targets.push(target)
  return target.url
}

const PROGRAM = path.join(import.meta.dirname, '../../causeway.ts')

const ENVIRONMENT = {
  PATH: process.env['PATH'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
  MASTER_KEY: Buffer.alloc(32, 1).toString('base64'),
}

async function run(line: string[], env: Record<string, string>): Promise<{ code: number | null; out: string; error: string }> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', PROGRAM, ...line], {
    env: { ...ENVIRONMENT, ...env },
  })
  const texts = { out: '', error: '' }
  child.stdout.on('data', (chunk: Buffer) => (texts.out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (texts.error += chunk.toString()))
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { code, ...texts }
}
