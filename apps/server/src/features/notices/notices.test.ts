import { createHmac } from 'node:crypto'
import * as api from '@causeway/contract'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { selfSigned, startMailServer, trust, type MailServer } from '../../../test/mail-server.ts'
import { startReceiver, type Receiver } from '../../../test/receiver.ts'
import { testServer, type TestServer } from '../../../test/server.ts'
import { startTelegram, type Telegram } from '../../../test/telegram.ts'
import { makeUser, refused, spend, UNKNOWN } from '../../../test/users.ts'
import { startWebhooks } from '../webhooks/worker.actions.ts'
import { expireUsers } from '../users/users.jobs.ts'
import { reviewNotices, reviewUsersForNotices } from './notices.jobs.ts'
import { startNotices } from './worker.actions.ts'

const WAIT = { timeout: 20_000, interval: 50 }
const TOKEN = '123456789:AAEhBP0av28fZk5TqYxPq-u8yqyyGxOr9_Y'
const CHAT = -1001234567890
const ORIGIN = 'https://panel.example.com'

let server: TestServer
let telegram: Telegram
const workers: { stop(): Promise<void> }[] = []
beforeAll(async () => {
  server = await testServer({ env: { OUTGOING_PRIVATE_HOSTS: '127.0.0.1,localhost', PUBLIC_URL: ORIGIN } })
})
beforeEach(async () => {
  server.clock.now = undefined
  for (const table of ['noticeRules', 'noticeWays', 'webhooks', 'outbox', 'domainEvents', 'nodes', 'users', 'configProfiles'] as const)
    await server.ctx.db.deleteFrom(table).execute()
  telegram = await startTelegram([CHAT, '@team'])
})
afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.stop()
  await telegram.close()
})
afterAll(() => server.close())

/** Publishing belongs to the same process as the sending of notices. */
async function start(ctx = server.ctx): Promise<void> {
  workers.push(await startWebhooks(ctx), await startNotices(ctx))
}
const makeWay = (more: object = {}) =>
  server.call(api.createNoticeWay, { telegram: { chat: String(CHAT), token: TOKEN, apiRoot: telegram.url }, ...more })
const makeRule = (condition: api.NoticeCondition, way: { uuid: string }, more: object = {}) =>
  server.call(api.createNoticeRule, { condition, ways: [way.uuid], digest: 'none', ...more })
const messages = async (view: object = {}) => (await server.call(api.listNoticeMessages, view)).messages
const wayOf = (uuid: string) => server.call(api.getNoticeWay, { uuid })
const texts = () => telegram.said.map(({ text }) => text)
const hasten = () =>
  sql`with "rested" as (update "noticeWayStates" set "restsUntil" = null) update "noticeMessages" set "nextAttemptAt" = now()`.execute(server.ctx.db)

async function makeNode(name = 'Warsaw') {
  const profile = await server.call(api.createConfigProfile, {
    name: `Profile_${name}`,
    config: { inbounds: [{ tag: `IN_${name}`, port: 443, protocol: 'vless', settings: { clients: [], decryption: 'none' } }] },
  })
  const active = { activeConfigProfileUuid: profile.uuid, activeInbounds: profile.inbounds.map(({ uuid }) => uuid) }
  return server.call(api.createNode, { name, address: `${name.toLowerCase()}.example`, configProfile: active })
}
const setConnected = (uuid: string, isConnected: boolean) =>
  sql`update "nodeStates" set "isConnected" = ${isConnected}, "lastStatusMessage" = 'It does not answer.' where "nodeId" = (
    select "id" from "nodes" where "uuid" = ${uuid})`.execute(server.ctx.db)

