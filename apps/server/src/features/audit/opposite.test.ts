import { randomUUID } from 'node:crypto'
import * as api from '@causeway/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { config, IN_TIME, makeOppositeWorld, YEAR_2099 } from '../../../test/opposite-world.ts'
import { runJobs } from '../../../test/jobs.ts'
import { exceptions, others } from '../../../test/opposite-exceptions.ts'
import { laterChanges } from '../../../test/opposite-later.ts'
import { testServer, type TestServer } from '../../../test/server.ts'
import { GUARDED_WRITES } from '../../../test/walk/declared.ts'
import { audited, type AuditedTable } from '../../db/audited.ts'

// Every change an administrator makes is undone by the history, and no audit row shows a secret. Each change is made, its entries
// are undone newest first, and the rows are compared with what was there before. What cannot be undone says why.

let server: TestServer
let world: Awaited<ReturnType<typeof makeOppositeWorld>>
const seen = new Set<string>()
beforeAll(async () => {
  server = await testServer()
  world = await makeOppositeWorld(server)
})
afterAll(() => server.close())

const oneInbound = () => ({ activeConfigProfileUuid: world.profile, activeInbounds: [world.inbound] })
const yaml = Buffer.from('proxies: [{ name: own, password: TEMPLATE-PASSWORD }]').toString('base64')
const billed = { providerUuid: '', amount: 99.99, billedAt: '2026-02-01T00:00:00.000Z' }

/** One change by every endpoint that changes something at once. */
const changes: Record<string, () => Promise<unknown>> = {
  ...laterChanges(() => ({ server, world })),
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
  changeUsers: async () => {
    await server.call(api.changeUsers, {
      filters: [{ id: 'activeInternalSquads', value: world.squad }],
      change: { kind: 'squads', mode: 'move', from: world.squad, squads: [world.spare] },
    })
    await server.call(api.changeUsers, { uuids: [world.ann], change: { kind: 'addTraffic', bytes: 70, isOnce: false } })
    await server.call(api.changeUsers, { uuids: [world.bob], change: { kind: 'delete' } })
    await runJobs(server.ctx)
  },
  importUsers: async () => {
    const { users } = await server.call(api.listUsers, {})
    const ann = users.find(({ uuid }) => uuid === world.ann)
    await server.call(api.importUsers, { csv: `username,expireAt,tag\n${ann?.username},,NEW\nimported_one,2090-01-01,NEW` })
    await runJobs(server.ctx)
  },
  addUserTraffic: () => server.call(api.addUserTraffic, { uuid: world.ann, bytes: 50, isOnce: true }),
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
      configProfile: oneInbound(),
    }),
  updateNode: () =>
    server.call(api.updateNode, {
      uuid: world.node,
      name: 'node-renamed',
      configProfile: oneInbound(),
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
      responseRules: api.defaultResponseRules,
    }),
  updateInstallation: () => server.call(api.updateInstallation, { timeZone: 'Asia/Tokyo' }),
  updateBackupSchedule: () => server.call(api.updateBackupSchedule, { hour: 4, keepDaily: 3 }),
  updateBackupTargets: () => {
    const recipient = 'age15hlhve4mwyfxxwgspaw0uc7w8ec06nxfxmxgdhdakfkk9syrnykqdf30w9'
    return server.call(api.updateBackupTargets, { recipient, folder: '/mnt/nas' })
  },
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
  createWebhook: () => server.call(api.createWebhook, { name: 'Second', url: 'https://second.example/hook' }),
  updateWebhook: () => server.call(api.updateWebhook, { uuid: world.hook, events: ['user.created'], isPaused: true }),
  rotateWebhookSecret: () => server.call(api.rotateWebhookSecret, { uuid: world.hook }),
  deleteWebhook: () => server.call(api.deleteWebhook, { uuid: world.hook }),
  createNoticeWay: () =>
    server.call(api.createNoticeWay, { webhook: { url: 'https://second.example/notices' }, conditions: ['nodeDown', 'diskLow'] }),
  updateNoticeWay: () =>
    server.call(api.updateNoticeWay, {
      uuid: world.way,
      language: 'fa',
      webhook: { url: 'https://other.example/', secret: null },
    }),
  deleteNoticeWay: () => server.call(api.deleteNoticeWay, { uuid: world.way }),
  createNoticeRule: () => server.call(api.createNoticeRule, { condition: 'billsDue', ways: [world.way] }),
  updateNoticeRule: () => server.call(api.updateNoticeRule, { uuid: world.rule, mostPerHour: 5, digest: 'daily', ways: [] }),
  deleteNoticeRule: () => server.call(api.deleteNoticeRule, { uuid: world.rule }),
  createApiToken: () => server.call(api.createApiToken, { tokenName: 'second' }),
  createLimitedApiToken: () =>
    server.call(api.createLimitedApiToken, { tokenName: 'third', permissions: ['users.read'], isShownOnce: true }),
  updateApiToken: () =>
    server.call(api.updateApiToken, { uuid: world.token.uuid, expiresAt: IN_TIME, permissions: ['users.read', 'hosts.read'] }),
  deleteApiToken: () => server.call(api.deleteApiToken, { uuid: world.token.uuid }),
  bulkUpdateAllUsers: () => server.call(api.bulkUpdateAllUsers, { tag: 'EVERY' }),
  bulkResetAllUsersTraffic: async () => {
    await server.call(api.bulkResetAllUsersTraffic, {})
    await runJobs(server.ctx)
  },
  changePassword: () => server.call(api.changePassword, { currentPassword: 'Correct4horse', password: 'Another4horse' }),
}

