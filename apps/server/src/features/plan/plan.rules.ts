import type { Plan } from '@causeway/contract'
import { canonicalJson, emptyNodeConfig, isObject, type XrayObject } from '@causeway/xray'
import { makeChange, type PlannedChange, type Snapshot } from './snapshot.rules.ts'

// One rule for everything that is planned: the change is made to a picture of the fleet, and the two pictures are compared.

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
