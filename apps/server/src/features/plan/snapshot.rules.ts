import { errors, type Input, type LinkPart, type Plan, type planChange } from '@causeway/contract'
import { followInbound, type FollowedChanges, type LinkHost } from '@causeway/subscription'
import {
  canonicalJson,
  checkComputed,
  checkProfile,
  deriveInbounds,
  guessRenamings,
  notesOnProfile,
  planInboundSync,
  snippetUses,
  type InboundRecord,
  type Snippets,
} from '@causeway/xray'

import { snippetProblems } from '../snippets/snippets.rules.ts'

// A picture of the fleet, and what a change makes of it.

export interface Snapshot {
  profiles: { uuid: string; name?: string; config: unknown; isRollingOut: boolean }[]
  /** None, unless given. */
  snippets?: { name: string; snippet: unknown }[]
  inbounds: (Omit<InboundRecord, 'type'> & { uuid: string; profileUuid: string; type: string })[]
  squads: { uuid: string; name: string; inbounds: string[] }[]
  /** `inbounds` are those that are active on it. */
  nodes: {
    uuid: string
    name: string
    address: string
    /** Of the agent. */
    port: number | null
    isDisabled: boolean
    isConnected: boolean
    /** Agents of the 2.1 generation cannot tell a running core of all types of access. */
    isOfOurAgent: boolean
    usersOnline: number
    profileUuid: string | null
    inbounds: string[]
  }[]
  hosts: (LinkHost & {
    uuid: string
    name: string
    isDisabled: boolean
    isHidden: boolean
    inboundUuid: string | null
    /** Squads that do not count for it; none, unless given. */
    excluded?: string[]
    /** Which nodes are meant to serve it; none: any. */
    nodes: string[]
  })[]
  /** Active users by the squads they are in. A change keeps their order. */
  groups: { squads: string[]; users: number; online: number }[]
}

export type PlannedChange = Input<typeof planChange>

interface ChangedFleet extends Partial<Pick<Plan, 'problems' | 'notes' | 'inbounds' | 'likelyRenamed' | 'follows'>> {
  after: Snapshot
}

/** What a change makes of the fleet. @returns undefined when what is to be changed is not there */
export function makeChange(before: Snapshot, change: PlannedChange): ChangedFleet | undefined {
  const { saveProfile, deleteProfile, saveSnippet, saveSquad, deleteSquad, saveHost, saveHosts, deleteHost, deleteHosts } = change
  const { saveNode, saveNodes, deleteNode, fillSquad, emptySquad } = change
  if (saveProfile) return withProfile(before, saveProfile)
  if (deleteProfile) return withoutProfile(before, deleteProfile.uuid)
  if (saveSnippet) return withSnippet(before, saveSnippet)
  if (saveSquad) return changed(before, 'squads', [saveSquad.uuid], (squad) => ({ ...squad, inbounds: saveSquad.inbounds }))
  if (fillSquad) return withMembers(before, fillSquad.uuid, (squads) => [...new Set([...squads, fillSquad.uuid])])
  if (emptySquad) return withMembers(before, emptySquad.uuid, (squads) => squads.filter((uuid) => uuid !== emptySquad.uuid))
  if (deleteSquad) return without(before, 'squads', [deleteSquad.uuid])
  if (saveHost) return withHosts(before, { ...saveHost, uuids: [saveHost.uuid] })
  if (saveHosts) return withHosts(before, saveHosts)
  if (deleteHost) return without(before, 'hosts', [deleteHost.uuid])
  if (deleteHosts) return without(before, 'hosts', deleteHosts.uuids)
  if (saveNode) return withNodes(before, { ...saveNode, uuids: [saveNode.uuid] })
  if (saveNodes) return withNodes(before, saveNodes)
  if (deleteNode) return without(before, 'nodes', [deleteNode.uuid])
  return undefined
}

function withMembers(before: Snapshot, squad: string, change: (squads: string[]) => string[]): ChangedFleet | undefined {
  if (!before.squads.some(({ uuid }) => uuid === squad)) return undefined
  return { after: { ...before, groups: before.groups.map((group) => ({ ...group, squads: change(group.squads) })) } }
}