test('NOTE-001 NOTE-003 a chat is told in words, with a link that opens the thing, and in its topic', async () => {
  const way = await makeWay({ telegram: { chat: String(CHAT), topic: 42, token: TOKEN, apiRoot: telegram.url }, name: 'Team' })
  expect(JSON.stringify(way)).not.toContain(TOKEN)
  await makeRule('userEvents', way)
  await start()
  const user = await makeUser(server, { username: 'anna_b' })
  await makeUser(server, { username: 'bystander' })
  await vi.waitFor(() => expect(texts().join('\n')).toContain('bystander'), WAIT)
  const [first] = telegram.said
  expect(first).toMatchObject({ bot: TOKEN, chat: CHAT, topic: 42 })
  expect(first?.text).toContain(`<a href="${ORIGIN}/dashboard/management/users?edit=${user.uuid}">User anna_b was created.</a>`)
  await vi.waitFor(async () => expect(await wayOf(way.uuid)).toMatchObject({ failingSince: null, waiting: 0, rules: 1 }), WAIT)
  expect((await wayOf(way.uuid)).lastSuccessAt).not.toBeNull()
})

test.each<[api.NoticeLanguage, string]>([
  ['ru', 'Создан пользователь anna_b.'],
  ['fa', 'کاربر \u2068anna_b\u2069 ساخته شد.'],
  ['zh', '已创建用户 anna_b。'],
])('NOTE-003 texts are in the language of the way: %s', async (language, text) => {
  await makeRule('userEvents', await makeWay({ language }))
  await start()
  await makeUser(server, { username: 'anna_b' })
  await vi.waitFor(() => expect(texts().join('\n')).toContain(text), WAIT)
})

test('NOTE-004 a node that flaps is one notice and one all-clear, and another node is told of by itself', async () => {
  const way = await makeWay()
  await makeRule('nodeDown', way, { amount: 0 })
  const [node, bystander] = [await makeNode(), await makeNode('Cracow')]
  for (const { uuid } of [node, bystander]) await setConnected(uuid, true)
  await start()
  for (let flap = 0; flap < 40; flap++) {
    await setConnected(node.uuid, false)
    await setConnected(node.uuid, true)
  }
  await vi.waitFor(() => expect(texts()).toHaveLength(1), WAIT)
  expect(texts()[0]).toMatch(/Node Warsaw .*It does not answer\./)
  await sql`update "noticeTroubles" set "backAt" = "backAt" - interval '6 minutes'`.execute(server.ctx.db)
  await vi.waitFor(() => expect(texts()).toHaveLength(2), WAIT)
  expect(texts()[1]).toContain('Node Warsaw is back since')
  expect(texts().join('\n')).not.toContain('Cracow')
  expect(await server.ctx.db.selectFrom('noticeTroubles').selectAll().execute()).toEqual([])
})

test('NOTE-005 two servers send each notice once', async () => {
  await makeRule('userEvents', await makeWay())
  await start()
  await start()
  for (let number = 0; number < 20; number++) {
    await makeUser(server, { username: `user_${number}` })
    if (number % 5 === 0) await new Promise((resolve) => setTimeout(resolve, 700))
  }
  const told = () => texts().flatMap((text) => text.match(/user_\d+/g) ?? []).filter((name, at, all) => all.indexOf(name) === at)
  await vi.waitFor(() => expect(told()).toHaveLength(20), WAIT)
  const lines = texts().flatMap((text) => text.match(/User user_\d+ was created/g) ?? [])
  expect(new Set(lines).size).toBe(lines.length)
})

