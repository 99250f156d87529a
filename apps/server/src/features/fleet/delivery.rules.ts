import type { AddUserBody, RemoveUserBody, UserChangeReply } from '@causeway/contract'
import { addUserEntries, sharedKey, sharedMethodOf } from '@causeway/xray'

/** A user as a node should have it. */
export interface WantedUser {
  userId: number
  username: string
  vlessUuid: string
  trojanPassword: string
  ssPassword: string
  /** Inbounds of this node that the user may use; never empty. */
  tags: string[]
}

/** A user as a node last acknowledged it. No tags: it acknowledged having nothing of this name. */
export interface AcknowledgedUser {
  username: string
  userId: number
  vlessUuid: string
  tags: string[]
}

/** An inbound that is active on the node. */
export interface ActiveInbound {
  tag: string
  type: string
  rawInbound: unknown
}

/** One thing to tell an agent. `before` is where the user may still be, as far as known. */
export type Change =
  | { kind: 'add'; username: string; user: WantedUser; body: AddUserBody; before: string[] }
  | { kind: 'remove'; username: string; body: RemoveUserBody; before: string[] }

/** Agents want a uuid with every removal, also of users whose uuid is not known any more. */
const NO_UUID = '00000000-0000-0000-0000-000000000000'

/** The change to send to a node for a name: `undefined` when it is up to date. Without a wanted user everything is removed. */
export function planChange(
  username: string,
  wanted: WantedUser | undefined,
  acknowledged: AcknowledgedUser | undefined,
  inbounds: readonly ActiveInbound[],
): Change | undefined {
  const before = acknowledged?.tags ?? []
  if (!wanted) return before.length === 0 ? undefined : removal(username, acknowledged?.vlessUuid ?? NO_UUID, before)
  const isKnown =
    acknowledged?.userId === wanted.userId && acknowledged.vlessUuid === wanted.vlessUuid && hasSame(before, wanted.tags)
  return isKnown ? undefined : addition(wanted, acknowledged?.vlessUuid, before, inbounds)
}

/** Whether a name changes hands: bytes counted so far are the former user's and have to be booked before. */
export function changesHands(wanted: WantedUser | undefined, acknowledged: AcknowledgedUser | undefined): boolean {
  return wanted !== undefined && acknowledged !== undefined && wanted.userId !== acknowledged.userId
}

/** Users of a core by name: what each inbound knows them by (uuid or password). */
export type CoreUsers = Map<string, Map<string, string>>

/**
 * Changes that give a running core exactly the wanted users. Removals come first: Xray compares names without regard
 * to case, so that removing Alice after adding alice would remove the new user.
 */
export function planComparison(
  wanted: readonly WantedUser[],
  actual: CoreUsers,
  acknowledged: ReadonlyMap<string, AcknowledgedUser>,
  inbounds: readonly ActiveInbound[],
): Change[] {
  const byTag = new Map(inbounds.map((inbound) => [inbound.tag, inbound]))
  const additions: Change[] = []
  const removals: Change[] = []
  const seen = new Set<string>()
  for (const user of wanted) {
    seen.add(user.username)
    const has = actual.get(user.username)
    const known = acknowledged.get(user.username)
    if (has && isAsWanted(user, has, byTag)) continue
    const before = [...new Set([...(has?.keys() ?? []), ...(known?.tags ?? [])])]
    additions.push(addition(user, known?.vlessUuid ?? vlessUuidIn(has, byTag), before, inbounds))
  }
  for (const [username, has] of actual) {
    if (seen.has(username)) continue
    const known = acknowledged.get(username)
    removals.push(removal(username, known?.vlessUuid ?? vlessUuidIn(has, byTag) ?? NO_UUID, [...has.keys()]))
  }
  return [...removals, ...additions]
}

type Inbounds = ReadonlyMap<string, ActiveInbound>

function isAsWanted(user: WantedUser, has: ReadonlyMap<string, string>, inbounds: Inbounds): boolean {
  return has.size === user.tags.length && user.tags.every((tag) => has.get(tag) === credential(user, inbounds.get(tag)))
}