type HostsChange = NonNullable<PlannedChange['saveHosts']>

function withHosts(before: Snapshot, { uuids, ...changes }: HostsChange): ChangedFleet | undefined {
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
  return changed(before, 'hosts', uuids, (host) => ({ ...host, ...given, uuid: host.uuid }))
}

type NodesChange = Omit<NonNullable<PlannedChange['saveNode']>, 'uuid'> & { uuids: readonly string[] }

function withNodes(
  before: Snapshot,
  { uuids, isDisabled, profileUuid, inbounds, address, port }: NodesChange,
): ChangedFleet | undefined {
  return changed(before, 'nodes', uuids, (node) => ({
    ...node,
    isDisabled: isDisabled ?? node.isDisabled,
    profileUuid: profileUuid ?? node.profileUuid,
    inbounds: inbounds ?? node.inbounds,
    address: address ?? node.address,
    port: port === undefined ? node.port : port,
  }))
}

type Kind = 'squads' | 'hosts' | 'nodes'

/** Of several, some may have gone meanwhile; without any there is nothing to plan. */
function changed<K extends Kind>(
  before: Snapshot,
  kind: K,
  uuids: readonly string[],
  change: (one: Snapshot[K][number]) => Snapshot[K][number],
): ChangedFleet | undefined {
  const meant = new Set(uuids)
  const list: readonly Snapshot[K][number][] = before[kind]
  if (!list.some(({ uuid }) => meant.has(uuid))) return undefined
  return { after: { ...before, [kind]: list.map((one) => (meant.has(one.uuid) ? change(one) : one)) } }
}

function without(before: Snapshot, kind: Kind, uuids: readonly string[]): ChangedFleet | undefined {
  const gone = new Set(uuids)
  const list: readonly { uuid: string }[] = before[kind]
  const rest = list.filter(({ uuid }) => !gone.has(uuid))
  return rest.length < list.length ? { after: { ...before, [kind]: rest } } : undefined
}

export function snippetsOf({ snippets = [] }: Snapshot): Snippets {
  return new Map(snippets.map(({ name, snippet }) => [name, snippet]))
}

/** A snippet of a new name changes nothing yet. */
function withSnippet(before: Snapshot, { name, snippet }: NonNullable<PlannedChange['saveSnippet']>): ChangedFleet {
  const users = before.profiles.filter(({ config }) => snippetUses(config).some((use) => use.name === name))
  const profiles = users.map((profile) => ({ ...profile, name: profile.name ?? profile.uuid }))
  const problems = snippetProblems({ name, snippet, snippets: snippetsOf(before), profiles }).map(({ message }) => message)
  if (users.some(({ isRollingOut }) => isRollingOut)) problems.push(errors.rolloutUnderWay.message)
  if (problems.length > 0) return { after: before, problems }
  const others = (before.snippets ?? []).filter((each) => each.name !== name)
  return { after: { ...before, snippets: [...others, { name, snippet }] } }
}

