import { createHmac } from 'node:crypto'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import * as api from '@causeway/contract'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { selfSigned, trust } from '../../../test/mail-server.ts'
import { startReceiver, type Receiver } from '../../../test/receiver.ts'
import { testServer, type TestServer } from '../../../test/server.ts'
import { makeUser, refused, UNKNOWN } from '../../../test/users.ts'
import { startWebhooks } from './worker.actions.ts'

const WAIT = { timeout: 20_000, interval: 50 }
const SECRET = 'aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY'

let server: TestServer
let receiver: Receiver
let worker: { stop(): Promise<void> } | undefined
beforeAll(async () => {
  server = await testServer({ env: { OUTGOING_PRIVATE_HOSTS: '127.0.0.1' } })
})
beforeEach(async () => {
  server.clock.now = undefined
  for (const table of ['webhooks', 'outbox', 'domainEvents', 'users'] as const) await server.ctx.db.deleteFrom(table).execute()
  receiver = await startReceiver()
})
afterEach(async () => {
  await worker?.stop()
  worker = undefined
  await receiver.close()
})
afterAll(() => server.close())

const start = async () => {
  worker = await startWebhooks(server.ctx)
}
const make = (more: object = {}) =>
  server.call(api.createWebhook, {
    name: 'bot',
    url: receiver.url,
    secret: SECRET,
    events: ['user.created', 'user.modified', 'user.deleted'],
    ...more,
  })
const bodies = (at = receiver) =>
  at.received.map(({ body }) => JSON.parse(body.toString()) as { event: string; data: { username: string; tag: string } }) // bodies of this file
const deliveries = async (uuid: string, view: object = {}) =>
  (await server.call(api.listWebhookDeliveries, { uuid, ...view })).deliveries
const hookOf = async (uuid: string) => (await server.call(api.listWebhooks, {})).webhooks.find((hook) => hook.uuid === uuid)
const signed = (body: Buffer, secret = SECRET) => createHmac('sha256', secret).update(body).digest('hex')
/** Lets the pause before the next attempt pass. */
const hasten = () => sql`update "webhookDeliveries" set "nextAttemptAt" = now()`.execute(server.ctx.db)

test('HOOK-001 a receiver gets the body and headers of the field, signed over the very bytes, also with Persian names', async () => {
  await make()
  await start()
  const user = await makeUser(server, { description: 'آنا ۱۲۳ \u007f "x"' })
  await vi.waitFor(() => expect(receiver.received).toHaveLength(1), WAIT)
  const [{ headers, body } = { headers: {}, body: Buffer.alloc(0) }] = receiver.received
  const sent = JSON.parse(body.toString()) as Record<string, unknown>
  expect(Object.keys(sent)).toEqual(['scope', 'event', 'timestamp', 'data']) // no meta rather than null
  expect(sent).toMatchObject({
    scope: 'user',
    event: 'user.created',
    data: { uuid: user.uuid, description: 'آنا ۱۲۳ \u007f "x"' },
  })
  expect(api.user.safeParse(sent['data']).error).toBeUndefined()
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'user-agent': 'Remnawave',
    'x-remnawave-signature': signed(body),
    'x-remnawave-timestamp': sent['timestamp'],
    'x-causeway-event-id': expect.stringMatching(/^[\da-f-]{36}$/),
    'x-causeway-attempt': '1',
  })
  expect(body.every((byte) => byte >= 0x20 && byte <= 0x7e)).toBe(true)
})

