import { expect, it, vi } from 'vitest'
import * as api from '@causeway/contract'
import type { Plan } from '@causeway/contract'
import type { FakeAgent } from '../../../test/fake-agent.ts'
import { liveFleet, WAIT } from '../../../test/live-fleet.ts'
import { spend, UNKNOWN } from '../../../test/users.ts'
import type { PlannedChange } from './snapshot.rules.ts'

// What a plan foretells is what then happens: changes made at random to a fleet with agents, whose cores are asked afterwards.

const live = liveFleet()
const call: typeof live.server.call = (endpoint, input) => live.server.call(endpoint, input)
const ROUNDS = 14
/** What the rounds of all fleets have come to. */
const seen = new Set<string>()

/** The same numbers in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const inbound = (tag: string, port: number) => ({
  tag,
  port,
  protocol: tag.startsWith('T') ? 'trojan' : 'vless',
  settings: { clients: [], ...(tag.startsWith('T') ? {} : { decryption: 'none' }) },
})
type Config = { log: { loglevel: string }; inbounds: ReturnType<typeof inbound>[]; outbounds: object[] }

const EMPTY = { log: { loglevel: 'info' }, outbounds: [{ protocol: 'freedom', tag: 'DIRECT' }] }

interface World {
  agents: Map<string, FakeAgent>
  usernames: string[]
}

it.each([1, 7, 42])(
  'tells of inbounds, hosts, squads, nodes, cores and users what then happens (fleet %d)',
  async (seed) => {
    const random = numbers(seed)
    const world = await makeWorld(random)
    for (let round = 0; round < ROUNDS; round++) {
      await mend(world, random)
      const before = await truth(world)
      const change = await anyChange(random, round)
      const plan = await call(api.planChange, change)
      await perform(change)
      await settled()
      const after = await truth(world)
      // For hosts, users are counted by entries of subscriptions, which no core knows of: tested below.
      const users = change.deleteHost || change.deleteHosts ? { users: plan.users } : {}
      expect({ change, ...told(plan) }).toEqual({ change, ...happened(before, after, change), ...users })
      for (const name of Object.keys(change)) seen.add(name)
      for (const { core } of plan.nodes) seen.add(core)
      if (plan.hosts.some(({ loses }) => loses === 'users')) seen.add('hosts leave subscriptions')
      if (plan.users.all > 0) seen.add('users lose all')
      if (plan.users.some > 0) seen.add('users lose some')
    }
  },
  180_000,
)

it('has been seen with changes of every kind, or nothing would be proved', () => {
  const kinds = ['saveProfile', 'deleteProfile', 'saveSquad', 'deleteSquad', 'deleteHost', 'deleteHosts', 'saveNode', 'saveNodes']
  for (const what of [...kinds, 'restarts', 'stops', 'users lose all', 'users lose some', 'hosts leave subscriptions'])
    expect(seen).toContain(what)
})

async function makeWorld(random: (below: number) => number): Promise<World> {
  // That of the file may be gone.
  made++
  live.profile = await call(api.createConfigProfile, {
    name: `plan-${made}`,
    config: { ...EMPTY, inbounds: [inbound(`V${made}`, 900 + made)] },
  })
  const agents = new Map<string, FakeAgent>()
  for (let count = 0; count < 3; count++) {
    const { agent, node } = await live.connectedNode()
    agents.set(node.uuid, agent)
  }
  await mend({ usernames: [] }, random)
  const usernames: string[] = []
  for (let count = 0; count < 7; count++) {
    const squads = (await call(api.listInternalSquads, {})).internalSquads.filter(() => random(2) === 0)
    const user = await live.makeUser(`planned_${count}`, { activeInternalSquads: squads.map(({ uuid }) => uuid) })
    if (random(2) === 0) await spend(live.server, user.uuid, 1, { onlineAt: new Date(Date.now() + 3_600_000) })
    usernames.push(user.username)
  }
  await settled()
  return { agents, usernames }
}

let made = 0

/** Brings back what earlier rounds deleted and switched off, so that there is always something to change. */
async function mend({ usernames }: Pick<World, 'usernames'>, random: (below: number) => number): Promise<void> {
  const { configProfiles } = await call(api.listConfigProfiles, {})
  for (let count = configProfiles.length; count < 3; count++) {
    made++
    const config: Config = { ...EMPTY, inbounds: [inbound(`V${made}`, 1000 + made), inbound(`T${made}`, 3000 + made)] }
    configProfiles.push(await call(api.createConfigProfile, { name: `plan-${made}`, config }))
  }
  const inbounds = configProfiles.flatMap((profile) => profile.inbounds.map(({ uuid }) => ({ profile: profile.uuid, uuid })))
  const { internalSquads } = await call(api.listInternalSquads, {})
  for (let count = internalSquads.length; count < 4; count++) {
    const some = inbounds.filter(() => random(2) === 0).map(({ uuid }) => uuid)
    const squad = await call(api.createInternalSquad, { name: `plan-${made++}`, inbounds: some })
    for (const username of usernames.filter(() => random(2) === 0)) {
      const user = await call(api.getUserByUsername, { username })
      const squads = [...user.activeInternalSquads.map(({ uuid }) => uuid), squad.uuid]
      await call(api.updateUser, { uuid: user.uuid, activeInternalSquads: squads })
    }
  }
  for (let count = (await call(api.listHosts, {})).length; count < 4; count++) {
    const one = inbounds[random(inbounds.length)]
    const where = { configProfileUuid: one?.profile ?? '', configProfileInboundUuid: one?.uuid ?? '' }
    await call(api.createHost, { remark: `plan-${made++}`, address: 'a.example', port: 443, inbound: where })
  }
  for (const node of await call(api.listNodes, {})) {
    if (!node.isDisabled || random(3) === 0) continue
    const profile = configProfiles[random(configProfiles.length)]
    const activeInbounds = profile?.inbounds.map(({ uuid }) => uuid) ?? []
    if (activeInbounds.length === 0) continue
    await call(api.updateNode, {
      uuid: node.uuid,
      configProfile: { activeConfigProfileUuid: profile?.uuid ?? '', activeInbounds },
    })
    await call(api.enableNode, { uuid: node.uuid })
  }
  await settled()
}

