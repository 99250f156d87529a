import * as api from '@causeway/contract'
import type { TestServer } from './server.ts'

// What is changed and undone by every endpoint that writes.

export const YEAR_2099 = '2099-01-01T00:00:00.000Z'
/** Far off, but an end: only such an expiry can be extended. */
export const IN_TIME = '2090-01-01T00:00:00.000Z'
export const config = (tag: string) => ({
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

export async function makeOppositeWorld(server: TestServer) {
  const profile = await server.call(api.createConfigProfile, { name: 'Main', config: config('MAIN') })
  const [inbound, other] = profile.inbounds.map(({ uuid }) => uuid)
  const both = { inbound: inbound ?? '', other: other ?? '' }
  const squad = await server.call(api.createInternalSquad, { name: 'Squad', inbounds: [both.inbound, both.other] })
  const spare = await server.call(api.createInternalSquad, { name: 'Spare', inbounds: [both.inbound] })
  const external = await server.call(api.createExternalSquad, { name: 'External' })
  const make = (username: string) =>
    server.call(api.createUser, {
      username,
      expireAt: IN_TIME,
      activeInternalSquads: [squad.uuid],
      trafficLimitBytes: 1000,
      externalSquadUuid: username === 'bob' ? null : external.uuid,
    })
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
  const plugin = await server.call(api.createNodePlugin, { name: 'Wall' })
  await server.call(api.updateNode, { uuid: node.uuid, activePluginUuid: plugin.uuid })
  await server.call(api.createSharedList, { name: 'ads', config: { type: 'ipList', items: ['198.51.100.0/24'] } })
  const token = await server.call(api.createApiToken, { tokenName: 'bot' })
  const view = await server.call(api.createView, { page: 'users', name: 'first', search: { status: 'ACTIVE' } })
  const hook = await server.call(api.createWebhook, { name: 'Bot', url: 'https://bot.example/hook' })
  const way = await server.call(api.createNoticeWay, { webhook: { url: 'https://bot.example/notices', secret: 'a'.repeat(32) } })
  const rule = await server.call(api.createNoticeRule, { condition: 'signIn', ways: [way.uuid] })
  const settings = await server.call(api.getSubscriptionSettings, {})
  await server.call(api.getInstallation, {})
  const own = await server.call(api.createSubscriptionTemplate, { name: 'Spare', templateType: 'MIHOMO' })
  const page = await server.call(api.createPageConfig, { name: 'Page' })
  await server.call(api.updateExternalSquad, {
    uuid: external.uuid,
    templates: [{ templateUuid: own.uuid, templateType: 'MIHOMO' }],
    subpageConfigUuid: page.uuid,
    responseHeadersAdd: { 'x-a': 'b' },
  })
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
    .values({ day: '2026-03-01', nodeId: nodeId + 1000, userId, uploadBytes: 1, downloadBytes: 2 })
    .execute()
  return {
    external: external.uuid,
    page: page.uuid,
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
    plugin: plugin.uuid,
    bill: bills.billingNodes[0]?.uuid ?? '',
    payment: history.records[0]?.uuid ?? '',
    token,
    view: view.uuid,
    hook: hook.webhook.uuid,
    way: way.uuid,
    rule: rule.uuid,
    settings: settings.uuid,
  }
}
