import * as api from '@causeway/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { makeSnippets, snippetInputs, snippetsElsewhere } from '../../test/withheld-snippets.ts'
import { externalSquadInputs, pluginInputs } from '../../test/later-inputs.ts'
import { PRIVATE_KEY, profileOf } from '../../test/withheld-profile.ts'
import { testServer, toRequest, type TestServer } from '../../test/server.ts'
import { idOf, NEVER, UNKNOWN } from '../../test/users.ts'

// Calls every endpoint with a token that has its permission and no other, on an installation whose things have marks in their
// names. A new endpoint that answers with text fails until it is among the calls.

/** The page config that every installation has. */
const NO_UUID = '00000000-0000-0000-0000-000000000000'
/** What tells of the things of an area, by the permission that it needs. */
const marks: Partial<Record<api.Permission, string[]>> = {
  'users.read': ['mark_user', 'mark@user.example', 'MARK_USER_NOTE', '424242'],
  'nodes.read': ['MARK-NODE', 'mark-node.example'],
  'hosts.read': ['MARK-HOST', 'MARK-LEFT-OUT', 'mark-host.example'],
  'profiles.read': ['MARK-PROFILE', PRIVATE_KEY],
  'squads.read': ['MARK-SQUAD'],
  'billing.read': ['MARK-PROVIDER', 'mark-login.example'],
}
/** Marks of other areas that are the subject of an area. */
const subjects: Record<string, string[]> = {
  system: ['MARK-NODE'],
  wall: ['MARK-NODE'],
  subscriptions: ['mark_user', 'MARK-HOST', 'mark-host.example'],
}

const exported: unknown[] = Object.values(api)
const open = exported.filter(api.isEndpoint).filter(({ access }) => access !== 'public' && api.tokenPermissions.has(access))
/** What answers with numbers and flags only cannot name anything. */
const answersText = ({ response, name }: api.Endpoint) =>
  name !== api.followEvents.name &&
  JSON.stringify(z.toJSONSchema(response, { io: 'output', unrepresentable: 'any' })).includes('"string"')
const walked = open.filter(answersText).map((endpoint) => [endpoint.name, endpoint] as const)

/** Not called here: what they answer comes from outside, or is what other endpoints answer in the same form. */
const elsewhere = [
  ...snippetsElsewhere,
  api.getInfraProviderIcon, // an image from outside
  api.fetchSubscriptionPage, // a page from outside
  api.readTemplateCatalogue, // a text from outside
  api.getProfileRevision, // the configuration itself, as getConfigProfile
  api.getTemplateRevision, // the template itself
  api.getResponseRulesRevision, // the rules themselves, as getSubscriptionSettings
  api.publishSubscriptionPage, // the page itself, as getSubscriptionPage
  api.previewSubscriptionPage, // the page itself
  api.getRolloutConfig, // the configuration itself
  api.startRollout, // as pauseRollout
  api.continueRollout, // as pauseRollout
  api.waiveRolloutProof, // as pauseRollout
  api.uploadGeoFile, // a count
  api.deleteGeoFile, // whether it was there
  api.startNodeUpdate, // nodes by name, as getNodeUpdates
  api.pauseNodeUpdate, // as startNodeUpdate
  api.continueNodeUpdate, // as startNodeUpdate
  api.takeBackNodeUpdate, // as startNodeUpdate
  api.closeLocalNetworks, // as startRollout, which answers the same
  api.getHistoryEntry, // nothing of a kind that the caller may not read (features/undo)
  api.planUndo, // as getHistoryEntry
  api.undoEntry, // as getHistoryEntry
  api.planUndoOfActor, // as getHistoryEntry
  api.undoOfActor, // as getHistoryEntry
  api.readUserConnections, // the number of a job alone
  api.readNodeConnections, // as readUserConnections
  api.fetchUserIps, // as readUserConnections
  api.fetchNodeIps, // as readUserConnections
  api.getUserConnections, // what agents say (features/connections)
  api.getNodeConnections, // users by number, and addresses
  api.getUserIps, // as getUserConnections
  api.getNodeIps, // as getNodeConnections
  api.getNodeLog, // what agents say, without users and secrets
  api.cancelJob, // as getJob
  api.importUsers, // a number and a job
  api.planUserImport, // names and columns of the file that was sent
  api.examineInstallation, // nodes by name, left out without nodes.read (features/doctor)
  api.listBackups, // files and figures of the server itself
  api.getJob, // as listJobs
].map(({ name }) => name)

