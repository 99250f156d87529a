import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import * as api from '@causeway/contract'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { selfSigned } from '../../../test/mail-server.ts'
import { BOT_TOKEN, CHAT, noticeWorld, WAIT, type NoticeWorld } from '../../../test/notices.ts'
import { testServer, type TestServer } from '../../../test/server.ts'
import { REST_SECONDS, startTelegram } from '../../../test/telegram.ts'
import { makeUser, spend } from '../../../test/users.ts'
import { readConfig } from '../../config.ts'
import { expireUsers } from '../users/users.jobs.ts'
import { reviewNotices, reviewUsersForNotices } from './notices.jobs.ts'

const ORIGIN = 'https://panel.example.com'

let server: TestServer
let world: NoticeWorld
beforeAll(async () => {
  server = await testServer({ env: { OUTGOING_PRIVATE_HOSTS: '127.0.0.1,localhost', PUBLIC_URL: ORIGIN } })
})
beforeEach(async () => {
  world = await noticeWorld(server)
})
afterEach(() => world.close())
afterAll(() => server.close())

const setConnected = (uuid: string, isConnected: boolean) =>
  sql`update "nodeStates" set "isConnected" = ${isConnected}, "lastStatusMessage" = 'It does not answer.' where "nodeId" = (
    select "id" from "nodes" where "uuid" = ${uuid})`.execute(server.ctx.db)

test('NOTE-004 a node that flaps is one notice and one all-clear, and another node is told of by itself', async () => {
  const way = await world.makeWay()
  await world.makeRule('nodeDown', way, { amount: 0 })
  const [node, bystander] = [await world.makeNode(), await world.makeNode('Cracow')]
  for (const { uuid } of [node, bystander]) await setConnected(uuid, true)
  await world.start()
  for (let flap = 0; flap < 40; flap++) {
    await setConnected(node.uuid, false)
    await setConnected(node.uuid, true)
  }
  await vi.waitFor(() => expect(world.texts()).toHaveLength(1), WAIT)
  expect(world.texts()[0]).toMatch(/Node Warsaw .*It does not answer\./)
  await sql`update "noticeTroubles" set "backAt" = "backAt" - interval '6 minutes'`.execute(server.ctx.db)
  await vi.waitFor(() => expect(world.texts()).toHaveLength(2), WAIT)
  expect(world.texts()[1]).toContain('Node Warsaw is back since')
  expect(world.texts().join('\n')).not.toContain('Cracow')
  expect(await server.ctx.db.selectFrom('noticeTroubles').selectAll().execute()).toEqual([])
})

test('NOTE-005 two servers send each notice once', async () => {
  await world.makeRule('userEvents', await world.makeWay())
  await world.start()
  await world.start()
  for (let number = 0; number < 20; number++) {
    await makeUser(server, { username: `user_${number}` })
    if (number % 5 === 0) await new Promise((resolve) => setTimeout(resolve, 700))
  }
  const told = () =>
    world
      .texts()
      .flatMap((text) => text.match(/user_\d+/g) ?? [])
      .filter((name, at, all) => all.indexOf(name) === at)
  await vi.waitFor(() => expect(told()).toHaveLength(20), WAIT)
  const lines = world.texts().flatMap((text) => text.match(/User user_\d+ was created/g) ?? [])
  expect(new Set(lines).size).toBe(lines.length)
})

