import * as api from '@causeway/contract'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { startReceiver, type Receiver } from '../../../test/receiver.ts'
import { testServer, type TestServer } from '../../../test/server.ts'
import { makeUser } from '../../../test/users.ts'
import { startWebhooks } from './worker.actions.ts'

const WAIT = { timeout: 20_000, interval: 50 }

let server: TestServer
let receiver: Receiver
let worker: { stop(): Promise<void> } | undefined
beforeAll(async () => {
  server = await testServer({ env: { OUTGOING_PRIVATE_HOSTS: '127.0.0.1' } })
})
beforeEach(async () => {
  for (const table of ['webhooks', 'outbox', 'domainEvents', 'users'] as const) await server.ctx.db.deleteFrom(table).execute()
  receiver = await startReceiver()
})
afterEach(async () => {
  await worker?.stop()
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
    events: ['user.created', 'user.modified', 'user.deleted'],
    ...more,
  })
const deliveries = async (uuid: string, view: object = {}) =>
  (await server.call(api.listWebhookDeliveries, { uuid, ...view })).deliveries
const hookOf = (uuid: string) => server.call(api.getWebhook, { uuid })

test('HOOK-005 a delivery behind an earlier one names it, and has no time of its own', async () => {
  const { webhook } = await make()
  receiver.answer = (reply) => reply.writeHead(500).end()
  await start()
  const anna = await makeUser(server, { username: 'anna' })
  await server.call(api.updateUser, { uuid: anna.uuid, tag: 'TWO' })
  await server.call(api.deleteUser, { uuid: anna.uuid })
  await makeUser(server, { username: 'bert' })
  await vi.waitFor(async () => expect(await deliveries(webhook.uuid, { state: 'waiting' })).toHaveLength(4), WAIT)
  const [ofBert, removed, changed, made] = await deliveries(webhook.uuid)
  const first = { uuid: made?.uuid, event: 'user.created' }
  expect([ofBert?.behind, removed?.behind, changed?.behind, made?.behind]).toEqual([null, first, first, null])
  expect([removed?.nextAttemptAt, changed?.nextAttemptAt]).toEqual([null, null])
  expect(made?.nextAttemptAt).toEqual(expect.any(String))
  const details = await server.call(api.getWebhookDelivery, { uuid: changed?.uuid ?? '' })
  expect(details).toMatchObject({ behind: first, nextAttemptAt: null })
  await server.call(api.updateWebhook, { uuid: webhook.uuid, isPaused: true })
  expect((await deliveries(webhook.uuid, { search: 'bert' }))[0]).toMatchObject({ state: 'waiting', nextAttemptAt: null })
})

test('HOOK-005 a webhook says how many of its events have no delivery yet, and since when', async () => {
  const { webhook } = await make({ events: ['user.created', 'user.expiration'], expiryNames: 'old' })
  const { webhook: other } = await make({ name: 'other' })
  await server.call(api.updateWebhook, { uuid: webhook.uuid, isPaused: true })
  await start()
  const before = Date.now()
  const anna = await makeUser(server, { username: 'anna' })
  await makeUser(server, { username: 'bert' })
  await server.call(api.updateUser, { uuid: anna.uuid, tag: 'TWO' }) // which it does not get
  for (const hours of [-24, -12]) {
    // Of these it has a word for the first.
    await sql`select "emitEvent"('user.expiration', ${`user ${anna.uuid}`}, "userSnapshot"("id"), ${JSON.stringify({ meta: { expiration: hours } })}::jsonb)
      from "users" where "username" = 'anna'`.execute(server.ctx.db)
  }
  await vi.waitFor(async () => expect(await hookOf(webhook.uuid)).toMatchObject({ unread: 3, waiting: 3 }), WAIT)
  expect(Date.parse((await hookOf(webhook.uuid)).unreadSince ?? '')).toBeGreaterThanOrEqual(before)
  expect(await deliveries(webhook.uuid)).toEqual([])
  await vi.waitFor(async () => expect(await hookOf(other.uuid)).toMatchObject({ unread: 0, unreadSince: null, waiting: 0 }), WAIT)
  await server.call(api.updateWebhook, { uuid: webhook.uuid, isPaused: false })
  await vi.waitFor(async () => expect(await deliveries(webhook.uuid, { state: 'delivered' })).toHaveLength(3), WAIT)
  expect(await hookOf(webhook.uuid)).toMatchObject({ unread: 0, unreadSince: null, waiting: 0 })
})
