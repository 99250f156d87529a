import { randomUUID } from 'node:crypto'
import type { TestServer } from '../server.ts'

// One call of every route of 2.1, in the order in which one thing needs another.

const NEVER = '2099-01-01T00:00:00.000Z'
const YEAR = 'start=2026-01-01T00:00:00Z&end=2027-01-01T00:00:00Z'
const PROFILE = {
  log: { loglevel: 'info' },
  inbounds: [{ tag: 'WIRE_SS', port: 4321, protocol: 'shadowsocks', settings: { clients: [], network: 'tcp,udp' } }],
  outbounds: [{ tag: 'DIRECT', protocol: 'freedom' }],
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
/** Calls a route, judges its answer and gives what is in it. `operation` is the name that the contract of 2.1 has for it. */
export type Call = (operation: string, method: Method, url: string, body?: unknown) => Promise<Record<string, string>>

type Thing = Record<string, string>
export type Made = Record<'user' | 'node' | 'squad' | 'host' | 'profile', Thing> & { shortUuid: string }

/** `more` is said while everything is there. */
export async function converse(
  server: TestServer,
  call: Call,
  more: (made: Made) => Promise<void> = async () => {},
): Promise<void> {
  await call('GetStatus', 'GET', '/api/auth/status')
  await call('Login', 'POST', '/api/auth/login', { username: 'admin', password: 'Correct4horse' })
  const token = await call('CreateApiToken', 'POST', '/api/tokens', { tokenName: 'wire' })
  await call('FindAllApiTokens', 'GET', '/api/tokens')
  await call('DeleteApiToken', 'DELETE', `/api/tokens/${token['uuid']}`)
  await call('GetPubKey', 'GET', '/api/keygen')

  const profile = await call('CreateConfigProfile', 'POST', '/api/config-profiles', { name: 'Wire', config: PROFILE })
  await call('GetConfigProfiles', 'GET', '/api/config-profiles')
  await call('GetConfigProfileByUuid', 'GET', `/api/config-profiles/${profile['uuid']}`)
  await call('GetAllInbounds', 'GET', '/api/config-profiles/inbounds')
  await call('GetInboundsByProfileUuid', 'GET', `/api/config-profiles/${profile['uuid']}/inbounds`)
  await call('UpdateConfigProfile', 'PATCH', '/api/config-profiles', { uuid: profile['uuid'], name: 'Wire-2' })
  const inbounds = profile['inbounds'] as unknown as { uuid: string }[] // the contract's reply of CreateConfigProfile
  const inbound = inbounds[0]?.uuid

  const squad = await call('CreateInternalSquad', 'POST', '/api/internal-squads', { name: 'Wire', inbounds: [inbound] })
  await call('GetInternalSquads', 'GET', '/api/internal-squads')
  await call('GetInternalSquadByUuid', 'GET', `/api/internal-squads/${squad['uuid']}`)
  await call('UpdateInternalSquad', 'PATCH', '/api/internal-squads', { uuid: squad['uuid'], inbounds: [inbound] })

  const hostInbound = { configProfileUuid: profile['uuid'], configProfileInboundUuid: inbound }
  const host = await call('CreateHost', 'POST', '/api/hosts', {
    inbound: hostInbound,
    remark: 'nl',
    address: 'nl.example.com',
    port: 443,
  })
  const uuids = [host['uuid']]
  await call('GetAllHosts', 'GET', '/api/hosts')
  await call('GetOneHost', 'GET', `/api/hosts/${host['uuid']}`)
  await call('GetAllHostTags', 'GET', '/api/hosts/tags')
  await call('UpdateHost', 'PATCH', '/api/hosts', { uuid: host['uuid'], tag: 'EU', muxParams: { enabled: true }, alpn: 'h2' })
  await call('ReorderHost', 'POST', '/api/hosts/actions/reorder', { hosts: [{ uuid: host['uuid'], viewPosition: 3 }] })
  await call('BulkDisableHosts', 'POST', '/api/hosts/bulk/disable', { uuids })
  await call('BulkEnableHosts', 'POST', '/api/hosts/bulk/enable', { uuids })
  await call('SetInboundToManyHosts', 'POST', '/api/hosts/bulk/set-inbound', { uuids, ...hostInbound })
  await call('SetPortToManyHosts', 'POST', '/api/hosts/bulk/set-port', { uuids, port: 8443 })

  const configProfile = { activeConfigProfileUuid: profile['uuid'], activeInbounds: [inbound] }
  const node = await call('CreateNode', 'POST', '/api/nodes', {
    name: 'nl-1',
    address: '127.0.0.1',
    port: 4699,
    configProfile,
    countryCode: 'nl',
  })
  const oneNode = `/api/nodes/${node['uuid']}`
  await call('GetAllNodes', 'GET', '/api/nodes')
  await call('GetOneNode', 'GET', oneNode)
  await call('UpdateNode', 'PATCH', '/api/nodes', { uuid: node['uuid'], consumptionMultiplier: 1.5, notifyPercent: 80 })
  await call('RestartNode', 'POST', `${oneNode}/actions/restart`)
  await call('RestartAllNodes', 'POST', '/api/nodes/actions/restart-all')
  await call('DisableNode', 'POST', `${oneNode}/actions/disable`)
  await call('EnableNode', 'POST', `${oneNode}/actions/enable`)
  await call('ReorderNode', 'POST', '/api/nodes/actions/reorder', { nodes: [{ uuid: node['uuid'], viewPosition: 5 }] })

  const fields = {
    expireAt: NEVER,
    email: 'ann@example.com',
    telegramId: 42,
    tag: 'VIP',
    hwidDeviceLimit: 3,
    trafficLimitBytes: 2 ** 40,
  }
  const user = await call('CreateUser', 'POST', '/api/users', {
    username: 'ann',
    ...fields,
    activeInternalSquads: [squad['uuid']],
  })
  const oneUser = `/api/users/${user['uuid']}`
  await seedUsage(server)
  await call('UpdateUser', 'PATCH', '/api/users', { uuid: user['uuid'], description: 'x', tag: null })
  await call('UpdateUser', 'PATCH', '/api/users', { uuid: user['uuid'], tag: 'VIP' })
  await call('GetAllUsers', 'GET', '/api/users?start=0&size=25&sorting=[{"id":"username","desc":true}]&filters=[]')
  await call('GetUserByUuid', 'GET', oneUser)
  await call('GetUserByShortUuid', 'GET', `/api/users/by-short-uuid/${user['shortUuid']}`)
  await call('GetUserByUsername', 'GET', '/api/users/by-username/ann')
  await call('GetUserByTelegramId', 'GET', '/api/users/by-telegram-id/42')
  await call('GetUserByEmail', 'GET', '/api/users/by-email/ann@example.com')
  await call('GetUserByTag', 'GET', '/api/users/by-tag/VIP')
  await call('GetAllTags', 'GET', '/api/users/tags')
  await call('GetUserAccessibleNodes', 'GET', `${oneUser}/accessible-nodes`)
  await call('GetInternalSquadAccessibleNodes', 'GET', `/api/internal-squads/${squad['uuid']}/accessible-nodes`)
  await call('DisableUser', 'POST', `${oneUser}/actions/disable`)
  await call('EnableUser', 'POST', `${oneUser}/actions/enable`)
  await call('ResetUserTraffic', 'POST', `${oneUser}/actions/reset-traffic`)
  const revoked = await call('RevokeUserSubscription', 'POST', `${oneUser}/actions/revoke`)
  await call('GetUserUsageByRange', 'GET', `/api/users/stats/usage/${user['uuid']}/range?${YEAR}`)
  const device = { hwid: 'device-1', userUuid: user['uuid'], platform: 'iOS' }
  await call('CreateUserHwidDevice', 'POST', '/api/hwid/devices', device)
  await call('GetUserHwidDevices', 'GET', `/api/hwid/devices/${user['uuid']}`)
  await call('DeleteUserHwidDevice', 'POST', '/api/hwid/devices/delete', { hwid: 'device-1', userUuid: user['uuid'] })

  await call('GetNodesUsageByRange', 'GET', `/api/nodes/usage/range?${YEAR}`)
  await call('GetNodeUserUsageByRange', 'GET', `/api/nodes/usage/${node['uuid']}/users/range?${YEAR}`)
  await call('GetNodesRealtimeUsage', 'GET', '/api/nodes/usage/realtime')
  await call('GetStats', 'GET', '/api/system/stats?tz=Europe/Berlin')
  await call('GetBandwidthStats', 'GET', '/api/system/stats/bandwidth?tz=Europe/Berlin')
  await call('GetNodesStatistics', 'GET', '/api/system/stats/nodes')
  await call('GetRemnawaveHealth', 'GET', '/api/system/health')
  await call('GetNodesMetrics', 'GET', '/api/system/nodes/metrics')

  const settings = await call('GetSubscriptionSettings', 'GET', '/api/subscription-settings')
  await call('UpdateSubscriptionSettings', 'PATCH', '/api/subscription-settings', {
    uuid: settings['uuid'],
    randomizeHosts: true,
  })
  await call('GetSubscriptionTemplate', 'GET', '/api/subscription-templates/XRAY_JSON')
  await call('GetSubscriptionTemplate', 'GET', '/api/subscription-templates/MIHOMO')
  await call('UpdateSubscriptionTemplate', 'PUT', '/api/subscription-templates', {
    templateType: 'SINGBOX',
    templateJson: { log: {} },
  })
  await call('GetSubscriptionInfoByShortUuid', 'GET', `/api/sub/${revoked['shortUuid']}/info`)
  await call('GetAllSubscriptions', 'GET', '/api/subscriptions')
  await call('GetSubscriptionByUsername', 'GET', '/api/subscriptions/by-username/ann')

  const provider = await call('CreateInfraProvider', 'POST', '/api/infra-billing/providers', {
    name: 'Hoster',
    loginUrl: 'https://example.com',
  })
  const byProvider = { providerUuid: provider['uuid'] }
  await call('UpdateInfraProvider', 'PATCH', '/api/infra-billing/providers', { uuid: provider['uuid'], loginUrl: null })
  await call('GetInfraProviders', 'GET', '/api/infra-billing/providers')
  await call('GetInfraProviderByUuid', 'GET', `/api/infra-billing/providers/${provider['uuid']}`)
  const bill = { ...byProvider, nodeUuid: node['uuid'], nextBillingAt: '2026-12-01T00:00:00Z' }
  const billing = await call('CreateInfraBillingNode', 'POST', '/api/infra-billing/nodes', bill)
  await call('GetInfraBillingNodes', 'GET', '/api/infra-billing/nodes')
  const [billingNode] = (billing['billingNodes'] ?? []) as unknown as { uuid: string }[] // the contract's BillingNodesView
  await call('UpdateInfraBillingNode', 'PATCH', '/api/infra-billing/nodes', { uuid: billingNode?.uuid, nextBillingAt: NEVER })
  const record = { ...byProvider, amount: 12.5, billedAt: '2026-11-01T00:00:00Z' }
  const history = await call('CreateInfraBillingHistoryRecord', 'POST', '/api/infra-billing/history', record)
  await call('GetInfraBillingHistoryRecords', 'GET', '/api/infra-billing/history?start=0&size=50')
  const [billed] = (history['records'] ?? []) as unknown as { uuid: string }[] // the contract's BillingHistoryView
  await call('DeleteInfraBillingHistoryRecord', 'DELETE', `/api/infra-billing/history/${billed?.uuid}`)
  await call('DeleteInfraBillingNodeByUuid', 'DELETE', `/api/infra-billing/nodes/${billingNode?.uuid}`)
  await call('DeleteInfraProviderByUuid', 'DELETE', `/api/infra-billing/providers/${provider['uuid']}`)

  await more({ user, node, squad, host, profile, shortUuid: revoked['shortUuid'] ?? '' })
  const users = { uuids: [user['uuid'], randomUUID()] }
  await call('BulkResetTrafficUsers', 'POST', '/api/users/bulk/reset-traffic', users)
  await call('BulkRevokeUsersSubscription', 'POST', '/api/users/bulk/revoke-subscription', users)
  await call('BulkUpdateUsers', 'POST', '/api/users/bulk/update', { ...users, fields: { tag: 'BULK' } })
  await call('BulkUpdateUsersSquads', 'POST', '/api/users/bulk/update-squads', {
    ...users,
    activeInternalSquads: [squad['uuid']],
  })
  await call('BulkAllUpdateUsers', 'POST', '/api/users/bulk/all/update', { trafficLimitStrategy: 'MONTH' })
  await call('BulkAllResetTrafficUsers', 'POST', '/api/users/bulk/all/reset-traffic')
  await call('AddUsersToInternalSquad', 'POST', `/api/internal-squads/${squad['uuid']}/bulk-actions/add-users`)
  await call('DeleteUsersFromInternalSquad', 'DELETE', `/api/internal-squads/${squad['uuid']}/bulk-actions/remove-users`)
  await call('DeleteUser', 'DELETE', oneUser)
  await call('BulkDeleteUsers', 'POST', '/api/users/bulk/delete', users)
  await call('BulkDeleteUsersByStatus', 'POST', '/api/users/bulk/delete-by-status', { status: 'EXPIRED' })
  await call('BulkDeleteHosts', 'POST', '/api/hosts/bulk/delete', { uuids: [] })
  await call('DeleteHost', 'DELETE', `/api/hosts/${host['uuid']}`)
  await call('DeleteInternalSquad', 'DELETE', `/api/internal-squads/${squad['uuid']}`)
  await call('DeleteNode', 'DELETE', oneNode)
  await call('DeleteConfigProfile', 'DELETE', `/api/config-profiles/${profile['uuid']}`)
}

/** Usage as the ledger books it, so that lists of figures are not empty. */
async function seedUsage(server: TestServer): Promise<void> {
  const { db } = server.ctx
  const { id: userId } = await db.selectFrom('users').select('id').executeTakeFirstOrThrow()
  const { id: nodeId } = await db.selectFrom('nodes').select('id').executeTakeFirstOrThrow()
  const now = new Date()
  const quarter = new Date(Math.floor(now.getTime() / 900_000) * 900_000)
  const bytes = { uploadBytes: 1000, downloadBytes: 2000 }
  await db
    .insertInto('userNodeUsage')
    .values({ day: now.toISOString().slice(0, 10), nodeId, userId, ...bytes })
    .execute()
  await db
    .insertInto('nodeUsageQuarters')
    .values({ nodeId, quarter, ...bytes })
    .execute()
  await db
    .insertInto('nodeTagUsage')
    .values({ nodeId, direction: 'inbound', tag: 'WIRE_SS', ...bytes })
    .execute()
  await db
    .updateTable('userUsage')
    .set({ usedTrafficBytes: 3000, onlineAt: now, firstConnectedAt: now, lastConnectedNodeId: nodeId })
    .execute()
}