test('NOTE-005 what a chat that does not exist did not get is kept, shown with its words, tried again, and sent by a button', async () => {
  telegram.chats.clear()
  const way = await makeWay()
  await makeRule('userEvents', way)
  await start()
  await makeUser(server, { username: 'anna_b' })
  const error = 'Telegram does not know this chat. Compare its number, and write to the bot first.'
  await vi.waitFor(async () => expect((await messages())[0]).toMatchObject({ state: 'waiting', error, attempts: 1 }), WAIT)
  expect((await messages())[0]?.answer).toBe('Bad Request: chat not found')
  expect(await wayOf(way.uuid)).toMatchObject({ lastError: error, waiting: 1, failingSince: expect.any(String) })
  // What comes up meanwhile goes into the next message: a dead receiver costs one.
  for (const username of ['bert_b', 'cleo_b']) await makeUser(server, { username })
  await vi.waitFor(async () => expect((await wayOf(way.uuid)).waiting).toBe(3), WAIT)
  expect(await messages()).toHaveLength(1)
  await sql`update "noticeMessages" set "at" = now() - interval '25 hours', "nextAttemptAt" = now()`.execute(server.ctx.db)
  await vi.waitFor(async () => expect(await messages({ state: 'failed' })).toHaveLength(1), WAIT)
  telegram.chats.add(CHAT)
  await hasten()
  await vi.waitFor(() => expect(texts().some((text) => text.includes('bert_b') && text.includes('cleo_b'))).toBe(true), WAIT)
  const [failed] = await messages({ state: 'failed' })
  await server.call(api.resendNoticeMessage, { uuid: failed?.uuid ?? '' })
  await vi.waitFor(() => expect(texts().some((text) => text.includes('anna_b'))).toBe(true), WAIT)
  await vi.waitFor(async () => expect(await messages({ state: 'sent' })).toHaveLength(2), WAIT)
})

test('NOTE-005 a chat that asks to wait is left alone for so long, and it is no failure', async () => {
  telegram.restsUntil = Date.now() + 3000
  const way = await makeWay()
  await makeRule('userEvents', way)
  await start()
  await makeUser(server, { username: 'anna_b' })
  await vi.waitFor(async () => expect((await messages())[0]?.error).toMatch(/Telegram asks to wait [123] seconds\./), WAIT)
  expect((await wayOf(way.uuid)).failingSince).toBeNull()
  await vi.waitFor(() => expect(texts()).toHaveLength(1), WAIT)
  expect(telegram.received.length).toBe(2)
})

test('NOTE-005 a way that hangs delays no other', async () => {
  const other = await startTelegram([CHAT])
  telegram.isHanging = true
  const ways = [await makeWay(), await makeWay({ telegram: { chat: String(CHAT), token: TOKEN, apiRoot: other.url } })]
  await server.call(api.createNoticeRule, { condition: 'userEvents', ways: ways.map(({ uuid }) => uuid) })
  await start()
  await makeUser(server, { username: 'anna_b' })
  await vi.waitFor(() => expect(other.said).toHaveLength(1), { timeout: 8000, interval: 50 })
  await vi.waitFor(
    async () => expect((await messages({ way: ways[0]?.uuid }))[0]?.error).toBe('There was no whole answer within 10 seconds.'),
    WAIT,
  )
  await other.close()
})

test('NOTE-002 a rule sends at most so many messages an hour, and what is beyond goes into a later one', async () => {
  await makeRule('userEvents', await makeWay(), { mostPerHour: 1 })
  await start()
  await makeUser(server, { username: 'anna_b' })
  await vi.waitFor(() => expect(texts()).toHaveLength(1), WAIT)
  for (const username of ['bert_b', 'cleo_b']) await makeUser(server, { username })
  await vi.waitFor(async () => expect((await server.call(api.listNoticeMessages, {})).held).toBe(2), WAIT)
  expect(texts()).toHaveLength(1)
  await sql`update "noticeMessages" set "at" = now() - interval '61 minutes'`.execute(server.ctx.db)
  await vi.waitFor(() => expect(texts()).toHaveLength(2), WAIT)
  expect(texts()[1]).toContain('<b>Users: 2</b>')
})

