import * as api from '@causeway/contract'
import { domainEvents, type EventName } from '@causeway/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { runJobs } from '../../../test/jobs.ts'
import { testServer, type TestServer } from '../../../test/server.ts'
import { idOf, makeUser, spend } from '../../../test/users.ts'
import { emitEvent } from '../../ground/outbox.queries.ts'
import { reviewNodesTraffic } from '../nodes/node-traffic.jobs.ts'
import { expireUsers, limitUsers } from '../users/users.jobs.ts'
import { emitMoments, forgetEvents, reviewThresholds } from './domain-events.jobs.ts'
import { publishEvents } from './publish.actions.ts'

const HOUR_MS = 3_600_000
const config = {
  log: {},
  inbounds: [
    {
      tag: 'MAIN',
      port: 443,
      protocol: 'vless',
      settings: { clients: [], decryption: 'none' },
      streamSettings: {
        network: 'tcp',
        security: 'reality',
        realitySettings: {
          privateKey: 'REALITY-PRIVATE-KEY',
          dest: 'example.com:443',
          serverNames: ['example.com'],
          shortIds: [''],
        },
      },
    },
  ],
  outbounds: [{ tag: 'DIRECT', protocol: 'freedom' }],
}

let server: TestServer
beforeAll(async () => {
  server = await testServer({
    env: { BANDWIDTH_USAGE_NOTIFICATIONS_ENABLED: 'true', NOT_CONNECTED_USERS_NOTIFICATIONS_ENABLED: 'true' },
  })
})
beforeEach(async () => {
  server.clock.now = undefined
  for (const table of ['webhooks', 'outbox', 'domainEvents', 'eventLooks', 'nodes', 'users', 'configProfiles'] as const)
    await server.ctx.db.deleteFrom(table).execute()
  await server.call(api.createWebhook, { name: 'all', url: 'https://bot.example.com/hook' })
})
afterAll(() => server.close())

interface Published {
  event: EventName
  thing: string
  data: Record<string, unknown>
  facts: unknown
}

/** Everything published since the last time. */
async function told(): Promise<Published[]> {
  while ((await publishEvents(server.ctx)) > 0);
  const rows = await server.ctx.db.selectFrom('domainEvents').selectAll().orderBy('position').execute()
  await server.ctx.db.deleteFrom('domainEvents').execute()
  for (const { event, data } of rows) expect(domainEvents[event].safeParse(JSON.parse(data)).error).toBeUndefined()
  return rows.map(({ event, thing, data, facts }) => ({ event, thing, data: JSON.parse(data), facts }))
}
const names = async () => (await told()).map(({ event }) => event)
const moveTo = (at: Date) => {
  server.clock.now = at
}
async function makeNode() {
  const profile = await server.call(api.createConfigProfile, { name: 'Main', config })
  return server.call(api.createNode, {
    name: 'نود یک',
    address: 'one.example',
    configProfile: { activeConfigProfileUuid: profile.uuid, activeInbounds: profile.inbounds.map(({ uuid }) => uuid) },
  })
}
const setState = async (node: string, state: string) =>
  sql`update "nodeStates" set ${sql.raw(state)} where "nodeId" = (select "id" from "nodes" where "uuid" = ${node})`.execute(
    server.ctx.db,
  )