test('HOOK-003 events of one thing arrive in order while the first is refused, others pass it, and repeats carry the same id', async () => {
  const { webhook } = await make()
  await start()
  let isRefusing = true
  receiver.answer = (reply, { body }) => {
    const isFirst = body.toString().includes('"username":"anna"')
    reply.writeHead(isFirst && isRefusing ? 500 : 204).end()
  }
  const anna = await makeUser(server, { username: 'anna', tag: 'ONE' })
  await server.call(api.updateUser, { uuid: anna.uuid, tag: 'TWO' })
  await server.call(api.deleteUser, { uuid: anna.uuid })
  await makeUser(server, { username: 'bert' })
  await vi.waitFor(() => expect(bodies().map(({ data }) => data.username)).toContain('bert'), WAIT)
  await vi.waitFor(async () => expect((await deliveries(webhook.uuid, { state: 'waiting' })).length).toBe(3), WAIT)
  expect(
    bodies()
      .filter(({ data }) => data.username === 'anna')
      .every(({ event }) => event === 'user.created'),
  ).toBe(true)
  isRefusing = false
  await hasten()
  await vi.waitFor(async () => expect(await deliveries(webhook.uuid, { state: 'waiting' })).toEqual([]), WAIT)
  const ofAnna = receiver.received.filter(({ body }) => body.toString().includes('"username":"anna"'))
  const ids = ofAnna.map(({ headers }) => headers['x-causeway-event-id'])
  const first = ids.filter((id) => id === ids[0]).length
  expect(first).toBeGreaterThan(1)
  expect(new Set(ids.slice(0, first)).size).toBe(1)
  expect(new Set(ofAnna.slice(0, first).map(({ body }) => body.toString())).size).toBe(1)
  expect(ofAnna.slice(first).map(({ body }) => (JSON.parse(body.toString()) as { event: string }).event)).toEqual([
    'user.modified',
    'user.deleted',
  ])
})

test('HOOK-005 each attempt is kept with status, duration and the beginning of the answer, and is sent again by a call', async () => {
  const { webhook } = await make()
  await start()
  receiver.answer = (reply) => reply.writeHead(503).end('x'.repeat(100_000))
  const user = await makeUser(server)
  await vi.waitFor(async () => expect((await deliveries(webhook.uuid))[0]?.attempts).toBe(1), WAIT)
  receiver.answer = (reply) => reply.end('thanks')
  await hasten()
  await vi.waitFor(async () => expect((await deliveries(webhook.uuid))[0]?.state).toBe('delivered'), WAIT)
  const [delivery] = await deliveries(webhook.uuid, { search: user.username })
  const details = await server.call(api.getWebhookDelivery, { uuid: delivery?.uuid ?? '' })
  expect(details.body).toBe(receiver.received[0]?.body.toString())
  expect(details.headers['x-causeway-attempt']).toBe('2')
  expect(details.headers['x-remnawave-signature']).toBe(receiver.received[0]?.headers['x-remnawave-signature'])
  expect(details.tries).toMatchObject([
    {
      number: 1,
      status: 503,
      answer: 'x'.repeat(2048),
      error: 'It answered 503. Only answers from 200 to 299 count as received.',
    },
    { number: 2, status: 200, answer: 'thanks', error: null },
  ])
  await server.call(api.resendWebhookDelivery, { uuid: delivery?.uuid ?? '' })
  await vi.waitFor(() => expect(receiver.received).toHaveLength(3), WAIT)
  expect(await deliveries(webhook.uuid, { search: 'somebody else' })).toEqual([])
})

test('HOOK-006 a dead and a slow receiver delay no other; after a day without success the dead one is stopped and says so', async () => {
  const dead = await make({ name: 'dead', url: 'http://127.0.0.1:9/hook' })
  const slow = await startReceiver()
  slow.answer = () => {} // never
  await make({ name: 'slow', url: slow.url })
  const { webhook } = await make()
  await start()
  for (let number = 0; number < 20; number++) await makeUser(server)
  await vi.waitFor(() => expect(receiver.received).toHaveLength(20), WAIT)
  expect(slow.received.length).toBeLessThan(20) // it is still held up by its own first calls
  await vi.waitFor(
    async () => expect((await hookOf(dead.webhook.uuid))?.lastError).toBe('Nothing listens at this address.'),
    WAIT,
  )
  await vi.waitFor(async () => expect(await hookOf(webhook.uuid)).toMatchObject({ failingSince: null, waiting: 0 }), WAIT)
  // A day later, all at once: the worker goes on meanwhile.
  await sql`
    with "tried" as (
      update "webhookDeliveries" set "nextAttemptAt" = now(), "firstAttemptAt" = now() - interval '25 hours'
    )
    update "webhookStates" set "failingSince" = now() - interval '25 hours' where "failingSince" is not null
  `.execute(server.ctx.db)
  await vi.waitFor(async () => expect((await hookOf(dead.webhook.uuid))?.stoppedAt).toEqual(expect.any(String)), WAIT)
  const state = await hookOf(dead.webhook.uuid)
  expect(state?.failed).toBeGreaterThan(0)
  const resumed = await server.call(api.updateWebhook, { uuid: dead.webhook.uuid, url: receiver.url, isPaused: false })
  expect(resumed).toMatchObject({ stoppedAt: null, failingSince: null })
  await server.call(api.resendFailedDeliveries, { uuid: dead.webhook.uuid })
  await vi.waitFor(() => expect(receiver.received).toHaveLength(40), WAIT)
  await slow.close()
})

