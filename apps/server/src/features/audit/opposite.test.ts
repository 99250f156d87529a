import { randomUUID } from 'node:crypto'
import * as api from '@causeway/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runJobs } from '../../../test/jobs.ts'
import { applyRows, oppositeOf } from '../../../test/opposite.ts'
import { testServer, type TestServer } from '../../../test/server.ts'
import { audited, type AuditedTable } from '../../db/audited.ts'

// Every change an administrator makes can be taken back from its audit row alone, and no audit row shows a secret. Each
// change is made, read from the log, taken back and compared with what was there before.

const YEAR_2099 = '2099-01-01T00:00:00.000Z'
/** Far off, but an end: only such an expiry can be extended. */
const IN_TIME = '2090-01-01T00:00:00.000Z'
const config = (tag: string) => ({
  inbounds: [
    {
      tag,
      port: 4430,
      protocol: 'vless',
      settings: { clients: [], decryption: 'none' },
      streamSettings: {
        network: 'tcp',
        security: 'reality',
        realitySettings: {
          privateKey: `PRIVATE-KEY-${tag}`,
          dest: 'example.com:443',
          serverNames: ['example.com'],
          shortIds: [''],
        },
      },
    },
    { tag: `${tag}-SS`, port: 4431, protocol: 'shadowsocks', settings: { clients: [], network: 'tcp,udp' } },
  ],
  outbounds: [{ tag: 'DIRECT', protocol: 'freedom' }],
})

let server: TestServer
let world: Awaited<ReturnType<typeof makeWorld>>
const seen = new Set<string>()
beforeAll(async () => {
  server = await testServer()
  world = await makeWorld()
})
afterAll(() => server.close())

async function makeWorld() {
  const profile = await server.call(api.createConfigProfile, { name: 'Main', config: config('MAIN') })
  const [inbound, other] = profile.inbounds.map(({ uuid }) => uuid)
  const both = { inbound: inbound ?? '', other: other ?? '' }
  const squad = await server.call(api.createInternalSquad, { name: 'Squad', inbounds: [both.inbound, both.other] })
  const spare = await server.call(api.createInternalSquad, { name: 'Spare', inbounds: [both.inbound] })
  const make = (username: string) =>
    server.call(api.createUser, { username, expireAt: IN_TIME, activeInternalSquads: [squad.uuid], trafficLimitBytes: 1000 })
  const [ann, bob, cid] = [await make('ann'), await make('bob'), await make('cid')]
  await server.call(api.disableUser, { uuid: cid.uuid })
  await server.call(api.createHwidDevice, { userUuid: ann.uuid, hwid: 'phone', deviceModel: 'one' })
  const host = (remark: string) =>
    server.call(api.createHost, {
      remark,
      address: 'a.example.com',
      port: 443,
      inbound: { configProfileUuid: profile.uuid, configProfileInboundUuid: both.inbound },
      // Order and digits of JSON stay as they are.
      xHttpExtraParams: { z: 1.5, a: { deep: [1, 'two', null] } },
    })
  const [host1, host2] = [await host('one'), await host('two')]
  const provider = await server.call(api.createInfraProvider, { name: 'Provider' })
  const node = await server.call(api.createNode, {
    name: 'node-one',
    address: '192.0.2.1',
    configProfile: { activeConfigProfileUuid: profile.uuid, activeInbounds: [both.inbound, both.other] },
    providerUuid: provider.uuid,
  })
  const bills = await server.call(api.createInfraBillingNode, {
    providerUuid: provider.uuid,
    nodeUuid: node.uuid,
    nextBillingAt: YEAR_2099,
  })
  const history = await server.call(api.createInfraBillingRecord, {
    providerUuid: provider.uuid,
    amount: 12.3,
    billedAt: '2026-01-01T00:00:00.000Z',
  })
  const token = await server.call(api.createApiToken, { tokenName: 'bot' })
  const view = await server.call(api.createView, { page: 'users', name: 'first', search: { status: 'ACTIVE' } })
  const settings = await server.call(api.getSubscriptionSettings, {})
  await server.call(api.getInstallation, {})
  await server.call(api.getSubscriptionTemplate, { templateType: 'MIHOMO' })
  const { db } = server.ctx
  const { id: userId } = await db.selectFrom('users').select('id').where('uuid', '=', ann.uuid).executeTakeFirstOrThrow()
  const { id: nodeId } = await db.selectFrom('nodes').select('id').where('uuid', '=', node.uuid).executeTakeFirstOrThrow()
  await db
    .updateTable('userUsage')
    .set({ usedTrafficBytes: 700, lifetimeUsedTrafficBytes: 900 })
    .where('userId', '=', userId)
    .execute()
  await db.updateTable('nodeStates').set({ trafficUsedBytes: 5000 }).where('nodeId', '=', nodeId).execute()
  await db.insertInto('userAccesses').values({ userId, subLastUserAgent: 'v2rayN' }).execute()
  // Of another node: what users used on a node is not kept when that node is deleted.
  await db
    .insertInto('userNodeUsage')
    .values({ day: '2026-03-01', nodeId: nodeId + 1, userId, uploadBytes: 1, downloadBytes: 2 })
    .execute()
  return {
    profile: profile.uuid,
    ...both,
    squad: squad.uuid,
    spare: spare.uuid,
    ann: ann.uuid,
    bob: bob.uuid,
    cid: cid.uuid,
    host1: host1.uuid,
    host2: host2.uuid,
    provider: provider.uuid,
    node: node.uuid,
    bill: bills.billingNodes[0]?.uuid ?? '',
    payment: history.records[0]?.uuid ?? '',
    token,
    view: view.uuid,
    settings: settings.uuid,
  }
}