test('NOTE-005 what a chat that does not exist did not get is kept, shown with its words, tried again, and sent by a button', async () => {
  world.telegram.chats.clear()
  const way = await world.makeWay()
  await world.makeRule('userEvents', way)
  await world.start()
  await makeUser(server, { username: 'anna_b' })
  const error = 'Telegram does not know this chat. Compare its number, and write to the bot first.'
  await vi.waitFor(async () => expect((await world.messages())[0]).toMatchObject({ state: 'waiting', error, attempts: 1 }), WAIT)
  expect((await world.messages())[0]?.answer).toBe('Bad Request: chat not found')
  expect(await world.wayOf(way.uuid)).toMatchObject({ lastError: error, waiting: 1, failingSince: expect.any(String) })
  // Later notices go into the next message: a dead receiver costs one.
  for (const username of ['bert_b', 'cleo_b']) await makeUser(server, { username })
  await vi.waitFor(async () => expect((await world.wayOf(way.uuid)).waiting).toBe(3), WAIT)
  expect(await world.messages()).toHaveLength(1)
  await sql`update "noticeMessages" set "at" = now() - interval '25 hours', "nextAttemptAt" = now()`.execute(server.ctx.db)
  await vi.waitFor(async () => expect(await world.messages({ state: 'failed' })).toHaveLength(1), WAIT)
  world.telegram.chats.add(CHAT)
  await world.hasten()
  await vi.waitFor(
    () => expect(world.texts().some((text) => text.includes('bert_b') && text.includes('cleo_b'))).toBe(true),
    WAIT,
  )
  const [failed] = await world.messages({ state: 'failed' })
  await server.call(api.resendNoticeMessage, { uuid: failed?.uuid ?? '' })
  await vi.waitFor(() => expect(world.texts().some((text) => text.includes('anna_b'))).toBe(true), WAIT)
  await vi.waitFor(async () => expect(await world.messages({ state: 'sent' })).toHaveLength(2), WAIT)
})

test('NOTE-005 a chat that asks to wait is left alone for so long, and it is no failure', async () => {
  world.telegram.rests = 1
  const at: number[] = []
  const { answer } = world.telegram
  world.telegram.answer = (reply, request) => {
    at.push(performance.now())
    answer(reply, request)
  }
  const way = await world.makeWay()
  await world.makeRule('userEvents', way)
  await world.start()
  await makeUser(server, { username: 'anna_b' })
  await vi.waitFor(() => expect(world.texts()).toHaveLength(1), WAIT)
  expect(at).toHaveLength(2)
  expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThanOrEqual(REST_SECONDS * 1000)
  await vi.waitFor(async () => expect((await world.messages())[0]).toMatchObject({ state: 'sent', attempts: 2 }), WAIT)
  const { failures } = await server.ctx.db.selectFrom('noticeWayStates').select('failures').executeTakeFirstOrThrow()
  expect(failures).toBe(0)
})

test('NOTE-005 a way that hangs delays no other', async () => {
  const other = await startTelegram([CHAT])
  world.telegram.isHanging = true
  const ways = [
    await world.makeWay(),
    await world.makeWay({ telegram: { chat: String(CHAT), token: BOT_TOKEN, apiRoot: other.url } }),
  ]
  await server.call(api.createNoticeRule, { condition: 'userEvents', ways: ways.map(({ uuid }) => uuid) })
  await world.start()
  await makeUser(server, { username: 'anna_b' })
  await vi.waitFor(() => expect(other.said).toHaveLength(1), { timeout: 8000, interval: 50 })
  await vi.waitFor(
    async () =>
      expect((await world.messages({ way: ways[0]?.uuid }))[0]?.error).toBe('There was no whole answer within 10 seconds.'),
    WAIT,
  )
  await other.close()
})

test('NOTE-002 a rule sends at most so many messages an hour, and what is beyond goes into a later one', async () => {
  await world.makeRule('userEvents', await world.makeWay(), { mostPerHour: 1 })
  await world.start()
  await makeUser(server, { username: 'anna_b' })
  await vi.waitFor(() => expect(world.texts()).toHaveLength(1), WAIT)
  for (const username of ['bert_b', 'cleo_b']) await makeUser(server, { username })
  await vi.waitFor(async () => expect((await server.call(api.listNoticeMessages, {})).held).toBe(2), WAIT)
  expect(world.texts()).toHaveLength(1)
  await sql`update "noticeMessages" set "at" = now() - interval '61 minutes'`.execute(server.ctx.db)
  await vi.waitFor(() => expect(world.texts()).toHaveLength(2), WAIT)
  expect(world.texts()[1]).toContain('<b>Users: 2</b>')
})

