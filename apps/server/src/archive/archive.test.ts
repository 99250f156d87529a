import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { connect } from '../db/driver/connect.ts'
import { migrationNames } from '../db/migrate.ts'
import { openSecretStore } from '../ground/secret-store.ts'
import { databaseBefore, testDatabase } from '../../test/postgres.ts'
import { query } from '../../test/query.ts'
import type { World } from '../../test/walk/inhabitants.ts'
import { makeFullWorld, ODD_JSON, ODD_TEXT } from '../../test/archive-world.ts'
import { openArchiveFile, writeArchiveFile } from './archive-file.ts'
import { endLine, sha256 } from './archive-form.ts'
import { exportArchive } from './export.ts'
import { checkArchive, importArchive, type ImportOptions } from './import.ts'
import { readOwnNames } from './own-names.ts'
import { leftOutColumns, leftOutTables } from './left-out.rules.ts'
import { listTables } from './tables.queries.ts'

// Of an installation that has rows in every table.

const SOURCE_KEY = Buffer.alloc(32, 1)
const TARGET_KEY = Buffer.alloc(32, 2)
let world: World
let whole: Buffer
beforeAll(async () => {
  world = await makeFullWorld()
  whole = await textOf(world.url)
})
afterAll(() => world.drop())

async function textOf(url: string, masterKey = SOURCE_KEY): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of exportArchive({ url, masterKey, isEmbedded: true, madeBy: 'Causeway 0.0.1' }, () => {}))
    chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** In pieces that end anywhere. */
async function* piecesOf(text: Buffer) {
  for (let at = 0; at < text.length; at += 997) yield text.subarray(at, at + 997)
}

async function emptyTarget(): Promise<string> {
  const target = await testDatabase()
  onTestFinished(() => target.drop())
  return target.url
}

function importInto(url: string, text: Buffer, options: Partial<ImportOptions> = {}) {
  return importArchive({
    url,
    open: () => piecesOf(text),
    masterKey: TARGET_KEY,
    ...options,
  })
}

/** All lines, without the moment of the head. */
const linesOf = (text: Buffer) =>
  text
    .toString()
    .replace(/"madeAt":"[^"]*"/, '"madeAt":""')
    .split('\n')
    .slice(0, -2)

/** The archive with another head, or other lines, and checksums that fit. */
function changed(change: (lines: string[]) => string[]): Buffer {
  const [first = '', ...rest] = change(whole.toString().trimEnd().split('\n').slice(0, -1))
  const head = Buffer.from(`${first}\n`)
  const lines = Buffer.from(rest.map((line) => `${line}\n`).join(''))
  return Buffer.concat([head, lines, endLine(sha256().update(head).digest('hex'), sha256().update(lines).digest('hex'))])
}

test('BACK-008 every table and column of the database is in the archive, or left out with a reason', async () => {
  const client = new pg.Client({ connectionString: world.url })
  await client.connect()
  const tables = await listTables(client, (await readOwnNames()).tables)
  const { rows } = await client.query<{ name: string }>(
    `select relname as "name" from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`,
  )
  await client.end()
  const named = [...tables.map(({ name }) => name), 'kysely_migration', 'kysely_migration_lock']
  expect(rows.map(({ name }) => name).toSorted()).toEqual(named.toSorted())
  const { fields, counts } = JSON.parse(linesOf(whole)[0] ?? '') as { fields: Record<string, string[]>; counts: object } // a head
  const there = Object.fromEntries(tables.map(({ name, columns }) => [name, columns.map((column) => column.name).toSorted()]))
  const told: Record<string, string[]> = {}
  for (const [table, names] of Object.entries(fields))
    told[table] = [...names, ...Object.keys(leftOutColumns[table] ?? {})].toSorted()
  expect({ ...told, ...Object.fromEntries(Object.keys(leftOutTables).map((table) => [table, there[table]])) }).toEqual(there)
  expect(Object.entries(counts).filter(([, count]) => count === 0)).toEqual([])
})

