import type { Misfit, Plan } from '@causeway/contract'
import { isForwardable, misfitsOf } from '@causeway/subscription'
import type { Snapshot } from './snapshot.rules.ts'

// By which ways users get in, before and after a change. A way is an inbound that a node opens to them, or an entry of their
// subscription that leads into one. What cannot be told from hosts and inbounds is said to be unsure.

type SnapshotHost = Snapshot['hosts'][number]
type SnapshotInbound = Snapshot['inbounds'][number]

/**
 * `open`: what the host says is what its inbound takes. `forwarded`: it says something else, which something before the node may
 * make good. `unsure`: so it is since the change, or a node that it may lead to is none any more. `closed`: it does not lead in.
 */
type Entry = 'open' | 'forwarded' | 'unsure' | 'closed'

interface Entries {
  states: Map<string, Entry>
  overrides: Plan['overrides']
  /** Hosts whose links in apps do not fit any more. */
  reread: Set<string>
}

export interface WaysDifference extends Pick<Plan, 'overrides' | 'unsureHosts'> {
  hostsThatLeave: Set<string>
  users: Omit<NonNullable<Plan['users']>, 'cut'>
}

/** What a change does to the ways of users. */
export function compareWays(before: Snapshot, after: Snapshot): WaysDifference {
  const [old, next] = [new Ways(before), new Ways(after)]
  const was = entriesBefore(old, after)
  const is = entriesAfter(old, next, was)
  const users = { some: 0, all: 0, online: 0, unsure: 0, reread: 0 }
  const hostsThatLeave = new Set<string>()
  for (const [place, group] of before.groups.entries()) {
    const [had, has] = [old.of(group.squads), next.of(after.groups[place]?.squads ?? [])]
    const isIn = (states: Map<string, Entry>) => (host: string) => states.get(host) !== 'closed'
    const [hadEntries, hasEntries] = [had.hosts.filter(isIn(was)), has.hosts.filter(isIn(is.states))]
    for (const host of had.hosts) if (!has.hosts.includes(host)) hostsThatLeave.add(host)
    // Without any host, users may still have links of another origin.
    const isIntoNothing = had.hosts.length === 0 ? has.doors.length === 0 : hasEntries.length === 0
    const hadAny = had.hosts.length === 0 ? had.doors.length > 0 : hadEntries.length > 0
    const loses = had.doors.some((door) => !has.doors.includes(door)) || hadEntries.some((host) => !hasEntries.includes(host))
    if (loses) {
      users[isIntoNothing && hadAny ? 'all' : 'some'] += group.users
      users.online += group.online
    }
    if (isIntoNothing && hadAny) continue
    const kept = hasEntries.filter((host) => had.hosts.includes(host))
    const isProven = !loses || hasEntries.length === 0 || hasEntries.some((host) => is.states.get(host) === 'open')
    if (!isProven || kept.some((host) => is.states.get(host) === 'unsure')) users.unsure += group.users
    if (kept.some((host) => is.reread.has(host))) users.reread += group.users
  }
  const unsureHosts = after.hosts.filter(({ uuid }) => is.states.get(uuid) === 'unsure').map(({ uuid, name }) => ({ uuid, name }))
  return { hostsThatLeave, users, unsureHosts, overrides: is.overrides }
}

/** The ways of a snapshot. */
class Ways {
  readonly snapshot: Snapshot
  readonly inbounds: Map<string, SnapshotInbound>
  readonly hosts: Map<string, SnapshotHost>
  /** By inbound, the nodes that run it. */
  readonly nodes = new Map<string, string[]>()
  readonly #ofSquad = new Map<string, { doors: string[]; hosts: string[] }>()

  constructor(snapshot: Snapshot) {
    this.snapshot = snapshot
    this.inbounds = new Map(snapshot.inbounds.map((inbound) => [inbound.uuid, inbound]))
    this.hosts = new Map(snapshot.hosts.map((host) => [host.uuid, host]))
    for (const node of snapshot.nodes)
      for (const inbound of activeInbounds(snapshot, node))
        this.nodes.set(inbound, [...(this.nodes.get(inbound) ?? []), node.uuid])
    const shown = Map.groupBy(
      snapshot.hosts.filter((host) => !host.isDisabled && !host.isHidden),
      ({ inboundUuid }) => inboundUuid,
    )
    for (const { uuid, inbounds } of snapshot.squads)
      this.#ofSquad.set(uuid, {
        doors: inbounds.flatMap((inbound) => (this.nodes.get(inbound) ?? []).map((node) => `${node} ${inbound}`)),
        hosts: inbounds.flatMap((inbound) =>
          (shown.get(inbound) ?? []).flatMap((host) => (host.excluded?.includes(uuid) ? [] : host.uuid)),
        ),
      })
  }

  of(squads: readonly string[]): { doors: string[]; hosts: string[] } {
    const all = squads.flatMap((squad) => this.#ofSquad.get(squad) ?? [])
    return {
      doors: [...new Set(all.flatMap(({ doors }) => doors))],
      hosts: [...new Set(all.flatMap(({ hosts }) => hosts))],
    }
  }

  inboundOf({ inboundUuid }: SnapshotHost): SnapshotInbound | undefined {
    return inboundUuid === null ? undefined : this.inbounds.get(inboundUuid)
  }
}

type SnapshotNode = Snapshot['nodes'][number]