test('HOOK-002 each change of a user by hand is one event with the user as the API answers it', async () => {
  const squad = await server.call(api.createInternalSquad, { name: 'Squad', inbounds: [] })
  const bystander = await makeUser(server)
  await told()
  const user = await makeUser(server, { username: 'anna', description: 'آنا', activeInternalSquads: [squad.uuid] })
  const answer = await server.call(api.getUser, { uuid: user.uuid })
  const [created, ...rest] = await told()
  expect(rest).toEqual([])
  expect(created).toMatchObject({ event: 'user.created', thing: `user ${user.uuid}` })
  // Links lead to the address of this very request where none is configured.
  const { subscriptionUrl: _, happ: _happ, ...members } = answer
  expect(created?.data).toMatchObject(members)

  const steps: [() => Promise<unknown>, EventName[]][] = [
    [() => server.call(api.updateUser, { uuid: user.uuid, description: 'x' }), ['user.modified']],
    [() => server.call(api.updateUser, { uuid: user.uuid, description: 'x' }), ['user.modified']],
    [() => server.call(api.updateUser, { uuid: user.uuid, activeInternalSquads: [] }), ['user.modified']],
    [() => server.call(api.disableUser, { uuid: user.uuid }), ['user.disabled']],
    [() => server.call(api.enableUser, { uuid: user.uuid }), ['user.enabled']],
    [() => server.call(api.revokeUserSubscription, { uuid: user.uuid }), ['user.revoked']],
    [() => server.call(api.resetUserTraffic, { uuid: user.uuid }), ['user.traffic_reset']],
    [() => server.call(api.createHwidDevice, { userUuid: user.uuid, hwid: 'phone' }), ['user_hwid_devices.added']],
    [() => server.call(api.deleteHwidDevice, { userUuid: user.uuid, hwid: 'phone' }), ['user_hwid_devices.deleted']],
    [() => server.call(api.createHwidDevice, { userUuid: user.uuid, hwid: 'phone' }), ['user_hwid_devices.added']],
    [() => server.call(api.deleteUser, { uuid: user.uuid }), ['user.deleted']],
  ]
  for (const [change, expected] of steps) {
    await change()
    const events = await told()
    expect(events.map(({ event }) => event)).toEqual(expected)
    for (const { thing, data } of events) {
      expect(thing).toBe(`user ${user.uuid}`)
      expect((data['user'] as { uuid: string } | undefined)?.uuid ?? data['uuid']).toBe(user.uuid)
    }
  }
  expect(await server.ctx.db.selectFrom('users').select('uuid').execute()).toEqual([{ uuid: bystander.uuid }])
})

test('HOOK-002 an event shows the user as the transaction left it, however late it is published, and the deleted one as it was', async () => {
  const user = await makeUser(server, { tag: 'ONE' })
  await server.call(api.updateUser, { uuid: user.uuid, tag: 'TWO' })
  await spend(server, user.uuid, 700)
  await server.call(api.updateUser, { uuid: user.uuid, tag: 'THREE' })
  await server.call(api.deleteUser, { uuid: user.uuid })
  const seen = (await told()).map(({ event, data }) => [event, data['tag'], data['usedTrafficBytes']])
  expect(seen).toEqual([
    ['user.created', 'ONE', 0],
    ['user.modified', 'TWO', 0],
    ['user.modified', 'THREE', 700],
    ['user.deleted', 'THREE', 700],
  ])
})

test('HOOK-002 what is rolled back, and what a migration does, is no event', async () => {
  const user = await makeUser(server)
  await told()
  const failed = server.ctx.db.transaction().execute(async (tx) => {
    await tx.updateTable('users').set({ tag: 'LOST' }).where('uuid', '=', user.uuid).execute()
    await emitEvent(tx, 'service.panel_started', 'panel', { data: { panelVersion: 'lost' } })
    throw new Error('undone')
  })
  await expect(failed).rejects.toThrow('undone')
  await server.ctx.db.transaction().execute(async (tx) => {
    await sql`set local causeway.quiet = 'on'`.execute(tx)
    await tx.updateTable('users').set({ tag: 'QUIET' }).where('uuid', '=', user.uuid).execute()
  })
  expect(await names()).toEqual([])
})

