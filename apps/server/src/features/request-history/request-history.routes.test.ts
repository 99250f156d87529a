import { afterAll, beforeAll, expect, test } from 'vitest'
import * as api from '@causeway/contract'
import { KEPT_REQUESTS } from '@causeway/contract'
import { testServer, type TestServer } from '../../../test/server.ts'
import { recordAccesses } from '../subscriptions/accesses.actions.ts'
import { saveRequests } from './request-history.queries.ts'
import { idOf, makeUser, refused, UNKNOWN } from '../../../test/users.ts'

const unruled = { ruleName: null, responseType: 'XRAY_BASE64' }

let server: TestServer

beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())

const fetchAs = (shortUuid: string, userAgent: string) =>
  server.send('GET', `/api/sub/${shortUuid}`, undefined, { 'user-agent': userAgent })

test('each delivered subscription is noted with address, app and time; the newest 24 of a user are kept', async () => {
  const [often, once] = [await makeUser(server), await makeUser(server)]
  for (let time = 1; time <= 26; time++) await fetchAs(often.shortUuid, `Happ/${time}`)
  await fetchAs(once.shortUuid, 'Rio/1')
  const ofOnce = () => server.call(api.listUserSubscriptionRequests, { uuid: once.uuid })
  await expect.poll(async () => (await ofOnce()).total, { timeout: 10_000 }).toBe(1)
  expect((await ofOnce()).records[0]).toMatchObject({ userUuid: once.uuid, requestIp: '127.0.0.1', userAgent: 'Rio/1' })
  const { total, records } = await server.call(api.listUserSubscriptionRequests, { uuid: often.uuid })
  expect(total).toBe(24)
  expect([records[0]?.userAgent, records.at(-1)?.userAgent]).toEqual(['Happ/26', 'Happ/3'])

  const all = await server.call(api.listSubscriptionRequests, { start: 1, size: 2 })
  expect(all.total).toBe(25)
  expect(all.records.map((record) => record.userAgent)).toEqual(['Happ/26', 'Happ/25'])
  const { byParsedApp, hourlyRequestStats } = await server.call(api.getSubscriptionRequestStats, {})
  expect(byParsedApp).toEqual([
    { app: 'Happ', count: 24 },
    { app: 'Rio', count: 1 },
  ])
  expect(hourlyRequestStats.reduce((sum, hour) => sum + hour.requestCount, 0)).toBe(25)
})

test('a user who goes takes the history along; unknown users are not found', async () => {
  const user = await makeUser(server)
  await fetchAs(user.shortUuid, 'Acme/1')
  const total = async () => (await server.call(api.listSubscriptionRequests, {})).records.map((record) => record.userAgent)
  await expect.poll(total, { timeout: 10_000 }).toContain('Acme/1')
  await server.call(api.deleteUser, { uuid: user.uuid })
  expect(await total()).not.toContain('Acme/1')
  expect(await refused(server, 'GET', `/api/users/${UNKNOWN}/subscription-request-history`)).toEqual([404, 'A025'])
  expect(await refused(server, 'GET', '/api/subscription-request-history?size=0')).toEqual([400, 'size'])
})

test('what could not be noted at once is noted later, in the order in which it happened', async () => {
  const user = await makeUser(server)
  const userId = await idOf(server, user.uuid)
  const rename = (from: string, to: string) => server.ctx.db.schema.alterTable(from).renameTo(to).execute()
  const accesses = recordAccesses(server.ctx)
  const open = (userAgent: string) => accesses.opened({ userId, at: new Date(), address: null, userAgent, ...unruled })
  await rename('subscriptionRequests', 'away')
  open('first')
  open('second')
  await accesses.flush()
  await rename('away', 'subscriptionRequests')
  open('third')
  await accesses.close()
  const { records } = await server.call(api.listUserSubscriptionRequests, { uuid: user.uuid })
  expect(records.map(({ userAgent }) => userAgent)).toEqual(['third', 'second', 'first'])
  expect((await server.call(api.getUser, { uuid: user.uuid })).subLastUserAgent).toBe('third')
})

test('two servers that forget at the same time do not wait for each other', async () => {
  const user = await makeUser(server)
  const userId = await idOf(server, user.uuid)
  const note = { userId, at: new Date(), address: null, userAgent: 'Acme/2', ...unruled }
  const kept = async () => (await server.call(api.listUserSubscriptionRequests, { uuid: user.uuid })).total
  await saveRequests(
    server.ctx.db,
    Array.from({ length: KEPT_REQUESTS }, () => note),
  )
  await server.ctx.db.transaction().execute(async (tx) => {
    await tx
      .selectFrom('subscriptionRequests')
      .select('id')
      .where('userId', '=', userId)
      .orderBy('id')
      .limit(1)
      .forUpdate()
      .execute()
    await saveRequests(server.ctx.db, [note])
    expect(await kept()).toBe(KEPT_REQUESTS + 1)
  })
  await saveRequests(server.ctx.db, [note])
  expect(await kept()).toBe(KEPT_REQUESTS)
})

test('the history is filtered and ordered by its columns, as tables of 2.1.19 ask', async () => {
  const [one, bystander] = [await makeUser(server), await makeUser(server)]
  const at = new Date('2026-10-01T12:00:00.000Z')
  const note = async (uuid: string, address: string, userAgent: string, minutes: number) => ({
    userId: await idOf(server, uuid),
    at: new Date(at.getTime() + minutes * 60_000),
    address,
    userAgent,
    ...unruled,
  })
  await saveRequests(server.ctx.db, [
    await note(one.uuid, '198.51.100.1', 'Filter/1', 1),
    await note(one.uuid, '198.51.100.2', 'Filter/2', 0),
    await note(bystander.uuid, '198.51.100.1', 'Filter/3', 2),
  ])
  type Query = Parameters<typeof server.call<typeof api.listSubscriptionRequests>>[1]
  const found = async (query: Query) => {
    const { total, records } = await server.call(api.listSubscriptionRequests, query)
    expect(total).toBe(records.length)
    return records.map(({ userAgent }) => userAgent)
  }
  const own = { id: 'userAgent' as const, value: 'filter/' }
  expect(await found({ filters: [own] })).toEqual(['Filter/3', 'Filter/2', 'Filter/1'])
  expect(await found({ filters: [own], sorting: [{ id: 'requestAt', desc: false }] })).toEqual([
    'Filter/2',
    'Filter/1',
    'Filter/3',
  ])
  expect(await found({ filters: [own, { id: 'requestIp', value: '198.51.100.1' }] })).toEqual(['Filter/3', 'Filter/1'])
  expect(await found({ filters: [{ id: 'userUuid', value: one.uuid }] })).toEqual(['Filter/2', 'Filter/1'])
  expect(await found({ filters: [{ id: 'requestAt', value: at.toISOString() }] })).toEqual(['Filter/2'])
})
