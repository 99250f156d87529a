import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import * as api from '@causeway/contract'
import type { Line } from '@causeway/import'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeMarzbanFile, makePasarguardFile, marzbanConfig, oldKey, tokens } from '../../../test/marzban-source.ts'
import { storeOf } from '../../../test/move-in.ts'
import { testDatabase } from '../../../test/postgres.ts'
import { testServer, type TestServer } from '../../../test/server.ts'
import { buildApp } from '../../app.ts'
import { loadArchive } from './load.actions.ts'
import { openMarzban, type MarzbanPlace } from './marzban.actions.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'causeway-marzban-'))
const file = (name: string) => path.join(folder, name)
const now = new Date('2026-03-01T12:00:00Z')
const marzban: MarzbanPlace = { place: file('m.db'), config: JSON.stringify(marzbanConfig), address: '192.0.2.1', path: 'sub' }
const pasarguard: MarzbanPlace = { place: file('p.db'), config: null, address: null, path: '/old/sub/' }
let server: TestServer
let other: TestServer
beforeAll(async () => {
  makeMarzbanFile(marzban.place)
  makePasarguardFile(pasarguard.place)
  server = await imported(marzban)
  other = await imported(pasarguard)
})
afterAll(async () => {
  await server.close()
  await other.close()
  rmSync(folder, { recursive: true })
})

async function imported(place: MarzbanPlace): Promise<TestServer> {
  const database = await testDatabase()
  const [store, opened] = [await storeOf(database.url), await openMarzban(place, now)]
  await loadArchive({ url: database.url, secrets: store.secrets, source: opened.source }, opened.lines)
  await store.close()
  return testServer({ database })
}

async function report(place: MarzbanPlace) {
  const { version, lines, findings } = await openMarzban(place, now)
  const all: Line[] = []
  for await (const batch of lines) all.push(...batch)
  return { version, lines: all, findings: new Map(findings().map(({ rule, examples }) => [rule as string, examples])) }
}

async function get(at: TestServer, url: string, headers: Record<string, string> = {}, remoteAddress = '192.0.2.1') {
  const reply = await at.app.inject({ method: 'GET', url, headers, remoteAddress })
  return { status: reply.statusCode, text: reply.body, type: String(reply.headers['content-type']) }
}
const linksOf = (text: string) => Buffer.from(text, 'base64').toString().split('\n')
const keysOf = (text: string) => linksOf(text).map((link) => new URL(link).username)
const seconds = (text: string) => Date.parse(text) / 1000
const AFTER = seconds('2025-01-01T10:00:01Z')

test('MOVE-015 users of a Marzban file come over with limits, expiry, bytes, keys and what is on hold', async () => {
  const { users } = await server.call(api.listUsers, { size: 100 })
  const byId = new Map(users.map((user) => [user.id, user]))
  expect(byId.get(11)).toMatchObject({
    username: 'anna',
    status: 'ACTIVE',
    usedTrafficBytes: 300,
    lifetimeUsedTrafficBytes: 1001,
    trafficLimitBytes: 1000,
    trafficLimitStrategy: 'MONTH',
    expireAt: '2099-12-31T00:00:00.000Z',
    description: 'paid\nadmin: owner',
    vlessUuid: oldKey(1),
    trojanPassword: 'trojan-anna',
    createdAt: '2025-01-01T10:00:00.500Z',
  })
  expect(
    byId
      .get(11)
      ?.activeInternalSquads.map(({ name }) => name)
      .toSorted(),
  ).toEqual(['TROJAN', 'VLESS'])
  expect(byId.get(12)).toMatchObject({ status: 'LIMITED', expireAt: '2096-10-02T07:06:40.000Z', description: null })
  expect(byId.get(12)?.activeInternalSquads.map(({ name }) => name)).toEqual(['VLESS'])
  expect(byId.get(13)).toMatchObject({ status: 'ACTIVE', expireAt: '2026-03-31T12:00:00.000Z', trafficLimitStrategy: 'NO_RESET' })
  expect(byId.get(14)).toMatchObject({ username: 'a_b', status: 'EXPIRED', description: 'a.b\nadmin: owner' })
  const { configProfiles } = await server.call(api.listConfigProfiles, {})
  expect(configProfiles.map(({ name, inbounds }) => [name, inbounds.map(({ tag }) => tag)])).toEqual([
    ['Moved-in', ['VLESS', 'TROJAN']],
  ])
  const hosts = await server.call(api.listHosts, {})
  expect(hosts.map(({ remark, address, port, securityLayer, alpn }) => [remark, address, port, securityLayer, alpn])).toEqual([
    ['{{USERNAME}} one', '192.0.2.1', 443, 'DEFAULT', null],
    ['two', 'two.example', 8443, 'TLS', null],
    ['gone', 'gone.example', 1, 'TLS', 'h2,http/1.1'],
  ])
  const { findings } = await report(marzban)
  expect(Object.fromEntries(findings)).toMatchObject({
    firstUse: ['held'],
    nextPlan: ['of the user boris'],
    resetStrategy: ['user held: year becomes NO_RESET'],
    otherKey: ['user anna: vmess'],
    nameChanged: ['a.b becomes a_b'],
    hostWithoutInbound: ['host gone'],
    notCarried: ['the table nodes with 1 rows'],
  })
})