test('NOTE-002 quiet hours and a digest hold notices back, and a digest tells of several rules in one message', async () => {
  const way = await makeWay()
  await makeRule('userEvents', way, { quietFrom: '00:00', quietTo: '23:59', zone: 'UTC' })
  await makeRule('nodeEvents', way, { digest: 'hourly' })
  await makeRule('usersExpired', way, { digest: 'daily' })
  await start()
  const user = await makeUser(server, { username: 'anna_b' })
  await makeNode()
  await server.ctx.db.updateTable('users').set({ expireAt: new Date(Date.now() - 1000) }).where('uuid', '=', user.uuid).execute()
  await expireUsers(server.ctx)
  const held = async () => (await server.call(api.listNoticeMessages, {})).held
  await vi.waitFor(async () => expect(await held()).toBeGreaterThanOrEqual(3), WAIT)
  expect(texts()).toEqual([])
  await sql`update "notices" set "dueAt" = now() where "ruleId" in (select "id" from "noticeRules" where "digest" <> 'none')`.execute(server.ctx.db)
  await vi.waitFor(() => expect(texts()).toHaveLength(1), WAIT)
  expect(texts()[0]).toMatch(/Notices: \d/)
  expect(texts()[0]).toMatch(/Node Warsaw was created\.[^]*anna_b has expired\./)
  expect(await held()).toBeGreaterThan(0) // those of the quiet hours
})

test('NOTE-002 states are told once until they are over: users near their limit, expiring, on many devices, and bills', async () => {
  const way = await makeWay()
  await makeRule('userTraffic', way, { amount: 80 })
  await makeRule('usersExpiring', way, { amount: 3 })
  await makeRule('sharedAccount', way, { amount: 2 })
  await makeRule('billsDue', way, { amount: 7 })
  await start()
  const soon = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  const near = await makeUser(server, { username: 'near_b', trafficLimitBytes: 1000 })
  await makeUser(server, { username: 'spare_b', trafficLimitBytes: 1000, expireAt: soon(9) })
  await makeUser(server, { username: 'ends_b', expireAt: soon(2) })
  const shared = await makeUser(server, { username: 'shared_b' })
  for (const hwid of ['one', 'two']) await server.call(api.createHwidDevice, { userUuid: shared.uuid, hwid })
  await spend(server, near.uuid, 850)
  const node = await makeNode()
  const provider = await server.call(api.createInfraProvider, { name: 'Hetzner' })
  await server.call(api.createInfraBillingNode, { providerUuid: provider.uuid, nodeUuid: node.uuid, nextBillingAt: soon(5) })
  for (let twice = 0; twice < 2; twice++) {
    await reviewNotices(server.ctx)
    await reviewUsersForNotices(server.ctx)
  }
  await vi.waitFor(() => expect(texts()).toHaveLength(4), WAIT)
  const all = texts().join('\n')
  expect(all).toContain('near_b has used 85 % of the traffic: 850 B of 1,000 B.')
  expect(all).toMatch(/ends_b expires on \d/)
  expect(all).toContain('shared_b is used on 2 devices.')
  expect(all).toMatch(/Hetzner, node Warsaw: due on \d/)
  expect(all).not.toContain('spare_b')
  await server.call(api.resetUserTraffic, { uuid: near.uuid })
  await reviewUsersForNotices(server.ctx)
  await spend(server, near.uuid, 900)
  await reviewUsersForNotices(server.ctx)
  await vi.waitFor(() => expect(texts()).toHaveLength(5), WAIT)
  expect(texts()[4]).toContain('near_b has used 90 %')
})

test('NOTE-002 sign-ins, a failed roll-out, a full disk and a missing backup are told of', async () => {
  const way = await makeWay()
  for (const condition of ['signIn', 'signInFailed', 'rolloutFailed'] as const) await makeRule(condition, way)
  await makeRule('diskLow', way, { amount: 10_000 })
  await makeRule('backupOld', way, { amount: 1 })
  await start()
  await makeNode()
  for (const password of ['Wrong4horse', 'Correct4horse'])
    await server.send('POST', '/api/auth/login', { username: 'admin', password }, { 'x-remnawave-client-type': 'browser' })
  await sql`
    insert into "configProfileRollouts" ("profileId", "config", "actorKind", "state", "endedAt", "error")
    select "id", '{}', 'admin', 'failed', now(), 'Node Warsaw could not start.' from "configProfiles"
  `.execute(server.ctx.db)
  await reviewNotices(server.ctx)
  await vi.waitFor(() => expect(texts()).toHaveLength(5), WAIT)
  const all = texts().join('\n')
  expect(all).toContain('admin signed in from 127.0.0.1.')
  expect(all).toMatch(/A sign-in as admin from 127\.0\.0\.1 was refused\. \S/)
  expect(all).not.toContain('Wrong4horse')
  expect(all).toContain('The roll-out of profile Profile_Warsaw failed. Node Warsaw could not start.')
  expect(all).toMatch(/GiB are free in/)
  expect(all).toContain('There is no backup.')
})

