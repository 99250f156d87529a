import type { Input, Plan, planChange } from '@causeway/contract'
import {
  canonicalJson,
  checkProfile,
  deriveInbounds,
  emptyNodeConfig,
  guessRenamings,
  isObject,
  notesOnProfile,
  planInboundSync,
  type InboundRecord,
  type XrayObject,
} from '@causeway/xray'

// One rule for everything that is planned: the change is made to a picture of the fleet, and the two pictures are compared.

export interface Snapshot {
  profiles: { uuid: string; config: unknown }[]
  inbounds: (Omit<InboundRecord, 'type'> & { uuid: string; profileUuid: string; type: string })[]
  squads: { uuid: string; name: string; inbounds: string[] }[]
  /** `inbounds` are those that are active on it. */
  nodes: {
    uuid: string
    name: string
    isDisabled: boolean
    isConnected: boolean
    profileUuid: string | null
    inbounds: string[]
  }[]
  hosts: { uuid: string; name: string; isDisabled: boolean; isHidden: boolean; inboundUuid: string | null }[]
  /** Active users by the squads they are in. */
  groups: { squads: string[]; users: number; online: number }[]
}

export type PlannedChange = Input<typeof planChange>

/** What the change does. @returns undefined when what is to be changed is not there */
export function planOf(before: Snapshot, change: PlannedChange): Plan | undefined {
  const made = makeChange(before, change)
  if (made === undefined) return undefined
  const { after, problems = [], notes = [], inbounds = [], likelyRenamed = [] } = made
  const isAboutHosts = [change.saveHost, change.saveHosts, change.deleteHost, change.deleteHosts].some(Boolean)
  return {
    problems,
    notes,
    inbounds,
    likelyRenamed,
    hosts: [...hostsThatLose(before, after), ...(isAboutHosts ? [] : hostsThatLeave(before, after))],
    squads: squadsThatLose(before, after),
    nodes: nodesConcerned(before, after),
    users: usersThatLose(before, after, isAboutHosts ? entriesOf : waysIn),
  }
}

interface Made extends Partial<Pick<Plan, 'problems' | 'notes' | 'inbounds' | 'likelyRenamed'>> {
  after: Snapshot
}

function makeChange(before: Snapshot, change: PlannedChange): Made | undefined {
  const has = (list: { uuid: string }[], uuid: string) => list.some((one) => one.uuid === uuid)
  const { saveProfile, deleteProfile, saveSquad, deleteSquad, saveHost, saveHosts, deleteHost, deleteHosts } = change
  const { saveNode, saveNodes, deleteNode } = change
  if (saveProfile) return has(before.profiles, saveProfile.uuid) ? withProfile(before, saveProfile) : undefined
  if (deleteProfile) {
    if (!has(before.profiles, deleteProfile.uuid)) return undefined
    const gone = before.inbounds.filter(({ profileUuid }) => profileUuid === deleteProfile.uuid)
    const nodes = before.nodes.map((node) =>
      node.profileUuid === deleteProfile.uuid ? { ...node, isDisabled: true, profileUuid: null } : node,
    )
    return {
      after: withoutInbounds({ ...before, nodes }, gone),
      inbounds: gone.map(({ tag }) => ({ tag, change: 'removed', before: null })),
    }
  }
  if (saveSquad) {
    const squads = before.squads.map((squad) =>
      squad.uuid === saveSquad.uuid ? { ...squad, inbounds: saveSquad.inbounds } : squad,
    )
    return has(before.squads, saveSquad.uuid) ? { after: { ...before, squads } } : undefined
  }
  if (deleteSquad)
    return has(before.squads, deleteSquad.uuid)
      ? { after: { ...before, squads: without(before.squads, deleteSquad) } }
      : undefined
  if (saveHost) return withHosts(before, { ...saveHost, uuids: [saveHost.uuid] })
  if (saveHosts) return withHosts(before, saveHosts)
  if (deleteHost) return withoutHosts(before, [deleteHost.uuid])
  if (deleteHosts) return withoutHosts(before, deleteHosts.uuids)
  if (saveNode) return withNodes(before, { ...saveNode, uuids: [saveNode.uuid] })
  if (saveNodes) return withNodes(before, saveNodes)
  if (deleteNode)
    return has(before.nodes, deleteNode.uuid) ? { after: { ...before, nodes: without(before.nodes, deleteNode) } } : undefined
  return undefined
}

function without<T extends { uuid: string }>(list: T[], { uuid }: { uuid: string }): T[] {
  return list.filter((one) => one.uuid !== uuid)
}

type HostsChange = NonNullable<PlannedChange['saveHosts']>

function withHosts(before: Snapshot, { uuids, isDisabled, isHidden, inboundUuid }: HostsChange): Made | undefined {
  return changed(before, 'hosts', uuids, (host) => ({
    ...host,
    isDisabled: isDisabled ?? host.isDisabled,
    isHidden: isHidden ?? host.isHidden,
    inboundUuid: inboundUuid === undefined ? host.inboundUuid : inboundUuid,
  }))
}