test('HOOK-002 jobs emit what they cause: limits, expiry, returns, thresholds, bulk changes and squads, once per user', async () => {
  const [one, two, spared] = [await makeUser(server, { trafficLimitBytes: 1000 }), await makeUser(server), await makeUser(server)]
  const squad = await server.call(api.createInternalSquad, { name: 'Jobs', inbounds: [] })
  await told()
  await spend(server, one.uuid, 650)
  await reviewThresholds(server.ctx)
  await reviewThresholds(server.ctx)
  const [passed, ...again] = await told()
  expect([passed?.event, passed?.data['lastTriggeredThreshold'], again]).toEqual([
    'user.bandwidth_usage_threshold_reached',
    60,
    [],
  ])
  await spend(server, one.uuid, 1000)
  await limitUsers(server.ctx)
  expect(await names()).toEqual(['user.limited'])
  await server.call(api.updateUser, { uuid: one.uuid, trafficLimitBytes: 2000 })
  expect(await names()).toEqual(['user.modified', 'user.enabled'])
  await server.ctx.db
    .updateTable('users')
    .set({ expireAt: new Date(Date.now() - 1000) })
    .where('uuid', '=', two.uuid)
    .execute()
  await told()
  await expireUsers(server.ctx)
  expect((await told()).map(({ event, thing, data }) => [event, thing, data['status']])).toEqual([
    ['user.expired', `user ${two.uuid}`, 'EXPIRED'],
  ])
  await server.call(api.bulkUpdateUsers, { uuids: [one.uuid, two.uuid], fields: { tag: 'BULK' } })
  await runJobs(server.ctx)
  expect((await told()).map(({ event, data }) => [event, data['uuid']])).toEqual([
    ['user.modified', one.uuid],
    ['user.modified', two.uuid],
  ])
  await server.call(api.bulkUpdateUsersSquads, { uuids: [one.uuid, two.uuid], activeInternalSquads: [squad.uuid] })
  expect(await names()).toEqual(['user.modified', 'user.modified'])
  await server.call(api.bulkResetUsersTraffic, { uuids: [one.uuid] })
  await runJobs(server.ctx)
  expect(await names()).toEqual(['user.traffic_reset'])
  await server.call(api.bulkDeleteUsers, { uuids: [one.uuid, two.uuid] })
  expect(await names()).toEqual(['user.deleted', 'user.deleted'])
  expect(await server.ctx.db.selectFrom('users').select('uuid').execute()).toEqual([{ uuid: spared.uuid }])
})

test('HOOK-002 the first connection is an event, and later ones are none', async () => {
  const user = await makeUser(server)
  const userId = await idOf(server, user.uuid)
  await told()
  const connect = (at: string) =>
    sql`update "userUsage" set "firstConnectedAt" = coalesce("firstConnectedAt", ${at}::timestamptz), "onlineAt" = ${at}::timestamptz
      where "userId" = ${userId}`.execute(server.ctx.db)
  await connect('2026-11-25T12:00:00Z')
  await connect('2026-11-25T12:01:00Z')
  const events = await told()
  expect(events.map(({ event, data }) => [event, data['firstConnectedAt']])).toEqual([
    ['user.first_connected', '2026-11-25T12:00:00.000Z'],
  ])
})

test('HOOK-002 moments before and after expiry, and without a connection, come once each, also after a pause of the server', async () => {
  const now = new Date('2026-11-25T12:00:00Z')
  moveTo(now)
  const make = (hours: number) => makeUser(server, { expireAt: new Date(now.getTime() + hours * HOUR_MS).toISOString() })
  const [soon, later] = [await make(25), await make(73)]
  await emitMoments(server.ctx) // the first look only says where to begin
  await told()
  moveTo(new Date(now.getTime() + 2 * HOUR_MS))
  await emitMoments(server.ctx)
  await emitMoments(server.ctx)
  const passed = await told()
  expect(passed).toHaveLength(2)
  expect(passed.find(({ thing }) => thing === `user ${later.uuid}`)).toMatchObject({
    event: 'user.expiration',
    facts: { meta: { expiration: -72 } },
  })
  expect(passed.find(({ thing }) => thing === `user ${soon.uuid}`)).toMatchObject({
    event: 'user.expiration',
    facts: { meta: { expiration: -24 } },
  })
  moveTo(new Date(now.getTime() + 7 * HOUR_MS))
  await emitMoments(server.ctx)
  expect((await told()).map(({ event, facts }) => [event, facts])).toEqual([
    ['user.not_connected', { meta: { notConnectedAfterHours: 6 } }],
    ['user.not_connected', { meta: { notConnectedAfterHours: 6 } }],
  ])
  moveTo(new Date(now.getTime() + 26 * HOUR_MS))
  await expireUsers(server.ctx)
  await told()
  moveTo(new Date(now.getTime() + 49.5 * HOUR_MS))
  await emitMoments(server.ctx)
  const after = (await told()).filter(({ thing }) => thing === `user ${soon.uuid}`)
  expect(after.map(({ event, facts }) => [event, facts])).toEqual([['user.expiration', { meta: { expiration: 24 } }]])
})

