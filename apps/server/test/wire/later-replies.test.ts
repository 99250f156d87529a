import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as api from '@causeway/contract'
import { testServer, type TestServer } from '../server.ts'
import { converse, type Made, type Method } from './conversation.ts'
import { keyOf } from './generations.ts'
import { repliesThatDiffer } from './later-differences.ts'
import { startPublishedContract, type PublishedPackage } from './published.ts'

// What the server really sends, put before the published contracts of later generations: the conversation of 2.1 and one call of
// every route that came later. A session speaks the generation that the installation says.

const contracts: [PublishedPackage, api.Generation][] = [
  ['contract-2.6', '2.1'],
  ['contract-2.7', '2.8'],
  ['contract-3.4', '3.4'],
]
/** Signing in with the help of others is answered by the tests of these ways; terminals of nodes came after 3.4.4. */
const elsewhere = /^\w+ \/api\/(auth\/(register|oauth2|passkey)|passkeys|node-ssh)/
/** Our routes, those with the most fixed parts first. */
const own = [...Object.values<unknown>(api).filter(api.isEndpoint), ...api.pending.map(({ endpoint }) => endpoint)]
  .map(({ method, path }) => ({
    key: keyOf(method, path),
    pattern: new RegExp(`^${method} ${path.replaceAll(/:\w+/g, '[^/]+')}$`),
    fixed: path.split('/').filter((part) => !part.startsWith(':')).length,
  }))
  .toSorted((one, other) => other.fixed - one.fixed)

function routeOf(at: string): string {
  return own.find(({ pattern }) => pattern.test(at))?.key ?? at
}

const pending = new Set(api.pending.map(({ endpoint }) => keyOf(endpoint.method, endpoint.path)))

const RULE = { description: 'All', enabled: true, operator: 'AND', conditions: [], responseType: 'XRAY_BASE64' }
const RULES = { version: '1', rules: [{ ...RULE, name: 'All', responseModifications: { headers: [] } }] }

describe.each(contracts)('%s', (name, generation) => {
  let server: TestServer
  let published: ReturnType<typeof startPublishedContract>
  /** Names of operations by route. */
  let routes: Map<string, string>
  const seen = new Set<string>()
  const wrong: string[] = []
  beforeAll(async () => {
    published = startPublishedContract(name)
    const known = (await published.routes()).filter(({ parts }) => parts.response)
    routes = new Map(known.map((route) => [keyOf(route.method, route.path), route.operation]))
    server = await testServer({ env: { SUB_PUBLIC_DOMAIN: 'sub.example.com' } })
    await server.call(api.updateInstallation, { sessionGeneration: generation })
  }, 300_000)
  afterAll(async () => {
    published.stop()
    await server.close()
  })

  /** Holds the reply against the schema of the route, where the contract has one. */
  async function call(_: string, method: Method, url: string, body?: unknown): Promise<Record<string, string>> {
    const at = `${method} ${url.split('?')[0]}`
    const key = routeOf(at)
    const operation = routes.get(key)
    const reply = await server.send(method, url, body)
    if (reply.status >= 300) {
      wrong.push(`${at}: ${reply.status} ${JSON.stringify(reply.body)}`)
      return {}
    }
    if (operation !== undefined) {
      seen.add(key)
      const complaint = await published.complaint(operation, reply.body)
      const isKnown = repliesThatDiffer.some((known) => known.key === key && known.in.includes(name))
      if (isKnown !== (complaint !== null)) wrong.push(`${key}: ${complaint ?? 'fits, and is listed as one that does not'}`)
    }
    // Every reply called here is wrapped, or the body of a page.
    return (reply.body as { response?: Record<string, string> }).response ?? {}
  }

  test('WIRE-005 every reply of a server with data passes the contract', { timeout: 120_000 }, async () => {
    await converse(server, call, (made) => later(call, made))
    expect(wrong).toEqual([])
  })

  test('WIRE-005 no route was left out', () => {
    const left = [...routes.keys()].filter((key) => !seen.has(key) && !pending.has(key) && !elsewhere.test(key))
    expect(left).toEqual([])
  })
})

