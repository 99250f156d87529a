import * as api from '@causeway/contract'
import { testDatabase } from '../postgres.ts'
import { testServer, type TestServer } from '../server.ts'
import { welcomeColleagues } from './colleagues.ts'
import { HOSTS, LATER, NODES, NOWHERE, PROFILES, SQUADS, USERS, profileConfig, type World } from './inhabitants.ts'
import { leaveTraces } from './traces.ts'

// An installation with at least three of everything that there can be more than one of, so that beside what a call changes
// stands what it must leave alone.

/** Makes it once; the walk calls on copies of it. */
export async function makeWorld(): Promise<World> {
  const database = await testDatabase()
  const server = await testServer({ database: { url: database.url, drop: async () => {} } })
  try {
    return { url: database.url, admin: server.admin, drop: () => database.drop(), ...(await furnish(server)) }
  } finally {
    await server.close()
  }
}

async function furnish(server: TestServer) {
  const profiles = await each(PROFILES, (name) =>
    server.call(api.createConfigProfile, { name, config: profileConfig(name) }).then(uuidOf),
  )
  const { inbounds: all } = await server.call(api.listInbounds, {})
  const inbounds = Object.fromEntries(all.map(({ tag, uuid }) => [tag, uuid]))
  const byTag = (tags: readonly string[]) => tags.map((tag) => inbounds[tag] ?? '')
  const squads = await each(SQUADS, (name, tags) =>
    server.call(api.createInternalSquad, { name, inbounds: byTag(tags) }).then(uuidOf),
  )
  const providers = await each({ acme: 1, bolt: 2, core: 3 }, (name) =>
    server.call(api.createInfraProvider, { name, loginUrl: `https://${name}.example` }).then(uuidOf),
  )
  for (const name of ['ads', 'bots', 'cloud'])
    await server.call(api.createSharedList, { name, config: { type: 'ipList', items: ['198.51.100.0/24'] } })
  const plugins = await each({ wall: 'ext:ads', gate: 'ext:ads', fence: '203.0.113.0/24' }, async (name, entry) => {
    const { uuid } = await server.call(api.createNodePlugin, { name })
    const pluginConfig = { ingressFilter: { enabled: true, blockedIps: [entry] } }
    return server.call(api.updateNodePlugin, { uuid, pluginConfig }).then(uuidOf)
  })
  const nodes = await each(NODES, (name, { address, countryCode, profile, inbounds: tags, provider }) => {
    const configProfile = { activeConfigProfileUuid: profiles[profile], activeInbounds: byTag(tags) }
    const fields = {
      name,
      address,
      ...NOWHERE,
      countryCode,
      configProfile,
      providerUuid: providers[provider],
      activePluginUuid: name === 'beta' ? plugins.wall : null,
    }
    return server.call(api.createNode, { ...fields, isTrafficTrackingActive: true, trafficLimitBytes: 9000 }).then(uuidOf)
  })
  const hosts = await each(HOSTS, (remark, { tag, port, profile, inbound: at, nodes: names }) =>
    server
      .call(api.createHost, {
        remark,
        tag,
        port,
        address: `${remark}.example.com`,
        inbound: { configProfileUuid: profiles[profile], configProfileInboundUuid: inbounds[at] ?? '' },
        nodes: names.map((name) => nodes[name]),
      })
      .then(uuidOf),
  )
  const externalSquads = await each({ vip: 1, trial: 2, press: 3 }, (name) =>
    server.call(api.createExternalSquad, { name }).then(uuidOf),
  )
  const externalOf: Record<string, string> = { ann: externalSquads.vip, cat: externalSquads.vip, finn: externalSquads.trial }
  const users = await each(USERS, (username, { squads: names, ...fields }) =>
    server
      .call(api.createUser, {
        username,
        shortUuid: `short-${username}`,
        expireAt: LATER,
        ...fields,
        activeInternalSquads: names.map((name) => squads[name]),
        externalSquadUuid: externalOf[username] ?? null,
      })
      .then(uuidOf),
  )
  for (const [username, hwid, platform, userAgent] of [
    ['ann', 'phone', 'iOS', 'Happ/1.0'],
    ['ann', 'tablet', 'Android', 'v2rayN/7'],
    ['ben', 'phone', 'iOS', 'Happ/2.0'],
    ['cat', 'laptop', 'Windows', 'clash-verge/2'],
  ] as const)
    await server.call(api.createHwidDevice, { userUuid: users[username], hwid, platform, userAgent })
  const tokens = await each({ bot: 1, cli: 2, web: 3 }, (tokenName) =>
    server.call(api.createApiToken, { tokenName }).then(uuidOf),
  )
  const views = await each({ 'new ones': 'ACTIVE', 'old ones': 'EXPIRED', all: 'LIMITED' }, (name, status) =>
    server.call(api.createView, { page: 'users', name, search: { status } }).then(uuidOf),
  )
  const { bills, payments } = await bill(server, providers, nodes)
  const { uuid: settings } = await server.call(api.getSubscriptionSettings, {})
  await server.call(api.updateInstallation, { timeZone: 'UTC' })
  await server.call(api.getNodePublicKey, {})
  for (const templateType of ['MIHOMO', 'SINGBOX', 'XRAY_JSON'] as const)
    await server.call(api.getSubscriptionTemplate, { templateType })
  await server.call(api.updateSubscriptionTemplate, { templateType: 'SINGBOX', templateJson: { log: { level: 'warn' } } })
  const { templates: shipped } = await server.call(api.listSubscriptionTemplates, {})
  const templates = Object.fromEntries(shipped.map(({ templateType, uuid }) => [templateType, uuid]))
  const { uuid: spareTemplate } = await server.call(api.createSubscriptionTemplate, { name: 'spare', templateType: 'MIHOMO' })
  const pageConfigs = await each({ family: 1, club: 2, guild: 3 }, (name) =>
    server.call(api.createPageConfig, { name }).then(uuidOf),
  )
  for (const [name, templateUuid] of [
    ['vip', spareTemplate],
    ['trial', templates['MIHOMO'] ?? ''],
    ['press', templates['MIHOMO'] ?? ''],
  ] as const)
    await server.call(api.updateExternalSquad, {
      uuid: externalSquads[name],
      templates: [{ templateUuid, templateType: 'MIHOMO' }],
      subpageConfigUuid: name === 'vip' ? pageConfigs.family : pageConfigs.club,
    })
  const traces = await leaveTraces(server, { profiles, nodes, users })
  const colleagues = await welcomeColleagues(server, squads)
  return {
    ...colleagues,
    profiles,
    inbounds,
    squads,
    providers,
    plugins,
    nodes,
    hosts,
    users,
    tokens,
    views,
    bills,
    payments,
    settings,
    templates,
    spareTemplate,
    externalSquads,
    pageConfigs,
    ...traces,
  }
}