test('NOTE-002 quiet hours and a digest hold notices back, and a digest tells of several rules in one message', async () => {
  const way = await world.makeWay()
  const quiet = await world.makeRule('userEvents', way, { quietFrom: '00:00', quietTo: '23:59', zone: 'UTC' })
  await world.makeRule('nodeEvents', way, { digest: 'hourly' })
  await world.makeRule('usersExpired', way, { digest: 'daily' })
  await world.start()
  const user = await makeUser(server, { username: 'anna_b' })
  await world.makeNode()
  await server.ctx.db
    .updateTable('users')
    .set({ expireAt: new Date(Date.now() - 1000) })
    .where('uuid', '=', user.uuid)
    .execute()
  await expireUsers(server.ctx)
  const held = async () => (await server.call(api.listNoticeMessages, {})).held
  const ofDigests = () =>
    server.ctx.db
      .selectFrom('notices')
      .innerJoin('noticeRules', 'noticeRules.id', 'notices.ruleId')
      .select('notices.text')
      .where('digest', '<>', 'none')
      .orderBy('notices.id')
      .execute()
  const expected = [{ text: 'event node.created' }, { text: 'userExpired' }]
  await vi.waitFor(async () => expect(await ofDigests()).toEqual(expected), WAIT)
  expect(world.texts()).toEqual([])
  await sql`update "notices" set "dueAt" = now() where "ruleId" in (select "id" from "noticeRules" where "digest" <> 'none')`.execute(
    server.ctx.db,
  )
  await vi.waitFor(() => expect(world.texts()).toHaveLength(1), WAIT)
  expect(world.texts()[0]).toMatch(/Notices: \d/)
  expect(world.texts()[0]).toMatch(/Node Warsaw was created\.[^]*anna_b has expired\./)
  expect(await held()).toBeGreaterThan(0) // those of the quiet hours
  await server.call(api.updateNoticeRule, { uuid: quiet.uuid, quietFrom: null, quietTo: null })
  await vi.waitFor(async () => expect(await held()).toBe(0), WAIT)
  await vi.waitFor(() => expect(world.texts().length).toBeGreaterThan(1), WAIT)
})

test('NOTE-002 a receiver and a rule say until when quiet hours, a digest or a rate holds notices back', async () => {
  const [way, other] = [await world.makeWay(), await world.makeWay({ name: 'other' })]
  // Both ends lie hours away, whatever the time is now.
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16)
  const quiet = await world.makeRule('userEvents', way, { quietFrom: at(-3), quietTo: at(3), zone: 'UTC' })
  const daily = await world.makeRule('nodeEvents', way, { digest: 'daily', zone: 'UTC' })
  const rated = await world.makeRule('userEvents', other, { mostPerHour: 1 })
  await world.start()
  await makeUser(server, { username: 'anna_b' })
  await vi.waitFor(async () => expect(await world.wayOf(other.uuid)).toMatchObject({ held: null, waiting: 0 }), WAIT)
  await vi.waitFor(() => expect(world.texts()).toHaveLength(1), WAIT)
  await makeUser(server, { username: 'bert_b' })
  await world.makeNode()
  const ruleOf = async ({ uuid }: { uuid: string }) => (await server.call(api.getNoticeRule, { uuid })).held
  await vi.waitFor(async () => expect(await ruleOf(daily)).not.toBeNull(), WAIT)
  const inQuiet = await ruleOf(quiet)
  expect(inQuiet).toMatchObject({ count: 2, reason: 'quietHours', until: expect.stringContaining(`T${at(3)}:00`) })
  const inDigest = await ruleOf(daily)
  expect(inDigest).toMatchObject({ count: 1, reason: 'digest', until: expect.stringContaining('T09:00:00') })
  const first = (inQuiet?.until ?? '') < (inDigest?.until ?? '') ? inQuiet : inDigest
  expect((await world.wayOf(way.uuid)).held).toEqual({ ...first, count: 3 })
  await vi.waitFor(async () => expect(await ruleOf(rated)).toMatchObject({ count: 1, reason: 'rate' }), WAIT)
  const sentAt = Date.parse((await world.messages({ way: other.uuid }))[0]?.at ?? '')
  expect(Date.parse((await ruleOf(rated))?.until ?? '')).toBe(sentAt + 3_600_000)
  await server.call(api.updateNoticeRule, { uuid: quiet.uuid, quietFrom: null, quietTo: null })
  await vi.waitFor(async () => expect(await ruleOf(quiet)).toBeNull(), WAIT)
})