/** To a node that a watched fleet would show as connected. */
async function startRollout() {
  await server.ctx.db.updateTable('nodeStates').set({ isConnected: true, testsConfig: true }).execute()
  return server.call(api.startRollout, { uuid: world.profile, config: { ...config('MAIN'), log: { loglevel: 'none' } } })
}

const endpoints = Object.values<unknown>(api).filter(api.isEndpoint)

test('UNDO-007 every endpoint that may change something is looked at here', () => {
  const isWriting = ({ name, access }: (typeof endpoints)[number]) => access.endsWith('.write') || GUARDED_WRITES.includes(name)
  const writing = endpoints.filter(isWriting).map(({ name }) => name)
  expect([...new Set([...Object.keys(changes), ...Object.keys(exceptions), ...others])].toSorted()).toEqual(writing.toSorted())
})

const undoable = Object.entries(changes).filter(([name]) => !(name in exceptions))

test.each(undoable)('UNDO-007 UNDO-005 %s is undone to the very rows', async (_, change) => {
  const [before, last] = [await snapshot(), await lastEntryId()]
  await change()
  const after = await snapshot()
  // Else nothing would be proved.
  expect(after).not.toEqual(before)
  await undoSince(last)
  expect(await snapshot()).toEqual(before)
})

/** Their change is made of several, so that undoing the newest undo is not the whole change again. */
const MANY_ENTRIES = ['bulkEnableHosts', 'enableNode', 'createInfraBillingNode', 'changeUsers', 'importUsers']

test.each(undoable.filter(([name]) => !MANY_ENTRIES.includes(name)))(
  'UNDO-012 the undo of %s is undone, and that again',
  async (_, change) => {
    const [before, last] = [await snapshot(), await lastEntryId()]
    await change()
    const after = await snapshot()
    await undoSince(last)
    await undoNewest()
    expect(await snapshot()).toEqual(after)
    await undoNewest()
    expect(await snapshot()).toEqual(before)
  },
)

test('UNDO-013 every exception is known to the history by its reason', () => {
  const known = Object.keys(exceptions).filter((name) => api.isHistoryAction(name))
  const reasons = known.map((name) => [name, api.isHistoryAction(name) && api.historyActions[name].undo])
  expect(reasons).toEqual(known.map((name) => [name, exceptions[name]]))
})

const tried = Object.entries(exceptions).flatMap(([name, reason]) => {
  const change = changes[name]
  return change ? [[name, reason, change] as const] : []
})

test.each(tried)('UNDO-013 %s cannot be undone, and says why: %s', async (_, reason, change) => {
  const last = await lastEntryId()
  await change()
  const { entries } = await server.call(api.listHistory, {})
  const made = entries.filter(({ id }) => id > last)
  expect(made.map(({ obstacle }) => obstacle)).toContain(reason)
  expect(await server.send('POST', `/api/x/history/${made[0]?.id}/undo`, {})).toMatchObject({
    status: 409,
    body: { errorCode: 'A013' },
  })
  await server.ctx.db.deleteFrom('configProfileRollouts').execute()
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

async function undoSince(id: number): Promise<void> {
  const { entries } = await server.call(api.listHistory, { limit: 200 })
  const made = entries.filter((entry) => entry.id > id)
  expect(made).not.toEqual([])
  for (const entry of made) {
    if (entry.obstacle === 'nothingChanged') continue
    await undoIt(entry.id)
  }
}

async function undoNewest(): Promise<void> {
  const [newest] = (await server.call(api.listHistory, { limit: 1 })).entries
  await undoIt(newest?.id ?? 0)
}

/** As an administrator does: the plan first, then just that. */
async function undoIt(id: number): Promise<void> {
  const plan = await server.call(api.planUndo, { id })
  expect({ id, conflicts: plan.conflicts, taken: plan.taken, left: plan.left }).toEqual({
    id,
    conflicts: [],
    taken: [],
    left: [],
  })
  await server.call(api.undoEntry, { id, fingerprint: plan.fingerprint })
  await runJobs(server.ctx)
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
      // A row that is set back has changed now.
      const told = rows.map((row) => JSON.stringify(Object.entries(row).filter(([name]) => name !== 'updatedAt')))
      return [table, told.toSorted()] as const
    }),
  )
  return Object.fromEntries(entries)
}