type Call = (operation: string, method: Method, url: string, body?: unknown) => Promise<Record<string, string>>

/** What came after 2.1, while a user, a node and all else is there. */
async function later(call: Call, made: Made): Promise<void> {
  const { user, node, squad, host, profile, shortUuid } = made
  const get = (url: string) => call('', 'GET', url)
  const post = (url: string, body?: unknown) => call('', 'POST', url, body)
  const patch = (url: string, body?: unknown) => call('', 'PATCH', url, body)
  const [today, userUuid, nodeUuid] = [new Date().toISOString().slice(0, 10), user['uuid'], node['uuid']]
  const days = `start=${today}&end=${today}`

  for (const { endpoint, reads } of api.pending) if (reads && 'empty' in reads) await get(endpoint.path)
  await get('/api/system/metadata')
  await get('/api/system/stats/recap')
  await get('/api/system/stats/digest?start=2026-01-01T00:00:00Z&end=2027-01-01T00:00:00Z')
  await get('/api/system/stats/http')
  await get('/api/system/configuration')
  await get('/api/remnawave-settings')
  await patch('/api/remnawave-settings', {})
  await get('/api/nodes/tags')
  await post('/api/system/tools/happ/encrypt', { linkToEncrypt: 'https://sub.example.com/a' })
  await get('/api/system/tools/x25519/generate')
  await get('/api/tokens/scopes')

  await get(`/api/users/by-id/${user['id']}`)
  const plugin = (await post('/api/node-plugins', { name: 'Wall' }))['uuid']
  await patch('/api/node-plugins', { uuid: plugin, pluginConfig: { connectionDrop: { enabled: true, whitelistIps: [] } } })
  await get(`/api/node-plugins/${plugin}`)
  await get('/api/node-plugins')
  await post('/api/node-plugins/actions/reorder', { items: [{ uuid: plugin, viewPosition: 1 }] })
  const copy = (await post('/api/node-plugins/actions/clone', { cloneFromUuid: plugin }))['uuid']
  await call('', 'DELETE', `/api/node-plugins/${copy}`)
  await call('', 'PATCH', '/api/node-plugins/tags', { uuid: plugin, tags: ['EU'] })
  await get('/api/node-plugins/tags')
  await post('/api/node-plugins/shared-lists', { name: 'ads', config: { type: 'ipList', items: ['198.51.100.0/24'] } })
  await patch('/api/node-plugins/shared-lists', { name: 'ads', config: { type: 'ipList', items: [] } })
  await get('/api/node-plugins/shared-lists')
  await get('/api/node-plugins/shared-lists/by-name?name=ads')
  const targetNodes = { target: 'specificNodes', nodeUuids: [nodeUuid] }
  await post('/api/node-plugins/executor', { command: { command: 'recreateTables' }, targetNodes })
  await get('/api/node-plugins/torrent-blocker')
  await get('/api/node-plugins/torrent-blocker/stats')
  await call('', 'DELETE', '/api/node-plugins/torrent-blocker/truncate')
  await get('/api/users/stream?size=10')
  await post('/api/users/resolve', { username: 'ann' })
  await post(`/api/users/${userUuid}/actions/extend`, { days: 1 })
  await get(`/api/users/${userUuid}/subscription-request-history`)
  await post('/api/users/bulk/extend-expiration-date', { uuids: [userUuid], extendDays: 1 })
  await post('/api/users/bulk/all/extend-expiration-date', { extendDays: 1 })
  await call('', 'PUT', `/api/metadata/user/${userUuid}`, { metadata: { a: 1 } })
  await get(`/api/metadata/user/${userUuid}`)
  await call('', 'PUT', `/api/metadata/node/${nodeUuid}`, { metadata: { a: 1 } })
  await get(`/api/metadata/node/${nodeUuid}`)
  await get('/api/subscription-request-history?start=0&size=10')
  await get('/api/subscription-request-history/stats')
  await post('/api/hwid/devices', { hwid: 'device-2', userUuid, platform: 'iOS' })
  await get('/api/hwid/devices?start=0&size=10')
  await get('/api/hwid/devices/stats')
  await get('/api/hwid/devices/top-users?start=0&size=10')
  await post('/api/hwid/devices/delete-all', { userUuid })

  await get(`/api/bandwidth-stats/nodes?${days}&topNodesLimit=5`)
  await get('/api/bandwidth-stats/nodes/realtime')
  await get(`/api/bandwidth-stats/nodes/${nodeUuid}/users?${days}&topUsersLimit=5`)
  await get(`/api/bandwidth-stats/nodes/${nodeUuid}/users/legacy?${days}`)
  await post(`/api/bandwidth-stats/nodes/users?${days}&topUsersLimit=5`, { nodesUuids: [nodeUuid] })
  await post(`/api/bandwidth-stats/nodes/usage?${days}`, { nodesUuids: [nodeUuid] })
  await get(`/api/bandwidth-stats/users/${userUuid}?${days}&topNodesLimit=5`)
  await get(`/api/bandwidth-stats/users/${userUuid}/legacy?${days}`)
  await get(`/api/bandwidth-stats/internal-squads/${squad['uuid']}/usage?${days}`)
  await get(`/api/bandwidth-stats/internal-squads/${squad['uuid']}/users/${userUuid}/usage?${days}`)
  await get(`/api/internal-squads/${squad['uuid']}/usage?${days}`)

  for (const [start, result] of [
    [`/api/connections/by-user/${userUuid}`, '/api/connections/by-user'],
    [`/api/connections/by-node/${nodeUuid}`, '/api/connections/by-node'],
    [`/api/ip-control/fetch-ips/${userUuid}`, '/api/ip-control/fetch-ips/result'],
    [`/api/ip-control/fetch-users-ips/${nodeUuid}`, '/api/ip-control/fetch-users-ips/result'],
  ] as const) {
    const { jobId } = await post(start)
    await get(`${result}/${jobId}`)
  }
  const drop = { dropBy: { by: 'userUuids', userUuids: [userUuid] }, targetNodes: { target: 'allNodes' } }
  await post('/api/ip-control/drop-connections', drop)
  await post('/api/connections/drop', drop)

  await post(`/api/nodes/${nodeUuid}/actions/reset-traffic`)
  const activeInbounds = (profile['inbounds'] as unknown as { uuid: string }[]).map(({ uuid }) => uuid) // of the contract's reply
  const configProfile = { activeConfigProfileUuid: profile['uuid'], activeInbounds }
  await post('/api/nodes/bulk-actions', { uuids: [nodeUuid], action: 'ENABLE' })
  await post('/api/nodes/bulk-actions/profile-modification', { uuids: [nodeUuid], configProfile })
  await post('/api/nodes/bulk-actions/update', { uuids: [nodeUuid], fields: { countryCode: 'NL' } })

  await patch('/api/hosts/bulk/update', { uuids: [host['uuid']], port: 443 })
  await post('/api/hosts/actions/clone', { cloneFromUuid: host['uuid'] })
  await post('/api/snippets', { name: 'wire', snippet: [{ tag: 'WIRE', protocol: 'freedom' }] })
  await get('/api/snippets')
  await post('/api/system/testers/srr-matcher', { responseRules: RULES })
  await call('', 'PATCH', '/api/snippets', { name: 'wire', snippet: [{ tag: 'WIRED', protocol: 'freedom' }] })
  await call('', 'DELETE', '/api/snippets', { name: 'wire' })
  await get(`/api/config-profiles/${profile['uuid']}/computed-config`)
  const place = (uuid: string | undefined) => ({ items: [{ uuid, viewPosition: 1 }] })
  await post('/api/config-profiles/actions/reorder', place(profile['uuid']))
  await post('/api/internal-squads/actions/reorder', place(squad['uuid']))
  await post(`/api/internal-squads/${squad['uuid']}/bulk-actions/add-many-users`, { userIds: [user['id']] })
  await call('', 'DELETE', `/api/internal-squads/${squad['uuid']}/bulk-actions/remove-many-users`, { userIds: [user['id']] })
  const templates = await get('/api/subscription-templates')
  const listed = (templates['templates'] ?? []) as unknown as { uuid: string; templateType: string }[] // of the contract's reply
  const template = listed.find(({ templateType }) => templateType === 'XRAY_JSON')
  await get(`/api/subscription-templates/${template?.uuid}`)
  await patch('/api/subscription-templates', { uuid: template?.uuid, templateJson: { log: {}, outbounds: [] } })
  await post('/api/subscription-templates/actions/reorder', place(template?.uuid))
  const named = await post('/api/subscription-templates', { name: 'Second', templateType: 'MIHOMO' })
  const page = await post('/api/subscription-page-configs', { name: 'Second' })
  await patch('/api/subscription-page-configs', { uuid: page['uuid'], name: 'Third' })
  await post('/api/subscription-page-configs/actions/clone', { cloneFromUuid: page['uuid'] })
  await post('/api/subscription-page-configs/actions/reorder', place(page['uuid']))
  const external = await post('/api/external-squads', { name: 'External' })
  await patch('/api/external-squads', { uuid: external['uuid'], ...everyPart(named['uuid'], page['uuid']) })
  await get('/api/external-squads')
  await get(`/api/external-squads/${external['uuid']}`)
  await post('/api/external-squads/actions/reorder', place(external['uuid']))
  await post(`/api/external-squads/${external['uuid']}/bulk-actions/add-users`)
  await call('', 'DELETE', `/api/external-squads/${external['uuid']}/bulk-actions/remove-users`)
  for (const [kind, uuid] of [
    ['external-squads', external['uuid']],
    ['subscription-page-configs', page['uuid']],
    ['internal-squads', squad['uuid']],
    ['config-profiles', profile['uuid']],
    ['subscription-templates', template?.uuid],
  ]) {
    await patch(`/api/${kind}/tags`, { uuid, tags: ['ONE'] })
    await get(`/api/${kind}/tags`)
  }

  await call('', 'DELETE', `/api/external-squads/${external['uuid']}`)
  await call('', 'DELETE', `/api/subscription-templates/${named['uuid']}`)
  await call('', 'DELETE', `/api/subscription-page-configs/${page['uuid']}`)
  await get('/api/subscription-page-configs')
  await get(`/api/subscription-page-configs/${api.DEFAULT_PAGE_CONFIG}`)
  await call('', 'GET', `/api/subscriptions/subpage-config/${shortUuid}`, { requestHeaders: {} })
  await get(`/api/subscriptions/by-uuid/${userUuid}`)
  await get(`/api/subscriptions/by-id/${user['id']}`)
  await get(`/api/subscriptions/by-short-uuid/${shortUuid}`)
  await everyTransport(call, made)
  const raw = await get(`/api/subscriptions/by-short-uuid/${shortUuid}/raw`)
  const told = raw['resolvedProxyConfigs'] as unknown as { protocol: string; transport: string; security: string }[] // as above
  expect(told.map(({ protocol, transport, security }) => `${protocol} ${transport} ${security}`).toSorted()).toEqual(
    ['shadowsocks tcp none', ...transports.map(({ name }) => name)].toSorted(),
  )
  await get(`/api/subscriptions/connection-keys/${userUuid}`)
}