describe('bad receivers', () => {
  test.each<[string, Receiver['answer'], string | RegExp]>([
    [
      'redirects',
      (reply) => reply.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
      /redirect, which is not followed/,
    ],
    ['closes early', (reply) => reply.destroy(), 'The receiver closed the connection early.'],
    ['refuses the signature', (reply) => reply.writeHead(401).end(), /does not accept the signature/],
  ])('%s: a sentence in the row', async (_, answer, error) => {
    const { webhook } = await make()
    receiver.answer = answer
    await start()
    await makeUser(server)
    await vi.waitFor(async () => expect((await deliveries(webhook.uuid))[0]?.error).toMatch(error), WAIT)
  })

  test('a certificate that is signed by itself, and one for another name: a sentence in the row', async () => {
    const [own, other] = [await selfSigned('127.0.0.1'), await selfSigned('other.example')]
    trust(other.cert)
    const cases: [typeof own, string][] = [
      [own, 'The certificate of the receiver is signed by itself.'],
      [other, 'The certificate of the receiver is for another name.'],
    ]
    await start()
    for (const [files, error] of cases) {
      const secure = createSecureServer(files, (_, reply) => reply.end())
      await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve))
      const { port } = secure.address() as AddressInfo // it listens on a port
      const { webhook } = await make({ url: `https://127.0.0.1:${port}/hook` })
      await makeUser(server)
      await vi.waitFor(async () => expect((await deliveries(webhook.uuid))[0]?.error).toBe(error), WAIT)
      expect((await deliveries(webhook.uuid))[0]).toMatchObject({ state: 'waiting', status: null })
      secure.closeAllConnections()
      secure.close()
    }
  })

  test('of an answer of 10 MB the first 2 kB are kept, and the rest is not received', async () => {
    const { webhook } = await make()
    let sent = 0
    receiver.answer = (reply) => {
      const rest = () => {
        while (sent < 10 * 2 ** 20 && !reply.destroyed) {
          sent += 64 * 1024
          if (!reply.write('x'.repeat(64 * 1024))) return void reply.once('drain', rest)
        }
        reply.end()
      }
      rest()
    }
    await start()
    await makeUser(server)
    await vi.waitFor(async () => expect((await deliveries(webhook.uuid))[0]?.state).toBe('delivered'), WAIT)
    const [delivery] = await deliveries(webhook.uuid)
    const { tries } = await server.call(api.getWebhookDelivery, { uuid: delivery?.uuid ?? '' })
    expect(tries[0]?.answer).toHaveLength(2048)
    expect(sent).toBeLessThan(10 * 2 ** 20)
  })

  test('an answer without an end counts by its status, and no more than its beginning is read', async () => {
    const { webhook } = await make()
    receiver.answer = (reply) => {
      reply.writeHead(200)
      const writing = setInterval(() => reply.write('x'.repeat(64 * 1024)), 1)
      reply.on('close', () => clearInterval(writing))
    }
    await start()
    await makeUser(server)
    await vi.waitFor(async () => expect((await deliveries(webhook.uuid))[0]?.state).toBe('delivered'), WAIT)
  })
})

