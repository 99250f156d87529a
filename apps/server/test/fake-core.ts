import { agentErrors } from '@causeway/contract'
import type { XrayObject } from '@causeway/xray'

/** How an agent says that no core runs. */
export class NoCore extends Error {
  readonly code: string

  constructor(error: keyof typeof agentErrors) {
    super('Xray is not running.')
    this.code = agentErrors[error].code
  }
}

/** Nothing reads them. */
export const SYSTEM_STATS = Object.fromEntries(
  ['numGoroutine', 'numGC', 'alloc', 'totalAlloc', 'sys', 'mallocs', 'frees', 'liveObjects', 'pauseTotalNs'].map((name) => [
    name,
    1,
  ]),
)

interface Bytes {
  uplink: number
  downlink: number
}

export interface FakeCore {
  id: string
  /** As it was started with. */
  inbounds: XrayObject[]
  startedAt: number
  /** By inbound, what each user is known by. */
  users: Map<string, Map<string, string>>
  counters: Map<string, Bytes>
}
