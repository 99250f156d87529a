import {
  NEAR_LIMIT_SHARE,
  type Node,
  type NodeUpdate,
  type NodeUpdates,
  type Rollout,
  type ServerCertificate,
  type User,
} from '@causeway/contract'
import { awaitsProofOf, isTold } from '../../config-profiles/rollouts/rollouts.rules.ts'
import { nodeState, type NodeSigns } from '../../nodes/nodes.rules.ts'
import { toldUpdate } from '../../nodes/updates/node-updates.rules.ts'
import { EXPIRY_SOON_MS } from '../../users/users.rules.ts'

// Things that need attention now.

const URGENCY = ['red', 'yellow', 'blue', 'gray', 'teal'] as const
/** More than these rows would push every figure off the first screen. */
const MOST_ROWS = 8
const SHOWN_ROWS = 6

interface Urgent {
  color: (typeof URGENCY)[number]
}

/** Broken things before chores, each in its order. */
export function urgentFirst<Item extends Urgent>(items: readonly Item[]): Item[] {
  return [...items].sort((one, other) => URGENCY.indexOf(one.color) - URGENCY.indexOf(other.color))
}

/** The rows that stand there unasked, and how many others there are. */
export function foldItems<Item extends Urgent>(items: readonly Item[]): { shown: readonly Item[]; folded: number } {
  if (items.length <= MOST_ROWS) return { shown: items, folded: 0 }
  return { shown: items.slice(0, SHOWN_ROWS), folded: items.length - SHOWN_ROWS }
}

/** Nodes that should serve and do not. */
export function deadNodes<One extends NodeSigns>(nodes: readonly One[]): One[] {
  return nodes.filter((node) => ['connecting', 'disconnected'].includes(nodeState(node)))
}

/** Nodes whose agent has never been heard of. */
export function waitingNodes<One extends NodeSigns>(nodes: readonly One[]): One[] {
  return nodes.filter((node) => nodeState(node) === 'waiting')
}

/** Failed roll-outs, until the profile is saved again. */
export function failedRollouts(rollouts: readonly Rollout[]): Rollout[] {
  return rollouts.filter((rollout) => rollout.state === 'failed' && isTold(rollout, { updatedAt: rollout.profileUpdatedAt }))
}

/** The last update of nodes, while its failure is news. */
export function failedUpdate(updates: NodeUpdates, now: number): NodeUpdate | undefined {
  const last = toldUpdate(updates, new Date(now))
  return last?.state === 'failed' ? last : undefined
}

/** Roll-outs that wait for traffic of a user to prove the revision. */
export function unprovenRollouts(rollouts: readonly Rollout[]): Rollout[] {
  return rollouts.filter((rollout) => awaitsProofOf(rollout).length > 0)
}

type TrackedNode = Pick<Node, 'isTrafficTrackingActive' | 'trafficUsedBytes' | 'trafficLimitBytes'>

/** Nodes whose tracked traffic has come close to their limit. */
export function nearlyUsedUpNodes<One extends TrackedNode>(nodes: readonly One[]): One[] {
  return nodes.filter(({ isTrafficTrackingActive, trafficUsedBytes, trafficLimitBytes }) => {
    return (
      isTrafficTrackingActive &&
      Boolean(trafficLimitBytes) &&
      (trafficUsedBytes ?? 0) >= NEAR_LIMIT_SHARE * (trafficLimitBytes ?? 0)
    )
  })
}

/** Of active users sorted by expiry: those whose access ends within three days. */
export function expiringSoon(users: readonly User[], now: number): User[] {
  return users.filter(({ expireAt }) => Date.parse(expireAt) - now <= EXPIRY_SOON_MS)
}

const CERTIFICATE_SOON_MS = 30 * 86_400_000
/** The authority is renewed with two years left: with less than one, that has failed for long. */
const AUTHORITY_SOON_MS = 365 * 86_400_000

/** Nodes whose certificate has ended or does so within a month. Agents of ours get another one a year before: these did not. */
export function endingCertificates(nodes: readonly Node[], now: number): (Node & { certificateExpiresAt: string })[] {
  return nodes
    .flatMap((node) => {
      const { certificateExpiresAt: at, isDisabled } = node
      return at && !isDisabled && Date.parse(at) - now < CERTIFICATE_SOON_MS ? [{ ...node, certificateExpiresAt: at }] : []
    })
    .sort((one, other) => Date.parse(one.certificateExpiresAt) - Date.parse(other.certificateExpiresAt))
}

/** When the authority ends, if that is near. */
export function endingAuthority(expiresAt: string | undefined, now: number): string | undefined {
  return expiresAt !== undefined && Date.parse(expiresAt) - now < AUTHORITY_SOON_MS ? expiresAt : undefined
}

/** Names whose last try for a certificate failed. */
export function failedCertificates(certificates: readonly ServerCertificate[]): ServerCertificate[] {
  return certificates.filter(({ failure }) => failure !== null)
}
