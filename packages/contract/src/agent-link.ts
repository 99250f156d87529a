// How an agent that the server cannot call holds connections open itself (docs/decisions/081). Loaded by agents, so it stays small.

/** Below the panel's address; followed by the uuid of the node. */
export const LINK_PATH = '/node-link'
/** The protocol of the upgrade: bytes of the TLS connection that the server would have opened to the agent. */
export const LINK_PROTOCOL = 'causeway-node'
export const LINK_SCHEME = 'Causeway-Node'
/** Names a run of the agent, so that a copy of the machine is told from the agent itself. */
export const LINK_RUN_HEADER = 'x-causeway-run'
/** A proof counts for so long, before and after its time. */
export const LINK_PROOF_MS = 600_000
/** The agent replaces connections that were not used within this time; the server does not use older ones. */
export const LINK_FRESH_MS = 40_000

/** The key of the node signs this text. */
export function linkProofText(uuid: string, at: number): string {
  return `causeway node link\n${uuid}\n${at}`
}
