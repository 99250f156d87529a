import { expect, test } from 'vitest'
import { incidentsOf, servedShare, spansOf } from './phases.rules.ts'

const at = (minutes: number) => new Date(minutes * 60_000).toISOString()
const phase = (minutes: number, name: Parameters<typeof spansOf>[0][number]['phase'], reason: string | null = null) => ({
  beganAt: at(minutes),
  phase: name,
  reason,
})
const minutes = (ms: number) => ms / 60_000

test('spans fill the time without a gap; what began before it is cut, and what nobody kept is unknown', () => {
  const phases = [phase(-50, 'connected'), phase(20, 'agentAway', 'refused'), phase(30, 'connected')]
  const told = (fromMs: number) =>
    spansOf(phases, fromMs, 100 * 60_000).map((span) => [span.standing, minutes(span.fromMs), minutes(span.toMs)])
  expect(told(0)).toEqual([
    ['up', 0, 20],
    ['down', 20, 30],
    ['up', 30, 100],
  ])
  expect(told(-100 * 60_000)[0]).toEqual(['unknown', -100, -50])
  expect(spansOf([], 0, 60_000)).toMatchObject([{ standing: 'unknown', fromMs: 0, toMs: 60_000 }])
})

test('the share counts only the time that is known and in which the node was meant to serve', () => {
  const spans = spansOf(
    [phase(10, 'connected'), phase(40, 'agentAway'), phase(50, 'disabled'), phase(80, 'unwatched'), phase(90, 'connected')],
    0,
    100 * 60_000,
  )
  expect(servedShare(spans)).toBeCloseTo(40 / 50)
  expect(servedShare(spansOf([], 0, 60_000))).toBeUndefined()
})

test('one absence is one incident with its cause, the newest first; a core that ended by itself is one too', () => {
  const spans = spansOf(
    [
      phase(0, 'connected'),
      phase(10, 'restarting'),
      phase(11, 'coreDown', 'port taken'),
      phase(20, 'agentAway', 'refused'),
      phase(30, 'connected'),
      phase(50, 'connected'),
      phase(60, 'agentAway', 'no route'),
    ],
    0,
    100 * 60_000,
  )
  expect(incidentsOf(spans).map((one) => [one.phase, one.reason, minutes(one.fromMs), minutes(one.toMs), one.isCrash])).toEqual([
    ['agentAway', 'no route', 60, 100, false],
    ['connected', null, 50, 50, true],
    ['coreDown', 'port taken', 10, 30, false],
  ])
})
