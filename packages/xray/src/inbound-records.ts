import { inboundsOf, isUserProtocol, objectAt, textAt, type UserProtocol, type XrayObject } from './config.ts'

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
    const type = inbound['protocol']
    if (!isUserProtocol(type)) return []
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

/** An inbound is the same as long as tag and protocol stay; squads, nodes and hosts keep pointing to it. */
export function planInboundSync(
  existing: readonly { uuid: string; tag: string; type: string }[],
  derived: readonly InboundRecord[],
): InboundSync {
  const plan: InboundSync = { create: [], update: [], delete: [] }
  const known = new Map(existing.map((record) => [record.tag, record]))
  for (const inbound of derived) {
    const record = known.get(inbound.tag)
    if (record?.type === inbound.type) {
      plan.update.push({ ...inbound, uuid: record.uuid })
      known.delete(inbound.tag)
    } else plan.create.push(inbound)
  }
  plan.delete = [...known.values()].map((record) => record.uuid)
  return plan
}

/** Xray takes a number, a list such as `443,8443` or a range. A range has no first port that clients could be given. */
function firstPort(port: unknown): number | null {
  if (typeof port === 'number') return Number.isInteger(port) ? port : null
  if (typeof port !== 'string') return null
  const first = port.split(',')[0]?.trim() ?? ''
  return /^\d+$/.test(first) ? Number(first) : null
}
