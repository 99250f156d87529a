import type { Plan } from '@causeway/contract'
import { sharedMethodOf } from '@causeway/xray'
import { CoreConfigs, type Core } from './cores.rules.ts'
import { lookUp, type Fleet } from './fleet.rules.ts'
import { makeChange, type PlannedChange, type Snapshot } from './snapshot.rules.ts'
import { compareWays } from './ways.rules.ts'

// One rule for everything that is planned: the change is made to a picture of the fleet, and the two pictures are compared.

/**
 * The effect of the change.
 * @returns undefined when its target does not exist
 */
export function planOf(snapshot: Snapshot, change: PlannedChange): Plan | undefined {
  const made = makeChange(snapshot, change)
  if (made === undefined) return undefined
  const { problems = [], notes = [], inbounds = [], likelyRenamed = [], follows = [] } = made
  const [before, after] = [lookUp(snapshot), lookUp(made.after)]
  const isAboutHosts = [change.saveHost, change.saveHosts, change.deleteHost, change.deleteHosts].some(Boolean)
  const ways = compareWays(snapshot, made.after)
  const nodes = nodesConcerned(before, after)
  const cutNodes = nodes.filter(({ core, isConnected }) => isConnected && core !== 'keeps')
  return {
    problems,
    notes,
    inbounds,
    likelyRenamed,
    hosts: [...hostsThatLose(before, after), ...(isAboutHosts ? [] : hostsThatLeave(after, ways.hostsThatLeave))],
    follows,
    overrides: ways.overrides,
    unsureHosts: ways.unsureHosts,
    squads: squadsThatLose(before, after),
    nodes,
    users: { ...ways.users, cut: cutNodes.reduce((sum, { usersOnline }) => sum + usersOnline, 0) },
  }
}

function hostsThatLose(before: Fleet, after: Fleet): Plan['hosts'] {
  return before.hosts.flatMap(({ uuid, name, inboundUuid }) => {
    const now = after.hostOf.get(uuid)
    if (now === undefined) return { uuid, name, loses: 'itself' as const }
    return inboundUuid !== null && now.inboundUuid === null ? { uuid, name, loses: 'inbound' as const } : []
  })
}

/** Hosts that stay but leave the subscriptions of some users. */
function hostsThatLeave(after: Fleet, left: ReadonlySet<string>): Plan['hosts'] {
  return after.hosts
    .filter(({ uuid, inboundUuid }) => left.has(uuid) && inboundUuid !== null)
    .map(({ uuid, name }) => ({ uuid, name, loses: 'users' as const }))
}

function squadsThatLose(before: Fleet, after: Fleet): Plan['squads'] {
  return before.squads.flatMap(({ uuid, name, inbounds }) => {
    const now = new Set(after.squadOf.get(uuid)?.inbounds)
    const lost = inbounds.filter((inbound) => !now.has(inbound))
    return lost.length > 0 ? { uuid, name, tags: before.tagsOf(lost) } : []
  })
}

/** Those whose inbounds or whose core change. A node that runs nothing before and after is not concerned. */
function nodesConcerned(before: Fleet, after: Fleet): Plan['nodes'] {
  const configs = new CoreConfigs()
  const gained = inboundsToldAtStart(before, after)
  return before.nodes.flatMap((node) => {
    const now = after.nodeOf.get(node.uuid)
    const [old, next] = [coreOf(before, node), now && coreOf(after, now)]
    if (old === undefined) return []
    const kept = new Set(now && after.activeInbounds(now))
    const tags = before.tagsOf(before.activeInbounds(node).filter((inbound) => !kept.has(inbound)))
    const isTold = node.isOfOurAgent || ![...kept].some((inbound) => gained.has(inbound))
    const core = next === undefined ? 'stops' : configs.isSame(old, next) && isTold ? 'keeps' : 'restarts'
    const { uuid, name, isConnected, usersOnline } = node
    const isSame = core === 'keeps' && tags.length === 0
    return isSame ? [] : { uuid, name, tags, core, isConnected, usersOnline }
  })
}

/** What its core is started with; undefined where it has none to run. */
function coreOf(fleet: Fleet, node: Snapshot['nodes'][number]): Core | undefined {
  const config = fleet.configOf(node.profileUuid)
  if (node.isDisabled || config === undefined || node.inbounds.length === 0) return undefined
  return { config, tags: fleet.tagsOf(fleet.activeInbounds(node)) }
}

/** Inbounds with new users that agents of the 2.1 generation take with a start of the core only. */
function inboundsToldAtStart(before: Fleet, after: Fleet): Set<string> {
  const gained = new Set<string>()
  for (const { squads } of before.groups) {
    const had = new Set(squads.flatMap((squad) => before.squadOf.get(squad)?.inbounds ?? []))
    const has = squads.flatMap((squad) => after.squadOf.get(squad)?.inbounds ?? [])
    for (const inbound of has) if (!had.has(inbound)) gained.add(inbound)
  }
  const taken = after.inbounds.filter(({ uuid, type, rawInbound }) => {
    const isShared = type === 'shadowsocks' && sharedMethodOf(rawInbound) !== undefined
    return gained.has(uuid) && (isShared || ['vmess', 'hysteria'].includes(type))
  })
  return new Set(taken.map(({ uuid }) => uuid))
}