test('NOTE-006 the week’s summary tells users, traffic, money, troubles and what runs out, once', async () => {
  const way = await makeWay()
  const rule = await makeRule('weekSummary', way, { zone: 'UTC' })
  const monday = new Date('2026-11-23T09:30:00Z')
  await sql`update "noticeRules" set "createdAt" = '2026-11-01'`.execute(server.ctx.db)
  const node = await makeNode()
  await makeUser(server, { username: 'anna_b', expireAt: '2026-11-27T00:00:00.000Z' }).catch(() => undefined)
  await sql`update "users" set "status" = 'ACTIVE', "expireAt" = '2026-11-27', "createdAt" = '2026-11-20'`.execute(server.ctx.db)
  await sql`insert into "nodeUsageDays" ("day", "nodeId", "downloadBytes") select "day"::date, "id", "bytes"
    from "nodes", (values ('2026-11-18', 5368709120), ('2026-11-11', 1073741824)) as "of"("day", "bytes")`.execute(server.ctx.db)
  const provider = await server.call(api.createInfraProvider, { name: 'Hetzner AG' })
  await server.call(api.createInfraBillingNode, { providerUuid: provider.uuid, nodeUuid: node.uuid, nextBillingAt: '2026-11-25T00:00:00.000Z' })
  await server.call(api.createInfraBillingRecord, { providerUuid: provider.uuid, amount: 12.5, billedAt: '2026-11-18T00:00:00.000Z' })
  server.clock.now = monday
  for (let twice = 0; twice < 2; twice++) await reviewNotices(server.ctx)
  await start()
  await vi.waitFor(() => expect(texts()).toHaveLength(1), WAIT)
  for (const line of [
    '<b>Last week</b>',
    'Users: 1, of them active 1, new 1, expired 0.',
    'Traffic: 5 GiB; the week before 1 GiB.',
    'Paid: 12.50. Due next week: Hetzner AG (Warsaw).',
    'Connections of nodes lost: 0. Down now: Warsaw.',
    'Next week 1 users expire.',
  ])
    expect(texts()[0]).toContain(line)
  expect((await server.call(api.getNoticeRule, { uuid: rule.uuid })).lastAt).not.toBeNull()
})

test('NOTE-001 a webhook gets title and lines, signed over the very bytes', async () => {
  const receiver: Receiver = await startReceiver()
  const secret = 'aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY'
  const way = await server.call(api.createNoticeWay, { webhook: { url: receiver.url, secret } })
  await makeRule('userEvents', way)
  await start()
  const user = await makeUser(server, { username: 'anna_b' })
  await vi.waitFor(() => expect(receiver.received).toHaveLength(1), WAIT)
  const [{ headers, body } = { headers: {}, body: Buffer.alloc(0) }] = receiver.received
  expect(headers['x-causeway-signature']).toBe(createHmac('sha256', secret).update(body).digest('hex'))
  const url = `${ORIGIN}/dashboard/management/users?edit=${user.uuid}`
  expect(JSON.parse(body.toString())).toMatchObject({ title: 'Users', lines: [{ text: 'User anna_b was created.', url }] })
  await receiver.close()
})