test('NOTE-002 states are told once until they are over: users near their limit, expiring, on many devices, and bills', async () => {
  const way = await world.makeWay()
  await world.makeRule('userTraffic', way, { amount: 80 })
  await world.makeRule('usersExpiring', way, { amount: 3 })
  await world.makeRule('sharedAccount', way, { amount: 2 })
  await world.makeRule('billsDue', way, { amount: 7 })
  await world.start()
  const soon = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  const near = await makeUser(server, { username: 'near_b', trafficLimitBytes: 1000 })
  await makeUser(server, { username: 'spare_b', trafficLimitBytes: 1000, expireAt: soon(9) })
  await makeUser(server, { username: 'ends_b', expireAt: soon(2) })
  const shared = await makeUser(server, { username: 'shared_b' })
  for (const hwid of ['one', 'two']) await server.call(api.createHwidDevice, { userUuid: shared.uuid, hwid })
  await spend(server, near.uuid, 850)
  const node = await world.makeNode()
  const provider = await server.call(api.createInfraProvider, { name: 'Hetzner' })
  await server.call(api.createInfraBillingNode, { providerUuid: provider.uuid, nodeUuid: node.uuid, nextBillingAt: soon(5) })
  for (let twice = 0; twice < 2; twice++) {
    await reviewNotices(server.ctx)
    await reviewUsersForNotices(server.ctx)
  }
  await vi.waitFor(() => expect(world.texts()).toHaveLength(4), WAIT)
  const all = world.texts().join('\n')
  expect(all).toContain('near_b has used 85 % of the traffic: 850 B of 1,000 B.')
  expect(all).toMatch(/ends_b expires on \d/)
  expect(all).toContain('shared_b is used on 2 devices.')
  expect(all).toMatch(/Hetzner, node Warsaw: due on \d/)
  expect(all).not.toContain('spare_b')
  await server.call(api.resetUserTraffic, { uuid: near.uuid })
  await reviewUsersForNotices(server.ctx)
  await spend(server, near.uuid, 900)
  await reviewUsersForNotices(server.ctx)
  await vi.waitFor(() => expect(world.texts()).toHaveLength(5), WAIT)
  expect(world.texts()[4]).toContain('near_b has used 90 %')
})