/** The same steps as saving takes. */
function withProfile(
  before: Snapshot,
  { uuid, config, renamed = [], followingHosts = [] }: NonNullable<PlannedChange['saveProfile']>,
): ChangedFleet | undefined {
  const current = before.profiles.find((profile) => profile.uuid === uuid)
  if (!current) return undefined
  const problems = checkComputed(config, snippetsOf(before), checkProfile).map(({ message }) => message)
  if (current.isRollingOut) problems.push(errors.rolloutUnderWay.message)
  // It would be refused, and nothing would happen.
  if (problems.length > 0) return { after: before, problems }
  const existing = before.inbounds.filter(({ profileUuid }) => profileUuid === uuid)
  const derived = deriveInbounds(config)
  const elsewhere = new Set(before.inbounds.filter(({ profileUuid }) => profileUuid !== uuid).map(({ tag }) => tag))
  const taken = derived.filter(({ tag }) => elsewhere.has(tag))
  if (taken.length > 0)
    return { after: before, problems: taken.map(({ tag }) => `Inbound "${tag}" exists in another profile. Choose another tag.`) }
  const sync = planInboundSync(existing, derived, renamed)
  const deleted = new Set(sync.delete)
  const gone = existing.filter((inbound) => deleted.has(inbound.uuid))
  const goneTags = new Set(gone.map(({ tag }) => tag))
  const old = new Map(existing.map((inbound) => [inbound.uuid, inbound]))
  const updated = new Map(sync.update.map((inbound) => [inbound.uuid, inbound]))
  const inbounds = before.inbounds.map((inbound) => ({ ...inbound, ...updated.get(inbound.uuid) }))
  const profiles = before.profiles.map((profile) => (profile.uuid === uuid ? { ...profile, config } : profile))
  const touched: Plan['inbounds'] = [
    ...sync.create.map(({ tag }) => ({ tag, change: 'added' as const, before: null })),
    ...sync.update.flatMap(({ uuid: id, tag, rawInbound }) => {
      const was = old.get(id)
      if (was === undefined || (was.tag === tag && canonicalJson(was.rawInbound) === canonicalJson(rawInbound))) return []
      return was.tag === tag
        ? { tag, change: 'changed' as const, before: null }
        : { tag, change: 'renamed' as const, before: was.tag }
    }),
  ]
  const following = new Set(followingHosts)
  const followed = followedHosts(before, inbounds)
  const hosts = before.hosts.map((host) => (following.has(host.uuid) ? { ...host, ...followed.get(host.uuid) } : host))
  return {
    after: withoutInbounds({ ...before, profiles, inbounds, hosts }, gone),
    follows: before.hosts.flatMap((host) => {
      const changes = followed.get(host.uuid)
      const { uuid: hostUuid, name } = host
      return changes ? { uuid: hostUuid, name, changes: followedParts(host, changes), isChosen: following.has(hostUuid) } : []
    }),
    notes: notesOnProfile(config, new Set(touched.map(({ tag }) => tag))).map(({ message }) => message),
    inbounds: [...touched, ...gone.map(({ tag }) => ({ tag, change: 'removed' as const, before: null }))],
    likelyRenamed: guessRenamings(existing, derived).filter(({ from }) => goneTags.has(from)),
  }
}

/** What hosts have in common with their inbounds and those change, by host. */
function followedHosts(before: Snapshot, inbounds: Snapshot['inbounds']): Map<string, FollowedChanges> {
  const old = new Map(before.inbounds.map((inbound) => [inbound.uuid, inbound]))
  const next = new Map(inbounds.map((inbound) => [inbound.uuid, inbound]))
  const followed = new Map<string, FollowedChanges>()
  for (const host of before.hosts) {
    const [was, is] = [old.get(host.inboundUuid ?? ''), next.get(host.inboundUuid ?? '')]
    if (!was || !is || was.rawInbound === is.rawInbound) continue
    const changes = followInbound(host, was, is)
    if (Object.keys(changes).length > 0) followed.set(host.uuid, changes)
  }
  return followed
}

const parts = [
  ['port', 'port'],
  ['path', 'path'],
  ['host', 'host'],
  ['sni', 'sni'],
  ['securityLayer', 'security'],
] as const satisfies [keyof FollowedChanges, LinkPart][]

function followedParts(host: LinkHost, changes: FollowedChanges) {
  return parts.flatMap(([key, part]) => {
    const to = changes[key]
    return to === undefined ? [] : { part, from: String(host[key] ?? ''), to: String(to) }
  })
}

/** Its nodes have nothing to run any more, and so are disabled. */
function withoutProfile(before: Snapshot, uuid: string): ChangedFleet | undefined {
  if (!before.profiles.some((profile) => profile.uuid === uuid)) return undefined
  const gone = before.inbounds.filter(({ profileUuid }) => profileUuid === uuid)
  const nodes = before.nodes.map((node) => (node.profileUuid === uuid ? { ...node, isDisabled: true, profileUuid: null } : node))
  return {
    after: withoutInbounds({ ...before, nodes }, gone),
    inbounds: gone.map(({ tag }) => ({ tag, change: 'removed', before: null })),
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
