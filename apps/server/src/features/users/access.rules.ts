import {
  neverExpires,
  type AccessFinding,
  type AccessNode,
  type AccessStep,
  type AccessVerdict,
  type UserStatus,
} from '@causeway/contract'

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
  /** Hosts of these inbounds that are shown to users. */
  hosts: number
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

/** Undefined where the server asks no app for its device. */
type DeviceFallback = number | undefined

/** From the account to the app: at the first bad step the way ends. */
export function accessSteps(
  user: AccessFacts,
  nodes: Pick<AccessNode, 'state'>[],
  fallback: DeviceFallback,
  now: Date,
): AccessStep[] {
  return [
    statusStep(user),
    expiryStep(user, now),
    limitStep(user),
    deviceStep(user, fallback),
    { ...(user.squads > 0 ? good('squads.some') : bad('squads.none')), count: user.squads },
    inboundStep(user),
    { ...(user.hosts > 0 ? good('hosts.some') : bad('hosts.none')), count: user.hosts },
    nodesStep(nodes),
    subscriptionStep(user),
  ]
}

export function canConnect(steps: readonly AccessStep[]): boolean {
  return steps.every(({ verdict }) => verdict !== 'bad')
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

function nodesStep(nodes: Pick<AccessNode, 'state'>[]): AccessStep {
  const serving = nodes.filter(({ state }) => state === 'serving').length
  const numbers = { count: serving, of: nodes.length }
  if (nodes.length === 0) return { ...bad('nodes.noneThere'), ...numbers }
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