test('MOVE-015 users of a PasarGuard file come over with their groups and the configuration from the database', async () => {
  const { users } = await other.call(api.listUsers, { size: 100 })
  expect(users.find(({ id }) => id === 21)).toMatchObject({
    username: 'clara',
    expireAt: '2027-01-01T00:00:00.000Z',
    hwidDeviceLimit: 3,
    trafficLimitStrategy: 'WEEK',
    vlessUuid: oldKey(5),
    trojanPassword: 'trojan-clara',
    activeInternalSquads: [{ name: 'Both' }],
  })
  expect(users.find(({ id }) => id === 22)).toMatchObject({ status: 'DISABLED', activeInternalSquads: [{ name: 'Off' }] })
  const { internalSquads } = await other.call(api.listInternalSquads, {})
  expect(internalSquads.map(({ name, inbounds }) => [name, inbounds.length])).toEqual([
    ['Both', 2],
    ['Off', 0],
  ])
  const { configProfiles } = await other.call(api.listConfigProfiles, {})
  expect(configProfiles.map(({ name }) => name)).toEqual(['Core'])
})

test('MOVE-016 links that Marzban signed go on in every format, for their user only', async () => {
  const anna = await get(server, `/sub/${tokens.short(`anna,${AFTER}`)}`)
  expect(anna.status).toBe(200)
  expect(keysOf(anna.text)).toEqual([oldKey(1), 'trojan-anna'])
  const { users } = await server.call(api.listUsers, { size: 100 })
  const here = users.find(({ username }) => username === 'anna')
  expect(anna.text).toBe((await get(server, `/api/sub/${here?.shortUuid}`)).text)
  // Many are valid at once, also of the older form; a renamed user is found by the old name.
  for (const token of [
    tokens.short(`anna,${AFTER + 5_000_000}`),
    tokens.jwt('anna', AFTER),
    tokens.short(`anna,${AFTER}`, undefined, 'hex'),
  ])
    expect((await get(server, `/sub/${token}`)).text).toBe(anna.text)
  expect((await get(server, `/sub/${tokens.short(`a.b,${AFTER}`)}`)).status).toBe(200)
  const token = tokens.short(`anna,${AFTER}`)
  const formats = {
    'sing-box': 'application/json',
    'clash-meta': 'text/yaml',
    clash: 'text/yaml',
    outline: 'application/json',
    v2ray: 'text/plain',
    'v2ray-json': 'application/json',
  }
  for (const client of ['sing-box', 'clash-meta', 'clash', 'v2ray-json'])
    expect((await get(server, `/sub/${token}/${client}`)).text).toContain('trojan-anna')
  expect((await get(server, `/sub/${token}/v2ray`)).text).toBe(anna.text)
  for (const [client, type] of Object.entries(formats)) {
    const answer = await get(server, `/sub/${token}/${client}`)
    expect([client, answer.status, answer.type]).toEqual([client, 200, `${type}; charset=utf-8`])
  }
})

