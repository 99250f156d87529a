import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Line } from '@causeway/import'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { copyOf, hasMariadb, startMariadb, type Mariadb } from '../../../test/mariadb.ts'
import { makeMarzbanFile, makePasarguardFile, marzbanConfig } from '../../../test/marzban-source.ts'
import { testDatabase } from '../../../test/postgres.ts'
import { makeOlderXuiFile, makeXuiFile } from '../../../test/xui-source.ts'
import { openMarzban } from './marzban.actions.ts'
import type { Opened } from './move-in.actions.ts'
import { openXui } from './xui.actions.ts'

// The same contents from a SQLite file and from a database server: equal lines and findings.

const folder = mkdtempSync(path.join(os.tmpdir(), 'causeway-tables-'))
const now = new Date('2026-03-01T12:00:00Z')
const openers = {
  marzban: (place: string) =>
    openMarzban({ place, config: JSON.stringify(marzbanConfig), address: '192.0.2.1', path: 'sub' }, now),
  pasarguard: (place: string) => openMarzban({ place, config: null, address: null, path: 'sub' }, now),
  xui: (place: string) => openXui({ place, address: null }, now),
  olderXui: (place: string) => openXui({ place, address: '192.0.2.1' }, now),
}
type Name = keyof typeof openers
const file = (name: Name) => path.join(folder, name)

beforeAll(() => {
  makeMarzbanFile(file('marzban'))
  makePasarguardFile(file('pasarguard'))
  makeXuiFile(file('xui'))
  makeOlderXuiFile(file('olderXui'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Without what is drawn anew by each translation: each such text stands for itself by its first place. */
async function contentsOf(opened: Opened) {
  const { lines, version } = opened
  const all: Line[] = []
  for await (const batch of lines) all.push(...batch)
  await opened.close()
  const drawn = new Map<string, string>()
  const text = JSON.stringify({ version, all, findings: opened.findings() }, null, 1).replaceAll(
    /"([0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f-]{21}|[\w-]{24})"(?!:)/g,
    (_, random: string) => {
      if (random.startsWith('0000000')) return `"${random}"` // of the source
      drawn.set(random, drawn.get(random) ?? `drawn ${drawn.size}`)
      return `"${drawn.get(random)}"`
    },
  )
  return JSON.parse(text) as unknown
}

describe.runIf(hasMariadb)('MariaDB', () => {
  let mariadb: Mariadb
  beforeAll(async () => {
    mariadb = await startMariadb('hidden-word')
  }, 60_000)
  afterAll(() => mariadb.close())

  test.each(['marzban', 'pasarguard'] as const)('MOVE-015 gives what the SQLite file of %s gives', async (name) => {
    await mariadb.run(`create database ${name} character set latin1`)
    await mariadb.run(`use ${name}`)
    for (const statement of copyOf(file(name), 'mysql')) await mariadb.run(statement)
    const open = openers[name]
    expect(await contentsOf(await open(mariadb.url(name)))).toEqual(await contentsOf(await open(file(name))))
  })

  test('MOVE-020 MOVE-019 wrong credentials, another database and none are said without the password', async () => {
    const refusal = (place: string) =>
      openers.marzban(place).then(
        () => '',
        (error: unknown) => String(error),
      )
    const wrong = await refusal(mariadb.url('marzban').replace('hidden-word', 'wrong-hidden'))
    expect(wrong).toContain("The database of the source cannot be opened: Access denied for user 'panel'")
    const other = await refusal(mariadb.url('mysql'))
    expect(other).toContain('This is no database of a known version of this panel')
    const none = await refusal(mariadb.url(''))
    expect(none).toContain('must have the form mysql://user:password@host:3306/database')
    const away = await refusal(mariadb.url('marzban').replace(/:\d+\//, ':9/'))
    expect(away).toContain('connect ECONNREFUSED 127.0.0.1:9')
    expect([wrong, other, none, away].join()).not.toContain('hidden')
  })
})

test.each(['marzban', 'pasarguard', 'xui', 'olderXui'] as const)(
  'MOVE-015 MOVE-017 PostgreSQL gives what the SQLite file of %s gives',
  async (name) => {
    const database = await testDatabase()
    onTestFinished(() => database.drop())
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await client.query('drop schema public cascade; create schema public')
    for (const statement of copyOf(file(name), 'postgres')) await client.query(statement)
    await client.end()
    const open = openers[name]
    const address = database.url.replace(/^postgres(ql)?:/, 'postgresql+asyncpg:')
    expect(await contentsOf(await open(address))).toEqual(await contentsOf(await open(file(name))))
  },
)
