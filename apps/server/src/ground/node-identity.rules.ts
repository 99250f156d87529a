// Certificates that name their node (docs/decisions/081). Those in secret keys name none.

/** Certificates that a node's agent may show. */
export interface NodeIdentity {
  /** Of certificates that were signed for the node and count, as SHA-256 in hexadecimal digits. */
  fingerprints: string[]
  /** One of them was seen at the node, or all are revoked: nothing else counts any more. */
  isRequired: boolean
  /** The agent with the newest of them calls the server, which cannot call it. */
  isCalling: boolean
}

export interface SignedCertificate {
  certPem: string
  /** SHA-256 in hexadecimal digits. */
  fingerprint: string
  endsAt: Date
}

/** Of the certificate that a peer shows. */
export interface Peer {
  names: string | undefined
  fingerprint: string
}

export type PeerProblem = 'otherNode' | 'unknown'

const NODE_NAME = 'urn:uuid:'

/** The name of a node in its certificate. */
export function nameOfNode(uuid: string): string {
  return NODE_NAME + uuid
}

/** The uuid of the node that a certificate names, by its further names. */
export function namedNode(names = ''): string | undefined {
  return new RegExp(`URI:${NODE_NAME}([0-9a-f-]{36})`).exec(names)?.[1]
}

/** Why this peer is not the agent of the node; undefined where it may be. */
export function peerProblem(
  { names, fingerprint }: Peer,
  node: { uuid: string; identity: Omit<NodeIdentity, 'isCalling'> | null },
): PeerProblem | undefined {
  const named = namedNode(names)
  if (named !== undefined && named !== node.uuid) return 'otherNode'
  if (!node.identity?.isRequired || node.identity.fingerprints.includes(fingerprint)) return undefined
  return 'unknown'
}