const yaml = Buffer.from('proxies: [{ name: own, password: TEMPLATE-PASSWORD }]').toString('base64')
const billed = { providerUuid: '', amount: 99.99, billedAt: '2026-02-01T00:00:00.000Z' }

/** One change by every endpoint that changes something at once. */
const changes: Record<string, () => Promise<unknown>> = {
  publishSubscriptionPage: () =>
    server.call(api.publishSubscriptionPage, { config: { ios: [], android: [], pc: [] }, basedOn: null }),
  createUser: () => server.call(api.createUser, { username: 'new', expireAt: YEAR_2099, activeInternalSquads: [world.squad] }),
  updateUser: () =>
    server.call(api.updateUser, { uuid: world.ann, description: 'x', trafficLimitBytes: 5, activeInternalSquads: [world.spare] }),
  deleteUser: () => server.call(api.deleteUser, { uuid: world.ann }),
  disableUser: () => server.call(api.disableUser, { uuid: world.ann }),
  enableUser: () => server.call(api.enableUser, { uuid: world.cid }),
  resetUserTraffic: () => server.call(api.resetUserTraffic, { uuid: world.ann }),
  revokeUserSubscription: () => server.call(api.revokeUserSubscription, { uuid: world.ann }),
  createHwidDevice: () => server.call(api.createHwidDevice, { userUuid: world.ann, hwid: 'tablet' }),
  deleteAllHwidDevices: () => server.call(api.deleteAllHwidDevices, { userUuid: world.ann }),
  deleteHwidDevice: () => server.call(api.deleteHwidDevice, { userUuid: world.ann, hwid: 'phone' }),
  bulkDeleteUsers: () => server.call(api.bulkDeleteUsers, { uuids: [world.ann, world.bob, world.cid, randomUUID()] }),
  bulkUpdateUsersSquads: () =>
    server.call(api.bulkUpdateUsersSquads, { uuids: [world.ann, world.bob], activeInternalSquads: [world.spare] }),
  // Jobs record each of their batches.
  bulkUpdateUsers: async () => {
    await server.call(api.bulkUpdateUsers, { uuids: [world.ann, world.bob], fields: { tag: 'BULK', status: 'DISABLED' } })
    await runJobs(server.ctx)
  },
  extendUsers: async () => {
    await server.call(api.extendUsers, { uuids: [world.ann, world.bob], months: 1 })
    await runJobs(server.ctx)
  },
  bulkResetUsersTraffic: async () => {
    await server.call(api.bulkResetUsersTraffic, { uuids: [world.ann, world.bob] })
    await runJobs(server.ctx)
  },
  bulkRevokeUsersSubscription: async () => {
    await server.call(api.bulkRevokeUsersSubscription, { uuids: [world.ann, world.bob] })
    await runJobs(server.ctx)
  },
  bulkDeleteUsersByStatus: async () => {
    await server.call(api.bulkDeleteUsersByStatus, { status: 'ACTIVE' })
    await runJobs(server.ctx)
  },
  createHost: () =>
    server.call(api.createHost, {
      remark: 'new',
      address: 'b.example.com',
      port: 1,
      inbound: { configProfileUuid: world.profile, configProfileInboundUuid: world.inbound },
    }),
  updateHost: () => server.call(api.updateHost, { uuid: world.host1, remark: 'renamed', xHttpExtraParams: { a: 1, z: 2 } }),
  deleteHost: () => server.call(api.deleteHost, { uuid: world.host1 }),
  reorderHosts: () =>
    server.call(api.reorderHosts, {
      hosts: [
        { uuid: world.host2, viewPosition: 1 },
        { uuid: world.host1, viewPosition: 2 },
      ],
    }),
  bulkEnableHosts: async () => {
    await server.call(api.updateHost, { uuid: world.host2, remark: 'off', isDisabled: true })
    await server.call(api.bulkEnableHosts, { uuids: [world.host2] })
  },
  bulkDisableHosts: () => server.call(api.bulkDisableHosts, { uuids: [world.host1, world.host2] }),
  bulkDeleteHosts: () => server.call(api.bulkDeleteHosts, { uuids: [world.host1, world.host2] }),
  bulkSetHostsPort: () => server.call(api.bulkSetHostsPort, { uuids: [world.host1, world.host2], port: 8443 }),
  bulkSetHostsInbound: () =>
    server.call(api.bulkSetHostsInbound, {
      uuids: [world.host1, world.host2],
      configProfileUuid: world.profile,
      configProfileInboundUuid: world.other,
    }),
  createNode: () =>
    server.call(api.createNode, {
      name: 'node-new',
      address: '192.0.2.9',
      configProfile: { activeConfigProfileUuid: world.profile, activeInbounds: [world.inbound] },
    }),
  updateNode: () =>
    server.call(api.updateNode, {
      uuid: world.node,
      name: 'node-renamed',
      configProfile: { activeConfigProfileUuid: world.profile, activeInbounds: [world.inbound] },
    }),
  deleteNode: () => server.call(api.deleteNode, { uuid: world.node }),
  disableNode: () => server.call(api.disableNode, { uuid: world.node }),
  enableNode: async () => {
    await server.call(api.disableNode, { uuid: world.node })
    await server.call(api.updateNode, { uuid: world.node, name: 'node-again' })
    await server.call(api.enableNode, { uuid: world.node })
  },
  reorderNodes: () => server.call(api.reorderNodes, { nodes: [{ uuid: world.node, viewPosition: 77 }] }),
  createConfigProfile: () => server.call(api.createConfigProfile, { name: 'Another', config: config('ANOTHER') }),
  updateConfigProfile: () =>
    server.call(api.updateConfigProfile, {
      uuid: world.profile,
      name: 'Renamed',
      config: { ...config('MAIN'), log: { loglevel: 'none' } },
    }),
  startRollout: () => startRollout(),
  pauseRollout: async () => {
    const { uuid } = await startRollout()
    await server.call(api.pauseRollout, { uuid })
  },
  continueRollout: async () => {
    const { uuid } = await startRollout()
    await server.call(api.pauseRollout, { uuid })
    await server.call(api.continueRollout, { uuid })
  },
  waiveRolloutProof: async () => {
    const { uuid } = await startRollout()
    await server.call(api.waiveRolloutProof, { uuid })
  },
  closeLocalNetworks: async () => {
    await server.ctx.db.updateTable('nodeStates').set({ isConnected: true, testsConfig: true }).execute()
    await server.call(api.closeLocalNetworks, { uuid: world.profile })
  },
  deleteConfigProfile: () => server.call(api.deleteConfigProfile, { uuid: world.profile }),
  createInternalSquad: () => server.call(api.createInternalSquad, { name: 'New', inbounds: [world.inbound] }),
  updateInternalSquad: () => server.call(api.updateInternalSquad, { uuid: world.squad, name: 'Other', inbounds: [world.other] }),
  deleteInternalSquad: () => server.call(api.deleteInternalSquad, { uuid: world.squad }),
  addUsersToInternalSquad: () =>
    server.call(api.addUsersToInternalSquad, { uuid: world.spare, userUuids: [world.ann, world.bob] }),
  removeUsersFromInternalSquad: () =>
    server.call(api.removeUsersFromInternalSquad, { uuid: world.squad, userUuids: [world.ann] }),
  updateSubscriptionSettings: () =>
    server.call(api.updateSubscriptionSettings, {
      uuid: world.settings,
      profileTitle: 'Other',
      expiredUsersRemarks: ['gone'],
      customResponseHeaders: { 'x-a': 'b' },
    }),
  updateInstallation: () => server.call(api.updateInstallation, { timeZone: 'Asia/Tokyo' }),
  updateSubscriptionTemplate: () =>
    server.call(api.updateSubscriptionTemplate, { templateType: 'MIHOMO', encodedTemplateYaml: yaml }),
  createInfraProvider: () => server.call(api.createInfraProvider, { name: 'Second' }),
  updateInfraProvider: () => server.call(api.updateInfraProvider, { uuid: world.provider, name: 'Renamed' }),
  deleteInfraProvider: () => server.call(api.deleteInfraProvider, { uuid: world.provider }),
  createInfraBillingNode: async () => {
    const { uuid } = await server.call(api.createInfraProvider, { name: 'Third' })
    await server.call(api.createInfraBillingNode, { providerUuid: uuid, nodeUuid: world.node, nextBillingAt: YEAR_2099 })
  },
  updateInfraBillingNode: () =>
    server.call(api.updateInfraBillingNode, { uuid: world.bill, nextBillingAt: '2098-01-01T00:00:00.000Z' }),
  deleteInfraBillingNode: () => server.call(api.deleteInfraBillingNode, { uuid: world.bill }),
  createInfraBillingRecord: () => server.call(api.createInfraBillingRecord, { ...billed, providerUuid: world.provider }),
  deleteInfraBillingRecord: () => server.call(api.deleteInfraBillingRecord, { uuid: world.payment }),
  createView: () => server.call(api.createView, { page: 'users', name: 'second', search: { status: 'EXPIRED' } }),
  updateView: () => server.call(api.updateView, { uuid: world.view, name: 'renamed', search: { sort: '-expireAt' } }),
  deleteView: () => server.call(api.deleteView, { uuid: world.view }),
  createApiToken: () => server.call(api.createApiToken, { tokenName: 'second' }),
  createLimitedApiToken: () =>
    server.call(api.createLimitedApiToken, { tokenName: 'third', permissions: ['users.read'], isShownOnce: true }),
  updateApiToken: () =>
    server.call(api.updateApiToken, { uuid: world.token.uuid, expiresAt: IN_TIME, permissions: ['users.read', 'hosts.read'] }),
  deleteApiToken: () => server.call(api.deleteApiToken, { uuid: world.token.uuid }),
}

