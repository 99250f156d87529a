import { spawn } from 'node:child_process'
import { readdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import * as api from '@causeway/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { storeOf } from '../../../test/move-in.ts'
import { testDatabase } from '../../../test/postgres.ts'
import { query } from '../../../test/query.ts'
import { testServer, type TestServer } from '../../../test/server.ts'
import { makeOlderXuiFile, makeXuiFile, xuiKey } from '../../../test/xui-source.ts'
import { loadArchive } from './load.actions.ts'
import { openXui } from './xui.actions.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'causeway-xui-'))
const file = (name: string) => path.join(folder, name)
const now = new Date('2026-03-01T12:00:00Z')
let server: TestServer
let url: string
beforeAll(async () => {
  makeXuiFile(file('x-ui.db'))
  makeOlderXuiFile(file('older.db'))
  const database = await testDatabase()
  url = database.url
  await load(url, file('x-ui.db'))
  server = await testServer({ database })
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

async function load(target: string, place: string): Promise<void> {
  const [store, opened] = [await storeOf(target), await openXui({ place, address: null }, now)]
  await loadArchive({ url: target, secrets: store.secrets, source: opened.source }, opened.lines)
  await store.close()
}

async function report(place: string, address: string | null = null) {
  const { version, lines, findings } = await openXui({ place, address }, now)
  const kinds: Record<string, number> = {}
  for await (const batch of lines) for (const { kind } of batch) kinds[kind] = (kinds[kind] ?? 0) + 1
  return { version, kinds, findings: findings() }
}

async function get(address: string, headers: Record<string, string> = {}, remoteAddress = '192.0.2.1') {
  const reply = await server.app.inject({ method: 'GET', url: address, headers, remoteAddress })
  return { status: reply.statusCode, text: reply.body, headers: reply.headers }
}
const linksOf = (text: string) => Buffer.from(text, 'base64').toString().split('\n')

test('MOVE-017 clients of a 3x-ui file come over with limits, expiry, used bytes, keys and inbounds', async () => {
  const { users } = await server.call(api.listUsers, { size: 100 })
  expect(users.map(({ username, status }) => `${username} ${status}`).toSorted()).toEqual([
    'anna ACTIVE',
    'boris_home ACTIVE',
    'late EXPIRED',
    'off DISABLED',
  ])
  const named = (name: string) => users.find(({ username }) => username === name)
  expect(named('anna')).toMatchObject({
    shortUuid: 'annalink12345678',
    vlessUuid: xuiKey(1),
    trojanPassword: 'trojan-anna',
    trafficLimitBytes: 1000,
    usedTrafficBytes: 300,
    lifetimeUsedTrafficBytes: 300,
    expireAt: '2099-12-31T00:00:00.000Z',
    description: 'line\tone\nline two 🙂',
    createdAt: '2025-01-01T00:00:00.000Z',
    onlineAt: '2025-10-09T08:53:20.000Z',
  })
  expect(
    named('anna')
      ?.activeInternalSquads.map(({ name }) => name)
      .toSorted(),
  ).toEqual(['in-8443', 'inbound-443'])
  expect(named('boris_home')).toMatchObject({ usedTrafficBytes: 11, trafficLimitBytes: 0, description: 'boris@home' })
  expect(named('boris_home')?.activeInternalSquads.map(({ name }) => name)).toEqual(['in-8443'])
  expect(named('off')?.trafficLimitBytes).toBe(Number.MAX_SAFE_INTEGER)
  const { configProfiles } = await server.call(api.listConfigProfiles, {})
  expect(configProfiles.map(({ name, inbounds }) => [name, inbounds.map(({ tag, port }) => `${tag} ${port}`)])).toEqual([
    ['Moved-in', ['inbound-443 443', 'in-8443 8443']],
  ])
  // The result is a profile that the editor and the core take.
  const [profile] = configProfiles
  const config = profile?.config as Record<string, unknown> // as the editor sends it back
  await server.call(api.updateConfigProfile, { uuid: profile?.uuid ?? '', config })
  const hosts = await server.call(api.listHosts, {})
  expect(hosts.map(({ remark, address, port }) => [remark, address, port])).toEqual([
    ['Oslo', 'vpn.example', 443],
    ['Riga', 'vpn.example', 8443],
  ])
})

test('MOVE-017 old links go on under their path and as JSON, for their user only', async () => {
  const { users } = await server.call(api.listUsers, { size: 100 })
  const anna = users.find(({ username }) => username === 'anna')
  const [old, here] = [await get('/secret-Path/annalink12345678'), await get('/api/sub/annalink12345678')]
  expect(old.status).toBe(200)
  expect(linksOf(old.text).map((link) => new URL(link).username)).toEqual([xuiKey(1), 'trojan-anna'])
  expect(old.text).toBe(here.text)
  expect(old.headers['subscription-userinfo']).toBe(here.headers['subscription-userinfo'])
  expect(old.headers['cache-control']).toBe('private, no-store')
  const others = await get('/secret-Path/borislink1234567')
  expect(linksOf(others.text).map((link) => new URL(link).username)).toEqual(['trojan-boris'])
  // With the stroke that the source writes at the end, and in every form that it answered with.
  expect((await get('/secret-Path/annalink12345678/')).text).toBe(here.text)
  const json = await get('/json/annalink12345678')
  expect(JSON.stringify(JSON.parse(json.text))).toContain(xuiKey(1))
  expect(json.text).toBe((await get('/api/sub/annalink12345678/json')).text)
  const clash = await get('/clash/annalink12345678')
  expect(clash.headers['content-type']).toContain('text/yaml')
  expect(clash.text).toContain(xuiKey(1))
  const expected = await get('/api/sub/none-of-these')
  expect(expected.status).toBe(404)
  for (const address of [
    '/secret-Path/none-of-these',
    '/json/none-of-these',
    '/clash/none-of-these',
    '/secret-Path/annalink1234567',
    '/secret-Path/ANNALINK12345678',
    `/secret-Path/${anna?.uuid}`,
    '/secret-Path/anna',
  ])
    expect(await get(address).then(({ status, text }) => [status, text])).toEqual([404, expected.text])
  await server.call(api.revokeUserSubscription, { uuid: anna?.uuid ?? '' })
  expect(await get('/secret-Path/annalink12345678').then(({ status, text }) => [status, text])).toEqual([404, expected.text])
  expect((await get('/json/annalink12345678')).status).toBe(404)
  expect((await get('/secret-Path/borislink1234567')).text).toBe(others.text)
})

test('MOVE-017 guesses under an old path count with all other misses of an address, and good links are still served', async () => {
  const address = '198.51.100.7'
  await get('/secret-Path/borislink1234567', {}, address)
  for (let guess = 0; guess < 60; guess++)
    await get(`${guess % 2 === 0 ? '/secret-Path' : '/api/sub'}/guess-${guess}`, {}, address)
  expect((await get('/secret-Path/another-guess', {}, address)).status).toBe(429)
  expect((await get('/json/another-guess', {}, address)).status).toBe(429)
  expect((await get('/secret-Path/borislink1234567', {}, address)).status).toBe(200)
  expect((await get('/secret-Path/another-guess', {}, '198.51.101.9')).status).toBe(404)
})

test('an installation without an import serves no such paths, and a newer import replaces them', async () => {
  const plain = await testServer()
  await plain.send('GET', '/api/sub/none')
  expect((await plain.app.inject({ url: '/secret-Path/annalink12345678' })).json()).not.toHaveProperty('isFound')
  await plain.close()
  const target = await testDatabase()
  await load(target.url, file('x-ui.db'))
  const secrets = async () => query(target.url, `select "wrapped" from "secrets" where "name" = 'oldLinks'`)
  const before = await secrets()
  expect(before).toHaveLength(1)
  await load(target.url, file('older.db'))
  expect(await secrets()).not.toEqual(before)
  expect(await query(target.url, `select "username" from "users" order by 1`)).toEqual([
    { username: 'anna' },
    { username: 'boris_home' },
  ])
  await target.drop()
})

test('MOVE-018 names of an older file that one link answers for are one user, and the report says so', async () => {
  const { version, kinds, findings } = await report(file('older.db'))
  expect(version).toBe('2.x')
  expect(kinds).toMatchObject({ user: 2, member: 3, profile: 1, inbound: 2 })
  expect(findings.find(({ rule }) => rule === 'sameLink')).toMatchObject({ count: 1, examples: ['anna: anna, anna-ws'] })
})

test('MOVE-017 what does not come is counted', async () => {
  const { version, kinds, findings } = await report(file('x-ui.db'))
  expect(version).toBe('3.x')
  expect(kinds).toEqual({ oldLinks: 1, profile: 1, inbound: 2, squad: 2, host: 2, user: 4, member: 5 })
  expect(Object.fromEntries(findings.map(({ rule, examples }) => [rule, examples]))).toMatchObject({
    notCarried: ['the table client_hwids with 2 rows'],
    missingReference: ['client off loses the missing inbound 9'],
    nameChanged: ['boris@home becomes boris_home'],
  })
})

test('MOVE-019 what is no database of a known version is refused, and nothing is changed', async () => {
  writeFileSync(file('text.db'), 'no database')
  await expect(report(file('text.db'))).rejects.toThrow('is no SQLite file. Nothing was changed.')
  await expect(report(file('none.db'))).rejects.toThrow('There is no file')
  const whole = readFileSync(file('x-ui.db'))
  writeFileSync(file('cut.db'), whole.subarray(0, 9000))
  await expect(report(file('cut.db'))).rejects.toThrow(/cut\.db cannot be read: .*Nothing was changed\.$/)
  const other = new DatabaseSync(file('other.db'))
  other.exec('create table users (id integer)')
  other.close()
  await expect(report(file('other.db'))).rejects.toThrow('it has 1 tables, and inbounds, client_traffics, settings are missing')
})

test('MOVE-017 a file that the panel goes on writing gives the state before its open change, and keeps it', async () => {
  makeXuiFile(file('busy.db'))
  const panel = new DatabaseSync(file('busy.db'))
  panel.exec(`pragma journal_mode = wal; update client_traffics set up = 400 where email = 'anna'; begin;
    update client_traffics set up = 900 where email = 'anna'; delete from clients where email = 'late'`)
  const { lines } = await openXui({ place: file('busy.db'), address: null }, now)
  const used: Record<string, number> = {}
  for await (const batch of lines) for (const line of batch) if (line.kind === 'user') used[line.username] = line.usedTrafficBytes
  expect(used).toEqual({ anna: 600, boris_home: 11, late: 0, off: 0 })
  panel.exec('commit')
  expect(panel.prepare(`select up from client_traffics where email = 'anna'`).get()).toEqual({ up: 900 })
  panel.close()
})

test('MOVE-017 the program rehearses without writing anything', async () => {
  const before = readdirSync(folder)
  const env = { PATH: process.env['PATH'], DATABASE_URL: 'postgres://none@127.0.0.1:1/none', DATA_DIR: folder }
  const program = path.join(import.meta.dirname, '../../causeway.ts')
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', program, 'import', '3x-ui', file('x-ui.db'), '--dry-run', '--json'],
    { env },
  )
  let [out, error] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (error += chunk.toString()))
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  expect([code, error]).toEqual([0, ''])
  expect(JSON.parse(out)).toMatchObject({ version: '3.x', isDryRun: true, counts: { user: 4, member: 5 } })
  expect(readdirSync(folder)).toEqual(before)
})