/** Of the profile that it runs; others it may still name open nothing. */
function activeInbounds(snapshot: Snapshot, node: SnapshotNode): string[] {
  const own = new Set(snapshot.inbounds.filter(({ profileUuid }) => profileUuid === node.profileUuid).map(({ uuid }) => uuid))
  return node.isDisabled ? [] : node.inbounds.filter((uuid) => own.has(uuid))
}

function entriesBefore(ways: Ways, after: Snapshot): Map<string, Entry> {
  const states = new Map<string, Entry>()
  for (const host of ways.snapshot.hosts) {
    const inbound = ways.inboundOf(host)
    const where = inbound && leadsTo(host, [...ways.snapshot.nodes, ...after.nodes])
    const isRun = inbound && (ways.nodes.get(inbound.uuid) ?? []).some((node) => where?.has(node) ?? true)
    states.set(host.uuid, inbound && isRun ? entryOf(misfitsOf(host, inbound, inbound)) : 'closed')
  }
  return states
}

function entriesAfter(old: Ways, next: Ways, was: Map<string, Entry>): Entries {
  const entries: Entries = { states: new Map(), overrides: [], reread: new Set() }
  const nodes = [...old.snapshot.nodes, ...next.snapshot.nodes]
  for (const host of next.snapshot.hosts) {
    const { uuid, name } = host
    const [before, inbound] = [old.hosts.get(uuid), next.inboundOf(host)]
    const oldInbound = before && old.inboundOf(before)
    const state = was.get(uuid) ?? 'closed'
    if (!before || !inbound) {
      entries.states.set(uuid, 'closed')
      continue
    }
    const where = leadsTo(host, nodes)
    const isReached = (ways: Ways, inboundUuid: string | undefined) =>
      (ways.nodes.get(inboundUuid ?? '') ?? []).filter((node) => where?.has(node) ?? true)
    const [ran, runs] = [isReached(old, oldInbound?.uuid), isReached(next, inbound.uuid)]
    if (runs.length === 0) {
      entries.states.set(uuid, 'closed')
      continue
    }
    // Where it leads is not known, and one of the nodes that it may lead to is none any more.
    const isOfNodeLost =
      state !== 'closed' &&
      ((where === undefined && ran.some((node) => !runs.includes(node))) || isLeft(host, old.snapshot.nodes, next.snapshot.nodes))
    if (before === host && oldInbound?.rawInbound === inbound.rawInbound && ran.length > 0) {
      entries.states.set(uuid, isOfNodeLost ? 'unsure' : state)
      continue
    }
    const [misfits, known] = [misfitsOf(host, inbound, inbound), oldInbound ? misfitsOf(before, oldInbound, oldInbound) : []]
    const added = misfits.filter((misfit) => !known.some((one) => isSame(one, misfit)))
    if (added.length > 0) entries.overrides.push({ uuid, name, misfits: added })
    // It fitted, so that nothing stood in between which could make good what does not fit now.
    const isLeftBehind = added.length > 0 && state === 'open' && isSameLink(before, host)
    const stateAfter = isLeftBehind ? 'closed' : entryOf(misfits)
    const isUnsure = stateAfter !== 'closed' && (added.length > 0 || isOfNodeLost)
    entries.states.set(uuid, isUnsure ? 'unsure' : stateAfter)
    // Apps hold the old link: it leads where it led, as that is now.
    const formerInbound = oldInbound && next.inbounds.get(oldInbound.uuid)
    const stale = formerInbound ? misfitsOf(before, oldInbound, formerInbound) : []
    if (!formerInbound || stale.some((misfit) => !known.some((one) => isSame(one, misfit)))) entries.reread.add(uuid)
  }
  return entries
}

/** Also on the node itself something may stand before Xray. */
function entryOf(misfits: readonly Misfit[]): Entry {
  if (misfits.length === 0) return 'open'
  return isForwardable(misfits) ? 'forwarded' : 'closed'
}

/** Whether it leads to an address that a node had and has no more: a name may follow the node, or stay behind. */
function isLeft(host: SnapshotHost, before: readonly SnapshotNode[], after: readonly SnapshotNode[]): boolean {
  const addresses = new Set(after.map(({ address }) => bare(address)))
  const kept = new Set(after.map(({ uuid }) => uuid))
  const left = new Set(
    before.filter(({ uuid, address }) => kept.has(uuid) && !addresses.has(bare(address))).map(({ address }) => bare(address)),
  )
  return left.size > 0 && host.address.split(',').some((address) => left.has(bare(address)))
}

/** The nodes that a host leads to, as far as known: by its address, or by what an administrator says of it. */
function leadsTo(host: SnapshotHost, nodes: readonly SnapshotNode[]): ReadonlySet<string> | undefined {
  const addresses = host.address.split(',').map((address) => bare(address))
  const found = addresses.map((address) => nodes.filter((node) => bare(node.address) === address).map(({ uuid }) => uuid))
  if (found.every((uuids) => uuids.length > 0)) return new Set(found.flat())
  return host.nodes.length > 0 ? new Set(host.nodes) : undefined
}

function bare(address: string): string {
  return address.trim().toLowerCase().replaceAll(/[[\]]/g, '')
}

function isSame(one: Misfit, other: Misfit): boolean {
  return one.part === other.part && one.link === other.link && one.inbound === other.inbound
}

function isSameLink(one: SnapshotHost, other: SnapshotHost): boolean {
  const link = ({ address, port, path, host, sni, securityLayer, overrideSniFromAddress, inboundUuid }: SnapshotHost) =>
    JSON.stringify([address, port, path, host, sni, securityLayer, overrideSniFromAddress, inboundUuid])
  return link(one) === link(other)
}
