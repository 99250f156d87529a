import type { NodeTask } from './tasks.queries.ts'
import type { WantedState } from './worker.rules.ts'

/** Requests to a node, as far as they decide the next step. */
export function wantedStateOf(node: NodeTask): WantedState {
  return {
    isDisabled: node.isDisabled,
    isShownOn: node.isConnected || node.isConnecting || node.isNodeOnline || node.isXrayRunning,
    isServable: node.activeConfigProfileId !== null && Boolean(node.hasInbounds),
    requestTicket: node.requestTicket,
    isStartRequested: node.startRequestedAt !== null,
    isStopRequested: node.stopRequestedAt !== null,
    isCompareRequested: node.compareRequestedAt !== null,
    deliveryDueInMs: node.deliveryDueInMs,
    isFilterRequested: node.filtersRequestedAt !== null,
    isPartWanted: node.partWanted !== null,
  }
}
