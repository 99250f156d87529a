import { afterAll, beforeAll, expect, test } from 'vitest'
import * as api from '@causeway/contract'
import { testServer, type TestServer } from '../../../test/server.ts'

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