function everyPart(templateUuid: string | undefined, subpageConfigUuid: string | undefined) {
  const remarks = ['expiredUsers', 'limitedUsers', 'disabledUsers', 'emptyHosts', 'HWIDMaxDevicesExceeded', 'HWIDNotSupported']
  return {
    templates: [{ templateUuid, templateType: 'MIHOMO' }],
    subscriptionSettings: { randomizeHosts: true },
    hostOverrides: { serverDescription: 'Gold', vlessRouteId: 7 },
    responseHeadersAdd: { a: 'b' },
    responseHeadersRemove: ['c'],
    hwidSettings: { enabled: true, fallbackDeviceLimit: 3, maxDevicesAnnounce: null },
    customRemarks: Object.fromEntries(remarks.map((name) => [name, ['-']])),
    subpageConfigUuid,
  }
}

const KEY = 'oMa6wRu5LXgJ3nmpVZyRLdvPEPdHtSN4Z5KC4NxhPHs'
const reality = {
  security: 'reality',
  realitySettings: { privateKey: KEY, shortIds: ['0a'], serverNames: ['a.example'], target: 'a.example:443' },
}
const certificate = { certificateFile: '/etc/ssl/a.crt', keyFile: '/etc/ssl/a.key' }
const tls = { security: 'tls', tlsSettings: { serverName: 'a.example', alpn: ['h2'], certificates: [certificate] } }
/** Inbounds of every kind, by what an entry of theirs says. */
const transports = [
  { name: 'vless tcp reality', protocol: 'vless', stream: { network: 'raw', ...reality } },
  {
    name: 'vless tcp none',
    protocol: 'vless',
    stream: { network: 'raw', rawSettings: { header: { type: 'http', request: { path: ['/h'] } } } },
  },
  {
    name: 'vless xhttp reality',
    protocol: 'vless',
    stream: { network: 'xhttp', ...reality, xhttpSettings: { path: '/x', mode: 'auto' } },
  },
  { name: 'vless ws tls', protocol: 'vless', stream: { network: 'ws', ...tls, wsSettings: { path: '/w' } } },
  { name: 'trojan grpc tls', protocol: 'trojan', stream: { network: 'grpc', ...tls, grpcSettings: { serviceName: 'g' } } },
  {
    name: 'trojan httpupgrade none',
    protocol: 'trojan',
    stream: { network: 'httpupgrade', httpupgradeSettings: { path: '/u' } },
  },
  { name: 'trojan kcp none', protocol: 'trojan', stream: { network: 'kcp', kcpSettings: { mtu: 1300 } } },
  {
    name: 'hysteria hysteria tls',
    protocol: 'hysteria',
    stream: { network: 'hysteria', ...tls, hysteriaSettings: { version: 2 } },
  },
]