async function bill(server: TestServer, providers: World['providers'], nodes: World['nodes']) {
  const bills: Record<string, string> = {}
  for (const [provider, node] of [
    ['acme', 'alpha'],
    ['acme', 'beta'],
    ['bolt', 'alpha'],
    ['core', 'gamma'],
  ] as const) {
    const due = { providerUuid: providers[provider], nodeUuid: nodes[node] }
    const { billingNodes } = await server.call(api.createInfraBillingNode, { ...due, nextBillingAt: LATER })
    const made = billingNodes.find((each) => each.providerUuid === due.providerUuid && each.nodeUuid === due.nodeUuid)
    bills[`${provider} ${node}`] = made?.uuid ?? ''
  }
  const payments: Record<string, string> = {}
  for (const [provider, amount] of [
    ['acme', 10],
    ['acme', 20.5],
    ['bolt', 30],
    ['core', 40.25],
  ] as const) {
    const payment = { providerUuid: providers[provider], amount, billedAt: '2026-01-01T00:00:00.000Z' }
    const { records } = await server.call(api.createInfraBillingRecord, payment)
    payments[`${provider} ${amount}`] = records.find((each) => each.amount === amount)?.uuid ?? ''
  }
  return { bills, payments }
}

/** Makes one of each, in order. */
async function each<Name extends string, Item>(
  items: Readonly<Record<Name, Item>>,
  make: (name: Name, item: Item) => Promise<string>,
): Promise<Record<Name, string>> {
  const made: Partial<Record<Name, string>> = {}
  for (const name of Object.keys(items) as Name[]) made[name] = await make(name, items[name]) // keys of that very object
  return made as Record<Name, string> // every name has been gone through
}

const uuidOf = ({ uuid }: { uuid: string }) => uuid