/** To a node that a watched fleet would show as connected. */
async function startRollout() {
  await server.ctx.db.updateTable('nodeStates').set({ isConnected: true, testsConfig: true }).execute()
  return server.call(api.startRollout, { uuid: world.profile, config: { ...config('MAIN'), log: { loglevel: 'none' } } })
}

/** These only ask for something, or have a job do it to everybody, whose rule and number are recorded. */
const others = [
  'cancelJob',
  'takeBackRollout',
  'restartNode',
  'restartAllNodes',
  'getNodePublicKey',
  'fetchSubscriptionPage',
  'bulkUpdateAllUsers',
  'bulkResetAllUsersTraffic',
]

test('every endpoint that may change something is looked at here', () => {
  const endpoints = Object.values<unknown>(api).filter(api.isEndpoint)
  const writing = endpoints.filter(({ access }) => access.endsWith('.write')).map(({ name }) => name)
  expect([...Object.keys(changes), ...others].toSorted()).toEqual(writing.toSorted())
})

test.each(Object.entries(changes))('%s can be taken back from its audit row', async (_, change) => {
  const [before, last] = [await snapshot(), await lastEntryId()]
  await change()
  const after = await snapshot()
  await takeBackSince(last)
  expect(await snapshot()).toEqual(before)
  // Else nothing would be proved.
  expect(after).not.toEqual(before)
})