/** A host of every transport for the squad of the user. */
async function everyTransport(call: Call, { user, squad, profile }: Made): Promise<void> {
  const settings = (protocol: string) => (protocol === 'vless' ? { clients: [], decryption: 'none' } : { clients: [] })
  const config = {
    inbounds: transports.map(({ protocol, stream }, index) => ({
      tag: `KIND_${index}`,
      port: 5000 + index,
      protocol,
      settings: protocol === 'hysteria' ? { version: 2, clients: [] } : settings(protocol),
      streamSettings: stream,
    })),
    outbounds: [{ tag: 'DIRECT', protocol: 'freedom' }],
  }
  const many = await call('', 'POST', '/api/config-profiles', { name: 'Many', config })
  const uuidsOf = (of: Record<string, string>) => (of['inbounds'] as unknown as { uuid: string }[]).map(({ uuid }) => uuid) // of the reply
  await call('', 'PATCH', '/api/internal-squads', { uuid: squad['uuid'], inbounds: [...uuidsOf(profile), ...uuidsOf(many)] })
  await call('', 'PATCH', '/api/users', { uuid: user['uuid'], activeInternalSquads: [squad['uuid']] })
  for (const configProfileInboundUuid of uuidsOf(many)) {
    const inbound = { configProfileUuid: many['uuid'], configProfileInboundUuid }
    await call('', 'POST', '/api/hosts', { inbound, remark: 'kind', address: 'a.example', port: 443 })
  }
}