let server: TestServer
const ids = { user: '', shortUuid: '', node: '', host: '', profile: '', inbound: '', squad: '', provider: '', rollout: '' }
const kept = { bill: '', record: '', view: '', settings: '', template: '', external: '', pageConfig: '', plugin: '' }
/** Changed by the walk, so that the marked ones stay as they are. */
const spare = { user: '', node: '' }

beforeAll(async () => {
  server = await testServer()
  const call: TestServer['call'] = (endpoint, input) => server.call(endpoint, input)
  const profile = await call(api.createConfigProfile, { name: 'MARK-PROFILE', config: profileOf(443) })
  const inbound = profile.inbounds[0]?.uuid ?? ''
  await makeSnippets(server)
  const squad = await call(api.createInternalSquad, { name: 'MARK-SQUAD', inbounds: [inbound] })
  const provider = await call(api.createInfraProvider, { name: 'MARK-PROVIDER', loginUrl: 'https://mark-login.example' })
  const node = await call(api.createNode, {
    name: 'MARK-NODE',
    address: 'mark-node.example',
    providerUuid: provider.uuid,
    configProfile: { activeConfigProfileUuid: profile.uuid, activeInbounds: [inbound] },
  })
  const at = { configProfileUuid: profile.uuid, configProfileInboundUuid: inbound }
  const host = await call(api.createHost, {
    remark: 'MARK-HOST',
    address: 'mark-host.example',
    port: 443,
    sni: 'not-of-the-inbound.example',
    inbound: at,
  })
  await call(api.createHost, { remark: 'MARK-LEFT-OUT', address: 'mark-host.example', port: 443, inbound: at, isDisabled: true })
  const user = await call(api.createUser, {
    username: 'mark_user',
    email: 'mark@user.example',
    description: 'MARK_USER_NOTE',
    telegramId: 424242,
    tag: 'VIP',
    trafficLimitBytes: 2 ** 40,
    expireAt: NEVER,
    activeInternalSquads: [squad.uuid],
  })
  const { uuid, shortUuid } = user
  Object.assign(ids, {
    user: uuid,
    shortUuid,
    node: node.uuid,
    host: host.uuid,
    profile: profile.uuid,
    inbound,
    squad: squad.uuid,
  })
  ids.provider = provider.uuid
  const runs = { activeConfigProfileUuid: profile.uuid, activeInbounds: [inbound] }
  spare.node = (await call(api.createNode, { name: 'spare', address: 'spare.example', configProfile: runs })).uuid
  spare.user = (await call(api.createUser, { username: 'spare', expireAt: NEVER, status: 'DISABLED' })).uuid
  const bill = { providerUuid: provider.uuid, nodeUuid: node.uuid, nextBillingAt: NEVER }
  kept.bill = (await call(api.createInfraBillingNode, bill)).billingNodes[0]?.uuid ?? ''
  const paid = { providerUuid: provider.uuid, amount: 1, billedAt: '2026-11-01T00:00:00Z' }
  kept.record = (await call(api.createInfraBillingRecord, paid)).records[0]?.uuid ?? ''
  kept.view = (await call(api.createView, { page: 'users', name: 'view', search: {} })).uuid
  kept.settings = (await call(api.getSubscriptionSettings, {})).uuid
  const { templates } = await call(api.listSubscriptionTemplates, {})
  kept.external = (await call(api.createExternalSquad, { name: 'external' })).uuid
  kept.pageConfig = (await call(api.createPageConfig, { name: 'page' })).uuid
  kept.template = templates.find(({ templateType }) => templateType === 'SINGBOX')?.uuid ?? ''
  kept.plugin = (await call(api.createNodePlugin, { name: 'plugin' })).uuid
  await call(api.createSharedList, { name: 'mark-list', config: { type: 'ipList', items: [] } })
  await call(api.createHwidDevice, { hwid: 'device', userUuid: uuid })
  await call(api.setUserMetadata, { uuid, metadata: { of: 'user' } })
  await call(api.setNodeMetadata, { uuid: node.uuid, metadata: { of: 'node' } })
  await seedUsage()
  // A roll-out needs a node to watch.
  await server.ctx.db.updateTable('nodeStates').set({ isConnected: true }).execute()
  ids.rollout = (await call(api.startRollout, { uuid: profile.uuid, config: profileOf(444) })).uuid
})
afterAll(() => server.close())