function withoutHosts(before: Snapshot, uuids: readonly string[]): Made | undefined {
  const gone = new Set(uuids)
  const hosts = before.hosts.filter(({ uuid }) => !gone.has(uuid))
  return hosts.length < before.hosts.length ? { after: { ...before, hosts } } : undefined
}

type NodesChange = Omit<NonNullable<PlannedChange['saveNode']>, 'uuid'> & { uuids: readonly string[] }

function withNodes(before: Snapshot, { uuids, isDisabled, profileUuid, inbounds }: NodesChange): Made | undefined {
  return changed(before, 'nodes', uuids, (node) => ({
    ...node,
    isDisabled: isDisabled ?? node.isDisabled,
    profileUuid: profileUuid ?? node.profileUuid,
    inbounds: inbounds ?? node.inbounds,
  }))
}

/** Of several, some may have gone meanwhile; without any there is nothing to plan. */
function changed<K extends 'hosts' | 'nodes'>(
  before: Snapshot,
  kind: K,
  uuids: readonly string[],
  change: (one: Snapshot[K][number]) => Snapshot[K][number],
): Made | undefined {
  const meant = new Set(uuids)
  const list: readonly Snapshot[K][number][] = before[kind]
  if (!list.some(({ uuid }) => meant.has(uuid))) return undefined
  return { after: { ...before, [kind]: list.map((one) => (meant.has(one.uuid) ? change(one) : one)) } }
}

/** The same steps as saving takes. */
function withProfile(before: Snapshot, { uuid, config, renamed = [] }: NonNullable<PlannedChange['saveProfile']>): Made {
  const problems = checkProfile(config).map(({ message }) => message)
  // It would be refused, and nothing would happen.
  if (problems.length > 0) return { after: before, problems }
  const existing = before.inbounds.filter(({ profileUuid }) => profileUuid === uuid)
  const derived = deriveInbounds(config)
  const elsewhere = new Set(before.inbounds.filter(({ profileUuid }) => profileUuid !== uuid).map(({ tag }) => tag))
  const taken = derived.filter(({ tag }) => elsewhere.has(tag))
  if (taken.length > 0)
    return { after: before, problems: taken.map(({ tag }) => `Inbound "${tag}" exists in another profile. Choose another tag.`) }
  const sync = planInboundSync(existing, derived, renamed)
  const gone = existing.filter((inbound) => sync.delete.includes(inbound.uuid))
  const updated = new Map(sync.update.map((inbound) => [inbound.uuid, inbound]))
  const inbounds = before.inbounds.map((inbound) => ({ ...inbound, ...updated.get(inbound.uuid) }))
  const profiles = before.profiles.map((profile) => (profile.uuid === uuid ? { uuid, config } : profile))
  const touched: Plan['inbounds'] = [
    ...sync.create.map(({ tag }) => ({ tag, change: 'added' as const, before: null })),
    ...sync.update.flatMap(({ uuid: id, tag, rawInbound }) => {
      const old = existing.find((inbound) => inbound.uuid === id)
      if (old === undefined || (old.tag === tag && canonicalJson(old.rawInbound) === canonicalJson(rawInbound))) return []
      return old.tag === tag
        ? { tag, change: 'changed' as const, before: null }
        : { tag, change: 'renamed' as const, before: old.tag }
    }),
  ]
  return {
    after: withoutInbounds({ ...before, profiles, inbounds }, gone),
    notes: notesOnProfile(config, new Set(touched.map(({ tag }) => tag))).map(({ message }) => message),
    inbounds: [...touched, ...gone.map(({ tag }) => ({ tag, change: 'removed' as const, before: null }))],
    likelyRenamed: guessRenamings(existing, derived).filter(({ from }) => gone.some(({ tag }) => tag === from)),
  }
}

/** They leave squads, nodes and hosts. */
function withoutInbounds(snapshot: Snapshot, gone: { uuid: string }[]): Snapshot {
  const uuids = new Set(gone.map(({ uuid }) => uuid))
  const rest = (inbounds: string[]) => inbounds.filter((uuid) => !uuids.has(uuid))
  return {
    ...snapshot,
    inbounds: snapshot.inbounds.filter(({ uuid }) => !uuids.has(uuid)),
    squads: snapshot.squads.map((squad) => ({ ...squad, inbounds: rest(squad.inbounds) })),
    nodes: snapshot.nodes.map((node) => ({ ...node, inbounds: rest(node.inbounds) })),
    hosts: snapshot.hosts.map((host) =>
      host.inboundUuid !== null && uuids.has(host.inboundUuid) ? { ...host, inboundUuid: null } : host,
    ),
  }
}

function hostsThatLose(before: Snapshot, after: Snapshot): Plan['hosts'] {
  return before.hosts.flatMap(({ uuid, name, inboundUuid }) => {
    const now = after.hosts.find((host) => host.uuid === uuid)
    if (now === undefined) return { uuid, name, loses: 'itself' as const }
    return inboundUuid !== null && now.inboundUuid === null ? { uuid, name, loses: 'inbound' as const } : []
  })
}

