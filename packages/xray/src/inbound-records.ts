import { canonicalJson } from './canonical-json.ts'
import { inboundsOf, isObject, objectAt, textAt, userProtocolOf, type UserProtocol, type XrayObject } from './config.ts'

/** What the panel keeps of each inbound that carries users. */
export interface InboundRecord {
  tag: string
  type: UserProtocol
  network: string | null
  security: string | null
  port: number | null
  rawInbound: XrayObject
}

export interface InboundSync {
  create: InboundRecord[]
  /** Every inbound that stays, so that stored data is always fresh. */
  update: (InboundRecord & { uuid: string })[]
  delete: string[]
}

/** The inbounds of a checked profile that users can be given. */
export function deriveInbounds(config: XrayObject): InboundRecord[] {
  return inboundsOf(config).flatMap((inbound) => {
    const type = userProtocolOf(inbound)
    if (!type) return []
    const stream = objectAt(inbound, 'streamSettings')
    return {
      tag: textAt(inbound, 'tag'),
      type,
      network: textAt(stream, 'network') || null,
      security: textAt(stream, 'security') || null,
      port: firstPort(inbound['port']),
      rawInbound: inbound,
    }
  })
}

/** An inbound that goes on under another tag. */
export interface Renaming {
  from: string
  to: string
}

/**
 * An inbound is the same as long as its protocol stays and its tag does, or is said to have become another; squads, nodes and
 * hosts keep pointing to it.
 */
export function planInboundSync(
  existing: readonly { uuid: string; tag: string; type: string }[],
  derived: readonly InboundRecord[],
  renamings: readonly Renaming[] = [],
): InboundSync {
  const plan: InboundSync = { create: [], update: [], delete: [] }
  const newTags = new Map(renamings.map(({ from, to }) => [from, to]))
  const [old, now] = [new Set(existing.map(({ tag }) => tag)), new Set(derived.map(({ tag }) => tag))]
  // A tag that an inbound has already stays that inbound's, whatever was said; of two that would take one, the first gets it.
  const known = new Map(
    existing.toReversed().map((record) => {
      const renamed = now.has(record.tag) ? undefined : newTags.get(record.tag)
      return [renamed === undefined || old.has(renamed) ? record.tag : renamed, record]
    }),
  )
  plan.delete = existing.map(({ uuid }) => uuid)
  for (const inbound of derived) {
    const record = known.get(inbound.tag)
    if (record?.type === inbound.type) {
      plan.update.push({ ...inbound, uuid: record.uuid })
      plan.delete = plan.delete.filter((uuid) => uuid !== record.uuid)
    } else plan.create.push(inbound)
  }
  return plan
}

/**
 * What seems to have been given another tag: of one that vanished and one that appeared, all but the tag is the same, or at
 * least protocol and port are, or all but tag and port, as tags often name the port; and no other could be meant.
 */
export function guessRenamings(
  existing: readonly { tag: string; type: string; port: number | null; rawInbound: unknown }[],
  derived: readonly InboundRecord[],
): Renaming[] {
  const gone = existing.filter(({ tag }) => !derived.some((inbound) => inbound.tag === tag))
  const come = derived.filter(({ tag }) => !existing.some((inbound) => inbound.tag === tag))
  const found: Renaming[] = []
  for (const isLike of [isSameBut('tag'), isSameDoor, isSameBut('tag', 'port')]) {
    const rest = gone.filter(({ tag }) => !found.some(({ from }) => from === tag))
    const free = come.filter(({ tag }) => !found.some(({ to }) => to === tag))
    for (const inbound of rest) {
      const [like, ...others] = free.filter((one) => isLike(inbound, one))
      const isMutual = like !== undefined && rest.filter((one) => isLike(one, like)).length === 1
      if (like && isMutual && others.length === 0) found.push({ from: inbound.tag, to: like.tag })
    }
  }
  return found
}

function isSameBut(...keys: string[]) {
  const without = (raw: unknown) =>
    canonicalJson(isObject(raw) ? { ...raw, ...Object.fromEntries(keys.map((key) => [key, ''])) } : raw)
  return (one: { type: string; rawInbound: unknown }, other: InboundRecord) =>
    one.type === other.type && without(one.rawInbound) === without(other.rawInbound)
}

function isSameDoor(one: { type: string; port: number | null }, other: InboundRecord): boolean {
  return one.type === other.type && one.port !== null && one.port === other.port
}

/** Xray takes a number, a list such as `443,8443` or a range. A range has no first port that clients could be given. */
function firstPort(port: unknown): number | null {
  if (typeof port === 'number') return Number.isInteger(port) ? port : null
  if (typeof port !== 'string') return null
  const first = port.split(',')[0]?.trim() ?? ''
  return /^\d+$/.test(first) ? Number(first) : null
}
