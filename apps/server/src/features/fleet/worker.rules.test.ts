import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { retryPauseMs } from './connection.rules.ts'
import {
  afterEvent,
  isWarningOver,
  newWatch,
  nextStep,
  soonMs,
  type WantedState,
  type Watch,
  type WatchEvent,
} from './worker.rules.ts'

const PERIODS = { pollMs: 10_000, healthMs: 3_000, patienceMs: 1_000 }
const NOW = 50_000_000
const quiet: WantedState = {
  isDisabled: false,
  isShownOn: true,
  isServable: true,
  requestTicket: 1,
  isStartRequested: false,
  isStopRequested: false,
  isCompareRequested: false,
  deliveryDueInMs: null,
  isFilterRequested: false,
  isPartWanted: false,
}
const serving: Watch = {
  ...newWatch(NOW),
  connection: { phase: 'connected', reason: null },
  isSettled: true,
  attemptedTicket: 1,
  pollAt: NOW + 700,
  healthAt: NOW + 300,
  agentCheckAt: NOW + 1_000_000,
  isFiltered: true,
}
const off: WantedState = { ...quiet, isDisabled: true, isShownOn: false }
const waiting: Watch = { ...serving, isSettled: false, retryAt: NOW + 900 }

describe('what is done next for a node', () => {
  it.each<[string, Watch, Partial<WantedState>, object]>([
    ['waits for whatever comes first', serving, {}, { kind: 'wait', ms: 300 }],
    ['waits for a task that is not yet due', serving, { deliveryDueInMs: 20 }, { kind: 'wait', ms: 20 }],
    ['delivers', serving, { deliveryDueInMs: 0 }, { kind: 'deliver' }],
    ['tells what to filter after it delivered', { ...serving, isFiltered: false, pollAt: NOW }, {}, { kind: 'filter' }],
    ['tells it anew when a filter changed', serving, { isFilterRequested: true }, { kind: 'filter' }],
    ['reads counters', { ...serving, pollAt: NOW }, {}, { kind: 'poll' }],
    ['asks for health', { ...serving, healthAt: NOW }, {}, { kind: 'checkHealth' }],
    ['checks the agent', { ...serving, agentCheckAt: NOW, pollAt: NOW }, {}, { kind: 'checkAgent' }],
    ['compares before it delivers', serving, { isCompareRequested: true, deliveryDueInMs: 0 }, { kind: 'compare' }],
    ['restarts before it compares', serving, { isStartRequested: true, isCompareRequested: true }, { kind: 'restart' }],
    ['disables what has no inbounds', serving, { isServable: false, isStartRequested: true }, { kind: 'disable' }],
    ['connects what another server left', { ...serving, isSettled: false }, {}, { kind: 'connect', isAskedAnew: false }],
    ['waits after a failure', waiting, {}, { kind: 'wait', ms: 900 }],
    ['does not wait after a new request', waiting, { requestTicket: 2 }, { kind: 'connect', isAskedAnew: true }],
    ['shows a disabled node as off', serving, { ...off, isShownOn: true }, { kind: 'showOff' }],
    ['ends the core of a disabled node', serving, { ...off, isStopRequested: true }, { kind: 'stop' }],
    ['waits before it tries that again', waiting, { ...off, isStopRequested: true }, { kind: 'wait', ms: 900 }],
    ['leaves a node that is off', serving, off, { kind: 'release' }],
  ])('%s', (_, watch, wanted, step) => {
    expect(nextStep(watch, { ...quiet, ...wanted }, NOW)).toEqual(step)
  })
})

describe('what is known after an event', () => {
  const after = (watch: Watch, event: WatchEvent) => afterEvent(watch, event, NOW, PERIODS)
  const failed = (times: number) =>
    Array.from({ length: times }).reduce<Watch>((watch) => after(watch, { kind: 'failed' }), serving)

  it('a node that served is retried at once, one that is lost already with growing pauses', () => {
    const lost = after(failed(3), { kind: 'lost' })
    expect(lost).toMatchObject({ isSettled: false, retryAt: NOW, failures: 3 })
    expect(after(lost, { kind: 'lost' }).retryAt).toBe(NOW + retryPauseMs(3))
  })
  it('a call that failed is repeated soon, never later than the next reading of counters', () => {
    expect(after(failed(1), { kind: 'postponed' }).pollAt).toBe(NOW + 1_000)
    expect(soonMs(failed(20), PERIODS.pollMs)).toBe(PERIODS.pollMs)
    const later = { ...serving, pollAt: NOW + 60_000 }
    expect(after(later, { kind: 'postponed' }).pollAt).toBe(NOW + 60_000)
  })
  it('a start without counters is followed by reading them', () => {
    expect(after(waiting, { kind: 'settled', isSampled: false })).toMatchObject({ isSettled: true, failures: 0, pollAt: NOW })
    expect(after(waiting, { kind: 'settled', isSampled: true }).pollAt).toBe(NOW + PERIODS.pollMs)
  })
  it('an attempt to end a core makes the node unknown; one to connect leaves it', () => {
    expect(after(serving, { kind: 'tried', ticket: 5, isToStop: true })).toMatchObject({ attemptedTicket: 5, isSettled: false })
    expect(after(serving, { kind: 'tried', ticket: 5 })).toMatchObject({ attemptedTicket: 5, isSettled: true })
  })
  it('a warning is over an hour after it was last seen', () => {
    const warned = after({ ...serving, warnedAt: 0 }, { kind: 'disturbed' })
    expect(isWarningOver(warned, NOW + 3_600_000)).toBe(false)
    expect(isWarningOver(warned, NOW + 3_600_001)).toBe(true)
  })
  it('whatever happens, a node that serves is asked again within a minute', () => {
    const kinds = ['polled', 'healthChecked', 'agentChecked', 'failed', 'postponed', 'lost', 'stopDelayed', 'stopped'] as const
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(...kinds), fc.nat(40_000))), (events) => {
        let [watch, now] = [serving, NOW]
        for (const [kind, ms] of events) watch = afterEvent(watch, { kind }, (now += ms), PERIODS)
        const step = nextStep(watch, quiet, now)
        expect(step.kind === 'wait' ? step.ms : 0).toBeLessThanOrEqual(60_000)
      }),
    )
  })
})