/** The credential of a user in an inbound. */
function credential(user: WantedUser, inbound: ActiveInbound | undefined): string {
  if (inbound?.type === 'trojan' || inbound?.type === 'hysteria') return user.trojanPassword
  if (inbound?.type !== 'shadowsocks') return user.vlessUuid
  const method = sharedMethodOf(inbound.rawInbound)
  return method ? sharedKey(user.vlessUuid, method) : user.ssPassword
}

function vlessUuidIn(has: ReadonlyMap<string, string> | undefined, inbounds: Inbounds): string | undefined {
  return [...(has ?? [])].find(([tag]) => ['vless', 'vmess'].includes(inbounds.get(tag)?.type ?? ''))?.[1]
}

/**
 * Changes of users that an agent of one change a call is told while its core runs. A start would cut all its connections. Beyond
 * this it takes so long that a start is the lesser evil.
 */
export const MOST_SINGLE_CHANGES = 10_000

/** Types of access that agents know by capability. */
const addedTypes: ReadonlySet<string> = new Set(['vmess', 'hysteria', 'shadowsocks2022'])

/** Whether agents of the 2.1 generation take users of this inbound with a start of the core only. */
export function isToldAtStart({ type, rawInbound }: Pick<ActiveInbound, 'type' | 'rawInbound'>): boolean {
  const access = type === 'shadowsocks' && sharedMethodOf(rawInbound) !== undefined ? 'shadowsocks2022' : type
  return addedTypes.has(access)
}

/**
 * The change in the types of access that the agent knows. An agent refuses everything that names an unknown type. A
 * type left out arrives with the next start; until then the inbounds asked about show that the change is missing.
 */
export function knownTo(change: Change, capabilities: ReadonlySet<string>): Change {
  if (change.kind === 'remove') return change
  const data = change.body.data.filter(({ type }) => !addedTypes.has(type) || capabilities.has(type))
  return data.length === change.body.data.length ? change : { ...change, body: { ...change.body, data } }
}

function addition(
  user: WantedUser,
  previousUuid: string | undefined,
  before: string[],
  inbounds: readonly ActiveInbound[],
): Change {
  const prev = previousUuid === undefined || previousUuid === user.vlessUuid ? {} : { prevVlessUuid: previousUuid }
  const body = { data: addUserEntries(user, inbounds), hashData: { vlessUuid: user.vlessUuid, ...prev } }
  return { kind: 'add', username: user.username, user, body, before }
}

function removal(username: string, vlessUuid: string, before: string[]): Change {
  return { kind: 'remove', username, body: { username, hashData: { vlessUuid } }, before }
}

/**
 * The meaning of an answer. Our agent names every inbound that did not take the change. One of the 2.1 generation
 * says yes when one of several inbounds did, and no for ever when it knows none. Then the inbounds must be asked.
 */
export function outcomeOf(change: Change, reply: UserChangeReply): 'holds' | 'failed' | 'unsure' {
  // An agent that was told less than is wanted can only have done less.
  const isWhole = change.kind === 'remove' || change.body.data.length >= change.user.tags.length
  if (reply.failures && isWhole) return reply.success && reply.failures.length === 0 ? 'holds' : 'failed'
  if (!reply.success) return 'unsure'
  if (change.kind === 'remove') return change.before.length <= 1 ? 'holds' : 'unsure'
  const isOnlyAdding = change.before.every((tag) => change.user.tags.includes(tag))
  return isWhole && isOnlyAdding && change.body.data.length === 1 ? 'holds' : 'unsure'
}

/** Whether a change that the agent was unclear about holds, seen from what its core has. `tags` are those of the node. */
export function holdsIn(change: Change, actual: CoreUsers): boolean {
  const has = actual.get(change.username) ?? new Map<string, string>()
  if (change.kind === 'remove') return has.size === 0
  return hasSame([...has.keys()], change.user.tags)
}

function hasSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((item) => other.includes(item))
}