test('HOOK-002 a node emits what administrators do and what happens to it, and no keys of its inbounds', async () => {
  const node = await makeNode()
  const [created, ...rest] = await told()
  expect([created?.event, created?.data['name'], rest]).toEqual(['node.created', 'نود یک', []])
  expect(JSON.stringify(created?.data)).not.toContain('REALITY-PRIVATE-KEY')
  const { providerUuid: _, ...answer } = (await server.call(api.listNodes, {}))[0] ?? {}
  expect(created?.data).toMatchObject({ ...answer, configProfile: expect.anything() })
  await setState(node.uuid, `"isConnected" = true, "lastStatusMessage" = null`)
  expect(await names()).toEqual(['node.connection_restored'])
  await setState(node.uuid, `"isConnected" = false, "lastStatusMessage" = 'connect ECONNREFUSED'`)
  const [lost] = await told()
  expect([lost?.event, lost?.data['lastStatusMessage']]).toEqual(['node.connection_lost', 'connect ECONNREFUSED'])
  await setState(node.uuid, `"isConnected" = true`)
  await told()
  await server.call(api.updateNode, { uuid: node.uuid, countryCode: 'DE' })
  expect(await names()).toEqual(['node.modified'])
  await server.call(api.updateNode, {
    uuid: node.uuid,
    trafficLimitBytes: 1000,
    isTrafficTrackingActive: true,
    notifyPercent: 80,
  })
  await told()
  await setState(node.uuid, `"trafficUsedBytes" = 900`)
  await reviewNodesTraffic(server.ctx)
  await reviewNodesTraffic(server.ctx)
  expect(await names()).toEqual(['node.traffic_notify'])
  await server.call(api.disableNode, { uuid: node.uuid })
  await setState(node.uuid, `"isConnected" = false`) // the fleet follows; a node that was switched off is not lost
  expect(await names()).toEqual(['node.disabled'])
  await server.call(api.enableNode, { uuid: node.uuid })
  expect(await names()).toEqual(['node.enabled'])
  await server.call(api.deleteNode, { uuid: node.uuid })
  expect(await names()).toEqual(['node.deleted'])
})

test('HOOK-002 a bill is told of on its days in the afternoon, once a day', async () => {
  const node = await makeNode()
  const provider = await server.call(api.createInfraProvider, { name: 'Hoster', loginUrl: 'https://hoster.example' })
  await server.call(api.updateInstallation, { timeZone: 'Asia/Tehran' })
  await server.call(api.createInfraBillingNode, {
    providerUuid: provider.uuid,
    nodeUuid: node.uuid,
    nextBillingAt: '2026-12-10T08:00:00.000Z',
  })
  await told()
  const seen: [string, EventName[]][] = []
  for (const day of ['02', '03', '08', '09', '10', '11', '12', '17']) {
    for (const time of ['12:00', '13:45', '14:30']) {
      moveTo(new Date(`2026-12-${day}T${time}:00Z`)) // five in the afternoon of Tehran is 13:30
      await emitMoments(server.ctx)
      const events = (await names()).filter((event) => event.startsWith('crm.'))
      if (events.length > 0) seen.push([`${day} ${time}`, events])
    }
  }
  expect(seen).toEqual([
    ['03 13:45', ['crm.infra_billing_node_payment_in_7_days']],
    ['08 13:45', ['crm.infra_billing_node_payment_in_48hrs']],
    ['09 13:45', ['crm.infra_billing_node_payment_in_24hrs']],
    ['10 13:45', ['crm.infra_billing_node_payment_due_today']],
    ['11 13:45', ['crm.infra_billing_node_payment_overdue_24hrs']],
    ['12 13:45', ['crm.infra_billing_node_payment_overdue_48hrs']],
    ['17 13:45', ['crm.infra_billing_node_payment_overdue_7_days']],
  ])
})