/** Booked as the ledger does, so that no list of figures is empty. */
async function seedUsage(): Promise<void> {
  const { db } = server.ctx
  const userId = await idOf(server, ids.user)
  const { id: nodeId } = await db.selectFrom('nodes').select('id').where('uuid', '=', ids.node).executeTakeFirstOrThrow()
  const now = new Date()
  const bytes = { uploadBytes: 1000, downloadBytes: 2000 }
  const day = now.toISOString().slice(0, 10)
  await db
    .insertInto('userNodeUsage')
    .values({ day, nodeId, userId, ...bytes })
    .execute()
  const state = { usedTrafficBytes: 3000, onlineAt: now, firstConnectedAt: now, lastConnectedNodeId: nodeId }
  await db.updateTable('userUsage').set(state).where('userId', '=', userId).execute()
}

let made = 0
const isNew = () => ({ name: `new ${made++}` })
const range = () => ({ start: '2026-01-01T00:00:00Z', end: '2099-01-01T00:00:00Z' })
const days = () => ({ start: '2026-11-01', end: '2026-11-30' })
const someUser = () => ({ uuid: ids.user })
const someNode = () => ({ uuid: ids.node })
const someHosts = () => ({ uuids: [ids.host] })
const link = () => ({ shortUuid: ids.shortUuid })
const inboundOf = () => ({ configProfileUuid: ids.profile, configProfileInboundUuid: ids.inbound })