describe('NOTE-001 e-mail', () => {
  let mails: MailServer | undefined
  afterEach(async () => {
    await mails?.close()
    mails = undefined
  })
  const mailWay = (more: object = {}) =>
    server.call(api.createNoticeWay, {
      email: { host: '127.0.0.1', port: mails?.port ?? 1, security: 'none', from: 'panel@example.com', to: ['ops@example.com'], ...more },
    } as never)
  const outcome = async (more: object = {}) => server.call(api.testNoticeWay, { uuid: (await mailWay(more)).uuid })

  test('arrives as HTML and text over TLS with a sign-in, by both kinds of TLS', async () => {
    const own = await selfSigned('localhost')
    trust(own.cert)
    const passwords = { panel: 'secret word' }
    for (const security of ['tls', 'starttls'] as const) {
      mails = await startMailServer({ ...own, secure: security === 'tls', passwords, authOptional: false })
      const way = await mailWay({ host: 'localhost', security, username: 'panel', password: 'secret word' })
      await makeRule('userEvents', way)
      if (workers.length === 0) await start()
      await makeUser(server, { username: `mail_${security}` })
      await vi.waitFor(() => expect(mails?.mails.length).toBeGreaterThan(0), WAIT)
      const mail = mails.mails.at(-1)
      expect(mail).toMatchObject({ from: 'panel@example.com', to: ['ops@example.com'], isEncrypted: true, user: 'panel' })
      expect(mail?.source).toContain('text/plain')
      expect(mail?.source).toContain('text/html')
      expect(mail?.source).toContain(`Subject: User mail_${security} was created.`)
      expect(mail?.source).toMatch(/Message-ID: <[\da-f-]{36}@example\.com>/)
      await server.call(api.deleteNoticeWay, { uuid: way.uuid })
      await mails.close()
    }
    mails = undefined
  })

  test('a sender that is refused, a wrong password, no TLS, a wrong certificate and silence are sentences', async () => {
    mails = await startMailServer({ refuses: ['panel@example.com'], passwords: {}, disabledCommands: ["STARTTLS"], allowInsecureAuth: true })
    expect(await outcome()).toMatchObject({
      error: 'The mail server refused the sender: 550 Sender is not allowed here',
      answer: '550 Sender is not allowed here',
    })
    expect((await outcome({ username: 'panel', password: 'wrong' })).error).toMatch(/^The mail server refused the sign-in: /)
    expect((await outcome({ security: 'starttls' })).error).toBe('The mail server offers no TLS there. Choose another port or security.')
    expect((await outcome({ security: 'tls' })).error).toBe('The mail server offers no TLS there. Choose another port or security.')
    await mails.close()
    mails = await startMailServer({ ...(await selfSigned('localhost')), secure: true })
    expect((await outcome({ host: 'localhost', security: 'tls' })).error).toBe('The certificate of the mail server is signed by itself.')
    await mails.close()
    expect((await outcome()).error).toBe('Nothing listens at this address.')
    mails = undefined
  })
})

test('NOTE-001 a test over each way is sent by a call, and the other side’s words come back', async () => {
  const way = await makeWay()
  expect(await server.call(api.testNoticeWay, { uuid: way.uuid })).toMatchObject({ error: null })
  expect(texts()[0]).toContain('This is a test from panel.example.com. Notices arrive here.')
  telegram.chats.clear()
  expect(await server.call(api.testNoticeWay, { uuid: way.uuid })).toMatchObject({
    answer: 'Bad Request: chat not found',
    error: expect.stringContaining('does not know this chat'),
  })
  expect(await messages()).toEqual([])
})

test('NOTE-002 a way is made with rules as they usually are, is changed without telling its secret again, and undone', async () => {
  const way = await makeWay({ conditions: ['nodeDown', 'usersExpiring'] })
  const { rules } = await server.call(api.listNoticeRules, {})
  expect(rules.map(({ condition, amount, digest, ways }) => [condition, amount, digest, ways])).toEqual([
    ['nodeDown', 3, 'none', [way.uuid]],
    ['usersExpiring', 3, 'daily', [way.uuid]],
  ])
  await server.call(api.updateNoticeWay, { uuid: way.uuid, telegram: { chat: '@team' } })
  expect(await server.call(api.testNoticeWay, { uuid: way.uuid })).toMatchObject({ error: null })
  expect(telegram.said[0]).toMatchObject({ bot: TOKEN, chat: '@team' })
  const paused = await server.call(api.updateNoticeWay, { uuid: way.uuid, isPaused: true })
  expect(paused).toMatchObject({ isPaused: true, telegram: { chat: '@team' } })
})

