import { nextConnection, retryPauseMs, type Connection, type ConnectionEvent } from './connection.rules.ts'

/** How often the agent is asked whether it needs another certificate, and whether its core is as it was left. */
const AGENT_CHECK_MS = 3_600_000
/** How long "another panel clears the counters" is shown after it was last seen. */
const WARNING_LASTS_MS = 3_600_000

export interface WorkerPeriods {
  pollMs: number
  healthMs: number
  /** How long an agent may leave a call or a probe unanswered before it is probed, or probed again. */
  patienceMs: number
}

/** State of a worker besides the database. Instants are ms of a clock that nothing sets. */
export interface Watch {
  /** As the dashboard shows it. */
  readonly connection: Connection
  /** The node answered this worker. Until then what the database says of it is hearsay. */
  readonly isSettled: boolean
  /** In a row. */
  readonly failures: number
  readonly retryAt: number
  /** The last request that was tried. */
  readonly attemptedTicket: number
  readonly pollAt: number
  readonly healthAt: number
  /** When another panel was last seen to clear the counters. */
  readonly warnedAt: number
  readonly agentCheckAt: number
  /** The agent was told what it filters since it was last connected. */
  readonly isFiltered: boolean
}

export function newWatch(now: number): Watch {
  return {
    connection: { phase: 'agentAway', reason: null },
    isSettled: false,
    failures: 0,
    retryAt: 0,
    attemptedTicket: -1,
    pollAt: 0,
    healthAt: 0,
    warnedAt: now,
    agentCheckAt: 0,
    isFiltered: false,
  }
}

/** State of a node in the database that decides the next step. */
export interface WantedState {
  isDisabled: boolean
  /** Any sign of life that the dashboard would still show. */
  isShownOn: boolean
  isServable: boolean
  requestTicket: number
  isStartRequested: boolean
  isStopRequested: boolean
  isCompareRequested: boolean
  deliveryDueInMs: number | null
  isFilterRequested: boolean
  isPartWanted: boolean
}

export type Step =
  | { kind: 'connect'; isAskedAnew: boolean }
  | { kind: 'wait'; ms: number }
  | {
      kind:
        | 'showOff'
        | 'stop'
        | 'release'
        | 'disable'
        | 'restart'
        | 'compare'
        | 'deliver'
        | 'filter'
        | 'checkAgent'
        | 'poll'
        | 'checkHealth'
        | 'updatePart'
    }

/** The next thing to do for a node. */
export function nextStep(watch: Watch, wanted: WantedState, now: number): Step {
  const isAskedAnew = wanted.requestTicket !== watch.attemptedTicket
  const isToWait = !isAskedAnew && now < watch.retryAt
  const retry: Step = { kind: 'wait', ms: watch.retryAt - now }
  if (wanted.isDisabled) {
    if (wanted.isShownOn) return { kind: 'showOff' }
    if (!wanted.isStopRequested) return { kind: 'release' }
    return isToWait ? retry : { kind: 'stop' }
  }
  if (!wanted.isServable) return { kind: 'disable' }
  if (!watch.isSettled || watch.connection.phase !== 'connected') return isToWait ? retry : { kind: 'connect', isAskedAnew }
  if (wanted.isStartRequested) return { kind: 'restart' }
  if (wanted.isCompareRequested) return { kind: 'compare' }
  const { deliveryDueInMs } = wanted
  if (deliveryDueInMs !== null && deliveryDueInMs <= 0) return { kind: 'deliver' }
  if (!watch.isFiltered || wanted.isFilterRequested) return { kind: 'filter' }
  if (now >= watch.agentCheckAt) return { kind: 'checkAgent' }
  if (now >= watch.pollAt) return { kind: 'poll' }
  if (now >= watch.healthAt) return { kind: 'checkHealth' }
  // Takes seconds to minutes: users are served between its pieces.
  if (wanted.isPartWanted) return { kind: 'updatePart' }
  return { kind: 'wait', ms: Math.min(watch.pollAt - now, watch.healthAt - now, deliveryDueInMs ?? Infinity) }
}

export type WatchEvent =
  /** The database was read. */
  | { kind: 'read'; connection: Connection }
  /** Of the connection, which the dashboard shows. */
  | { kind: 'reported'; event: ConnectionEvent }
  /** An attempt to connect begins, or to end the core of a node that was switched off. */
  | { kind: 'tried'; ticket: number; isToStop?: boolean }
  /** The core runs as wanted; its counters may have been read. */
  | { kind: 'settled'; isSampled: boolean }
  | { kind: 'filtered' }
  | { kind: 'polled' | 'healthChecked' | 'agentChecked' | 'disturbed' | 'stopped' }
  | { kind: 'failed' }
  /** After a failure: the node serves all the same. */
  | { kind: 'postponed' }
  /** After a failure: the node does not serve. */
  | { kind: 'lost' }
  /** After a failure to end a core. */
  | { kind: 'stopDelayed' }

/** Applies an event to the worker's knowledge. */
export function afterEvent(watch: Watch, event: WatchEvent, now: number, { pollMs, healthMs }: WorkerPeriods): Watch {
  switch (event.kind) {
    case 'read':
      return { ...watch, connection: event.connection }
    case 'reported':
      return { ...watch, connection: nextConnection(watch.connection, event.event) }
    case 'tried':
      return { ...watch, attemptedTicket: event.ticket, isSettled: watch.isSettled && !event.isToStop }
    case 'settled':
      return {
        ...watch,
        isSettled: true,
        isFiltered: false,
        failures: 0,
        pollAt: now + (event.isSampled ? pollMs : 0),
        healthAt: now + healthMs,
      }
    case 'polled':
      return { ...watch, failures: 0, pollAt: now + pollMs, healthAt: now + healthMs }
    case 'healthChecked':
      return { ...watch, healthAt: now + healthMs }
    case 'agentChecked':
      return { ...watch, agentCheckAt: now + AGENT_CHECK_MS }
    case 'filtered':
      return { ...watch, isFiltered: true }
    case 'disturbed':
      return { ...watch, warnedAt: now }
    case 'stopped':
      return { ...watch, failures: 0 }
    case 'failed':
      return { ...watch, failures: watch.failures + 1 }
    case 'postponed':
      return { ...watch, pollAt: Math.max(watch.pollAt, now + soonMs(watch, pollMs)) }
    case 'lost':
      // A lost node is retried at once, then with growing pauses.
      return { ...watch, isSettled: false, retryAt: now + (watch.isSettled ? 0 : retryPauseMs(watch.failures)) }
    case 'stopDelayed':
      return { ...watch, retryAt: now + retryPauseMs(watch.failures) }
  }
}

/** The pause before a node is asked again that serves although a call to it failed. */
export function soonMs({ failures }: Watch, pollMs: number): number {
  return Math.min(retryPauseMs(failures), pollMs)
}

/** Whether a warning of cleared counters has been shown for long enough. */
export function isWarningOver(watch: Watch, now: number): boolean {
  return now - watch.warnedAt > WARNING_LASTS_MS
}