test('HOOK-004 webhooks get the events chosen, old or new names of expiry, and nothing while paused until they go on', async () => {
  const { db } = server.ctx
  const old = await startReceiver()
  const kinds = { events: ['user.expiration'] }
  await make(kinds)
  await make({ ...kinds, name: 'old', url: old.url, expiryNames: 'old' })
  const paused = await make({ name: 'paused', url: `${receiver.url}/paused`, ...kinds })
  await server.call(api.updateWebhook, { uuid: paused.webhook.uuid, isPaused: true })
  await start()
  const user = await makeUser(server)
  for (const hours of [-24, -12]) {
    await sql`select "emitEvent"('user.expiration', ${`user ${user.uuid}`}, "userSnapshot"("id"), ${JSON.stringify({ meta: { expiration: hours } })}::jsonb)
      from "users"`.execute(db)
  }
  await vi.waitFor(() => expect(receiver.received).toHaveLength(2), WAIT)
  await vi.waitFor(() => expect(old.received).toHaveLength(1), WAIT)
  expect(bodies()).toMatchObject([
    { event: 'user.expiration', meta: { expiration: -24 } },
    { event: 'user.expiration', meta: { expiration: -12 } },
  ])
  expect(bodies(old).map(({ event }) => event)).toEqual(['user.expires_in_24_hours'])
  expect(bodies(old)[0]).not.toHaveProperty('meta')
  await server.call(api.updateWebhook, { uuid: paused.webhook.uuid, isPaused: false })
  await vi.waitFor(() => expect(receiver.received.filter(({ path }) => path === '/hook/paused')).toHaveLength(2), WAIT)
  await old.close()
})

test('HOOK-004 after a rotation a receiver with the old secret and then with the new one loses nothing, and the overlap ends', async () => {
  const { webhook } = await make()
  const rotated = await server.call(api.rotateWebhookSecret, { uuid: webhook.uuid, overlapHours: 24 })
  expect(rotated.webhook.overlapEndsAt).not.toBeNull()
  let known = SECRET
  receiver.answer = (reply, { headers, body }) =>
    reply.writeHead(headers['x-remnawave-signature'] === signed(body, known) ? 200 : 401).end()
  await start()
  await makeUser(server)
  await vi.waitFor(() => expect(receiver.received).toHaveLength(1), WAIT)
  const [first] = receiver.received
  const body = first?.body ?? Buffer.alloc(0)
  expect(first?.headers['x-causeway-signatures']).toBe(`${signed(body, rotated.secret)}, ${signed(body)}`)
  known = rotated.secret
  await makeUser(server)
  await vi.waitFor(async () => expect((await hookOf(webhook.uuid))?.hasNewSecret).toBe(true), WAIT)
  await makeUser(server)
  await vi.waitFor(async () => expect((await deliveries(webhook.uuid, { state: 'delivered' })).length).toBe(3), WAIT)
  expect(receiver.received.length).toBe(4) // one was refused with the old signature
  await sql`update "webhooks" set "previousSecretEndsAt" = now() - interval '1 second'`.execute(server.ctx.db)
  await makeUser(server)
  await vi.waitFor(() => expect(receiver.received.at(-1)?.headers['x-causeway-signatures']).not.toContain(','), WAIT)
})

test('HOOK-004 the known environment names make webhooks that are shown and cannot be changed here, and go with the names', async () => {
  const env = { WEBHOOK_ENABLED: true, WEBHOOK_URL: [`${receiver.url}/a`, `${receiver.url}/b`], WEBHOOK_SECRET_HEADER: SECRET }
  const { ctx } = server
  worker = await startWebhooks({ ...ctx, config: { ...ctx.config, ...env } })
  const { webhooks } = await server.call(api.listWebhooks, {})
  expect(webhooks.map(({ url, isFromEnvironment, expiryNames }) => [url, isFromEnvironment, expiryNames])).toEqual([
    [`${receiver.url}/a`, true, 'old'],
    [`${receiver.url}/b`, true, 'old'],
  ])
  await vi.waitFor(
    () => expect(bodies().map(({ event }) => event)).toEqual(['service.panel_started', 'service.panel_started']),
    WAIT,
  )
  expect(receiver.received[0]?.headers['x-remnawave-signature']).toBe(signed(receiver.received[0]?.body ?? Buffer.alloc(0)))
  const uuid = webhooks[0]?.uuid ?? ''
  const readOnly = [409, api.errors.webhookOfEnvironment.code]
  expect(await refused(server, 'PATCH', '/api/x/webhooks', { uuid, name: 'mine' })).toEqual(readOnly)
  expect(await refused(server, 'DELETE', `/api/x/webhooks/${uuid}`)).toEqual(readOnly)
  expect(await refused(server, 'POST', `/api/x/webhooks/${uuid}/rotate-secret`, {})).toEqual(readOnly)
  expect((await server.call(api.updateWebhook, { uuid, isPaused: true })).isPaused).toBe(true)
  await worker.stop()
  await start()
  expect((await server.call(api.listWebhooks, {})).webhooks).toEqual([])
})

