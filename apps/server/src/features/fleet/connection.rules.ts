/**
 * The state machine of a node's connection (docs/wire.md 26). Every phase has its reason, and each attempt to connect
 * ends in one of the settled phases.
 */
export type Phase = 'disabled' | 'connecting' | 'restarting' | 'connected' | 'agentAway' | 'coreDown'

export interface Connection {
  phase: Phase
  /** A sentence for the administrator; null where nothing is wrong. */
  reason: string | null
}

export type ConnectionEvent =
  /** A start is about to be asked for, or the node is being looked for. */
  | { kind: 'startBegun' }
  /** The agent says that the core runs with the configuration it was given, or a health check went well. */
  | { kind: 'running' }
  /** The agent answered, but its core does not run, or no configuration can be made for it. */
  | { kind: 'notRunning'; reason: string }
  /** No trusted peer answers. */
  | { kind: 'unreachable'; reason: string }
  | { kind: 'disabled' }

/** Stands for the hash of a configuration that a core runs for another installation, which was imported. */
export const FOREIGN_CONFIG = 'of another installation'

/** The connection after an event. */
export function nextConnection(connection: Connection, event: ConnectionEvent): Connection {
  // A node switched off stays off until a start is asked for, whatever calls that were under way still report.
  if (connection.phase === 'disabled' && event.kind !== 'startBegun') return { phase: 'disabled', reason: null }
  switch (event.kind) {
    case 'startBegun': {
      const isServing = connection.phase === 'connected' || connection.phase === 'restarting'
      return { phase: isServing ? 'restarting' : 'connecting', reason: connection.reason }
    }
    case 'running':
      return { phase: 'connected', reason: null }
    case 'notRunning':
      return { phase: 'coreDown', reason: event.reason }
    case 'unreachable':
      return { phase: 'agentAway', reason: event.reason }
    case 'disabled':
      return { phase: 'disabled', reason: null }
  }
}

export interface WireConnection {
  isConnected: boolean
  isConnecting: boolean
  isNodeOnline: boolean
  isXrayRunning: boolean
  lastStatusMessage: string | null
}

/** The fields of the wire that say the same. */
export function toWire({ phase, reason }: Connection): WireConnection {
  const isServing = phase === 'connected' || phase === 'restarting'
  return {
    isConnected: isServing,
    isConnecting: phase === 'connecting' || phase === 'restarting',
    isNodeOnline: isServing || phase === 'coreDown',
    isXrayRunning: isServing,
    lastStatusMessage: reason,
  }
}

/** The phase that stored fields tell of; another server, or an earlier run of this one, wrote them. */
export function fromWire(isDisabled: boolean, wire: WireConnection): Connection {
  const reason = wire.lastStatusMessage
  if (isDisabled) return { phase: 'disabled', reason: null }
  if (wire.isConnected) return { phase: 'connected', reason: null }
  if (wire.isConnecting) return { phase: 'connecting', reason }
  return { phase: wire.isNodeOnline ? 'coreDown' : 'agentAway', reason }
}

/** Whether an administrator would see a difference, which is when `lastStatusChange` moves. */
export function hasChanged(before: WireConnection, after: WireConnection): boolean {
  // An attempt that ends as the one before did leaves a node down since it went down, not since the last attempt.
  const isStillDown = !before.isConnected && !after.isConnected && (before.lastStatusMessage ?? '') !== ''
  if (isStillDown && before.lastStatusMessage === after.lastStatusMessage) return false
  return (
    before.isConnected !== after.isConnected ||
    before.isConnecting !== after.isConnecting ||
    before.isNodeOnline !== after.isNodeOnline ||
    before.isXrayRunning !== after.isXrayRunning ||
    (before.lastStatusMessage ?? '') !== (after.lastStatusMessage ?? '')
  )
}

const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 30_000

/** How long to wait after so many failures in a row. */
export function retryPauseMs(failures: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** Math.max(failures - 1, 0), LONGEST_PAUSE_MS)
}
