import {
  neverExpires,
  type AccessFinding,
  type AccessNode,
  type AccessStep,
  type AccessVerdict,
  type Misfit,
  type UserStatus,
} from '@causeway/contract'
import { isForwardable, misfitsOf, type LinkHost, type RunInbound } from '@causeway/subscription'

export interface AccessFacts {
  status: UserStatus
  expireAt: Date
  trafficLimitBytes: number
  usedTrafficBytes: number
  hwidDeviceLimit: number | null
  devices: number
  squads: number
  /** Inbounds that the squads open, and those of them that run on a node that is not switched off. */
  inbounds: number
  runningInbounds: number
  updatedAt: Date
  subRevokedAt: Date | null
  subLastOpenedAt: Date | null
}

export interface NodeFacts {
  uuid: string
  name: string
  countryCode: string
  isDisabled: boolean
  isConnected: boolean
  isXrayRunning: boolean
  lastStatusChange: Date | null
  lastStatusMessage: string | null
  /** The user's wanted state there, and the state that the agent acknowledged for the user's present keys. */
  wantedTags: string[]
  acknowledgedTags: string[]
  lastError: string | null
}

/** A host of the user's subscription, with the inbound that it leads into. */
export interface AccessHost extends LinkHost, RunInbound {
  uuid: string
  remark: string
}

/** A host whose link says something else than its inbound takes. */
export interface Unlike {
  uuid: string
  remark: string
  misfits: Misfit[]
  /** Something before the node may make it good. */
  isForwarded: boolean
}

export function unlikeHosts(hosts: readonly AccessHost[]): Unlike[] {
  return hosts.flatMap((host) => {
    const misfits = misfitsOf(host, host, host)
    return misfits.length > 0 ? [{ uuid: host.uuid, remark: host.remark, misfits, isForwarded: isForwardable(misfits) }] : []
  })
}

/** Undefined where the server asks no app for its device. */
type DeviceFallback = number | undefined

/** From the account to the app: at the first bad step the way ends. */
export function accessSteps(user: AccessFacts, reach: Reach, fallback: DeviceFallback, now: Date): AccessStep[] {
  return folded([
    statusStep(user),
    expiryStep(user, now),
    limitStep(user),
    deviceStep(user, fallback),
    { ...(user.squads > 0 ? good('squads.some') : bad('squads.none')), count: user.squads },
    inboundStep(user),
    hostsStep(reach),
    nodesStep(reach.nodes),
    subscriptionStep(user),
  ])
}

/** By which links a user gets to which nodes. */
export interface Reach {
  hosts: number
  unlike: readonly Pick<Unlike, 'isForwarded'>[]
  nodes: readonly Pick<AccessNode, 'state' | 'message'>[]
}

/** Findings that a finding before them brings about by itself. */
const CONSEQUENCES: Partial<Record<AccessFinding, readonly AccessFinding[]>> = {
  'expiry.passed': ['status.expired', 'nodes.none'],
  'limit.usedUp': ['status.limited', 'nodes.none'],
  'status.disabled': ['nodes.none'],
  'status.expired': ['nodes.none'],
  'status.limited': ['nodes.none'],
  'squads.none': ['inbounds.none', 'hosts.none', 'nodes.noneThere'],
  'inbounds.none': ['hosts.none', 'nodes.noneThere'],
  'inbounds.onNoNode': ['nodes.noneThere', 'nodes.allDown'],
}

/** One cause is one bad step: what follows from it says so. */
function folded(steps: readonly AccessStep[]): AccessStep[] {
  const consequences = new Set(steps.flatMap(({ finding, verdict }) => (verdict === 'bad' ? (CONSEQUENCES[finding] ?? []) : [])))
  return steps.map((one) => (one.verdict === 'bad' && consequences.has(one.finding) ? { ...one, verdict: 'follows' } : one))
}

export function canConnect(steps: readonly AccessStep[]): boolean {
  return steps.every(({ finding, verdict, count }) => verdict !== 'bad' && (finding !== 'nodes.onTheWay' || count !== 0))
}

/** A node serves a user when its agent has said so, of every inbound and with the keys of now. */
export function nodeAccess(node: NodeFacts, status: UserStatus): AccessNode {
  const state = nodeState(node, status)
  const message =
    state === 'waiting' ? node.lastError : state === 'serving' || state === 'userOff' ? null : node.lastStatusMessage
  const { uuid, name, countryCode, lastStatusChange: since } = node
  return { uuid, name, countryCode, state, since: since?.toISOString() ?? null, message: message || null }
}

