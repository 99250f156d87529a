import { NODE_PARTS, type NodePart } from '@causeway/contract'

export type PartVersions = Record<NodePart, string>

interface NodeVersions {
  nodeVersion: string | null
  xrayVersion: string | null
}

/** Parts of a node that are older than those that the server carries. */
export function listOlder({ nodeVersion, xrayVersion }: NodeVersions, carried: PartVersions): NodePart[] {
  const held = { agent: nodeVersion, core: xrayVersion }
  return NODE_PARTS.filter((part) => isOlder(held[part], carried[part]))
}

/** Numbers are compared, whatever follows them. A version that is not known is not older. */
export function isOlder(held: string | null, carried: string): boolean {
  const [own, other] = [held, carried].map((text) =>
    /^v?(\d+)\.(\d+)\.(\d+)/
      .exec(text ?? '')
      ?.slice(1)
      .map(Number),
  )
  if (!own || !other) return false
  const place = own.findIndex((number, index) => number !== other[index])
  return place >= 0 && (own[place] ?? 0) < (other[place] ?? 0)
}