describe('NOTE-007 the known environment names', () => {
  const env = {
    IS_TELEGRAM_NOTIFICATIONS_ENABLED: true,
    TELEGRAM_BOT_TOKEN: TOKEN,
    TELEGRAM_NOTIFY_USERS: `${CHAT}:7`,
    TELEGRAM_NOTIFY_NODES: '-200',
    TELEGRAM_NOTIFY_SERVICE: '-300',
  }
  const named = (given: object) => ({ ...server.ctx, config: { ...server.ctx.config, TELEGRAM_BOT_API_ROOT: telegram.url, ...given } })

  test('make chats for families of events, which are read-only here, and go with the names', async () => {
    for (const chat of [-200, -300]) telegram.chats.add(chat)
    await start(named(env))
    const user = await makeUser(server, { username: 'anna_b' })
    await server.call(api.createHwidDevice, { userUuid: user.uuid, hwid: 'phone' })
    await makeNode()
    await server.call(api.createApiToken, { tokenName: 'shop bot' })
    await vi.waitFor(() => expect(telegram.said.filter(({ chat }) => chat !== -300)).toHaveLength(2), WAIT)
    await vi.waitFor(() => expect(texts().join('\n')).toContain('API token shop bot was created.'), WAIT)
    const of = (chat: number) => telegram.said.filter((said) => said.chat === chat)
    expect(of(CHAT)).toMatchObject([{ topic: 7, text: expect.stringContaining('User anna_b was created.') }])
    expect(of(-200)[0]?.text).toContain('Node Warsaw was created.')
    expect(of(-300).map(({ text }) => text).join('\n')).toContain('API token shop bot was created.')
    expect(texts().join('\n')).not.toContain('device') // devices are never told to chats
    const body = JSON.parse(telegram.received[0]?.body.toString() ?? '{}') as object
    expect(body).toMatchObject({ parse_mode: 'HTML', link_preview_options: { is_disabled: true } })

    const { ways } = await server.call(api.listNoticeWays, {})
    const { rules } = await server.call(api.listNoticeRules, {})
    expect(ways.every(({ isFromEnvironment }) => isFromEnvironment)).toBe(true)
    const readOnly = [409, api.errors.noticeOfEnvironment.code]
    const [way, rule] = [ways[0]?.uuid ?? '', rules[0]?.uuid ?? '']
    expect(await refused(server, 'PATCH', '/api/x/notice-ways', { uuid: way, name: 'mine' })).toEqual(readOnly)
    expect(await refused(server, 'DELETE', `/api/x/notice-ways/${way}`)).toEqual(readOnly)
    expect(await refused(server, 'PATCH', '/api/x/notice-rules', { uuid: rule, mostPerHour: 3 })).toEqual(readOnly)
    expect(await refused(server, 'DELETE', `/api/x/notice-rules/${rule}`)).toEqual(readOnly)
    expect((await server.call(api.updateNoticeWay, { uuid: way, isPaused: true })).isPaused).toBe(true)
    for (const worker of workers.splice(0)) await worker.stop()
    await start(named(env))
    expect((await server.call(api.listNoticeWays, {})).ways.map(({ uuid }) => uuid)).toEqual(ways.map(({ uuid }) => uuid))
    for (const worker of workers.splice(0)) await worker.stop()
    await start(named({ ...env, IS_TELEGRAM_NOTIFICATIONS_ENABLED: false }))
    expect((await server.call(api.listNoticeWays, {})).ways).toEqual([])
    expect((await server.call(api.listNoticeRules, {})).rules).toEqual([])
  })

  test('the older pairs of chat and thread tell the nodes’ chat of the panel too', async () => {
    const pairs = {
      IS_TELEGRAM_NOTIFICATIONS_ENABLED: true,
      TELEGRAM_BOT_TOKEN: TOKEN,
      TELEGRAM_NOTIFY_NODES_CHAT_ID: String(CHAT),
      TELEGRAM_NOTIFY_NODES_THREAD_ID: '5',
    }
    await start(named(pairs))
    await server.call(api.createApiToken, { tokenName: 'older bot' })
    await vi.waitFor(() => expect(texts().join('\n')).toContain('API token older bot was created.'), WAIT)
    expect(telegram.said.every(({ chat, topic }) => chat === CHAT && topic === 5)).toBe(true)
  })
})