test('NOTE-002 BACK-005 JOIN-009 sign-ins, a failed roll-out, a failed update of nodes, a full disk, a missing and a failed backup are told of', async () => {
  const way = await world.makeWay()
  for (const condition of ['signIn', 'signInFailed', 'rolloutFailed'] as const) await world.makeRule(condition, way)
  await world.makeRule('diskLow', way, { amount: 10_000 })
  await world.makeRule('backupOld', way, { amount: 1 })
  await world.start()
  await world.makeNode()
  for (const password of ['Wrong4horse', 'Correct4horse'])
    await server.send('POST', '/api/auth/login', { username: 'admin', password }, { 'x-remnawave-client-type': 'browser' })
  await sql`
    insert into "configProfileRollouts" ("profileId", "config", "actorKind", "state", "endedAt", "error")
    select "id", '{}', 'admin', 'failed', now(), 'Node Warsaw could not start.' from "configProfiles"
  `.execute(server.ctx.db)
  await sql`
    insert into "configProfileRollouts" ("part", "version", "actorKind", "state", "endedAt", "error") values
      ('core', '26.3.27', 'admin', 'failed', now(), 'The node Oslo ran out of disk.'),
      ('agent', '0.2.0', 'admin', 'takenBack', now(), null)
  `.execute(server.ctx.db)
  await sql`
    insert into "jobs" ("kind", "group", "payload", "status", "error", "total", "dueAt", "finishedAt")
    values ('makeBackup', 'backups', '{}', 'failed', 'The disk of /mnt/nas is full.', 1, now(), now())
  `.execute(server.ctx.db)
  await reviewNotices(server.ctx)
  await vi.waitFor(() => expect(world.texts()).toHaveLength(5), WAIT)
  const all = world.texts().join('\n')
  expect(all).toContain('The update of nodes to Xray 26.3.27 failed. The node Oslo ran out of disk.')
  expect(all).not.toContain('0.2.0')
  expect(all).toContain('admin signed in from 127.0.0.1.')
  expect(all).toMatch(/A sign-in as admin from 127\.0\.0\.1 was refused\. \S/)
  expect(all).not.toContain('Wrong4horse')
  expect(all).toContain('The roll-out of profile Profile_Warsaw failed. Node Warsaw could not start.')
  expect(all).toMatch(/GiB are free in/)
  expect(all).toContain('There is no backup.')
  expect(all).toContain('The last backup failed. The disk of /mnt/nas is full.')
})

test('ADMIN-009 a reseller that reaches its limit is told of once, and again when it has had room; one with room is not', async () => {
  await world.makeRule('resellerFull', await world.makeWay())
  await world.start()
  const makeSquad = async (name: string) => (await server.call(api.createInternalSquad, { name, inbounds: [] })).uuid
  const [full, free] = [await makeSquad('full'), await makeSquad('free')]
  const bounds = { maxBytes: null, maxDays: null }
  await server.call(api.createReseller, { name: 'North', squads: [full], maxUsers: 1, ...bounds })
  await server.call(api.createReseller, { name: 'South', squads: [free], maxUsers: 2, ...bounds })
  const own = await makeUser(server, { activeInternalSquads: [full] })
  await makeUser(server, { activeInternalSquads: [free] })
  for (let twice = 0; twice < 2; twice++) await reviewUsersForNotices(server.ctx)
  await vi.waitFor(() => expect(world.texts()).toHaveLength(1), WAIT)
  expect(world.texts()[0]).toContain('Reseller North has all of its 1 users.')
  await server.call(api.deleteUser, { uuid: own.uuid })
  await reviewUsersForNotices(server.ctx)
  await makeUser(server, { activeInternalSquads: [full] })
  await reviewUsersForNotices(server.ctx)
  await vi.waitFor(() => expect(world.texts()).toHaveLength(2), WAIT)
})

test('NOTE-002 the server’s own certificate is told of before it ends, once, and again when another one ends', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'causeway-certificates-'))
  const [cert, key] = [path.join(folder, 'panel.pem'), path.join(folder, 'panel-key.pem')]
  const place = async (name: string, days: number) => {
    const files = await selfSigned(name, days)
    await writeFile(cert, files.cert)
    await writeFile(key, files.key)
  }
  const others = await selfSigned('lasting.example.com', 60)
  await writeFile(path.join(folder, 'lasting.pem'), others.cert)
  const config = readConfig({ DATABASE_URL: 'postgres://unused', TLS_CERT: cert, TLS_KEY: key, CERTIFICATE_DIRS: folder })
  const review = () => reviewNotices({ ...server.ctx, config })
  await world.makeRule('certificateEnding', await world.makeWay(), { amount: 14 })
  await world.start()

  await place('panel.example.com', 60)
  await review()
  await place('panel.example.com', 10)
  for (let twice = 0; twice < 2; twice++) await review()
  await vi.waitFor(() => expect(world.texts()).toHaveLength(1), WAIT)
  const day = new Date(Date.now() + 10 * 86_400_000).getUTCDate()
  expect(world.texts()[0]).toContain('The certificate of panel.example.com ends on')
  expect(world.texts()[0]).toMatch(new RegExp(`\\b${day}\\b`))
  await place('panel.example.com', 60)
  await review()
  await place('panel.example.com', 5)
  await review()
  await vi.waitFor(() => expect(world.texts()).toHaveLength(2), WAIT)
  expect(world.texts().join('\n')).not.toContain('lasting.example.com')
  await rm(folder, { recursive: true })
})

