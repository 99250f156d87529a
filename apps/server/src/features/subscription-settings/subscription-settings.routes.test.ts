import { connect, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as api from '@causeway/contract'
import { testServer, type TestServer } from '../../../test/server.ts'
import { makeUser } from '../../../test/users.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())

test('SUBSET-004: a new panel has one record with every setting', async () => {
  const [first, second] = await Promise.all([
    server.call(api.getSubscriptionSettings, {}),
    server.call(api.getSubscriptionSettings, {}),
  ])
  expect(first).toEqual(second)
  expect(first).toMatchObject({
    profileTitle: 'Causeway',
    profileUpdateInterval: 12,
    isProfileWebpageUrlEnabled: true,
    serveJsonAtBaseSubscription: false,
    addUsernameToBaseSubscription: false,
    isShowCustomRemarks: true,
    randomizeHosts: false,
    happAnnounce: null,
    happRouting: null,
    customResponseHeaders: null,
  })
  expect([first.expiredUsersRemarks, first.limitedUsersRemarks, first.disabledUsersRemarks].map((list) => list.length)).toEqual([
    2, 2, 2,
  ])
  const rows = await server.ctx.db.selectFrom('subscriptionSettings').select('uuid').execute()
  expect(rows).toHaveLength(1)
})

test('SUBSET-016: an edit keeps absent fields, clears with null and sets values, and is noted', async () => {
  const before = await server.call(api.getSubscriptionSettings, {})
  const { uuid } = before
  const set = await server.call(api.updateSubscriptionSettings, {
    uuid,
    profileTitle: 'Title',
    happAnnounce: 'Hello',
    happRouting: 'happ://routing/add/e30=',
    expiredUsersRemarks: ['one'],
    customResponseHeaders: { 'X-One': '1' },
    randomizeHosts: true,
  })
  expect(set).toMatchObject({ profileTitle: 'Title', happAnnounce: 'Hello', expiredUsersRemarks: ['one'], randomizeHosts: true })
  expect(set.limitedUsersRemarks).toEqual(before.limitedUsersRemarks)
  expect(set.customResponseHeaders).toEqual({ 'X-One': '1' })
  const cleared = await server.call(api.updateSubscriptionSettings, {
    uuid,
    happAnnounce: null,
    happRouting: null,
    customResponseHeaders: {},
  })
  expect(cleared).toMatchObject({ happAnnounce: null, happRouting: null, profileTitle: 'Title', expiredUsersRemarks: ['one'] })
  expect(cleared.customResponseHeaders).toEqual({})
  expect(await server.call(api.updateSubscriptionSettings, { uuid })).toMatchObject({ profileTitle: 'Title' })
  const audit = await server.ctx.db
    .selectFrom('auditLog')
    .select(['actorName', 'after'])
    .where('action', '=', 'updateSubscriptionSettings')
    .execute()
  expect(audit[0]).toMatchObject({ actorName: 'admin', after: { subscriptionSettings: [{ profileTitle: 'Title' }] } })
})

test('bad fields are refused by name, an unknown record is not found, and a token is needed', async () => {
  const { uuid } = await server.call(api.getSubscriptionSettings, {})
  const bad = await server.send('PATCH', '/api/subscription-settings', {
    uuid,
    profileUpdateInterval: 0,
    happAnnounce: 'x'.repeat(201),
    customResponseHeaders: { 'a b': 'x' },
    supportLink: 5,
  })
  expect(bad.status).toBe(400)
  const { errors } = bad.body as { errors: { path: string[] }[] } // shape B of the wire
  expect(new Set(errors.map((issue) => issue.path[0]))).toEqual(
    new Set(['profileUpdateInterval', 'happAnnounce', 'customResponseHeaders', 'supportLink']),
  )
  const nul = await server.send('PATCH', '/api/subscription-settings', { uuid, profileTitle: 'a\u0000b' })
  expect(nul.status).toBe(400)
  const unknown = await server.send('PATCH', '/api/subscription-settings', { uuid: '00000000-0000-4000-8000-000000000000' })
  expect(unknown).toMatchObject({ status: 404, body: { errorCode: 'A071' } })
  expect(await server.send('GET', '/api/subscription-settings', undefined, {})).toMatchObject({ status: 401 })
})

test.each(['cache-control', 'Cache-Control', 'Set-Cookie', 'Referrer-Policy', 'X-Accel-Redirect', 'Access-Control-Allow-Origin'])(
  'the header %s is the server’s own and refused by its name',
  async (name) => {
    const { uuid, customResponseHeaders } = await server.call(api.getSubscriptionSettings, {})
    const issue = { path: ['customResponseHeaders', name], message: `${name} is set by the server and cannot be replaced` }
    const settings = { customResponseHeaders: { 'x-one': '1', [name]: 'public' } }
    expect(await server.send('PATCH', '/api/subscription-settings', { uuid, ...settings })).toMatchObject({
      status: 400,
      body: { errors: [issue] },
    })
    expect(await server.send('POST', '/api/x/subscriptions/preview', { userAgent: 'curl', settings })).toMatchObject({
      status: 400,
      body: { errors: [{ ...issue, path: ['settings', ...issue.path] }] },
    })
    expect((await server.call(api.getSubscriptionSettings, {})).customResponseHeaders).toEqual(customResponseHeaders)
  },
)

test('a header of the server’s own that is stored from earlier is not sent', async () => {
  const user = await makeUser(server)
  const customResponseHeaders = JSON.stringify({ 'Cache-Control': 'public', 'X-Accel-Expires': '600', 'X-Mine': 'yes' })
  await server.ctx.db.updateTable('subscriptionSettings').set({ customResponseHeaders }).execute()
  const { headers } = await server.app.inject({ url: `/api/sub/${user.shortUuid}` })
  expect(headers).toMatchObject({ 'cache-control': 'private, no-store', 'x-mine': 'yes' })
  expect(headers).not.toHaveProperty('x-accel-expires')
})

test.each([
  ['happRouting', { happRouting: 'happ://routing/add/'.padEnd(22_000, 'x') }, 'routing with 22011'],
  [
    'customResponseHeaders',
    { customResponseHeaders: { 'x-a': 'y'.repeat(1000), 'x-b': 'z'.repeat(999), 'x-c': 'c'.repeat(998) } },
    'x-a with 1007',
  ],
  [
    'profileTitle',
    { profileTitle: 'ü'.repeat(1000), supportLink: 'https://help.example/'.padEnd(1500, 'x') },
    'profile-title with 2692',
  ],
])('headers of more than 4 kB are refused at %s, and what was stored stays', async (field, settings, longest) => {
  const held = await server.call(api.updateSubscriptionSettings, {
    uuid: (await server.call(api.getSubscriptionSettings, {})).uuid,
    happRouting: null,
    customResponseHeaders: {},
    profileTitle: 'Short',
    supportLink: '',
  })
  const refusal = await server.send('PATCH', '/api/subscription-settings', { uuid: held.uuid, ...settings })
  const advice = field === 'happRouting' ? 'Shorten it, or give users the routing as a link instead.' : 'Shorten it.'
  const message = new RegExp(
    String.raw`^The headers of a subscription would have \d+ bytes, and 4096 are the most that proxies pass on. The longest is ${longest}. ${advice}$`,
  )
  expect(refusal).toMatchObject({ status: 400, body: { errors: [{ path: [field], message: expect.stringMatching(message) }] } })
  expect(await server.call(api.getSubscriptionSettings, {})).toEqual(held)
})

test('as many headers as are taken come in less than 4 kB, for the app that gets most and the longest names', async () => {
  const { uuid } = await server.call(api.getSubscriptionSettings, {})
  const settings = {
    uuid,
    profileTitle: 'Fast',
    supportLink: 'https://help.example',
    happAnnounce: 'a'.repeat(200),
    customResponseHeaders: {},
  }
  let [taken, refused] = [0, 50_000]
  const isTaken = async (length: number) => {
    const happRouting = 'happ://routing/add/'.padEnd(length, 'x')
    return (await server.send('PATCH', '/api/subscription-settings', { ...settings, happRouting })).status === 200
  }
  while (refused - taken > 1) {
    const middle = Math.floor((taken + refused) / 2)
    if (await isTaken(middle)) taken = middle
    else refused = middle
  }
  expect(taken).toBeGreaterThan(1000)
  expect(await isTaken(taken)).toBe(true)
  const user = await makeUser(server, {
    username: 'u'.repeat(36),
    email: `${'e'.repeat(52)}@example.com`,
    tag: 'T'.repeat(16),
    trafficLimitStrategy: 'MONTH',
  })
  await server.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.app.server.address() as AddressInfo // a TCP server has one
  const answer = await exchange(
    port,
    `GET /api/sub/${user.shortUuid} HTTP/1.1\r\nhost: panel.example.com\r\nuser-agent: Happ/3.5.0\r\naccept-encoding: gzip\r\nconnection: close\r\n\r\n`,
  )
  const head = answer.slice(0, answer.indexOf('\r\n\r\n') + 4)
  expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  expect(head).toContain('\r\nrouting: happ://routing/add/xxx')
  expect(head.length).toBeLessThanOrEqual(4096)
  expect(head.length).toBeGreaterThan(3500)
})

test('settings that are too long already may be changed and shortened, and not grow', async () => {
  const { uuid } = await server.call(api.getSubscriptionSettings, {})
  const happRouting = 'happ://routing/add/'.padEnd(9000, 'x')
  await server.ctx.db.updateTable('subscriptionSettings').set({ happRouting }).execute()
  const status = async (edit: object) => (await server.send('PATCH', '/api/subscription-settings', { uuid, ...edit })).status
  expect(await status({ randomizeHosts: true, happRouting })).toBe(200)
  expect(await status({ happRouting: `${happRouting}y` })).toBe(400)
  expect(await status({ happRouting: happRouting.slice(1) })).toBe(200)
  expect(await status({ happRouting: null })).toBe(200)
})

async function exchange(port: number, request: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write(request)
  return (await text(socket)).toString()
}
