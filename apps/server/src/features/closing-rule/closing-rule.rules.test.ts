import { describe, expect, it } from 'vitest'
import { followRestart, beginRestart, type Outcome, type NodeSnapshot, type NodeRestart } from './closing-rule.rules.ts'

const START_MS = Date.UTC(2026, 10, 24, 3)
const WATCH_MS = 60_000
const before: NodeSnapshot = {
  isOfFleet: true,
  isConnected: true,
  isConnecting: false,
  isNodeOnline: true,
  isStartAsked: false,
  startsAsked: 7,
  message: null,
  usersOnline: 10,
  reading: 100,
  coreEpoch: 'old',
  downloadBytes: 1000,
  isDelivered: false,
}
const starting: NodeSnapshot = { ...before, startsAsked: 8, isStartAsked: true, isConnecting: true }
const running: NodeSnapshot = { ...before, startsAsked: 8, coreEpoch: 'new', isDelivered: true, usersOnline: 0 }

/** What becomes of a restart that is looked at every second; each step says from which second on it is as it is then seen. */
function watched(steps: [number, Partial<NodeSnapshot>][], seconds: number, from = before): Outcome {
  let restart: NodeRestart = beginRestart({ id: 1, name: 'Berlin' }, from, new Date(START_MS))
  let outcome: Outcome = { kind: 'wait', restart }
  for (let second = 1; second <= seconds; second++) {
    const [, seen = {}] = steps.findLast(([since]) => since <= second) ?? []
    const look = { now: new Date(START_MS + second * 1000), lastLookMs: START_MS + (second - 1) * 1000, watchMs: WATCH_MS }
    outcome = followRestart(restart, { ...running, ...seen }, look)
    if (outcome.kind !== 'wait') return outcome
    restart = outcome.restart
  }
  return outcome
}
const restarts: [number, Partial<NodeSnapshot>][] = [
  [1, starting],
  [5, { reading: 101 }],
  [20, { reading: 102 }],
]
const why = (outcome: Outcome) => (outcome.kind === 'failed' ? outcome.why : outcome.kind)

describe('a node in its restart', () => {
  it('is good once its new core has stayed, half of its users are back and something was received, and no sooner', () => {
    const steps: [number, Partial<NodeSnapshot>][] = [
      ...restarts,
      [35, { reading: 103, usersOnline: 5, downloadBytes: 1001 }],
      [65, { reading: 105, usersOnline: 2, downloadBytes: 1001 }],
    ]
    expect(watched(steps, 64).kind).toBe('wait')
    expect(watched(steps, 66)).toEqual({ kind: 'good' })
  })

  it.each<[string, [number, Partial<NodeSnapshot>][], RegExp]>([
    [
      'its core does not start',
      [
        [1, starting],
        [5, { isConnected: false, message: 'No memory.' }],
      ],
      /^Berlin: its core did not start\. No memory\.$/,
    ],
    [
      'it does not come back',
      [
        [1, starting],
        [5, { isConnected: false, isNodeOnline: false }],
      ],
      /^Berlin: it did not come back\.$/,
    ],
    ['its core ends by itself', [...restarts, [40, { reading: 103, coreEpoch: 'third' }]], /^Berlin: its core ended by itself/],
    [
      'fewer than half of its users return',
      [...restarts, [60, { reading: 105, usersOnline: 4, downloadBytes: 2000 }]],
      /^Berlin: of 10 users online before the start, 4 came back\.$/,
    ],
    [
      'nothing is received',
      [...restarts, [60, { reading: 105, usersOnline: 9 }]],
      /^Berlin: users came back after the start, but nothing was received/,
    ],
    [
      'its agent tells of the older configuration',
      [...restarts, [6, { reading: 101, isDelivered: false }]],
      /^Berlin: its agent still tells of an older configuration/,
    ],
    [
      'its counters cannot be read',
      [
        [1, starting],
        [5, {}],
      ],
      /^Berlin: its counters could not be read/,
    ],
  ])('stops the others when %s', (_, steps, expected) => {
    expect(why(watched(steps, 700))).toMatch(expected)
  })

  it('proves nothing by fewer than five users', () => {
    const steps: [number, Partial<NodeSnapshot>][] = [...restarts, [60, { reading: 105 }]]
    expect(watched(steps, 80, { ...before, usersOnline: 4 })).toEqual({ kind: 'good' })
    expect(watched(steps, 80, { ...before, usersOnline: 5 }).kind).toBe('failed')
  })

  it('is passed over when it was switched off meanwhile', () => {
    expect(watched([...restarts, [30, { isOfFleet: false }]], 40)).toEqual({ kind: 'passed' })
  })

  it('is watched from the beginning when it is asked to start again', () => {
    const again: [number, Partial<NodeSnapshot>][] = [
      ...restarts,
      [40, { ...starting, startsAsked: 9 }],
      [45, { startsAsked: 9, coreEpoch: 'third', reading: 110 }],
      [60, { startsAsked: 9, coreEpoch: 'third', reading: 111 }],
      [100, { startsAsked: 9, coreEpoch: 'third', reading: 114, usersOnline: 9, downloadBytes: 2000 }],
    ]
    expect(watched(again, 100).kind).toBe('wait')
    expect(watched(again, 110)).toEqual({ kind: 'good' })
  })

  it('is watched from the beginning when no server looked for a while', () => {
    const restart: NodeRestart = {
      ...beginRestart({ id: 1, name: 'Berlin' }, before, new Date(START_MS)),
      state: 'watched',
      first: { coreEpoch: 'new', reading: 101, downloadBytes: 0 },
    }
    const now = new Date(START_MS + 3_600_000)
    expect(followRestart(restart, { ...running, reading: 200 }, { now, lastLookMs: START_MS, watchMs: WATCH_MS })).toMatchObject({
      kind: 'wait',
      restart: { state: 'asked', sinceMs: now.getTime(), first: null },
    })
  })
})