test('NOTE-006 the week’s summary tells users, traffic, money, troubles and what runs out, once', async () => {
  const way = await world.makeWay()
  const rule = await world.makeRule('weekSummary', way, { zone: 'UTC' })
  const monday = new Date('2026-11-23T09:30:00Z')
  await sql`update "noticeRules" set "createdAt" = '2026-11-01'`.execute(server.ctx.db)
  const node = await world.makeNode()
  await makeUser(server, { username: 'anna_b', expireAt: '2026-11-27T00:00:00.000Z' }).catch(() => undefined)
  await sql`update "users" set "status" = 'ACTIVE', "expireAt" = '2026-11-27', "createdAt" = '2026-11-20'`.execute(server.ctx.db)
  await sql`insert into "nodeUsageDays" ("day", "nodeId", "downloadBytes") select "day"::date, "id", "bytes"
    from "nodes", (values ('2026-11-18', 5368709120), ('2026-11-11', 1073741824)) as "of"("day", "bytes")`.execute(server.ctx.db)
  const provider = await server.call(api.createInfraProvider, { name: 'Hetzner AG' })
  await server.call(api.createInfraBillingNode, {
    providerUuid: provider.uuid,
    nodeUuid: node.uuid,
    nextBillingAt: '2026-11-25T00:00:00.000Z',
  })
  await server.call(api.createInfraBillingRecord, {
    providerUuid: provider.uuid,
    amount: 12.5,
    billedAt: '2026-11-18T00:00:00.000Z',
  })
  server.clock.now = monday
  for (let twice = 0; twice < 2; twice++) await reviewNotices(server.ctx)
  await world.start()
  await vi.waitFor(() => expect(world.texts()).toHaveLength(1), WAIT)
  for (const line of [
    '<b>Last week</b>',
    'Users: 1, of them active 1, new 1, expired 0.',
    'Traffic: 5 GiB; the week before 1 GiB.',
    'Paid: 12.50. Due next week: Hetzner AG (Warsaw).',
    'Connections of nodes lost: 0. Down now: Warsaw.',
    'Users that expire next week: 1.',
  ])
    expect(world.texts()[0]).toContain(line)
  expect((await server.call(api.getNoticeRule, { uuid: rule.uuid })).lastAt).not.toBeNull()
})

test('NOTE-002 a way is made with rules as they usually are, is changed without telling its secret again, and undone', async () => {
  const way = await world.makeWay({ conditions: ['nodeDown', 'usersExpiring'] })
  const { rules } = await server.call(api.listNoticeRules, {})
  expect(rules.map(({ condition, amount, digest, ways }) => [condition, amount, digest, ways])).toEqual([
    ['nodeDown', 3, 'none', [way.uuid]],
    ['usersExpiring', 3, 'daily', [way.uuid]],
  ])
  await server.call(api.updateNoticeWay, { uuid: way.uuid, telegram: { chat: '@team' } })
  expect(await server.call(api.testNoticeWay, { uuid: way.uuid })).toMatchObject({ error: null })
  expect(world.telegram.said[0]).toMatchObject({ bot: BOT_TOKEN, chat: '@team' })
  const paused = await server.call(api.updateNoticeWay, { uuid: way.uuid, isPaused: true })
  expect(paused).toMatchObject({ isPaused: true, telegram: { chat: '@team' } })
})