test('no audit row shows a secret', async () => {
  const { rows } = await sql<{ text: string }>`select row_to_json("auditLog")::text as "text" from "auditLog"`.execute(
    server.ctx.db,
  )
  const log = rows.map(({ text }) => text).join('\n')
  const marks = [
    'PRIVATE-KEY',
    'TEMPLATE-PASSWORD',
    'Correct4horse',
    world.token.token,
    (server.admin['authorization'] ?? '').slice(7),
  ]
  expect(seen.size).toBeGreaterThan(12)
  expect(
    [...marks, ...seen].filter((secret) => log.includes(secret) || log.includes(JSON.stringify(secret).slice(1, -1))),
  ).toEqual([])
})

async function lastEntryId(): Promise<number> {
  const row = await server.ctx.db.selectFrom('auditLog').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
  return row?.id ?? 0
}

async function takeBackSince(id: number): Promise<void> {
  const entries = await server.ctx.db.selectFrom('auditLog').selectAll().where('id', '>', id).orderBy('id', 'desc').execute()
  expect(entries).not.toEqual([])
  await server.ctx.db.transaction().execute(async (tx) => {
    for (const entry of entries) await applyRows(tx, oppositeOf(server.ctx.secrets, entry))
  })
}

/** Everything the audit log is about, as it is stored. */
async function snapshot(): Promise<Record<string, string[]>> {
  const tables = Object.keys(audited) as AuditedTable[] // the type of keys() does not tell
  const entries = await Promise.all(
    tables.map(async (table) => {
      const { only, secret = [] } = audited[table]
      const rows = only
        ? await server.ctx.db
            .selectFrom(table)
            .select(only as never[])
            .execute() // columns of that very table
        : await sql<Record<string, unknown>>`select * from ${sql.table(table)}`
            .execute(server.ctx.db)
            .then((result) => result.rows)
      for (const row of rows as Record<string, unknown>[])
        for (const name of secret) if (typeof row[name] === 'string') seen.add(row[name])
      return [table, rows.map((row) => JSON.stringify(row)).toSorted()] as const
    }),
  )
  return Object.fromEntries(entries)
}