async function anyChange(random: (below: number) => number, round: number): Promise<PlannedChange> {
  const pick = <T>(list: readonly T[]): T => list[random(list.length)]! // never empty: see mend()
  const { configProfiles } = await call(api.listConfigProfiles, {})
  const { internalSquads } = await call(api.listInternalSquads, {})
  const hosts = await call(api.listHosts, {})
  const nodes = await call(api.listNodes, {})
  const profile = pick(configProfiles)
  const all = configProfiles.flatMap(({ inbounds }) => inbounds)
  const some = (list: { uuid: string }[]) => list.filter(() => random(3) > 0).map(({ uuid }) => uuid)
  const several = (list: readonly { uuid: string }[]) => [...new Set([pick(list).uuid, pick(list).uuid])]
  switch (random(11)) {
    case 9:
      return { deleteHosts: { uuids: several(hosts) } }
    case 10:
      return { saveNodes: { uuids: several(nodes), isDisabled: true } }
    case 0:
      return { deleteProfile: { uuid: profile.uuid } }
    case 1:
      return { saveSquad: { uuid: pick(internalSquads).uuid, inbounds: some(all) } }
    case 2:
      return { deleteSquad: { uuid: pick(internalSquads).uuid } }
    case 3:
      return { deleteHost: { uuid: pick(hosts).uuid } }
    case 4: {
      const other = pick(configProfiles.filter(({ inbounds }) => inbounds.length > 0))
      const [first, ...rest] = other.inbounds
      return { saveNode: { uuid: pick(nodes).uuid, profileUuid: other.uuid, inbounds: [first?.uuid ?? '', ...some(rest)] } }
    }
    case 5:
      return { saveNode: { uuid: pick(nodes).uuid, isDisabled: true } }
    default:
      return changedProfile(profile, random, round)
  }
}