/** The input of endpoints that need one. */
const dropped = () => ({ dropBy: { by: 'userUuids', userUuids: [ids.user] }, targetNodes: { target: 'allNodes' } })
const inputs: Record<string, () => object> = {
  getUser: someUser,
  getUserByShortUuid: link,
  getUserByUsername: () => ({ username: 'mark_user' }),
  listUsersByTelegramId: () => ({ telegramId: '424242' }),
  listUsersByEmail: () => ({ email: 'mark@user.example' }),
  listUsersByTag: () => ({ tag: 'VIP' }),
  listUsers: () => ({ start: 0, size: 25 }),
  exportUsers: () => ({ format: 'json' }),
  listTopUsers: () => ({ period: 'today' }),
  getUserAccess: someUser,
  getUserAccessibleNodes: someUser,
  getUserUsage: () => ({ ...someUser(), ...range() }),
  listUserHwidDevices: () => ({ userUuid: ids.user }),
  listUserSubscriptionRequests: someUser,
  searchAll: () => ({ text: 'mark' }),
  createUser: () => ({ username: `new_${made++}`, expireAt: NEVER, activeInternalSquads: [ids.squad] }),
  updateUser: () => ({ ...someUser(), tag: 'VIP' }),
  disableUser: () => ({ uuid: spare.user }),
  enableUser: () => ({ uuid: spare.user }),
  resetUserTraffic: someUser,
  revokeUserSubscription: () => ({ ...someUser(), shortUuid: ids.shortUuid }),
  createHwidDevice: () => ({ userUuid: ids.user, hwid: `device ${made++}` }),
  deleteHwidDevice: () => ({ userUuid: ids.user, hwid: `device ${made - 1}` }),
  deleteAllHwidDevices: () => ({ userUuid: ids.user }),
  dropConnections: dropped,
  dropIpConnections: dropped,
  bulkUpdateUsers: () => ({ uuids: [UNKNOWN], fields: { tag: 'VIP' } }),
  bulkUpdateAllUsers: () => ({ tag: 'VIP' }),
  changeUsers: () => ({ uuids: [UNKNOWN], change: { kind: 'resetTraffic' as const } }),
  addUserTraffic: () => ({ ...someUser(), bytes: 1, isOnce: false }),
  bulkUpdateUsersSquads: () => ({ uuids: [UNKNOWN], activeInternalSquads: [] }),
  bulkDeleteUsers: () => ({ uuids: [UNKNOWN] }),
  bulkDeleteUsersByStatus: () => ({ status: 'LIMITED' }),
  bulkResetUsersTraffic: () => ({ uuids: [UNKNOWN] }),
  bulkRevokeUsersSubscription: () => ({ uuids: [UNKNOWN] }),
  extendUsers: () => ({ uuids: [UNKNOWN], days: 1 }),
  getNode: someNode,
  getNodeTopUsers: () => ({ ...someNode(), days: 7 }),
  getNodeDeliveries: someNode,
  listNodePhases: someNode,
  listNodeUsersUsage: () => ({ ...someNode(), ...range() }),
  listNodesUsage: range,
  listNodesUsageByDay: () => ({ days: 7 }),
  createNode: () => ({
    ...isNew(),
    address: `${made}.example`,
    configProfile: { activeConfigProfileUuid: ids.profile, activeInbounds: [ids.inbound] },
  }),
  updateNode: () => ({ ...someNode(), providerUuid: ids.provider }),
  disableNode: () => ({ uuid: spare.node }),
  makeJoinCode: someNode,
  getNodeJoin: someNode,
  revokeNodeCertificate: someNode,
  enableNode: someNode,
  reorderNodes: () => ({ nodes: [{ ...someNode(), viewPosition: 1 }] }),
  getHost: () => ({ uuid: ids.host }),
  createHost: () => ({ remark: 'new', address: 'new.example', port: 443, inbound: inboundOf() }),
  updateHost: () => ({ uuid: ids.host, tag: 'EU' }),
  previewHostMapper: () => ({ remark: 'new', address: 'new.example', port: 443, inbound: inboundOf() }),
  bulkEnableHosts: someHosts,
  bulkDisableHosts: () => ({ uuids: [] }),
  bulkDeleteHosts: () => ({ uuids: [] }),
  bulkSetHostsInbound: () => ({ ...someHosts(), ...inboundOf() }),
  bulkSetHostsPort: () => ({ ...someHosts(), port: 443 }),
  getConfigProfile: () => ({ uuid: ids.profile }),
  listProfileInbounds: () => ({ uuid: ids.profile }),
  listProfileRevisions: () => ({ uuid: ids.profile }),
  checkConfigProfile: () => ({ config: profileOf(443) }),
  planChange: () => ({ deleteNode: someNode() }),
  prepareRollout: () => ({ uuid: ids.profile }),
  createConfigProfile: () => ({ name: `new-${made++}`, config: profileOf(1000 + made, `NEW-${made}`) }),
  updateConfigProfile: () => ({ uuid: ids.profile, name: 'MARK-PROFILE' }),
  startRollout: () => ({ uuid: ids.profile, config: profileOf(445) }),
  pauseRollout: () => ({ uuid: ids.rollout }),
  takeBackRollout: () => ({ uuid: ids.rollout }),
  getInternalSquad: () => ({ uuid: ids.squad }),
  getInternalSquadAccessibleNodes: () => ({ uuid: ids.squad }),
  createInternalSquad: () => ({ name: `new-${made++}`, inbounds: [ids.inbound] }),
  updateInternalSquad: () => ({ uuid: ids.squad, name: 'MARK-SQUAD' }),
  addUsersToInternalSquad: () => ({ uuid: ids.squad }),
  removeUsersFromInternalSquad: () => ({ uuid: ids.squad, userUuids: [UNKNOWN] }),
  getRawSubscription: link,
  getRawSubscriptionByShortUuid: link,
  getSubscriptionByShortUuid: link,
  getSubscriptionByUsername: () => ({ username: 'mark_user' }),
  getSubscriptionByUuid: someUser,
  previewSubscription: () => ({ userUuid: ids.user, userAgent: 'v2rayNG' }),
  getInfraProvider: () => ({ uuid: ids.provider }),
  createInfraProvider: isNew,
  updateInfraProvider: () => ({ uuid: ids.provider, name: 'MARK-PROVIDER' }),
  createInfraBillingNode: () => ({ providerUuid: ids.provider, nodeUuid: spare.node, nextBillingAt: NEVER }),
  updateInfraBillingNode: () => ({ uuid: kept.bill, nextBillingAt: NEVER }),
  deleteInfraBillingNode: () => ({ uuid: kept.bill }),
  createInfraBillingRecord: () => ({ providerUuid: ids.provider, amount: 1, billedAt: '2026-11-01T00:00:00Z' }),
  deleteInfraBillingRecord: () => ({ uuid: kept.record }),
  getSubscriptionTemplate: () => ({ templateType: 'XRAY_JSON' }),
  listTemplateRevisions: () => ({ uuid: UNKNOWN }),
  listResponseRulesRevisions: () => ({ uuid: UNKNOWN }),
  previewResponseRules: () => ({ responseRules: api.defaultResponseRules }),
  testResponseRules: () => ({ responseRules: api.defaultResponseRules }),
  listTemplateCatalogue: () => ({ kind: 'SUBSCRIPTION' }),
  updateSubscriptionSettings: () => ({ uuid: kept.settings }),
  updateSubscriptionTemplate: () => ({ templateType: 'SINGBOX', templateJson: { log: {} } }),
  updateInstallation: () => ({ timeZone: 'UTC' }),
  getUsageHistory: () => ({ period: 'day' }),
  listViews: () => ({ page: 'users' }),
  createView: () => ({ page: 'users', ...isNew(), search: {} }),
  updateView: () => ({ uuid: kept.view }),
  getNodesBandwidth: days,
  getNodeUsersBandwidth: () => ({ ...someNode(), ...days() }),
  getNodeUsersBandwidthLegacy: () => ({ ...someNode(), ...days() }),
  getNodesUsersBandwidth: () => ({ nodesUuids: [ids.node], ...days() }),
  getNodesUsage: () => ({ nodesUuids: [ids.node], ...days() }),
  getUserBandwidth: () => ({ ...someUser(), ...days() }),
  getUserBandwidthLegacy: () => ({ ...someUser(), ...days() }),
  getSquadUsage: () => ({ uuid: ids.squad, ...days() }),
  getSquadUsageByAddress: () => ({ uuid: ids.squad, ...days() }),
  getSquadUserUsage: () => ({ squadUuid: ids.squad, userUuid: ids.user, ...days() }),
  getDigest: range,
  bulkExtendUsers: () => ({ uuids: [UNKNOWN], extendDays: 1 }),
  bulkExtendAllUsers: () => ({ extendDays: 1 }),
  extendUser: () => ({ ...someUser(), days: 1 }),
  getUserById: someUser,
  resolveUser: () => ({ username: 'mark_user' }),
  getUserMetadata: someUser,
  setUserMetadata: () => ({ ...someUser(), metadata: { of: 'user' } }),
  getNodeMetadata: someNode,
  setNodeMetadata: () => ({ ...someNode(), metadata: { of: 'node' } }),
  ...pluginInputs(() => ({ plugin: kept.plugin, node: ids.node })),
  cloneHost: () => ({ cloneFromUuid: someHosts().uuids[0] ?? '' }),
  patchPanelSettings: () => ({ passwordSettings: { enabled: true } }),
  listNodeTags: () => ({}),
  bulkUpdateHosts: () => ({ ...someHosts(), port: 443 }),
  ...snippetInputs,
  reorderConfigProfiles: () => ({ items: [{ uuid: ids.profile, viewPosition: 1 }] }),
  getComputedConfigProfile: () => ({ uuid: ids.profile }),
  addManyUsersToInternalSquad: () => ({ uuid: ids.squad, userUuids: [ids.user] }),
  removeManyUsersFromInternalSquad: () => ({ uuid: ids.squad, userUuids: [UNKNOWN] }),
  listInternalSquadTags: () => ({}),
  setInternalSquadTags: () => ({ uuid: ids.squad, tags: [] }),
  listConfigProfileTags: () => ({}),
  setConfigProfileTags: () => ({ uuid: ids.profile, tags: [] }),
  listTemplateTags: () => ({}),
  setTemplateTags: () => ({ uuid: kept.template, tags: [] }),
  reorderInternalSquads: () => ({ items: [{ uuid: ids.squad, viewPosition: 1 }] }),
  getPageConfig: () => ({ uuid: NO_UUID }),
  patchSubscriptionTemplate: () => ({ uuid: kept.template, templateJson: { log: {} } }),
  ...externalSquadInputs(() => kept.external),
  createPageConfig: isNew,
  clonePageConfig: () => ({ cloneFromUuid: kept.pageConfig }),
  updatePageConfig: () => ({ uuid: kept.pageConfig }),
  deletePageConfig: () => ({ uuid: UNKNOWN }),
  reorderPageConfigs: () => ({ items: [{ uuid: kept.pageConfig, viewPosition: 1 }] }),
  setPageConfigTags: () => ({ uuid: kept.pageConfig, tags: [] }),
  createSubscriptionTemplate: () => ({ name: `new-${made++}`, templateType: 'MIHOMO' }),
  makeTemplateDefault: () => ({ uuid: kept.template }),
  deleteSubscriptionTemplate: () => ({ uuid: UNKNOWN }),
  reorderSubscriptionTemplates: () => ({ items: [{ uuid: kept.template, viewPosition: 1 }] }),
  getSubscriptionById: someUser,
  getConnectionKeys: someUser,
  encryptHappLink: () => ({ linkToEncrypt: 'https://example.com' }),
}

