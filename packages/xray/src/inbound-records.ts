import { canonicalJson } from './canonical-json.ts'
import { inboundsOf, isObject, objectAt, textAt, userProtocolOf, type UserProtocol, type XrayObject } from './config.ts'

/** The panel's record of an inbound that carries users. */
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
 * An inbound keeps its identity as long as its protocol and tag stay, or when its new tag is named. Squads, nodes and
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
  const rest = new Set(existing.map(({ uuid }) => uuid))
  for (const inbound of derived) {
    const record = known.get(inbound.tag)
    if (record?.type === inbound.type) {
      plan.update.push({ ...inbound, uuid: record.uuid })
      rest.delete(record.uuid)
    } else plan.create.push(inbound)
  }
  return { ...plan, delete: [...rest] }
}

/**
 * Finds the inbound that seems to have been renamed: one vanished and one appeared with all but the tag equal.
 * Failing that, with protocol and port equal, or with all but tag and port, as tags often name the port. The match
 * must be the only one.
 */
export function guessRenamings(existing: readonly Guessed[], derived: readonly InboundRecord[]): Renaming[] {
  const [old, now] = [new Set(existing.map(({ tag }) => tag)), new Set(derived.map(({ tag }) => tag))]
  let gone = existing.filter(({ tag }) => !now.has(tag))
  let come: readonly Guessed[] = derived.filter(({ tag }) => !old.has(tag))
  const found: Renaming[] = []
  // Each inbound is written out once per likeness, and found by that text: there may be a thousand of them.
  for (const likeness of [allBut('tag'), door, allBut('tag', 'port')]) {
    const [before, after] = [Map.groupBy(gone, likeness), Map.groupBy(come, likeness)]
    const pairs = [...before].flatMap(([like, [from, ...moreFrom]]) => {
      const [to, ...moreTo] = like === null ? [] : (after.get(like) ?? [])
      return from && to && moreFrom.length === 0 && moreTo.length === 0 ? { from: from.tag, to: to.tag } : []
    })
    found.push(...pairs)
    const [taken, given] = [new Set(pairs.map(({ from }) => from)), new Set(pairs.map(({ to }) => to))]
    gone = gone.filter(({ tag }) => !taken.has(tag))
    come = come.filter(({ tag }) => !given.has(tag))
  }
  return found
}

interface Guessed {
  tag: string
  type: string
  port: number | null
  rawInbound: unknown
}

/** Equal for inbounds that are the same but for these keys. */
function allBut(...keys: string[]) {
  const blank = Object.fromEntries(keys.map((key) => [key, '']))
  return ({ type, rawInbound }: Guessed): string | null =>
    `${type} ${canonicalJson(isObject(rawInbound) ? { ...rawInbound, ...blank } : rawInbound)}`
}

/** Equal for inbounds of one protocol and port; null for one without a port, which is like no other. */
function door({ type, port }: Guessed): string | null {
  return port === null ? null : `${type} ${port}`
}

/** Xray takes a number, a list such as `443,8443` or a range. A range has no first port that clients could be given. */
function firstPort(port: unknown): number | null {
  if (typeof port === 'number') return Number.isInteger(port) ? port : null
  if (typeof port !== 'string') return null
  const first = port.split(',')[0]?.trim() ?? ''
  return /^\d+$/.test(first) ? Number(first) : null
}