function nodeState(node: NodeFacts, status: UserStatus): AccessNode['state'] {
  if (node.isDisabled) return 'disabled'
  if (!node.isConnected) return 'disconnected'
  if (!node.isXrayRunning) return 'coreStopped'
  if (status !== 'ACTIVE') return 'userOff'
  return node.wantedTags.every((tag) => node.acknowledgedTags.includes(tag)) ? 'serving' : 'waiting'
}

function statusStep({ status }: AccessFacts): AccessStep {
  switch (status) {
    case 'ACTIVE':
      return good('status.active')
    case 'DISABLED':
      return bad('status.disabled')
    case 'EXPIRED':
      return bad('status.expired')
    case 'LIMITED':
      return bad('status.limited')
  }
}

function expiryStep({ expireAt }: AccessFacts, now: Date): AccessStep {
  if (neverExpires(expireAt)) return good('expiry.endless')
  return expireAt > now ? good('expiry.ahead') : bad('expiry.passed')
}

function limitStep({ trafficLimitBytes: limit, usedTrafficBytes: used }: AccessFacts): AccessStep {
  if (limit === 0) return good('limit.unlimited')
  return used < limit ? good('limit.room') : bad('limit.usedUp')
}

/** The devices there are go on; one more is not let in. */
function deviceStep({ hwidDeviceLimit, devices }: AccessFacts, fallback: DeviceFallback): AccessStep {
  const limit = fallback === undefined ? 0 : (hwidDeviceLimit ?? fallback)
  if (limit === 0) return { ...good('devices.unlimited'), count: devices }
  return { ...(devices < limit ? good('devices.room') : warning('devices.full')), count: devices, of: limit }
}

function inboundStep({ inbounds, runningInbounds }: AccessFacts): AccessStep {
  if (inbounds === 0) return { ...bad('inbounds.none'), count: 0 }
  if (runningInbounds === 0) return { ...bad('inbounds.onNoNode'), count: 0, of: inbounds }
  return { ...good('inbounds.some'), count: runningInbounds, of: inbounds }
}

function hostsStep({ hosts, unlike }: Reach): AccessStep {
  const astray = unlike.filter(({ isForwarded }) => !isForwarded).length
  if (hosts === 0) return { ...bad('hosts.none'), count: 0 }
  if (astray === hosts) return { ...bad('hosts.allAstray'), count: astray, of: hosts }
  if (astray > 0) return { ...warning('hosts.someAstray'), count: astray, of: hosts }
  if (unlike.length > 0) return { ...good('hosts.forwarded'), count: unlike.length, of: hosts }
  return { ...good('hosts.some'), count: hosts }
}

const DOWN: readonly AccessNode['state'][] = ['disabled', 'disconnected', 'coreStopped']

function nodesStep(nodes: Reach['nodes']): AccessStep {
  const serving = nodes.filter(({ state }) => state === 'serving').length
  // Telling a node that failed is no matter of seconds.
  const told = nodes.filter(({ state, message }) => state === 'waiting' && message === null).length
  const numbers = { count: serving, of: nodes.length }
  if (nodes.length === 0) return { ...bad('nodes.noneThere'), ...numbers }
  if (told > 0) return { ...warning('nodes.onTheWay'), count: serving, of: serving + told }
  if (nodes.every(({ state }) => DOWN.includes(state))) return { ...bad('nodes.allDown'), ...numbers }
  if (serving === 0) return { ...bad('nodes.none'), ...numbers }
  return { ...(serving < nodes.length ? warning('nodes.some') : good('nodes.all')), ...numbers }
}

/** An app that holds keys from before a revoke is turned away; one that has not read other changes may still do. */
function subscriptionStep({ subLastOpenedAt: opened, subRevokedAt: revoked, updatedAt }: AccessFacts): AccessStep {
  if (!opened) return warning('subscription.never')
  if (revoked && opened < revoked) return bad('subscription.beforeRevoke')
  return opened < updatedAt ? warning('subscription.beforeChange') : good('subscription.opened')
}

const step = (verdict: AccessVerdict) => (finding: AccessFinding) => ({ finding, verdict })
const good = step('good')
const warning = step('warning')
const bad = step('bad')
