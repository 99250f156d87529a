import type { Input, Plan, planChange } from '@causeway/contract'
import {
  canonicalJson,
  checkProfile,
  deriveInbounds,
  guessRenamings,
  notesOnProfile,
  planInboundSync,
  type InboundRecord,
} from '@causeway/xray'

// A picture of the fleet, and what a change makes of it.

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

interface Made extends Partial<Pick<Plan, 'problems' | 'notes' | 'inbounds' | 'likelyRenamed'>> {
  after: Snapshot
}

/** What a change makes of the fleet. @returns undefined when what is to be changed is not there */
export function makeChange(before: Snapshot, change: PlannedChange): Made | undefined {
  const { saveProfile, deleteProfile, saveSquad, deleteSquad, saveHost, saveHosts, deleteHost, deleteHosts } = change
  const { saveNode, saveNodes, deleteNode } = change
  if (saveProfile) return withProfile(before, saveProfile)
  if (deleteProfile) return withoutProfile(before, deleteProfile.uuid)
  if (saveSquad) return changed(before, 'squads', [saveSquad.uuid], (squad) => ({ ...squad, inbounds: saveSquad.inbounds }))
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

type HostsChange = NonNullable<PlannedChange['saveHosts']>

function withHosts(before: Snapshot, { uuids, isDisabled, isHidden, inboundUuid }: HostsChange): Made | undefined {
  return changed(before, 'hosts', uuids, (host) => ({
    ...host,
    isDisabled: isDisabled ?? host.isDisabled,
    isHidden: isHidden ?? host.isHidden,
    inboundUuid: inboundUuid === undefined ? host.inboundUuid : inboundUuid,
  }))
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

type Kind = 'squads' | 'hosts' | 'nodes'

/** Of several, some may have gone meanwhile; without any there is nothing to plan. */
function changed<K extends Kind>(
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

function without(before: Snapshot, kind: Kind, uuids: readonly string[]): Made | undefined {
  const gone = new Set(uuids)
  const list: readonly { uuid: string }[] = before[kind]
  const rest = list.filter(({ uuid }) => !gone.has(uuid))
  return rest.length < list.length ? { after: { ...before, [kind]: rest } } : undefined
}

/** The same steps as saving takes. */
function withProfile(
  before: Snapshot,
  { uuid, config, renamed = [] }: NonNullable<PlannedChange['saveProfile']>,
): Made | undefined {
  if (!before.profiles.some((profile) => profile.uuid === uuid)) return undefined
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

/** Its nodes have nothing to run any more, and so are disabled. */
function withoutProfile(before: Snapshot, uuid: string): Made | undefined {
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