function changedProfile(profile: api.ConfigProfile, random: (below: number) => number, round: number): PlannedChange {
  const config = structuredClone(profile.config) as Config // made here, or by live-fleet in the same shape
  const { uuid } = profile
  const place = random(config.inbounds.length)
  const old = config.inbounds[place]
  if (!old) return { saveProfile: { uuid, config } }
  const renamed = { ...old, tag: `${old.tag}r${round}` }
  switch (random(6)) {
    case 0:
      config.inbounds.push(inbound(`V${made}n${round}`, 5000 + round))
      break
    case 1:
      if (config.inbounds.length > 1) config.inbounds.splice(place, 1)
      break
    case 2:
      config.inbounds[place] = { ...old, port: old.port + 1 }
      break
    case 3:
      config.inbounds[place] = renamed
      return { saveProfile: { uuid, config, renamed: [{ from: old.tag, to: renamed.tag }] } }
    case 4:
      config.inbounds[place] = renamed
      break
    default:
      config.log = { loglevel: random(2) === 0 ? 'error' : 'warning' }
  }
  return { saveProfile: { uuid, config } }
}

async function perform({
  saveProfile,
  deleteProfile,
  saveSquad,
  deleteSquad,
  deleteHost,
  deleteHosts,
  saveNode,
  saveNodes,
}: PlannedChange): Promise<void> {
  if (saveProfile) await call(api.updateConfigProfile, saveProfile)
  if (deleteProfile) await call(api.deleteConfigProfile, deleteProfile)
  if (saveSquad) await call(api.updateInternalSquad, saveSquad)
  if (deleteSquad) await call(api.deleteInternalSquad, deleteSquad)
  if (deleteHost) await call(api.deleteHost, deleteHost)
  if (deleteHosts) await call(api.bulkDeleteHosts, deleteHosts)
  for (const uuid of saveNodes?.uuids ?? []) await call(api.disableNode, { uuid })
  if (saveNode?.isDisabled === true) await call(api.disableNode, { uuid: saveNode.uuid })
  else if (saveNode) {
    const { uuid, profileUuid = '', inbounds = [] } = saveNode
    await call(api.updateNode, { uuid, configProfile: { activeConfigProfileUuid: profileUuid, activeInbounds: inbounds } })
  }
}

/** Nothing is asked of any node any more, and those that are on are connected. */
async function settled(): Promise<void> {
  await vi.waitFor(async () => {
    const { rows } = await live.server.ctx.pool.query(`
      select n."name", n."isDisabled", s.* from "nodeStates" s join "nodes" n on n."id" = s."nodeId"
      where s."stopRequestedAt" is not null or (not n."isDisabled" and (s."startRequestedAt" is not null or s."compareRequestedAt" is not null))
        or (not n."isDisabled" and not s."isConnected") or exists (select from "deliveries" d where d."nodeId" = n."id") or exists (select from "changedUsers")
        or (not n."isDisabled" and not exists (select from "nodeInbounds" l where l."nodeId" = n."id"))`)
    expect(rows).toEqual([])
  }, WAIT)
}

/** What cores and tables say. */
async function truth({ agents, usernames }: World) {
  const cores = new Map([...agents].map(([uuid, agent]) => [uuid, agent.core?.id]))
  const ways = new Map(
    usernames.map((name) => {
      const doors = [...agents].flatMap(([uuid, { core }]) =>
        [...(core?.users ?? [])].filter(([, users]) => users.has(name)).map(([tag]) => `${uuid} ${tag}`),
      )
      return [name, doors] as const
    }),
  )
  const { rows } = await live.server.ctx.pool.query<{ username: string }>(
    `select "username" from "users" u join "userUsage" g on g."userId" = u."id" where g."onlineAt" is not null`,
  )
  return {
    cores,
    ways,
    online: new Set(rows.map(({ username }) => username)),
    profiles: (await call(api.listConfigProfiles, {})).configProfiles,
    hosts: await call(api.listHosts, {}),
    entries: await entriesOf(usernames),
    squads: (await call(api.listInternalSquads, {})).internalSquads,
    nodes: await call(api.listNodes, {}),
  }
}

/** The hosts in the subscription of each, by name. */
async function entriesOf(usernames: readonly string[]): Promise<Map<string, string[]>> {
  const entries = new Map<string, string[]>()
  for (const username of usernames) {
    const { links } = await call(api.getSubscriptionByUsername, { username })
    entries.set(
      username,
      links.map((link) => decodeURIComponent(link.slice(link.indexOf('#') + 1))),
    )
  }
  return entries
}
type Truth = Awaited<ReturnType<typeof truth>>

