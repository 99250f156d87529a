import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import * as api from '@causeway/contract'
import type { Line } from '@causeway/import'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { fakeAgent } from '../../../test/fake-agent.ts'
import { QUICK, WAIT } from '../../../test/live-fleet.ts'
import { BOTH, load, NONE, read } from '../../../test/move-in.ts'
import { testDatabase } from '../../../test/postgres.ts'
import { query } from '../../../test/query.ts'
import {
  emptySource,
  filledSource,
  host,
  inbound,
  node,
  PASSWORD,
  profile,
  provider,
  SESSION_SECRET,
  squad,
  token,
  user,
  type SourceDatabase,
} from '../../../test/remnawave-source.ts'
import { testServer, type TestServer } from '../../../test/server.ts'
import { systemCaller } from '../../ctx.ts'
import { mintAgentPayload, readFleetKeys } from '../../ground/fleet-keys.ts'
import { openSession, signingKey } from '../auth/sessions.actions.ts'
import { startFleet } from '../fleet/fleet.jobs.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'causeway-move-in-'))
const file = (name: string) => path.join(folder, name)
let source: SourceDatabase
/** An installation after the import with both secrets, to be copied. */
let imported: Awaited<ReturnType<typeof testDatabase>>
const servers: TestServer[] = []
beforeAll(async () => {
  source = await filledSource()
  imported = await testDatabase()
  await load(imported.url, source.url, BOTH)
})
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})
afterAll(async () => {
  await source.drop()
  await imported.drop()
  rmSync(folder, { recursive: true })
})

test('MOVE-001 a running 2.1 database comes over with the same uuids, short uuids, keys, bytes, dates and orders', async () => {
  const server = await importedServer()
  const { users } = await server.call(api.listUsers, { size: 100 })
  expect(users).toHaveLength(9)
  expect(users.find(({ uuid }) => uuid === user(2))).toMatchObject({
    shortUuid: 'short-2-abcdefgh',
    username: 'full',
    status: 'LIMITED',
    usedTrafficBytes: 300,
    lifetimeUsedTrafficBytes: 900,
    trafficLimitBytes: 300,
    trafficLimitStrategy: 'WEEK',
    subLastUserAgent: 'Happ/3.1',
    subLastOpenedAt: '2024-05-01T12:00:00.500Z',
    expireAt: '2099-01-01T00:00:00.000Z',
    onlineAt: '2024-05-02T12:00:00.000Z',
    subRevokedAt: '2024-04-01T00:00:00.000Z',
    lastTrafficResetAt: '2024-04-29T00:05:00.000Z',
    trojanPassword: 'trojan-2',
    vlessUuid: '0000000a-0000-4000-8000-000000000002',
    ssPassword: 'ss-2',
    description: 'a\ttab, a\nline, a \\ and "quotes" 🙂',
    tag: 'VIP',
    telegramId: 7_000_000_000,
    email: 'full@example.com',
    hwidDeviceLimit: 0,
    firstConnectedAt: '2024-02-01T00:00:00.000Z',
    lastTriggeredThreshold: 80,
    createdAt: '2024-01-02T10:00:00.123Z',
    updatedAt: '2024-06-01T00:00:00.000Z',
    activeInternalSquads: [
      { uuid: squad(1), name: 'Default-Squad' },
      { uuid: squad(2), name: 'Vip' },
    ],
    lastConnectedNode: { connectedAt: '2024-05-02T12:00:00.000Z', nodeName: 'Oslo', countryCode: 'NO' },
    id: 20,
  })
  expect(users.find(({ uuid }) => uuid === user(1))).toMatchObject({
    status: 'ACTIVE',
    trafficLimitBytes: 0,
    subLastOpenedAt: null,
    hwidDeviceLimit: null,
    activeInternalSquads: [{ uuid: squad(1), name: 'Default-Squad' }],
  })
  const nodes = await server.call(api.listNodes, {})
  expect(nodes.map(({ uuid, viewPosition }) => [uuid, viewPosition])).toEqual([
    [node(2), 1],
    [node(1), 2],
  ])
  expect(nodes[1]).toMatchObject({
    name: 'Oslo',
    address: 'oslo.example',
    port: 2222,
    trafficUsedBytes: 5000,
    trafficLimitBytes: 100_000,
    trafficResetDay: 7,
    notifyPercent: 80,
    consumptionMultiplier: 1.5,
    configProfile: { activeConfigProfileUuid: profile(1), activeInbounds: [{ uuid: inbound(1) }, { uuid: inbound(2) }] },
    provider: { uuid: provider(1), name: 'Nordwind' },
  })
  const hosts = await server.call(api.listHosts, {})
  expect(hosts.map(({ uuid }) => uuid)).toEqual([host(2), host(3), host(1), host(4)])
  expect(hosts[2]).toMatchObject({
    remark: 'Oslo {{USERNAME}}',
    vlessRouteId: 443,
    tag: 'MAIN',
    inbound: { configProfileUuid: profile(1), configProfileInboundUuid: inbound(1) },
  })
  const { configProfiles } = await server.call(api.listConfigProfiles, {})
  expect(configProfiles.map(({ uuid, name }) => [uuid, name])).toEqual([
    [profile(1), 'Main'],
    [profile(2), 'Second'],
  ])
  expect(await server.call(api.getSubscriptionSettings, {})).toMatchObject({
    profileTitle: 'Old service',
    happAnnounce: 'Hello',
    profileUpdateInterval: 1,
    expiredUsersRemarks: ['Over', 'Renew'],
    customResponseHeaders: { 'x-old': '1' },
  })
  const { templates } = await server.call(api.listSubscriptionTemplates, {})
  expect(templates.find(({ templateType }) => templateType === 'XRAY_JSON')?.templateJson).toEqual({ log: {}, outbounds: [] })
  expect(await server.call(api.listInfraBillingHistory, {})).toMatchObject({ total: 2 })
  // What comes after has a number of its own.
  const created = await server.call(api.createUser, { username: 'newcomer', expireAt: '2099-01-01T00:00:00.000Z' })
  expect(created.id).toBe(91)
})