test('BACK-008 what is exported, imported and exported again has the same lines, and opens with another master key', async () => {
  const url = await emptyTarget()
  // Of another program, in the same database.
  await query(url, `create table "of others" as select 1 as "one"`)
  await importInto(url, whole)
  expect(linesOf(await textOf(url, TARGET_KEY))).toEqual(linesOf(whole))
  expect(await query(url, `select "one" from "of others"`)).toEqual([{ one: 1 }])
  expect(await query(url, `select "description", "telegramId" from "users" where "username" = 'ann'`)).toEqual([
    { description: ODD_TEXT, telegramId: 2 ** 53 - 1 },
  ])
  expect(await query(url, `select "config"::text as "config" from "configProfiles" order by "id" limit 1`)).toEqual([
    { config: ODD_JSON },
  ])
  const [source, target] = [connect(world.url, { max: 1 }), connect(url, { max: 1 })]
  onTestFinished(async () => void (await Promise.all([source.close(), target.close()])))
  await expect(openSecretStore(target.db, SOURCE_KEY)).rejects.toThrow('The master key does not belong to this database')
  const [one, other] = [await openSecretStore(source.db, SOURCE_KEY), await openSecretStore(target.db, TARGET_KEY)]
  expect(await other.find('fleetKeys')).toEqual(await one.find('fleetKeys'))
  expect(other.unwrap('x', one.wrap('x', 'word'))).toBe('word')
  // Numbers go on where they were, triggers work again, and the order of columns is none of the matter.
  await query(url, `insert into "nodes" ("name", "address") values ('later', 'later.example')`)
  expect(
    await query(
      url,
      `select "id" > (select max("id") from "nodes" where "name" <> 'later') as "isNew" from "nodes" where "name" = 'later'`,
    ),
  ).toEqual([{ isNew: true }])
  await query(url, `delete from "users"`)
  expect(await query(url, `select sum("delta")::int as "count" from "userCounts"`)).toEqual([{ count: 0 }])
})

test('BACK-009 an archive is of one moment: what is written while it is made is not in it', async () => {
  const source = await testDatabase(world.url)
  onTestFinished(() => source.drop())
  const chunks: Buffer[] = []
  for await (const chunk of exportArchive(
    { url: source.url, masterKey: SOURCE_KEY, isEmbedded: false, madeBy: 'Causeway 0.0.1' },
    () => {},
  )) {
    if (chunks.length === 0) await query(source.url, `delete from "users" where "username" = 'ann'`)
    chunks.push(chunk)
  }
  expect(linesOf(Buffer.concat(chunks))).toEqual(linesOf(whole))
})

test('BACK-008 a file has its name once it is whole, for its owner alone, and one that is cut off is refused', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'causeway-archive-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [file, other] = [path.join(folder, 'all.zst'), path.join(folder, 'other.zst')]
  await writeArchiveFile(file, piecesOf(whole))
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect((await checkArchive(openArchiveFile(file)())).head.madeBy).toBe('Causeway 0.0.1')
  await expect(writeArchiveFile(file, piecesOf(whole))).rejects.toThrow('is there already')
  const wrongKey = { url: world.url, masterKey: TARGET_KEY, isEmbedded: true, madeBy: '' }
  await expect(
    writeArchiveFile(
      other,
      exportArchive(wrongKey, () => {}),
    ),
  ).rejects.toThrow('The master key does not belong to this database')
  expect(readdirSync(folder)).toEqual(['all.zst'])
  const bytes = readFileSync(file)
  writeFileSync(other, bytes.subarray(0, Math.floor(bytes.length / 2)))
  await expect(checkArchive(openArchiveFile(other)())).rejects.toThrow('cut off')
  const middle = Math.floor(bytes.length / 2)
  bytes[middle] = (bytes[middle] ?? 0) ^ 1
  writeFileSync(other, bytes)
  await expect(checkArchive(openArchiveFile(other)())).rejects.toThrow(
    /cannot be read to its end|another checksum|first line does not say so/,
  )
  expect(() => openArchiveFile(path.join(folder, 'none'))).toThrow('There is no file')
})

test('BACK-008 rows of an older layout come through the migrations that followed', async () => {
  const last = '2026-11-27T0035-administrators'
  const older = await databaseBefore(last)
  onTestFinished(() => older.drop())
  await query(older.url, `insert into "admins" ("username", "passwordHash") values ('old', 'hash')`)
  const url = await emptyTarget()
  await importInto(url, await textOf(older.url))
  expect(await query(url, `select "username", "builtInRole" from "admins"`)).toEqual([{ username: 'old', builtInRole: 'owner' }])
})