/** Both in one form. */
function told({ inbounds, hosts, squads, nodes, users }: Plan) {
  return {
    inbounds: inbounds.map(({ tag, change }) => `${tag} ${change}`).toSorted(),
    hosts: hosts.map(({ name, loses }) => `${name} ${loses}`).toSorted(),
    squads: squads.map(({ name, tags }) => `${name} ${tags.toSorted().join()}`).toSorted(),
    // One that keeps its core loses inbounds only: its users tell of that.
    nodes: nodes
      .filter(({ core }) => core !== 'keeps')
      .map(({ name, core }) => `${name} ${core}`)
      .toSorted(),
    users,
  }
}

function happened(before: Truth, after: Truth, change: PlannedChange): ReturnType<typeof told> {
  const inboundsOf = (one: Truth) => one.profiles.flatMap((profile) => profile.inbounds)
  const now = new Map(inboundsOf(after).map((found) => [found.uuid, found]))
  const were = new Set(inboundsOf(before).map(({ uuid }) => uuid))
  const newTags = new Map(change.saveProfile?.renamed?.map(({ from, to }) => [from, to]))
  const inbounds = [
    ...inboundsOf(after)
      .filter(({ uuid }) => !were.has(uuid))
      .map(({ tag }) => `${tag} added`),
    ...inboundsOf(before).flatMap((old) => {
      const next = now.get(old.uuid)
      if (!next) return `${old.tag} removed`
      if (next.tag !== old.tag) return `${next.tag} renamed`
      return JSON.stringify(next.rawInbound) === JSON.stringify(old.rawInbound) ? [] : `${next.tag} changed`
    }),
  ]
  const hosts = before.hosts.flatMap((host) => {
    const next = after.hosts.find(({ uuid }) => uuid === host.uuid)
    if (!next) return `${host.remark} itself`
    if (host.inbound.configProfileInboundUuid === null) return []
    if (next.inbound.configProfileInboundUuid === null) return `${host.remark} inbound`
    const leaves = [...before.entries].some(
      ([user, entries]) => entries.includes(host.remark) && !after.entries.get(user)?.includes(host.remark),
    )
    return leaves ? `${host.remark} users` : []
  })
  const squads = before.squads.flatMap((squad) => {
    const kept = after.squads.find(({ uuid }) => uuid === squad.uuid)?.inbounds.map(({ uuid }) => uuid) ?? []
    const lost = squad.inbounds.filter(({ uuid }) => !kept.includes(uuid)).map(({ tag }) => tag)
    return lost.length > 0 ? `${squad.name} ${lost.toSorted().join()}` : []
  })
  const nodes = before.nodes.flatMap((node) => {
    const [old, next] = [before.cores.get(node.uuid), after.cores.get(node.uuid)]
    if (old === undefined || old === next) return []
    return `${node.name} ${next === undefined ? 'stops' : 'restarts'}`
  })
  const users = { some: 0, all: 0, online: 0 }
  for (const [name, doors] of before.ways) {
    const has = after.ways.get(name) ?? []
    const had = doors.map((door) => door.replace(/ (.*)$/, (_, tag: string) => ` ${newTags.get(tag) ?? tag}`))
    if (had.every((door) => has.includes(door))) continue
    users[has.length === 0 ? 'all' : 'some']++
    if (before.online.has(name)) users.online++
  }
  return { inbounds: inbounds.toSorted(), hosts: hosts.toSorted(), squads: squads.toSorted(), nodes: nodes.toSorted(), users }
}

it('says why a configuration would be refused, and that then nothing happens', async () => {
  const { uuid } = await call(api.createConfigProfile, { name: 'refused', config: { inbounds: [inbound('V_REFUSED', 7001)] } })
  const plan = await call(api.planChange, { saveProfile: { uuid, config: { inbounds: [] } } })
  expect(plan).toMatchObject({ problems: [expect.stringMatching(/no inbounds/)], inbounds: [], nodes: [], users: { all: 0 } })
})

