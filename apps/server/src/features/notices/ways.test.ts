import { spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { connect, createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net'
import * as api from '@causeway/contract'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { engine } from '../../../test/engine.ts'
import { selfSigned, startMailServer, trust, type MailServer } from '../../../test/mail-server.ts'
import { BOT_TOKEN, CHAT, noticeWorld, WAIT, type NoticeWorld } from '../../../test/notices.ts'
import { startReceiver, type Receiver } from '../../../test/receiver.ts'
import { testServer, type TestServer } from '../../../test/server.ts'
import { makeUser, refused, UNKNOWN } from '../../../test/users.ts'

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

test('NOTE-001 NOTE-003 a chat is told in words, with a link that opens the thing, and in its topic', async () => {
  const way = await world.makeWay({
    telegram: { chat: String(CHAT), topic: 42, token: BOT_TOKEN, apiRoot: world.telegram.url },
    name: 'Team',
  })
  expect(JSON.stringify(way)).not.toContain(BOT_TOKEN)
  await world.makeRule('userEvents', way)
  await world.start()
  const user = await makeUser(server, { username: 'anna_b' })
  await makeUser(server, { username: 'bystander' })
  await vi.waitFor(() => expect(world.texts().join('\n')).toContain('bystander'), WAIT)
  const [first] = world.telegram.said
  expect(first).toMatchObject({ bot: BOT_TOKEN, chat: CHAT, topic: 42 })
  expect(first?.text).toContain(`<a href="${ORIGIN}/dashboard/management/users?edit=${user.uuid}">User anna_b was created.</a>`)
  await vi.waitFor(
    async () => expect(await world.wayOf(way.uuid)).toMatchObject({ failingSince: null, waiting: 0, rules: 1 }),
    WAIT,
  )
  expect((await world.wayOf(way.uuid)).lastSuccessAt).not.toBeNull()
})

test.each<[api.NoticeLanguage, string]>([
  ['ru', 'Создан пользователь anna_b.'],
  ['fa', 'کاربر \u2068anna_b\u2069 ساخته شد.'],
  ['zh', '已创建用户 anna_b。'],
])('NOTE-003 texts are in the language of the way: %s', async (language, text) => {
  await world.makeRule('userEvents', await world.makeWay({ language }))
  await world.start()
  await makeUser(server, { username: 'anna_b' })
  await vi.waitFor(() => expect(world.texts().join('\n')).toContain(text), WAIT)
})

test('NOTE-001 a webhook gets title and lines, signed over the very bytes', async () => {
  const receiver: Receiver = await startReceiver()
  const secret = 'aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY'
  const way = await server.call(api.createNoticeWay, { webhook: { url: receiver.url, secret } })
  await world.makeRule('userEvents', way)
  await world.start()
  const user = await makeUser(server, { username: 'anna_b' })
  await vi.waitFor(() => expect(receiver.received).toHaveLength(1), WAIT)
  const [received] = receiver.received
  const body = received?.body ?? Buffer.alloc(0)
  expect(received?.headers['x-causeway-signature']).toBe(createHmac('sha256', secret).update(body).digest('hex'))
  const url = `${ORIGIN}/dashboard/management/users?edit=${user.uuid}`
  expect(JSON.parse(body.toString())).toMatchObject({ title: 'Users', lines: [{ text: 'User anna_b was created.', url }] })
  await receiver.close()
})

test('NOTE-001 receivers without a name of their own are called by where they lead, each differently', async () => {
  const nameOf = async (way: object) =>
    (await server.call(api.createNoticeWay, way as api.Input<typeof api.createNoticeWay>)).name
  const mail = { host: '127.0.0.1', port: 25, security: 'none', from: 'panel@example.com' } as const
  expect(await nameOf({ webhook: { url: 'http://127.0.0.1:9/one' } })).toBe('Webhook 127.0.0.1:9/one')
  expect(await nameOf({ webhook: { url: 'http://127.0.0.1:9/two?key=1' } })).toBe('Webhook 127.0.0.1:9/two')
  expect(await nameOf({ webhook: { url: 'http://127.0.0.1:9/two' } })).toBe('Webhook 127.0.0.1:9/two (2)')
  const long = `http://127.0.0.1:9/${'x'.repeat(100)}`
  const [first, second] = [await nameOf({ webhook: { url: long } }), await nameOf({ webhook: { url: long } })]
  expect([first.length, second]).toEqual([60, `${first.slice(0, 56)} (2)`])
  expect(await nameOf({ telegram: { chat: '@team', topic: 7, token: BOT_TOKEN } })).toBe('Telegram @team:7')
  expect(await nameOf({ email: { ...mail, to: ['ops@example.com', 'team@example.com'] } })).toBe('E-mail ops@example.com +1')
})

test('NOTE-001 a chat is reached through a proxy with a password, which no answer shows', async () => {
  const asked: (string | undefined)[] = []
  const proxy = createServer()
  proxy.on('connect', ({ url = '', headers }: IncomingMessage, socket: Socket) => {
    asked.push(url, headers['proxy-authorization'])
    const [host = '', port] = url.split(':')
    const behind = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      behind.pipe(socket).pipe(behind)
    })
    behind.on('error', () => socket.destroy())
    socket.on('error', () => behind.destroy())
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const { port } = proxy.address() as AddressInfo // it listens on a port
  const telegram = {
    chat: String(CHAT),
    token: BOT_TOKEN,
    apiRoot: world.telegram.url,
    proxy: `http://me:secret@127.0.0.1:${port}`,
  }
  const way = await world.makeWay({ telegram })
  expect(way.telegram?.proxyHost).toBe(`127.0.0.1:${port}`)
  expect(JSON.stringify(way)).not.toContain('secret@')
  expect(await server.call(api.testNoticeWay, { uuid: way.uuid })).toMatchObject({ error: null })
  expect(asked).toEqual([new URL(world.telegram.url).host, `Basic ${Buffer.from('me:secret').toString('base64')}`])
  expect(world.texts()).toHaveLength(1)
  proxy.close()
})

test('NOTE-001 an unknown topic, and a proxy that nothing listens at, are sentences of their own', async () => {
  const outcomeOf = async (more: object) => {
    const telegram = { chat: String(CHAT), token: BOT_TOKEN, apiRoot: world.telegram.url, ...more }
    const { uuid } = await world.makeWay({ telegram })
    return server.call(api.testNoticeWay, { uuid })
  }
  const dead = { proxy: 'http://127.0.0.1:9', topic: null }
  expect((await outcomeOf(dead)).error).toBe('The proxy cannot be used: Nothing listens at this address.')
  expect((await outcomeOf({ apiRoot: 'http://127.0.0.1:9' })).error).toBe('Nothing listens at this address.')
  world.telegram.answer = (reply) =>
    reply.writeHead(400).end(JSON.stringify({ ok: false, description: 'Bad Request: message thread not found' }))
  expect((await outcomeOf({ topic: 99 })).error).toBe('Telegram does not know this topic. Compare its number.')
})

async function freePort(): Promise<number> {
  const probe = createTcpServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as AddressInfo // it listens on a port
  await new Promise((resolve) => probe.close(resolve))
  return port
}

test.skipIf(!engine.xray)(
  'NOTE-001 a chat is reached through a SOCKS5 proxy with a password, and a wrong one is said',
  async () => {
    const port = await freePort()
    const accounts = [{ user: 'me', pass: 'secret' }]
    const inbound = { listen: '127.0.0.1', port, protocol: 'socks', settings: { auth: 'password', accounts } }
    const proxy = spawn(engine.xray ?? '', ['run'], { stdio: ['pipe', 'pipe', 'ignore'] })
    try {
      // Its own rule keeps callers from private addresses, where this Telegram is.
      const outbound = { protocol: 'freedom', settings: { finalRules: [{ action: 'allow' }] } }
      proxy.stdin.end(JSON.stringify({ log: { access: '', loglevel: 'info' }, inbounds: [inbound], outbounds: [outbound] }))
      const log: string[] = []
      proxy.stdout.on('data', (text: Buffer) => log.push(text.toString()))
      await vi.waitFor(() => expect(log.join('')).toContain('started'), WAIT)
      const test = async (password: string) => {
        const telegram = { chat: String(CHAT), token: BOT_TOKEN, apiRoot: world.telegram.url }
        const way = await world.makeWay({ telegram: { ...telegram, proxy: `socks5://me:${password}@127.0.0.1:${port}` } })
        expect(way.telegram?.proxyHost).toBe(`127.0.0.1:${port}`)
        return server.call(api.testNoticeWay, { uuid: way.uuid })
      }
      expect(await test('secret')).toMatchObject({ error: null })
      expect(world.texts()).toHaveLength(1)
      expect(log.join('')).toContain(`tcp:${new URL(world.telegram.url).host}`)
      expect((await test('wrong')).error).toBe('The proxy refuses the name or password.')
      expect(world.texts()).toHaveLength(1)
    } finally {
      proxy.kill()
      await once(proxy, 'exit')
    }
  },
)

describe('NOTE-001 e-mail', () => {
  let mails: MailServer | undefined
  afterEach(async () => {
    await mails?.close()
    mails = undefined
  })
  const mailWay = (more: object = {}) =>
    server.call(api.createNoticeWay, {
      email: {
        host: '127.0.0.1',
        port: mails?.port ?? 1,
        security: 'none',
        from: 'panel@example.com',
        to: ['ops@example.com'],
        ...more,
      },
    } as never)
  const outcome = async (more: object = {}) => server.call(api.testNoticeWay, { uuid: (await mailWay(more)).uuid })

  test('arrives as HTML and text over TLS with a sign-in, by both kinds of TLS', async () => {
    const own = await selfSigned('localhost')
    trust(own.cert)
    const passwords = { panel: 'secret word' }
    for (const security of ['tls', 'starttls'] as const) {
      mails = await startMailServer({ ...own, secure: security === 'tls', passwords, authOptional: false })
      const way = await mailWay({ host: 'localhost', security, username: 'panel', password: 'secret word' })
      await world.makeRule('userEvents', way)
      if (security === 'tls') await world.start()
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
    mails = await startMailServer({
      refuses: ['panel@example.com'],
      passwords: {},
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
    })
    expect(await outcome()).toMatchObject({
      error: 'The mail server refused the sender: 550 Sender is not allowed here',
      answer: '550 Sender is not allowed here',
    })
    expect((await outcome({ username: 'panel', password: 'wrong' })).error).toMatch(/^The mail server refused the sign-in: /)
    expect((await outcome({ security: 'starttls' })).error).toBe(
      'The mail server offers no TLS there. Choose another port or security.',
    )
    expect((await outcome({ security: 'tls' })).error).toBe(
      'The mail server offers no TLS there. Choose another port or security.',
    )
    await mails.close()
    mails = await startMailServer({ ...(await selfSigned('localhost')), secure: true })
    expect((await outcome({ host: 'localhost', security: 'tls' })).error).toBe(
      'The certificate of the mail server is signed by itself.',
    )
    await mails.close()
    expect((await outcome()).error).toBe('Nothing listens at this address.')
    mails = undefined
  })
})

test('NOTE-001 a test over each way is sent by a call, and the other side’s words come back', async () => {
  const way = await world.makeWay()
  expect(await server.call(api.testNoticeWay, { uuid: way.uuid })).toMatchObject({ error: null })
  expect(world.texts()[0]).toContain('This is a test from panel.example.com. Notices arrive here.')
  world.telegram.chats.clear()
  expect(await server.call(api.testNoticeWay, { uuid: way.uuid })).toMatchObject({
    answer: 'Bad Request: chat not found',
    error: expect.stringContaining('does not know this chat'),
  })
  expect(await world.messages()).toEqual([])
})

describe('NOTE-007 the known environment names', () => {
  const env = {
    IS_TELEGRAM_NOTIFICATIONS_ENABLED: true,
    TELEGRAM_BOT_TOKEN: BOT_TOKEN,
    TELEGRAM_NOTIFY_USERS: `${CHAT}:7`,
    TELEGRAM_NOTIFY_NODES: '-200',
    TELEGRAM_NOTIFY_SERVICE: '-300',
  }
  const named = (given: object) => ({
    ...server.ctx,
    config: { ...server.ctx.config, TELEGRAM_BOT_API_ROOT: world.telegram.url, ...given },
  })

  test('make chats for families of events, which are read-only here, and go with the names', async () => {
    for (const chat of [-200, -300]) world.telegram.chats.add(chat)
    await world.start(named(env))
    const user = await makeUser(server, { username: 'anna_b' })
    await server.call(api.createHwidDevice, { userUuid: user.uuid, hwid: 'phone' })
    await world.makeNode()
    await server.call(api.createApiToken, { tokenName: 'shop bot' })
    await vi.waitFor(() => expect(world.telegram.said.filter(({ chat }) => chat !== -300)).toHaveLength(2), WAIT)
    await vi.waitFor(() => expect(world.texts().join('\n')).toContain('API token shop bot was created.'), WAIT)
    const of = (chat: number) => world.telegram.said.filter((said) => said.chat === chat)
    expect(of(CHAT)).toMatchObject([{ topic: 7, text: expect.stringContaining('User anna_b was created.') }])
    expect(of(-200)[0]?.text).toContain('Node Warsaw was created.')
    expect(
      of(-300)
        .map(({ text }) => text)
        .join('\n'),
    ).toContain('API token shop bot was created.')
    expect(world.texts().join('\n')).not.toContain('device') // devices are never told to chats
    const body = JSON.parse(world.telegram.received[0]?.body.toString() ?? '{}') as object
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
    await world.stop()
    await world.start(named(env))
    expect((await server.call(api.listNoticeWays, {})).ways.map(({ uuid }) => uuid)).toEqual(ways.map(({ uuid }) => uuid))
    await world.stop()
    await world.start(named({ ...env, IS_TELEGRAM_NOTIFICATIONS_ENABLED: false }))
    expect((await server.call(api.listNoticeWays, {})).ways).toEqual([])
    expect((await server.call(api.listNoticeRules, {})).rules).toEqual([])
  })

  test('the older pairs of chat and thread tell the nodes’ chat of the panel too', async () => {
    const pairs = {
      IS_TELEGRAM_NOTIFICATIONS_ENABLED: true,
      TELEGRAM_BOT_TOKEN: BOT_TOKEN,
      TELEGRAM_NOTIFY_NODES_CHAT_ID: String(CHAT),
      TELEGRAM_NOTIFY_NODES_THREAD_ID: '5',
    }
    await world.start(named(pairs))
    await server.call(api.createApiToken, { tokenName: 'older bot' })
    await vi.waitFor(() => expect(world.texts().join('\n')).toContain('API token older bot was created.'), WAIT)
    expect(world.telegram.said.every(({ chat, topic }) => chat === CHAT && topic === 5)).toBe(true)
  })
})

describe('what cannot be is refused at its field', () => {
  const bot = { chat: '1', token: BOT_TOKEN }
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
    ['webhook.url', { webhook: { url: 'https://ops:secret@bot.example/' } }],
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