async function ask(endpoint: api.Endpoint, permissions: api.Permission[]) {
  const { token } = await server.call(api.createLimitedApiToken, { tokenName: endpoint.name, permissions })
  const { url, body } = toRequest(endpoint, { ...inputs[endpoint.name]?.() })
  return server.send(endpoint.method, url, body, { authorization: `Bearer ${token}` })
}

describe('a token with the permission of an endpoint and no other is told of no other area', () => {
  test.each(walked.filter(([name]) => !elsewhere.includes(name)))('%s', async (_, endpoint) => {
    const { access } = endpoint
    if (access === 'public') throw new Error('walked')
    const { status, body } = await ask(endpoint, [access])
    expect({ status, body }).toMatchObject({ status: endpoint.status })
    const [area = ''] = access.split('.')
    const foreign = Object.entries(marks).flatMap(([permission, texts]) => (permission.startsWith(`${area}.`) ? [] : texts))
    const text = JSON.stringify(body)
    const told = foreign.filter((mark) => text.includes(mark) && !(subjects[area] ?? []).includes(mark))
    expect(told).toEqual([])
    // The form of the answer is as ever.
    if (!endpoint.raw) endpoint.response.parse((body as { response: unknown }).response) // every wrapped reply of the wire
  })
})

test.each([
  ['planChange', api.planChange, 'profiles.read', 'nodes.read', 'MARK-NODE'],
  ['listNodes', api.listNodes, 'nodes.read', 'billing.read', 'mark-login.example'],
  ['getNodeTopUsers', api.getNodeTopUsers, 'nodes.read', 'users.read', 'mark_user'],
  ['listNodeUsersUsage', api.listNodeUsersUsage, 'nodes.read', 'users.read', 'mark_user'],
  ['getNodesMetrics', api.getNodesMetrics, 'system.read', 'billing.read', 'MARK-PROVIDER'],
  ['listConfigProfiles', api.listConfigProfiles, 'profiles.read', 'nodes.read', 'MARK-NODE'],
  ['listUsers', api.listUsers, 'users.read', 'squads.read', 'MARK-SQUAD'],
  ['listUsers', api.listUsers, 'users.read', 'nodes.read', 'MARK-NODE'],
  ['listInfraBillingNodes', api.listInfraBillingNodes, 'billing.read', 'nodes.read', 'MARK-NODE'],
  ['getUserAccess', api.getUserAccess, 'users.read', 'nodes.read', 'MARK-NODE'],
  ['getUserAccess', api.getUserAccess, 'users.read', 'hosts.read', 'MARK-HOST'],
] as const)('%s: what one permission does not show, another one more does', async (_, endpoint, access, more, mark) => {
  expect(JSON.stringify((await ask(endpoint, [access])).body)).not.toContain(mark)
  expect(JSON.stringify((await ask(endpoint, [access, more])).body)).toContain(mark)
})

test('what a profile itself says is left as it is, whatever its members are called', async () => {
  const own = { ...profileOf(446, 'FREE'), dns: { hosts: { 'a.example': '192.0.2.1' }, servers: ['1.1.1.1'] } }
  const { uuid } = await server.call(api.createConfigProfile, { name: 'free', config: own })
  const { token } = await server.call(api.createLimitedApiToken, { tokenName: 'p', permissions: ['profiles.read'] })
  const { body } = await server.send('GET', `/api/config-profiles/${uuid}`, undefined, { authorization: `Bearer ${token}` })
  expect(body).toMatchObject({ response: { nodes: [], config: { dns: own.dns } } })
})
