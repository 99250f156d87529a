import type { Plan } from '@causeway/contract'
import { isToldAtStart, MOST_SINGLE_CHANGES } from '../fleet/delivery.rules.ts'
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
  const cutNodes = nodes.filter(({ core, isConnected }) => isConnected && (core === 'restarts' || core === 'stops'))
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

/** How two pictures of the fleet differ for its users and cores, whatever the change was. */
export function differenceInFleet(before: Snapshot, after: Snapshot) {
  const [was, is] = [lookUp(before), lookUp(after)]
  const lost = compareWays(before, after).users
  const gained = compareWays(after, before).users
  const concerned = nodesConcerned(was, is).map(({ uuid, name, core }) => ({ uuid, name, core }))
  // Seen from behind, a core that stops is one that starts.
  const starting = nodesConcerned(is, was).flatMap(({ uuid, name, core }) =>
    core === 'stops' ? [{ uuid, name, core: 'starts' as const }] : [],
  )
  return {
    access: { gain: gained.all, lose: lost.all },
    ways: { more: gained.some, fewer: lost.some },
    nodes: [...concerned, ...starting],
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
  const groups = groupsTold(before, after)
  return before.nodes.flatMap((node) => {
    const now = after.nodeOf.get(node.uuid)
    const [old, next] = [coreOf(before, node), now && coreOf(after, now)]
    if (old === undefined) return []
    const kept = new Set(now && after.activeInbounds(now))
    const tags = before.tagsOf(before.activeInbounds(node).filter((inbound) => !kept.has(inbound)))
    const isTold = node.isOfOurAgent || takesChanges(groups, new Set(before.activeInbounds(node)), kept)
    const core = coreAfterwards()
    const { uuid, name, isConnected, usersOnline } = node
    const isSame = core === 'keeps' && tags.length === 0
    return isSame ? [] : { uuid, name, tags, core, isConnected, usersOnline }

    function coreAfterwards(): Plan['nodes'][number]['core'] {
      if (now === undefined || old === undefined || next === undefined) return 'stops'
      // The same agent by another way, or another machine whose core runs what was never told.
      if (node.address !== now.address || node.port !== now.port) return 'unknown'
      return configs.isSame(old, next) && isTold ? 'keeps' : 'restarts'
    }
  })
}

/** What its core is started with; undefined where it has none to run. */
function coreOf(fleet: Fleet, node: Snapshot['nodes'][number]): Core | undefined {
  const config = fleet.configOf(node.profileUuid)
  if (node.isDisabled || config === undefined || node.inbounds.length === 0) return undefined
  return { config, tags: fleet.tagsOf(fleet.activeInbounds(node)) }
}

interface GroupTold {
  had: ReadonlySet<string>
  has: ReadonlySet<string>
  isToldAtStart: (inbound: string) => boolean
  users: number
}

/** The users whose inbounds change, by the squads they are in. */
function groupsTold(before: Fleet, after: Fleet): GroupTold[] {
  const atStart = new Set(after.inbounds.filter((inbound) => isToldAtStart(inbound)).map(({ uuid }) => uuid))
  const inboundsOf = (fleet: Fleet, squads: string[]) =>
    new Set(squads.flatMap((squad) => fleet.squadOf.get(squad)?.inbounds ?? []))
  return before.groups.flatMap(({ squads, users }, place) => {
    const [had, has] = [inboundsOf(before, squads), inboundsOf(after, after.groups[place]?.squads ?? [])]
    const isSame = had.size === has.size && [...had].every((inbound) => has.has(inbound))
    return isSame ? [] : { had, has, users, isToldAtStart: (inbound: string) => atStart.has(inbound) }
  })
}

/**
 * Whether an agent of the 2.1 generation can tell its running core all of it. It sets a user's inbounds as a whole: one that it
 * knows at a start only keeps the others from changing too.
 */
function takesChanges(groups: readonly GroupTold[], ran: ReadonlySet<string>, runs: ReadonlySet<string>): boolean {
  let changes = 0
  for (const group of groups) {
    const tags = [...group.has].filter((inbound) => runs.has(inbound))
    const before = [...group.had].filter((inbound) => ran.has(inbound))
    if (tags.length === before.length && before.every((inbound) => tags.includes(inbound))) continue
    if (tags.some((inbound) => group.isToldAtStart(inbound))) return false
    changes += group.users
  }
  return changes <= MOST_SINGLE_CHANGES
}