test('BACK-008 the archive kept of the previous release is read by this one', async () => {
  const url = await emptyTarget()
  const open = openArchiveFile(path.join(import.meta.dirname, '../../test/archives/0.2.0.jsonl.zst'))
  const { head } = await importArchive({ url, open, masterKey: TARGET_KEY })
  expect(await query(url, 'select count(*)::int as "users" from "users"')).toEqual([{ users: head.counts['users'] }])
  expect(await query(url, `select "username", "status" from "users" where "shortUuid" = 'short-ann'`)).toEqual([
    { username: 'ann', status: 'ACTIVE' },
  ])
  expect(await query(url, 'select count(*)::int as "applied" from kysely_migration')).toEqual([
    { applied: (await migrationNames()).length },
  ])
})

test.each([
  ['nothing', () => Buffer.alloc(0), 'The archive is empty.'],
  ['something else', () => Buffer.from('{"some":"thing"}\n'), 'This is no archive of Causeway'],
  ['a line too few', () => withoutLine(40), 'has another checksum than the lines before it'],
  ['its end cut off', () => whole.subarray(0, whole.lastIndexOf('{"end"')), /cut off after line \d+: its last line is missing/],
  ['a line cut off', () => whole.subarray(0, whole.length - 4000), /cut off in line \d+/],
  ['a changed byte', () => Buffer.from(whole.toString().replace('"username":"ann"', '"username":"amn"')), 'another checksum'],
  ['a newer form', () => changedHead('"version":3', '"version":4'), 'made by Causeway 0.0.1 in version 4 of the form'],
  [
    'a newer layout',
    () => changedHead('"migrations":[', '"migrations":["2099-01-01-later",'),
    'newer than this program: it has 2099-01-01-later',
  ],
  ['other counts', () => changed((lines) => lines.filter((line) => !line.includes('"username":"ann"'))), 'where its head names'],
  ['an unknown kind', () => changed((lines) => [...lines, '{"ships":{"id":1}}']), /Line \d+ of the archive is of the kind ships/],
  ['no JSON', () => changed((lines) => [...lines, 'ships']), /Line \d+ of the archive is not a row of a kind/],
  ['lines after its end', () => Buffer.concat([whole, Buffer.from('{}\n')]), 'stands after the end'],
])('BACK-008 an archive with %s is refused before anything is written', async (_, text, sentence) => {
  await expect(checkArchive(piecesOf(text()))).rejects.toThrow(sentence)
})

const withoutLine = (number: number) => Buffer.from(whole.toString().split('\n').toSpliced(number, 1).join('\n'))
const changedHead = (from: string, to: string) => changed(([head = '', ...rest]) => [head.replace(from, to), ...rest])

test('BACK-008 an import that is stopped, refused or broken leaves the installation as it was', async () => {
  const url = await emptyTarget()
  await query(url, `insert into "infraProviders" ("name") values ('here')`)
  const before = linesOf(await textOf(url))
  await expect(importInto(url, whole, { refuse: async () => 'It is not empty.' })).rejects.toThrow('It is not empty.')
  // A field that its type does not take, and a second row of one key: found by the database after much was written.
  const wrong = changed((lines) => lines.map((line) => line.replace('"hwid":"phone"', '"hwid":null')))
  await expect(importInto(url, wrong)).rejects.toThrow('hwid')
  for (const share of [0.1, 0.99]) {
    const stopping = new AbortController()
    const onProgress = (rows: number, all: number) => rows >= share * all && stopping.abort(new Error('Stopped.'))
    await expect(importInto(url, whole, { onProgress, signal: stopping.signal })).rejects.toThrow('Stopped.')
  }
  let reads = 0
  const open = () =>
    piecesOf(reads++ === 0 ? whole : changed((lines) => lines.map((line) => line.replace('short-ann', 'short-amn'))))
  await expect(importInto(url, whole, { open })).rejects.toThrow('The archive was changed while it was read.')
  expect(linesOf(await textOf(url))).toEqual(before)
})
