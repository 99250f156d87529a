import * as api from '@causeway/contract'
import type { PlannedChange } from '../src/features/plan/snapshot.rules.ts'
import type { FakeAgent } from './fake-agent.ts'
import { runJobs } from './jobs.ts'
import type { LiveFleet } from './live-fleet.ts'
import { spend } from './users.ts'

// A fleet with users online, and changes made to it at random. Where hosts lead is known to the world only, as in life: the panel
// knows names and addresses.

export type Random = (below: number) => number

/** The same numbers in every run. */
export function numbers(seed: number): Random {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

interface Stream {
  network?: string
  wsSettings?: { path: string }
  security?: string
  tlsSettings?: { serverName: string }
  realitySettings?: { privateKey: string; serverNames: string[]; shortIds: string[] }
}
interface Inbound {
  tag: string
  port: number
  protocol: string
  settings: object
  streamSettings?: Stream
}
interface Config {
  log: { loglevel: string }
  inbounds: Inbound[]
  outbounds: object[]
}

const KEYS = [
  'uJyDJcRgR6jKDnNSjFQHzQZsyPWGa_EzK_NHJgGYj3k',
  'aEPGxJJHdDqQYyq2ZZzW1xbTjEVTHoP7MPXyvdd4nWk',
  'yCBLzpBbDeLLGj3XLyzIEr2fPKAYoRqLxHkrmRhgVl8',
]

export interface World {
  live: LiveFleet
  random: Random
  agents: Map<string, FakeAgent>
  usernames: string[]
  /** Names that lead to nodes, and relays that forward one port to a port of a node. */
  names: Map<string, string[]>
  relays: Map<string, { node: string; port: number }>
  count: number
  /** By what is chosen among: the choices that are left before all come round again. */
  decks: Map<string, number[]>
}

const NODES = 10
const USERS = 12

export async function makeWorld(live: LiveFleet, random: Random): Promise<World> {
  const world: World = {
    live,
    random,
    agents: new Map(),
    usernames: [],
    names: new Map(),
    relays: new Map(),
    count: 0,
    decks: new Map(),
  }
  live.profile = await live.server.call(api.createConfigProfile, { name: 'first', config: { ...configOf(world) } })
  await mend(world)
  for (let count = 0; count < USERS; count++) world.usernames.push((await live.makeUser(`planned_${count}`)).username)
  await mend(world)
  return world
}

/** Nodes in place of those that were deleted. */
async function mendNodes({ live, agents }: World, configProfiles: readonly api.ConfigProfile[]): Promise<void> {
  const nodes = await live.server.call(api.listNodes, {})
  for (const uuid of agents.keys()) if (nodes.every((node) => node.uuid !== uuid)) agents.delete(uuid)
  // They begin with this one's inbounds, which may have been deleted, too.
  live.profile = configProfiles[0] ?? live.profile
  for (let count = nodes.length; count < NODES; count++) {
    const { agent, node } = await live.connectedNode({ generation: count % 4 === 3 ? '2.1' : 'own' })
    agents.set(node.uuid, agent)
  }
}

function configOf(world: World): Config {
  const inbounds = [0, 1, 2].map(() => newInbound(world))
  return { log: { loglevel: 'info' }, inbounds, outbounds: [{ protocol: 'freedom', tag: 'DIRECT' }] }
}

function newInbound(world: World): Inbound {
  const { random } = world
  world.count++
  const port = 1000 + world.count * 7
  const settings = { clients: [], decryption: 'none' }
  const vless = { tag: `V${world.count}`, port, protocol: 'vless', settings }
  switch (random(4)) {
    case 0:
      return { ...vless, streamSettings: { network: 'tcp' } }
    case 1:
      return { ...vless, streamSettings: { network: 'ws', wsSettings: { path: `/p${world.count}` } } }
    case 2: {
      const streamSettings = { security: 'tls', tlsSettings: { serverName: `s${world.count}.example` } }
      return { tag: `T${world.count}`, port, protocol: 'trojan', settings: { clients: [] }, streamSettings }
    }
    default:
      return { ...vless, streamSettings: { security: 'reality', realitySettings: realityOf(world) } }
  }
}

function realityOf({ random, count }: World) {
  const serverNames = [`r${count}.example`, 'r.example']
  return { target: 'r.example:443', privateKey: KEYS[random(KEYS.length)] ?? '', serverNames, shortIds: ['01'] }
}

/** Brings back what earlier rounds took away, so that there is always something to change. */
export async function mend(world: World): Promise<void> {
  const { live, random, usernames } = world
  const call: typeof live.server.call = (endpoint, input) => live.server.call(endpoint, input)
  let { configProfiles } = await call(api.listConfigProfiles, {})
  for (let count = configProfiles.length; count < 4; count++)
    await call(api.createConfigProfile, { name: `profile-${world.count}`, config: { ...configOf(world) } })
  ;({ configProfiles } = await call(api.listConfigProfiles, {}))
  await mendNodes(world, configProfiles)
  const inbounds = configProfiles.flatMap((profile) => profile.inbounds)
  const { internalSquads } = await call(api.listInternalSquads, {})
  for (const squad of internalSquads) if (squad.inbounds.length === 0) await call(api.deleteInternalSquad, { uuid: squad.uuid })
  const filled = internalSquads.filter((squad) => squad.inbounds.length > 0).map(({ uuid }) => uuid)
  for (let count = filled.length; count < 5; count++) {
    world.count++
    const some = inbounds.filter(() => random(3) === 0).map(({ uuid }) => uuid)
    if (some.length === 0) some.push(inbounds[0]?.uuid ?? '')
    filled.push((await call(api.createInternalSquad, { name: `squad-${world.count}`, inbounds: some })).uuid)
  }
  for (const node of await call(api.listNodes, {})) {
    const profile = configProfiles[random(configProfiles.length)]
    if (!node.isDisabled && node.configProfile.activeInbounds.length > 0) continue
    const activeInbounds = profile?.inbounds.map(({ uuid }) => uuid) ?? []
    await call(api.updateNode, {
      uuid: node.uuid,
      configProfile: { activeConfigProfileUuid: profile?.uuid ?? '', activeInbounds },
    })
    if (node.isDisabled) await call(api.enableNode, { uuid: node.uuid })
  }
  await mendHosts(world, inbounds)
  for (const username of usernames) {
    const user = await call(api.getUserByUsername, { username })
    if (user.activeInternalSquads.length === 0 || random(6) === 0)
      await call(api.updateUser, { uuid: user.uuid, activeInternalSquads: filled.filter(() => random(3) === 0) })
    const lastConnectedNodeId = await nodeId(world, random(NODES))
    const onlineAt = new Date(Date.now() + (random(3) > 0 ? 3_600_000 : -3_600_000))
    await spend(live.server, user.uuid, 1, { onlineAt, ...(lastConnectedNodeId === undefined ? {} : { lastConnectedNodeId }) })
  }
}

async function nodeId({ live }: World, place: number): Promise<number | undefined> {
  const rows = await live.server.ctx.db.selectFrom('nodes').select('id').orderBy('id').execute()
  return rows[place]?.id
}

async function mendHosts(world: World, inbounds: readonly api.Inbound[]): Promise<void> {
  const { live, random, names, relays } = world
  const call: typeof live.server.call = (endpoint, input) => live.server.call(endpoint, input)
  const nodes = await call(api.listNodes, {})
  const hosts = await call(api.listHosts, {})
  for (const host of hosts) {
    const isLost = host.inbound.configProfileInboundUuid === null
    if (isLost ? random(2) === 0 : !isSound(world, host, inbounds, nodes)) await call(api.deleteHost, { uuid: host.uuid })
    else if ((host.isDisabled || host.isHidden) && random(2) === 0)
      await call(api.updateHost, { uuid: host.uuid, isDisabled: false, isHidden: false })
  }
  for (let count = (await call(api.listHosts, {})).length; count < 14; count++) {
    world.count++
    const inbound = inbounds[random(inbounds.length)]
    const running = nodes.filter(({ configProfile }) => configProfile.activeInbounds.some(({ uuid }) => uuid === inbound?.uuid))
    const node = (running.length > 0 ? running : nodes)[random(Math.max(running.length, 1))]
    if (!inbound || !node) throw new Error('there are inbounds and nodes')
    const name = `h${world.count}.example`
    let [address, port] = [name, inbound.port ?? 0]
    switch (random(4)) {
      case 0:
        address = node.address
        break
      case 1:
        names.set(
          name,
          nodes.map(({ uuid }) => uuid),
        )
        break
      case 2:
        names.set(name, [node.uuid])
        break
      default:
        port = 443
        relays.set(name, { node: node.uuid, port: inbound.port ?? 0 })
    }
    const { configProfileUuid, configProfileInboundUuid } = {
      configProfileUuid: inbound.profileUuid,
      configProfileInboundUuid: inbound.uuid,
    }
    const stream = (inbound.rawInbound as Inbound).streamSettings ?? {} // made above
    await call(api.createHost, {
      remark: `host-${world.count}`,
      address,
      port,
      inbound: { configProfileUuid, configProfileInboundUuid },
      // Some say in full what they would take over.
      ...(random(2) === 0 && stream.wsSettings ? { path: stream.wsSettings.path } : {}),
      ...(random(2) === 0 && stream.realitySettings ? { sni: stream.realitySettings.serverNames[0] ?? '' } : {}),
      ...(random(2) === 0 && stream.security === 'tls' ? { securityLayer: 'TLS' as const } : {}),
      ...(names.get(name)?.length !== nodes.length && random(4) === 0 ? { nodes: [node.uuid] } : {}),
    })
  }
}

/** Whether it leads where an administrator has meant it to: what no panel can know is right before each change. */
function isSound(world: World, host: api.Host, inbounds: readonly api.Inbound[], nodes: readonly api.Node[]): boolean {
  const inbound = inbounds.find(({ uuid }) => uuid === host.inbound.configProfileInboundUuid)
  const relay = world.relays.get(host.address)
  const own = nodes.find(({ address }) => address === host.address)?.uuid
  const leads = relay ? [relay.node] : (world.names.get(host.address) ?? (own === undefined ? [] : [own]))
  const runs = (node: string) =>
    nodes.some(
      ({ uuid, isDisabled, configProfile }) =>
        uuid === node && !isDisabled && configProfile.activeInbounds.some((active) => active.uuid === inbound?.uuid),
    )
  if (!inbound || !nodes.some(({ uuid }) => runs(uuid))) return true
  const stream = (inbound.rawInbound as Inbound).streamSettings ?? {} // made here
  const isPort = relay ? host.port === 443 && relay.port === inbound.port : host.port === inbound.port
  const isPath = !host.path || host.path === stream.wsSettings?.path
  const isName = !host.sni || (stream.realitySettings?.serverNames.includes(host.sni) ?? false)
  const isLayer = host.securityLayer === 'DEFAULT' || stream.security === 'tls'
  return leads.some(runs) && isPort && isPath && isName && isLayer
}

/** A number below, at random, and each as often as any other: no kind of change is left out by chance. */
function deal({ decks, random }: World, name: string, below: number): number {
  const left = decks.get(name)?.length ? (decks.get(name) ?? []) : Array.from({ length: below }, (_, place) => place)
  const [dealt = 0] = left.splice(random(left.length), 1)
  decks.set(name, left)
  return dealt
}

/** A change of some kind to something that is there. */
export async function anyChange(world: World, round: number): Promise<PlannedChange> {
  const { live, random } = world
  const call: typeof live.server.call = (endpoint, input) => live.server.call(endpoint, input)
  const pick = <T>(list: readonly T[]): T => list[random(list.length)]! // never empty: see mend()
  const { configProfiles } = await call(api.listConfigProfiles, {})
  const { internalSquads } = await call(api.listInternalSquads, {})
  const hosts = await call(api.listHosts, {})
  const nodes = await call(api.listNodes, {})
  const profile = pick(configProfiles)
  const all = configProfiles.flatMap(({ inbounds }) => inbounds)
  const some = (list: { uuid: string }[]) => list.filter(() => random(3) > 0).map(({ uuid }) => uuid)
  const several = (list: readonly { uuid: string }[]) => [...new Set([pick(list).uuid, pick(list).uuid])]
  switch (deal(world, 'change', 22)) {
    case 0:
      return { deleteProfile: { uuid: profile.uuid } }
    case 1:
    case 2:
      return { saveSquad: { uuid: pick(internalSquads).uuid, inbounds: some(all) } }
    case 3:
      return { deleteSquad: { uuid: pick(internalSquads).uuid } }
    case 4:
      return { deleteHost: { uuid: pick(hosts).uuid } }
    case 5: {
      const [first, ...rest] = profile.inbounds
      return { saveNode: { uuid: pick(nodes).uuid, profileUuid: profile.uuid, inbounds: [first?.uuid ?? '', ...some(rest)] } }
    }
    case 6:
      return { saveNode: { uuid: pick(nodes).uuid, isDisabled: true } }
    case 7:
      return { saveHost: { uuid: pick(hosts).uuid, isHidden: true } }
    case 8:
      return { saveHost: { uuid: pick(hosts).uuid, port: 1000 + random(60_000) } }
    case 9:
      return random(2) === 0
        ? { deleteHosts: { uuids: several(hosts) } }
        : { saveHosts: { uuids: several(hosts), isDisabled: true } }
    case 10:
      return { saveNodes: { uuids: several(nodes), isDisabled: true } }
    case 11:
      return { deleteNode: { uuid: pick(nodes).uuid } }
    case 12:
    case 13:
      return { saveNode: await moved(world, pick(nodes)) }
    case 14:
      return { fillSquad: { uuid: pick(internalSquads).uuid } }
    case 15:
      return { emptySquad: { uuid: pick(internalSquads).uuid } }
    default:
      return changedProfile(world, profile, round)
  }
}

/** Another address of its machine, or another machine. */
async function moved({ live, agents, random }: World, { uuid }: api.Node) {
  const [agent, address] = [agents.get(uuid), `127.0.${1 + random(200)}.${1 + random(200)}`]
  if (random(2) === 0) return { uuid, address }
  const next = await live.startAgent({ generation: agent?.generation ?? 'own' })
  agents.set(uuid, next)
  return { uuid, address, port: next.port }
}

async function changedProfile(world: World, profile: api.ConfigProfile, round: number): Promise<PlannedChange> {
  const { live, random } = world
  const config = structuredClone(profile.config) as Config // made here, or by live-fleet in the same shape
  const { uuid } = profile
  const place = random(config.inbounds.length)
  const old = config.inbounds[place]
  const change: NonNullable<PlannedChange['saveProfile']> = { uuid, config: { ...config } }
  if (!old) return { saveProfile: change }
  const renamed = { ...old, tag: `${old.tag}r${round}` }
  const stream = old.streamSettings ?? {}
  switch (deal(world, 'profile', 8)) {
    case 0:
      config.inbounds.push(newInbound(world))
      break
    case 1:
      if (config.inbounds.length > 1) config.inbounds.splice(place, 1)
      break
    case 2:
      config.inbounds[place] = renamed
      if (random(2) === 0) change.renamed = [{ from: old.tag, to: renamed.tag }]
      break
    case 3:
      config.log = { loglevel: random(2) === 0 ? 'error' : 'warning' }
      break
    case 4:
      config.inbounds[place] = { ...old, streamSettings: changedStream(world, stream) }
      break
    case 5:
      config.inbounds[place] = { ...old, port: old.port + 20_000, streamSettings: changedStream(world, stream) }
      break
    default:
      config.inbounds[place] = { ...old, port: old.port > 30_000 ? old.port - 20_000 : old.port + 20_000 }
  }
  const followable = (await live.server.call(api.planChange, { saveProfile: change })).follows
  // None of the hosts, all, or some of them.
  const choice = deal(world, 'follows', 3)
  const followingHosts = followable.filter(() => choice === 1 || (choice === 2 && random(2) === 0)).map((host) => host.uuid)
  return { saveProfile: { ...change, ...(followingHosts.length > 0 ? { followingHosts } : {}) } }
}

function changedStream(world: World, stream: Stream): Stream {
  const { random } = world
  world.count++
  if (stream.wsSettings && random(2) === 0) return { ...stream, wsSettings: { path: `/p${world.count}` } }
  if (stream.realitySettings) {
    const { shortIds, serverNames } = stream.realitySettings
    const changes = [
      { privateKey: KEYS[random(KEYS.length)] ?? '' },
      { serverNames: [`r${world.count}.example`, ...serverNames.slice(1)] },
      { shortIds: [...shortIds, String(10 + random(80))] },
    ]
    return { ...stream, realitySettings: { ...stream.realitySettings, ...changes[random(3)] } }
  }
  if (stream.security === 'tls') return { network: stream.network ?? 'tcp', security: 'none' }
  return random(2) === 0
    ? { network: 'ws', wsSettings: { path: `/p${world.count}` } }
    : { security: 'tls', tlsSettings: { serverName: `s${world.count}.example` } }
}

/** Makes the change that was planned. */
export async function perform({ live }: World, change: PlannedChange): Promise<void> {
  const call: typeof live.server.call = (endpoint, input) => live.server.call(endpoint, input)
  const { saveProfile, deleteProfile, saveSquad, deleteSquad, saveHost, saveHosts, deleteHost, deleteHosts } = change
  const { saveNode, saveNodes, deleteNode, fillSquad, emptySquad } = change
  if (saveProfile) await call(api.updateConfigProfile, saveProfile)
  if (deleteProfile) await call(api.deleteConfigProfile, deleteProfile)
  if (saveSquad) await call(api.updateInternalSquad, saveSquad)
  if (deleteSquad) await call(api.deleteInternalSquad, deleteSquad)
  if (saveHost) await call(api.updateHost, saveHost)
  if (saveHosts) await call(api.bulkDisableHosts, { uuids: saveHosts.uuids })
  if (deleteHost) await call(api.deleteHost, deleteHost)
  if (deleteHosts) await call(api.bulkDeleteHosts, deleteHosts)
  for (const uuid of saveNodes?.uuids ?? []) await call(api.disableNode, { uuid })
  if (deleteNode) await call(api.deleteNode, deleteNode)
  if (fillSquad) await call(api.addUsersToInternalSquad, fillSquad)
  if (emptySquad) await call(api.removeUsersFromInternalSquad, emptySquad)
  if (deleteNode ?? fillSquad ?? emptySquad) await runJobs(live.server.ctx)
  if (saveNode?.address !== undefined) {
    const { uuid, address, port } = saveNode
    await call(api.updateNode, { uuid, address, ...(port ? { port } : {}) })
  } else if (saveNode?.isDisabled === true) await call(api.disableNode, { uuid: saveNode.uuid })
  else if (saveNode) {
    const { uuid, profileUuid = '', inbounds = [] } = saveNode
    await call(api.updateNode, { uuid, configProfile: { activeConfigProfileUuid: profileUuid, activeInbounds: inbounds } })
  }
}
