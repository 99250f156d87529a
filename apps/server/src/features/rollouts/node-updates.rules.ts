import { NODE_PARTS, type NodePart } from '@causeway/contract'

/** Geo files have one only where some were uploaded. */
export type PartVersions = Record<Exclude<NodePart, 'geo'>, string> & { geo: string | null }

interface NodeVersions {
  nodeVersion: string | null
  xrayVersion: string | null
  geoVersion: string | null
}

/** Parts of a node that are older than those that the server carries; of geo files those that are others. */
export function listOlder({ nodeVersion, xrayVersion, geoVersion }: NodeVersions, carried: PartVersions): NodePart[] {
  const isOffered = {
    agent: isOlder(nodeVersion, carried.agent),
    core: isOlder(xrayVersion, carried.core),
    geo: carried.geo !== null && geoVersion !== null && geoVersion !== carried.geo,
  }
  return NODE_PARTS.filter((part) => isOffered[part])
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