test('MOVE-016 what Marzban told of a user under the link goes on: the user, and bytes by node between two days', async () => {
  const token = tokens.short(`anna,${AFTER}`)
  const info = await get(server, `/sub/${token}/info`)
  expect(JSON.parse(info.text)).toMatchObject({
    username: 'anna',
    status: 'active',
    used_traffic: 300,
    lifetime_used_traffic: 1001,
    data_limit: 1000,
    data_limit_reset_strategy: 'month',
    expire: null,
    created_at: '2025-01-01T10:00:00.500',
    proxies: { vless: { id: oldKey(1) }, trojan: { password: 'trojan-anna' } },
    links: [expect.stringContaining(oldKey(1)), expect.stringContaining('trojan-anna')],
  })
  const expired = JSON.parse((await get(server, `/sub/${tokens.short(`boris,${seconds('2025-06-02T00:00:00Z')}`)}/info`)).text)
  expect(expired).toMatchObject({ username: 'boris', status: 'limited', expire: 4_000_000_000, data_limit: 50 })
  const { db } = server.ctx
  const squad = await server.call(api.listInternalSquads, {})
  expect(squad.total).toBe(2)
  const [one, two] = await db
    .insertInto('nodes')
    .values(['Oslo', 'Riga'].map((name) => ({ name, address: `${name}.example`, viewPosition: 1, countryCode: 'XX' })))
    .returning('id')
    .execute()
  const rows = [
    { userId: 11, nodeId: one?.id ?? 0, day: '2026-11-20', uploadBytes: 1, downloadBytes: 2 },
    { userId: 11, nodeId: one?.id ?? 0, day: '2026-11-21', uploadBytes: 10, downloadBytes: 20 },
    { userId: 11, nodeId: two?.id ?? 0, day: '2026-11-21', uploadBytes: 0, downloadBytes: 5 },
    { userId: 12, nodeId: one?.id ?? 0, day: '2026-11-21', uploadBytes: 900, downloadBytes: 900 },
  ]
  await db.insertInto('userNodeUsage').values(rows).execute()
  const usage = async (query: string) => JSON.parse((await get(server, `/sub/${token}/usage${query}`)).text) as unknown
  expect(await usage('?start=2026-11-21T00:00:00&end=2026-11-21T23:00:00')).toEqual({
    username: 'anna',
    usages: [
      { node_id: one?.id, node_name: 'Oslo', used_traffic: 30 },
      { node_id: two?.id, node_name: 'Riga', used_traffic: 5 },
    ],
  })
  server.clock.now = new Date('2026-12-20T12:00:00Z')
  expect(await usage('?start=none')).toEqual({
    username: 'anna',
    usages: [
      { node_id: one?.id, node_name: 'Oslo', used_traffic: 33 },
      { node_id: two?.id, node_name: 'Riga', used_traffic: 5 },
    ],
  })
  server.clock.now = undefined
  await db.deleteFrom('nodes').execute()
})

test('MOVE-016 forged, older, revoked and unknown links get the uniform 404, and those of others go on', async () => {
  const expected = await get(server, '/api/sub/none-of-these')
  const isRefused = async (url: string) => {
    const { status, text } = await get(server, url)
    return status === 404 && text === expected.text
  }
  const good = tokens.short(`anna,${AFTER}`)
  const [boris, borisLater] = [seconds('2025-05-31T23:59:59Z'), seconds('2025-06-01T00:00:01Z')]
  const refused = [
    tokens.short(`anna,${AFTER}`, 'another secret'),
    `${good.slice(0, -1)}${good.endsWith('A') ? 'B' : 'A'}`,
    good.slice(1),
    tokens.short(`anna,${seconds('2025-01-01T10:00:00Z')}`),
    tokens.short(`boris,${boris}`),
    tokens.short(`missing,${AFTER}`),
    tokens.short(`a_b2,${AFTER}`),
    tokens.jwt('anna', AFTER, { secret: 'another secret' }),
    tokens.jwt('anna', AFTER, { access: 'admin' }),
    tokens.jwt('anna', AFTER, { alg: 'none' }),
    tokens.v3(11, AFTER, 'another secret'),
    'anna',
    'x',
    '..a',
  ]
  for (const token of refused)
    for (const last of ['', '/info', '/usage']) expect([token, await isRefused(`/sub/${token}${last}`)]).toEqual([token, true])
  for (const last of ['none', '__proto__']) expect(await isRefused(`/sub/${good}/${last}`)).toBe(true)
  expect((await get(server, `/sub/${tokens.short(`boris,${borisLater}`)}`)).status).toBe(200)
  // Revoked here, all of them end at once; those of others do not.
  const { users } = await server.call(api.listUsers, { size: 100 })
  await server.call(api.revokeUserSubscription, { uuid: users.find(({ username }) => username === 'anna')?.uuid ?? '' })
  expect(await isRefused(`/sub/${good}`)).toBe(true)
  expect(await isRefused(`/sub/${good}/clash`)).toBe(true)
  expect((await get(server, `/sub/${tokens.short(`boris,${borisLater}`)}`)).status).toBe(200)
  // The name alone, in the hands of a newcomer, does not bring an old link back.
  await server.call(api.deleteUser, { uuid: users.find(({ username }) => username === 'boris')?.uuid ?? '' })
  await server.call(api.createUser, { username: 'boris', expireAt: '2099-01-01T00:00:00.000Z' })
  expect(await isRefused(`/sub/${tokens.short(`boris,${borisLater}`)}`)).toBe(true)
})