/** What stays a host and yet leaves the subscriptions of some users. */
function hostsThatLeave(before: Snapshot, after: Snapshot): Plan['hosts'] {
  const [old, next] = [entriesOf(before), entriesOf(after)]
  const left = new Set<string>()
  for (const { squads } of before.groups) {
    const has = new Set(squads.flatMap((squad) => next.get(squad) ?? []))
    for (const host of squads.flatMap((squad) => old.get(squad) ?? [])) if (!has.has(host)) left.add(host)
  }
  const leads = new Set(after.hosts.filter(({ inboundUuid }) => inboundUuid !== null).map(({ uuid }) => uuid))
  return before.hosts
    .filter(({ uuid }) => left.has(uuid) && leads.has(uuid))
    .map(({ uuid, name }) => ({ uuid, name, loses: 'users' as const }))
}

function squadsThatLose(before: Snapshot, after: Snapshot): Plan['squads'] {
  return before.squads.flatMap(({ uuid, name, inbounds }) => {
    const now = after.squads.find((squad) => squad.uuid === uuid)?.inbounds ?? []
    const lost = inbounds.filter((inbound) => !now.includes(inbound))
    return lost.length > 0 ? { uuid, name, tags: tagsOf(before, lost) } : []
  })
}

/** Those whose inbounds or whose core change. A node that runs nothing before and after is not concerned. */
function nodesConcerned(before: Snapshot, after: Snapshot): Plan['nodes'] {
  return before.nodes.flatMap((node) => {
    const now = after.nodes.find(({ uuid }) => uuid === node.uuid)
    const [old, next] = [runs(before, node), now && runs(after, now)]
    if (old === undefined) return []
    const tags = tagsOf(
      before,
      activeInbounds(before, node).filter((inbound) => !now || !activeInbounds(after, now).includes(inbound)),
    )
    const core = next === undefined ? 'stops' : next === old ? 'keeps' : 'restarts'
    const { uuid, name, isConnected } = node
    const isSame = core === 'keeps' && tags.length === 0
    return isSame ? [] : { uuid, name, tags, core, isConnected }
  })
}

type SnapshotNode = Snapshot['nodes'][number]

/** What its core is started with, as text; undefined where it has none to run. Agents restart a core when this differs. */
function runs(snapshot: Snapshot, node: SnapshotNode): string | undefined {
  const config = snapshot.profiles.find(({ uuid }) => uuid === node.profileUuid)?.config
  const active = activeInbounds(snapshot, node)
  if (node.isDisabled || !isObject(config) || node.inbounds.length === 0) return undefined
  const empty: XrayObject = emptyNodeConfig(config, tagsOf(snapshot, active))
  return canonicalJson(empty)
}

/** Of the profile that it runs; others it may still name open nothing. */
function activeInbounds(snapshot: Snapshot, node: SnapshotNode): string[] {
  const own = new Set(snapshot.inbounds.filter(({ profileUuid }) => profileUuid === node.profileUuid).map(({ uuid }) => uuid))
  return node.isDisabled ? [] : node.inbounds.filter((uuid) => own.has(uuid))
}

function tagsOf(snapshot: Snapshot, inbounds: string[]): string[] {
  return snapshot.inbounds.filter(({ uuid }) => inbounds.includes(uuid)).map(({ tag }) => tag)
}

/** By squad, what its members can use. */
type Ways = (snapshot: Snapshot) => Map<string, string[]>

const waysIn: Ways = (snapshot) => {
  const doors = new Map<string, string[]>()
  for (const node of snapshot.nodes)
    for (const inbound of activeInbounds(snapshot, node))
      doors.set(inbound, [...(doors.get(inbound) ?? []), `${node.uuid} ${inbound}`])
  return new Map(snapshot.squads.map(({ uuid, inbounds }) => [uuid, inbounds.flatMap((inbound) => doors.get(inbound) ?? [])]))
}

const entriesOf: Ways = (snapshot) => {
  const shown = snapshot.hosts.filter((host) => !host.isDisabled && !host.isHidden)
  return new Map(
    snapshot.squads.map(({ uuid, inbounds }) => [
      uuid,
      shown.filter(({ inboundUuid }) => inboundUuid !== null && inbounds.includes(inboundUuid)).map(({ uuid: host }) => host),
    ]),
  )
}

function usersThatLose(before: Snapshot, after: Snapshot, ways: Ways): Plan['users'] {
  const [old, next] = [ways(before), ways(after)]
  const users = { some: 0, all: 0, online: 0 }
  for (const group of before.groups) {
    const had = new Set(group.squads.flatMap((squad) => old.get(squad) ?? []))
    const has = new Set(group.squads.flatMap((squad) => next.get(squad) ?? []))
    if ([...had].every((way) => has.has(way))) continue
    if (has.size === 0) users.all += group.users
    else users.some += group.users
    users.online += group.online
  }
  return users
}