test('HOOK-005 a test event goes out by a call, and its outcome comes back', async () => {
  const { webhook } = await make({ events: ['user.created'] })
  receiver.answer = (reply) => reply.writeHead(418).end('no')
  const outcome = await server.call(api.testWebhook, { uuid: webhook.uuid })
  expect(outcome).toMatchObject({ status: 418, answer: 'no', error: expect.stringContaining('418') })
  expect(receiver.received[0]?.body.toString()).toBe(outcome.body)
  expect(receiver.received[0]?.headers['x-remnawave-signature']).toBe(signed(receiver.received[0]?.body ?? Buffer.alloc(0)))
  expect(await deliveries(webhook.uuid)).toEqual([])
})

describe('what cannot be a webhook is refused at its field', () => {
  test.each<[string, object]>([
    ['url', { url: 'ftp://bot.example/hook' }],
    ['url', { url: 'bot.example' }],
    ['url', { url: 'http://10.0.0.1/hook' }],
    ['url', { url: 'https://ops:secret@bot.example/hook' }],
    ['url', { url: 'http://[::1]/hook' }],
    ['url', { url: 'http://localhost/hook' }],
    ['secret', { secret: 'short' }],
    ['secret', { secret: 'with spaces and 32 characters or more' }],
    ['name', { name: '  ' }],
    ['name', { name: 'a\u0000b' }],
    ['events.0', { events: ['user.unknown'] }],
    ['expiryNames', { expiryNames: 'both' }],
  ])('%s: %j', async (path, field) => {
    const [status, paths] = await refused(server, 'POST', '/api/x/webhooks', { name: 'bot', url: receiver.url, ...field })
    expect([status, paths]).toEqual([400, path])
  })

  test('what is gone is not found, and the secret is shown once', async () => {
    const { webhook } = await make()
    expect(JSON.stringify(await server.call(api.listWebhooks, {}))).not.toContain(SECRET)
    const gone = [404, api.errors.webhookNotFound.code]
    expect(await refused(server, 'PATCH', '/api/x/webhooks', { uuid: UNKNOWN, isPaused: true })).toEqual(gone)
    expect(await refused(server, 'DELETE', `/api/x/webhooks/${UNKNOWN}`)).toEqual(gone)
    expect(await refused(server, 'POST', `/api/x/webhooks/${UNKNOWN}/test`, {})).toEqual(gone)
    expect(await refused(server, 'GET', `/api/x/webhook-deliveries/${UNKNOWN}`)).toEqual([
      404,
      api.errors.webhookDeliveryNotFound.code,
    ])
    expect(await server.call(api.deleteWebhook, { uuid: webhook.uuid })).toEqual({ isDeleted: true })
  })
})

test('each event has a sample body by the contract', async () => {
  const { events } = await server.call(api.listDomainEvents, {})
  expect(events.map(({ event }) => event)).toEqual(api.eventName.options)
  for (const { event, body } of events) {
    const sample = JSON.parse(body) as { event: string; scope: string; data: unknown }
    expect([sample.event, sample.scope]).toEqual([event, api.familyOf(event)])
    expect([event, api.domainEvents[event].safeParse(sample.data).error]).toEqual([event, undefined])
  }
})
