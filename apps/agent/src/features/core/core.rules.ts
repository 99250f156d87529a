import { AGENT_CAPABILITIES, type AgentCapability, type HashPayload, hashPayload } from '@causeway/contract/agent'

/** The hashes a start request carries in a header; undefined when missing or unreadable (docs/wire.md 22). */
export function readHashPayload(header: string | string[] | undefined): HashPayload | undefined {
  if (typeof header !== 'string') return undefined
  try {
    return hashPayload.parse(JSON.parse(Buffer.from(header, 'base64').toString('utf8')))
  } catch {
    return undefined
  }
}

export function isForced(header: string | string[] | undefined): boolean {
  return header === 'true' || header === '1'
}

/** Capabilities of this agent; one in a checkout is not updated. */
export function capabilitiesOf({ isUpdated }: { isUpdated: boolean }): AgentCapability[] {
  return AGENT_CAPABILITIES.filter((name) => name !== 'updates' || isUpdated)
}