it('sees what seems to have another tag, until it is said', async () => {
  const profile = await call(api.createConfigProfile, { name: 'likely', config: { inbounds: [inbound('V_LIKELY', 7000)] } })
  const config = { inbounds: [inbound('V_OTHER', 7000)] }
  const renamed = [{ from: 'V_LIKELY', to: 'V_OTHER' }]
  expect(await call(api.planChange, { saveProfile: { uuid: profile.uuid, config } })).toMatchObject({ likelyRenamed: renamed })
  expect(await call(api.planChange, { saveProfile: { uuid: profile.uuid, config, renamed } })).toMatchObject({
    likelyRenamed: [],
    inbounds: [{ tag: 'V_OTHER', change: 'renamed', before: 'V_LIKELY' }],
  })
})

it('counts users who lose an entry of their subscription with a host', async () => {
  const { uuid, inbounds } = await call(api.createConfigProfile, {
    name: 'entries',
    config: { inbounds: [inbound('V_ENTRY', 7002)] },
  })
  const [first] = inbounds
  const where = { configProfileUuid: uuid, configProfileInboundUuid: first?.uuid ?? '' }
  const squad = await call(api.createInternalSquad, { name: 'entries', inbounds: [first?.uuid ?? ''] })
  await live.makeUser('reader', { activeInternalSquads: [squad.uuid] })
  for (const host of await call(api.listHosts, {})) await call(api.deleteHost, { uuid: host.uuid })
  const host = await call(api.createHost, { remark: 'one', address: 'a.example', port: 1, inbound: where })
  const users = async () => (await call(api.planChange, { saveHost: { uuid: host.uuid, isDisabled: true } })).users
  expect(await users()).toEqual({ some: 0, all: 1, online: 0 })
  await call(api.createHost, { remark: 'two', address: 'a.example', port: 2, inbound: where })
  expect(await users()).toEqual({ some: 1, all: 0, online: 0 })
})

it('counts no user who reaches a host through another inbound of theirs, and takes several hosts and nodes at once', async () => {
  const config = { inbounds: [inbound('V_ONE', 7101), inbound('V_TWO', 7102)] }
  const { uuid, inbounds } = await call(api.createConfigProfile, { name: 'both', config })
  const [one = '', two = ''] = inbounds.map((each) => each.uuid)
  const where = { configProfileUuid: uuid, configProfileInboundUuid: one }
  const host = (remark: string) => call(api.createHost, { remark, address: 'a.example', port: 1, inbound: where })
  const uuids = [(await host('first')).uuid, (await host('second')).uuid]
  const squad = await call(api.createInternalSquad, { name: 'both', inbounds: [one, two] })
  await live.makeUser('reader_of_both', { activeInternalSquads: [squad.uuid] })
  const users = async (change: PlannedChange) => (await call(api.planChange, change)).users
  const nobody = { some: 0, all: 0, online: 0 }
  expect(await users({ saveHosts: { uuids, inboundUuid: two } })).toEqual(nobody)
  expect(await users({ saveHost: { uuid: uuids[0] ?? '', isHidden: true } })).toEqual({ ...nobody, some: 1 })
  for (const change of [{ saveHosts: { uuids, isDisabled: true } }, { deleteHosts: { uuids: [...uuids, UNKNOWN] } }])
    expect(await users(change)).toEqual({ ...nobody, all: 1 })
})

it('takes one change at a time, of something that is there', async () => {
  const plan = (body: object) => live.server.send('POST', '/api/x/plan', body)
  expect((await plan({})).status).toBe(400)
  expect((await plan({ deleteHost: { uuid: UNKNOWN }, deleteNode: { uuid: UNKNOWN } })).status).toBe(400)
  for (const name of ['deleteProfile', 'deleteSquad', 'deleteHost', 'deleteNode', 'saveHost', 'saveNode'])
    expect((await plan({ [name]: { uuid: UNKNOWN } })).status).toBe(404)
  for (const name of ['saveHosts', 'deleteHosts', 'saveNodes'])
    expect((await plan({ [name]: { uuids: [UNKNOWN], isDisabled: true } })).status).toBe(404)
})