test('HOOK-008 tried sign-ins, tokens and the public page are events, none of which holds what was typed as password or is secret', async () => {
  const sign = (password: string) => server.send('POST', '/api/auth/login', { username: 'admin', password })
  await sign('wrong-TYPED-PASSWORD')
  await sign('Correct4horse')
  const token = await server.call(api.createApiToken, { tokenName: 'bot' })
  await server.call(api.deleteApiToken, { uuid: token.uuid })
  await server.call(api.publishSubscriptionPage, { config: { ios: [], android: [], pc: [] }, basedOn: null })
  const events = await told()
  expect(events.map(({ event }) => event)).toEqual([
    'service.login_attempt_failed',
    'service.login_attempt_success',
    'service.api_token_created',
    'service.api_token_deleted',
    'service.subpage_config_changed',
  ])
  expect(events[0]?.data).toMatchObject({ loginAttempt: { username: 'admin', description: 'wrong password' } })
  const text = JSON.stringify(events)
  for (const secret of ['TYPED-PASSWORD', 'Correct4horse', token.token]) expect(text).not.toContain(secret)
})

test('without a reader nothing is written, and the last one takes the outbox with it', async () => {
  await makeUser(server)
  const [hook] = (await server.call(api.listWebhooks, {})).webhooks
  await server.call(api.deleteWebhook, { uuid: hook?.uuid ?? '' })
  await makeUser(server)
  await emitMoments(server.ctx)
  expect(await server.ctx.db.selectFrom('outbox').select('id').execute()).toEqual([])
  expect(await server.ctx.db.selectFrom('eventLooks').select('name').execute()).toEqual([])
})

test('HOOK-003 publishing numbers events in the order of commits for each thing, whatever the order in which transactions began', async () => {
  const user = await makeUser(server, { tag: 'ZERO' })
  await told()
  const { db } = server.ctx
  const set = (tag: string) => sql`update "users" set "tag" = ${tag} where "uuid" = ${user.uuid}`
  const started = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  const early = db.transaction().execute(async (tx) => {
    await makeRow(tx)
    started.resolve()
    await goOn.promise
    await set('LATE').execute(tx)
  })
  await started.promise
  await set('FIRST').execute(db)
  expect((await told()).map(({ data }) => data['tag'])).toEqual(['FIRST'])
  goOn.resolve()
  await early
  expect((await told()).map(({ event, data }) => [event, data['tag']])).toEqual([
    ['service.panel_started', undefined],
    ['user.modified', 'LATE'],
  ])
})
/** Draws a number of the outbox long before the commit. */
const makeRow = (tx: Parameters<typeof emitEvent>[0]) =>
  emitEvent(tx, 'service.panel_started', 'panel', { data: { panelVersion: '1' } })

test('events are bounded by age, and a webhook that was away is told how many it has missed', async () => {
  await makeUser(server)
  await makeUser(server)
  while ((await publishEvents(server.ctx)) > 0);
  const forgetIn = async (days: number) => {
    moveTo(new Date(Date.now() + days * 24 * HOUR_MS))
    await forgetEvents(server.ctx)
    server.clock.now = undefined // the session goes on
  }
  await forgetIn(6)
  expect((await server.call(api.listWebhooks, {})).webhooks).toMatchObject([{ missed: 0, waiting: 2 }])
  await forgetIn(8)
  expect((await server.call(api.listWebhooks, {})).webhooks).toMatchObject([{ missed: 2, waiting: 0 }])
  expect(await server.ctx.db.selectFrom('domainEvents').select('position').execute()).toEqual([])
})