test('MOVE-002 a plain dump, gzipped or not, gives the same lines as the database', async () => {
  await source.dumpTo(file('dump.sql'))
  await source.dumpTo(file('dump.sql.gz'))
  const [live, plain, zipped] = await Promise.all(
    [source.url, file('dump.sql'), file('dump.sql.gz')].map((place) => read(place, BOTH)),
  )
  const sorted = (lines: Line[] | undefined) => lines?.map((line) => JSON.stringify(line)).toSorted()
  expect(live?.lines.length).toBeGreaterThan(40)
  expect(sorted(plain?.lines)).toEqual(sorted(live?.lines))
  expect(sorted(zipped?.lines)).toEqual(sorted(live?.lines))
  expect(plain?.findings.length).toBe(live?.findings.length)
})

test('MOVE-004 the authority and the key pair come over, and a node that ran is marked', async () => {
  const server = await importedServer()
  expect(await readFleetKeys(server.ctx.secrets)).toEqual(source.keys)
  const states = await server.ctx.db.selectFrom('nodeStates').select('runningConfigHash').orderBy('nodeId').execute()
  expect(states).toEqual([{ runningConfigHash: null }, { runningConfigHash: 'of another installation' }])
})

test('MOVE-004 a node of the source connects without a new key', async () => {
  const payload = JSON.stringify(await mintAgentPayload(source.keys, new Date()))
  const agent = await fakeAgent(Buffer.from(payload).toString('base64'), { generation: '2.1' })
  const server = await importedServer()
  await server.ctx.db.updateTable('nodes').set({ address: '127.0.0.29', port: agent.port }).where('uuid', '=', node(1)).execute()
  const fleet = startFleet(server.ctx, QUICK)
  try {
    const isConnected = async () => (await server.call(api.getNode, { uuid: node(1) })).isConnected
    await vi.waitFor(async () => expect(await isConnected()).toBe(true), WAIT)
    await vi.waitFor(() => expect(agent.usersOf('VLESS_A')).toHaveLength(1), WAIT)
  } finally {
    await fleet.stop()
    await agent.close()
  }
})

test('MOVE-005 API tokens are accepted whose secret was given, the others not', async () => {
  const server = await importedServer({ sessionSecret: SESSION_SECRET, tokenSecret: null })
  const statusOf = async (text: string) =>
    (await server.send('GET', '/api/nodes', undefined, { authorization: `Bearer ${text}` })).status
  expect(await statusOf(source.tokens.bySession)).toBe(200)
  expect(await statusOf(source.tokens.byTokenSecret)).toBe(401)
  expect(await statusOf(source.tokens.byNone)).toBe(401)
  expect(await statusOf(`${source.tokens.bySession}x`)).toBe(401)
  const { findings } = await read(source.url, { sessionSecret: SESSION_SECRET, tokenSecret: null })
  expect(findings.find(({ rule }) => rule === 'tokenToRenew')).toMatchObject({ count: 2, examples: ['later', 'stranger'] })
  expect(findings.find(({ rule }) => rule === 'secretUnproven')).toBeUndefined()
  const wrong = await read(source.url, { sessionSecret: 'another-secret-0123456789-0123456789', tokenSecret: null })
  expect(wrong.findings.find(({ rule }) => rule === 'secretUnproven')).toMatchObject({ examples: ['JWT_AUTH_SECRET'] })
  // Its text of this installation works beside, until it is deleted.
  const { apiKeys } = await server.call(api.listApiTokens, {})
  expect(apiKeys.map(({ uuid }) => uuid)).toEqual([token(1), token(2), token(3)])
  expect(await statusOf(apiKeys[1]?.token ?? '')).toBe(200)
  await server.call(api.deleteApiToken, { uuid: token(1) })
  expect(await statusOf(source.tokens.bySession)).not.toBe(200)
})