test('MOVE-016 links that PasarGuard signed go on under its own path, by number and by name', async () => {
  for (const token of [
    tokens.v3(21, AFTER),
    tokens.short(`v2,21,${AFTER}`),
    tokens.short(`clara,${AFTER}`),
    tokens.jwt('clara', AFTER),
  ]) {
    const answer = await get(other, `/old/sub/${token}`)
    expect([token, answer.status]).toEqual([token, 200])
    expect(keysOf(answer.text)).toEqual([oldKey(5), 'trojan-clara'])
    expect((await get(other, `/old/sub/${token}/clash_meta`)).type).toContain('text/yaml')
  }
  expect((await get(other, `/old/sub/${tokens.v3(23, AFTER)}`)).status).toBe(404)
  expect(keysOf((await get(other, `/old/sub/${tokens.v3(21, AFTER)}/links`)).text)).not.toContain(oldKey(6))
  expect((await get(other, `/sub/${tokens.v3(21, AFTER)}`)).text).not.toContain('isFound')
})

test('MOVE-016 its links with /apps and /raw give the apps and all data of that user, and those of Marzban have neither', async () => {
  const token = tokens.v3(21, AFTER)
  const json = async (last: string) => JSON.parse((await get(other, `/old/sub/${token}/${last}`)).text) as unknown
  const apps = [
    {
      name: 'Streisand',
      import_url: expect.stringMatching(`^streisand://import/.*/old/sub/${token}$`) as unknown,
      platform: 'ios',
    },
  ]
  expect(await json('apps')).toEqual(apps)
  expect(await json('raw')).toMatchObject({
    body: {
      user: { username: 'clara', status: 'active', used_traffic: 1 },
      links: [expect.stringContaining(oldKey(5)), expect.stringContaining('trojan-clara')],
      announce: '',
      apps,
    },
    headers: { 'profile-title': expect.any(String) as unknown },
  })
  for (const last of ['apps', 'raw']) {
    expect((await get(other, `/old/sub/${tokens.v3(21, AFTER, 'guess')}/${last}`)).status).toBe(404)
    expect((await get(server, `/sub/${tokens.short(`anna,${AFTER}`)}/${last}`)).status).toBe(404)
  }
})

test('MOVE-016 forged links count as misses, and good ones are still served', async () => {
  const address = '198.51.100.9'
  const good = `/old/sub/${tokens.v3(21, AFTER)}`
  await get(other, good, {}, address)
  for (let guess = 0; guess < 60; guess++) await get(other, `/old/sub/${tokens.v3(guess, AFTER, 'guess')}`, {}, address)
  expect((await get(other, `/old/sub/${tokens.v3(21, AFTER, 'guess')}`, {}, address)).status).toBe(429)
  expect((await get(other, good, {}, address)).status).toBe(200)
  // Also after a restart, where an app has opened it before; a link that leads nowhere is held back.
  await other.ctx.db.insertInto('userAccesses').values({ userId: 22, subLastOpenedAt: new Date() }).execute()
  const restarted = await buildApp(other.ctx)
  const from = (url: string) => restarted.inject({ url, remoteAddress: '198.51.102.9' })
  for (let guess = 0; guess < 60; guess++) await from(`/old/sub/guess-${guess}`)
  expect((await from(`/old/sub/${tokens.v3(22, AFTER)}`)).statusCode).toBe(200)
  expect((await from(`/old/sub/${tokens.v3(23, AFTER)}`)).statusCode).toBe(429)
  await restarted.close()
})

test('MOVE-019 what is missing for an import is said, and nothing is changed', async () => {
  await expect(report({ ...marzban, config: null })).rejects.toThrow(
    'Give its contents (--xray-config on a terminal). Nothing was changed.',
  )
  await expect(report({ ...marzban, address: null })).rejects.toThrow('Give it with --address. Nothing was changed.')
  await expect(report({ ...marzban, path: '/api/sub' })).rejects.toThrow('Links cannot stand under the path /api/sub here')
  await expect(report({ ...marzban, config: '// a comment\n{}' })).rejects.toThrow('Comments have to be taken out.')
  const older = new DatabaseSync(file('older.db'))
  older.exec('create table users (id integer, username text); create table proxies (id integer)')
  older.close()
  await expect(report({ ...marzban, place: file('older.db') })).rejects.toThrow(
    /it has 2 tables, and users\.status, .* are missing/,
  )
})