describe('what cannot be is refused at its field', () => {
  const bot = { chat: '1', token: TOKEN }
  const mail = { host: 'mail.example.com', port: 465, security: 'tls', from: 'panel@example.com', to: ['ops@example.com'] }
  test.each<[string, object]>([
    ['telegram.token', { telegram: { ...bot, token: 'no' } }],
    ['telegram.chat', { telegram: { ...bot, chat: 'my chat' } }],
    ['telegram.apiRoot', { telegram: { ...bot, apiRoot: 'ftp://telegram' } }],
    ['telegram.apiRoot', { telegram: { ...bot, apiRoot: 'http://10.0.0.1' } }],
    ['telegram.proxy', { telegram: { ...bot, proxy: 'socks5://192.168.0.1:1080' } }],
    ['email.host', { email: { ...mail, host: '169.254.169.254' } }],
    ['email.to', { email: { ...mail, to: [] } }],
    ['email.to.0', { email: { ...mail, to: ['nobody'] } }],
    ['email.port', { email: { ...mail, port: 70_000 } }],
    ['webhook.url', { webhook: { url: 'http://10.0.0.1/' } }],
    ['webhook.secret', { webhook: { url: 'https://bot.example/', secret: 'short' } }],
    ['telegram', { telegram: bot, email: mail }],
    ['telegram', {}],
  ])('%s: %j', async (path, input) => {
    expect(await refused(server, 'POST', '/api/x/notice-ways', input)).toEqual([400, path])
  })

  test.each<[string, object]>([
    ['amount', { condition: 'nodeDown', amount: null }],
    ['amount', { condition: 'userTraffic', amount: 100 }],
    ['amount', { condition: 'signIn', amount: 1 }],
    ['quietTo', { condition: 'signIn', quietFrom: '22:00' }],
    ['quietFrom', { condition: 'signIn', quietFrom: '25:00', quietTo: '07:00' }],
    ['zone', { condition: 'signIn', zone: 'Nowhere/City' }],
    ['mostPerHour', { condition: 'signIn', mostPerHour: 0 }],
    ['ways.0', { condition: 'signIn', ways: [UNKNOWN] }],
    ['condition', { condition: 'moon' }],
  ])('%s: %j', async (path, input) => {
    expect(await refused(server, 'POST', '/api/x/notice-rules', { ways: [], ...input })).toEqual([400, path])
  })

  test('what is gone is not found', async () => {
    const [way, rule, message] = [api.errors.noticeWayNotFound, api.errors.noticeRuleNotFound, api.errors.noticeMessageNotFound]
    expect(await refused(server, 'PATCH', '/api/x/notice-ways', { uuid: UNKNOWN })).toEqual([404, way.code])
    expect(await refused(server, 'DELETE', `/api/x/notice-ways/${UNKNOWN}`)).toEqual([404, way.code])
    expect(await refused(server, 'POST', `/api/x/notice-ways/${UNKNOWN}/test`, {})).toEqual([404, way.code])
    expect(await refused(server, 'PATCH', '/api/x/notice-rules', { uuid: UNKNOWN })).toEqual([404, rule.code])
    expect(await refused(server, 'DELETE', `/api/x/notice-rules/${UNKNOWN}`)).toEqual([404, rule.code])
    expect(await refused(server, 'POST', `/api/x/notice-messages/${UNKNOWN}/resend`, {})).toEqual([404, message.code])
  })
})