test('MOVE-006 the old password signs in, is then kept as a hash of our own, and the old one is gone', async () => {
  const server = await importedServer()
  const stored = async () =>
    (await server.ctx.db.selectFrom('admins').select('passwordHash').executeTakeFirstOrThrow()).passwordHash
  const signIn = async (password: string) =>
    (await server.send('POST', '/api/auth/login', { username: 'boss', password }, {})).status
  expect(await stored()).not.toContain(SESSION_SECRET)
  expect(await signIn('Old-panel-password-2025')).toBe(403)
  expect(await stored()).toMatch(/^imported\$/)
  expect(await signIn(PASSWORD)).toBe(200)
  expect(await stored()).toMatch(/^\$argon2id\$/)
  expect(await signIn(PASSWORD)).toBe(200)
  expect(await signIn('Old-panel-password-2025')).toBe(403)
})

test('MOVE-007 usage by day and node, resets, hours, devices and openings have the sums of the source', async () => {
  const server = await importedServer()
  const rows = (sql: string) => query(server.ctx.config.DATABASE_URL ?? '', sql)
  expect(
    await rows(`select "day"::text, n."name", u."username", "uploadBytes"::int as up, "downloadBytes"::int as down from "userNodeUsage"
      join "nodes" n on n."id" = "nodeId" join "users" u on u."id" = "userId" order by 1, 2, 3`),
  ).toEqual([
    { day: '2024-04-30', name: 'Oslo', username: 'full', up: 10, down: 21 },
    { day: '2024-05-01', name: 'Oslo', username: 'full', up: 100, down: 200 },
    { day: '2024-05-01', name: 'Oslo', username: 'plain', up: 5, down: 5 },
    { day: '2024-05-01', name: 'Riga', username: 'full', up: 1, down: 2 },
  ])
  expect(
    await rows(`select "day"::text, sum("uploadBytes" + "downloadBytes")::int as bytes from "nodeUsageDays" group by 1`),
  ).toEqual([{ day: '2024-05-01', bytes: 1118 }])
  // As the source's own calls showed them.
  const range = { start: '2024-04-29T00:00:00Z', end: '2024-05-02T00:00:00Z' }
  const ofUser = await server.call(api.getUserUsage, { uuid: user(2), ...range })
  expect(ofUser.map(({ date, nodeName, total }) => `${date.slice(0, 10)} ${nodeName} ${total}`).toSorted()).toEqual([
    '2024-04-30 Oslo 31',
    '2024-05-01 Oslo 300',
    '2024-05-01 Riga 3',
  ])
  const ofNodes = await server.call(api.listNodesUsage, range)
  expect(ofNodes.map(({ nodeName, total }) => `${nodeName} ${total}`).toSorted()).toEqual(['Oslo 1111', 'Riga 7'])
  expect(await rows(`select "usedBytes"::int, "resetAt" from "userTrafficResets"`)).toEqual([
    { usedBytes: 600, resetAt: new Date('2024-04-29T00:05:00Z') },
  ])
  expect(await rows(`select "trafficBytes"::int from "nodeTrafficResets"`)).toEqual([{ trafficBytes: 4000 }])
  const devices = await server.call(api.listUserHwidDevices, { userUuid: user(1) })
  expect(devices).toMatchObject({ total: 1, devices: [{ hwid: 'device-1', platform: 'iOS', userAgent: 'Happ/3.1' }] })
  const counts = await server.call(api.getSystemStats, {})
  expect(counts.users).toMatchObject({ totalUsers: 9, statusCounts: { ACTIVE: 5, DISABLED: 2, LIMITED: 1, EXPIRED: 1 } })
})

test('MOVE-009 what cannot be as it is there is settled by a rule, and reported', async () => {
  const { lines, findings } = await read(source.url, BOTH)
  const names = lines.flatMap((line) => (line.kind === 'user' ? [[line.uuid, line.username]] : []))
  expect(new Map(names.map(([uuid, name]) => [uuid, name]))).toEqual(
    new Map([
      [user(1), 'plain'],
      [user(2), 'full'],
      [user(3), 'expired'],
      [user(4), 'disabled'],
      [user(5), 'Anna_3'],
      [user(6), 'anna_4'],
      [user(7), 'ANNA'],
      [user(8), 'anna_2'],
      [user(9), 'odd'],
    ]),
  )
  const odd = lines.find((line) => line.kind === 'user' && line.uuid === user(9))
  expect(odd).toMatchObject({
    status: 'DISABLED',
    trafficLimitBytes: 0,
    usedTrafficBytes: Number.MAX_SAFE_INTEGER,
    trafficLimitStrategy: 'MONTH',
    expireAt: '2099-12-31T00:00:00.000Z',
    email: null,
    hwidDeviceLimit: null,
  })
  const tags = lines.flatMap((line) => (line.kind === 'inbound' ? [[line.uuid, line.tag, line.port]] : []))
  expect(tags).toEqual([
    [inbound(1), 'VLESS_A', 443],
    [inbound(2), 'TROJAN_A', 8443],
    [inbound(3), 'VLESS_A_2', 2443],
    [inbound(4), 'SS', 1234],
  ])
  const second = lines.find((line) => line.kind === 'profile' && line.uuid === profile(2))
  expect(second).toMatchObject({
    config: {
      inbounds: [{ tag: 'VLESS_A_2' }, { tag: 'SS' }],
      routing: { rules: [{ inboundTag: ['VLESS_A_2'], outboundTag: 'DIRECT' }] },
    },
  })
  const first = lines.find((line) => line.kind === 'profile' && line.uuid === profile(1))
  expect(first).toMatchObject({ config: { routing: { rules: [{ inboundTag: ['VLESS_A'] }] } } })
  expect(lines.find((line) => line.kind === 'host' && line.uuid === host(3))).toMatchObject({ inbound: null })
  expect(Object.fromEntries(findings.map(({ rule, count }) => [rule, count]))).toEqual({
    tokenToRenew: 1,
    tagTwice: 1,
    staleInbound: 1,
    hostWithoutInbound: 1,
    missingReference: 3,
    impossibleValue: 9,
    unknownTemplate: 1,
    resetStrategy: 1,
    nameTaken: 2,
    usageSum: 1,
  })
})

test('MOVE-019 databases of other versions are refused with what was found, before anything is written', async () => {
  const other = await emptySource()
  await other.run('alter table users drop column used_traffic_bytes; alter table nodes add column plugin uuid')
  await expect(read(other.url, NONE)).rejects.toThrow(
    'This database belongs to a version that cannot be imported, newer than 3.4 or changed by hand: users.used_traffic_bytes missing; nodes.plugin unknown. Nothing was changed.',
  )
  await other.run('drop table users')
  await expect(read(other.url, NONE)).rejects.toThrow('This is no database of the 2.x or 3.x generation')
  await other.drop()
})

test('MOVE-019 contents of later versions without a place here are named and counted', async () => {
  const later = await emptySource()
  await later.run(`alter table users add column external_squad_uuid uuid; create table passkeys (id text);
    insert into passkeys values ('one'), ('two');
    create table hosts_to_nodes (host_uuid uuid, node_uuid uuid)`)
  const { version, findings } = await read(later.url, NONE)
  expect(version).toBe('2.2')
  expect(findings).toMatchObject([
    { rule: 'notCarried', count: 2, examples: ['the table passkeys with 2 rows'] },
    { rule: 'keysMissing' },
  ])
  await later.drop()
})

test('MOVE-005 secrets that belong to another database are refused', async () => {
  await expect(read(source.url, { sessionSecret: 'a', tokenSecret: 'b' })).rejects.toThrow(
    'neither has signed one of its 3 API tokens',
  )
})

/** A server on an installation that was imported, on which the administrator of the source is signed in. */
async function importedServer(secrets = BOTH): Promise<TestServer> {
  const database = await testDatabase(secrets === BOTH ? imported.url : undefined)
  if (secrets !== BOTH) await load(database.url, source.url, secrets)
  const server = await testServer({ database, register: false, env: { DATABASE_URL: database.url } })
  servers.push(server)
  server.admin['authorization'] = `Bearer ${await sessionOf(server)}`
  return server
}

/** Without the password, whose first use is a test of its own. */
async function sessionOf(server: TestServer): Promise<string> {
  const admin = await server.ctx.db.selectFrom('admins').selectAll().executeTakeFirstOrThrow()
  const key = await signingKey(server.ctx)
  return (await openSession(server.ctx, server.ctx.db, key, systemCaller, admin)).accessToken
}
