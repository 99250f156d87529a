import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { at, seen, WATCH_MS, watchedNode as node } from '../../../test/rollouts.ts'
import { inTurn, nextStep, waveOf, whyFailed } from './rollouts.rules.ts'
import type { RolloutNode, NodeSight } from './watch.rules.ts'

test('fewest users come first, then as the list stands; nodes without users come last, as they prove nothing', () => {
  const nodes = [
    { name: 'a', usersRecently: 3 },
    { name: 'b', usersRecently: 0 },
    { name: 'c', usersRecently: 3 },
    { name: 'd', usersRecently: 1 },
    { name: 'e', usersRecently: 0 },
  ]
  expect(inTurn(nodes).map(({ name }) => name)).toEqual(['d', 'a', 'c', 'b', 'e'])
})

test('waves have one node, then two, four and eight', () => {
  const waves = Array.from({ length: 15 }, (_, turn) => waveOf(turn))
  expect(waves).toEqual([1, 2, 2, 3, 3, 3, 3, ...Array.from({ length: 8 }, () => 4)])
})

describe('what comes next', () => {
  const step = (
    nodes: [Partial<RolloutNode>, Partial<NodeSight>?][],
    isPaused = false,
    now = at(10),
    lastLookAt = at(8),
    isProofWaived = false,
  ) =>
    nextStep(
      nodes.map(([one, what], index) => ({ node: node({ nodeId: index + 1, ...one }), seen: seen(what) })),
      { now, lastLookAt, watchMs: WATCH_MS, isPaused, isProofWaived },
    )
  const waiting = (wave: number) => ({ state: 'waiting', wave }) as const

  it('begins with the first wave, and notes the users of the last minutes, though a restart has just cut them', () => {
    const { kind, begun, nodes } = step([[waiting(1), { usersOnline: 0, usersRecently: 9 }], [waiting(2)]])
    expect({ kind, begun }).toEqual({ kind: 'wait', begun: [1] })
    expect(nodes).toMatchObject([{ state: 'starting', usersBefore: 9, since: at(10) }, { state: 'waiting' }])
  })
  it('begins no wave while one is watched', () => {
    expect(step([[{ state: 'watched' }], [waiting(2)]])).toMatchObject({ kind: 'wait', begun: [] })
  })
  it('begins the next wave when all of one are good, and passes over who is away', () => {
    const { begun, nodes } = step([
      [{ state: 'good' }],
      [waiting(2)],
      [waiting(2), { isConnected: false, isNodeOnline: false }],
      [waiting(3)],
    ])
    expect(begun).toEqual([2])
    expect(nodes.map(({ state }) => state)).toEqual(['good', 'starting', 'skipped', 'waiting'])
  })
  it('begins nothing and finishes nothing while it is paused, yet fails', () => {
    expect(step([[{ state: 'good' }], [waiting(2)]], true)).toMatchObject({ kind: 'wait', begun: [] })
    expect(step([[{ state: 'good' }]], true)).toMatchObject({ kind: 'wait' })
    expect(step([[{ state: 'good' }, { isConnected: false }], [waiting(2)]], true)).toMatchObject({ kind: 'fail' })
  })
  it('watches from the beginning what nobody watched for a while, and judges nothing by it', () => {
    const watched = { state: 'watched', usersBefore: 4, usersBack: 4 } as const
    // Nothing was read since, and users left.
    const hour = [at(3600), at(8)] as const
    expect(step([[watched], [waiting(2)]], false, ...hour)).toMatchObject({
      kind: 'wait',
      begun: [],
      nodes: [
        { state: 'watched', since: at(3600), firstReading: 7, baseReading: null, coreEpoch: null, usersBack: 0 },
        { state: 'waiting' },
      ],
    })
    // The clock was set back: what was read before is later than now.
    const back = [at(-3600), at(8)] as const
    expect(step([[watched]], false, ...back).nodes).toMatchObject([{ state: 'watched', since: at(-3600), firstReading: 7 }])
    expect(step([[{ state: 'good' }, { coreEpoch: 'third' }], [waiting(2)]], false, ...hour)).toMatchObject({
      kind: 'wait',
      begun: [2],
    })
    const starting = { state: 'starting', usersBefore: 4 } as const
    expect(step([[starting, { isConnecting: true }]], false, ...hour).nodes).toMatchObject([
      { state: 'starting', since: at(3600) },
    ])
    // What is down, is.
    expect(step([[watched, { isConnected: false }]], false, ...hour).kind).toBe('fail')
    // A restart of the server takes seconds: the watch goes on.
    expect(step([[watched]], false, at(30), at(8)).nodes).toMatchObject([{ since: at(0), usersBack: 4 }])
  })
  it('finishes when all have had their turn, unless no node has run it', () => {
    expect(step([[{ state: 'good' }], [{ state: 'skipped' }]]).kind).toBe('finish')
    expect(step([[{ state: 'skipped' }]]).kind).toBe('fail')
  })
  it('goes to no other node when the first was taken away before it was found good', () => {
    const gone = { isOfProfile: false }
    expect(step([[{ state: 'watched' }, gone], [waiting(2)], [waiting(2)]])).toMatchObject({
      kind: 'fail',
      begun: [],
      nodes: [{ state: 'skipped' }, { state: 'waiting' }, { state: 'waiting' }],
    })
    // A node that is deleted has no turn any more.
    expect(step([[waiting(2)], [waiting(2)]])).toMatchObject({ kind: 'fail', begun: [] })
    expect(whyFailed([])).toMatch(/^The first node was switched off, moved, deleted or away/)
    expect(step([[{ state: 'good' }, gone], [waiting(2)]])).toMatchObject({ kind: 'fail', begun: [] })
    expect(step([[{ state: 'good' }], [{ state: 'watched', wave: 2 }, gone], [waiting(3)]])).toMatchObject({ begun: [3] })
  })
  it('waits where no user has proved the revision, unless an administrator has it go on', () => {
    const unproven = [{ state: 'unproven' }, {}] as [Partial<RolloutNode>, Partial<NodeSight>]
    expect(step([unproven, [waiting(2)]])).toMatchObject({ kind: 'wait', begun: [] })
    expect(step([unproven])).toMatchObject({ kind: 'wait' })
    const waived = (nodes: [Partial<RolloutNode>, Partial<NodeSight>?][]) => step(nodes, false, at(10), at(8), true)
    expect(waived([unproven, [waiting(2)]])).toMatchObject({ kind: 'wait', begun: [2] })
    expect(waived([unproven])).toMatchObject({ kind: 'finish' })
  })
  it('goes on with nodes that no user uses, once users have proved the revision on another', () => {
    const proved = [{ state: 'good' }, {}] as [Partial<RolloutNode>, Partial<NodeSight>]
    expect(step([proved, [{ state: 'unproven', wave: 2 }], [waiting(3)]])).toMatchObject({ kind: 'wait', begun: [3] })
    expect(step([proved, [{ state: 'unproven', wave: 2 }]])).toMatchObject({ kind: 'finish' })
  })
  it('begins the next wave as soon as a user proves the revision', () => {
    const proof = { reading: 9, usersOnline: 1, downloadBytes: 101 }
    expect(step([[{ state: 'unproven' }, proof], [waiting(2)]])).toMatchObject({ begun: [2], nodes: [{ state: 'good' }, {}] })
  })
  it('says what the core said', () => {
    const { nodes } = step([[{ state: 'starting' }, { isConnected: false, message: 'unknown transport' }]])
    expect(whyFailed(nodes)).toBe('Oslo: the core did not run with it. unknown transport')
  })

  it('ends whatever becomes of the nodes, touches nobody of a later wave before, and nobody twice', () => {
    const what = fc.record({
      isConnected: fc.boolean(),
      isConnecting: fc.boolean(),
      isNodeOnline: fc.boolean(),
      isOfProfile: fc.boolean(),
      usersOnline: fc.nat(9),
      usersRecently: fc.nat(9),
    })
    fc.assert(
      fc.property(fc.array(fc.infiniteStream(what), { minLength: 1, maxLength: 12 }), (streams) => {
        const { end, touched, isAlone } = rollOut(streams.map((stream) => () => stream.next().value))
        expect(new Set(touched).size).toBe(touched.length)
        expect(isAlone).toBe(true)
        expect(['fail', 'finish']).toContain(end?.kind)
        const states = end?.kind === 'finish' ? end.nodes.map(({ state }) => state) : ['good']
        expect(states.some((state) => state === 'good' || state === 'unproven')).toBe(true)
        expect(states.filter((state) => !['good', 'unproven', 'skipped'].includes(state))).toEqual([])
      }),
      { numRuns: 200 },
    )
  })

  /** Steps until it ends, two minutes apart, with what each node is asked for what is seen of it. */
  function rollOut(nodesSeen: (() => Partial<NodeSight>)[]) {
    let nodes = nodesSeen.map((_, turn) => node({ nodeId: turn, wave: waveOf(turn), state: 'waiting' }))
    const touched: number[] = []
    let isAlone = true
    for (let look = 0; look < 200; look++) {
      const turns = nodes.map((one, turn) => ({
        node: one,
        seen: seen({ ...nodesSeen[turn]?.(), reading: look, startsAsked: 4, downloadBytes: look }),
      }))
      const step = nextStep(turns, {
        now: at(look * 120),
        lastLookAt: at(look * 120 - 2),
        watchMs: WATCH_MS,
        isPaused: false,
        isProofWaived: look > 100,
      })
      const busy = step.nodes.filter(({ state }) => state === 'starting' || state === 'watched')
      isAlone &&= step.begun.length === 0 || busy.length === step.begun.length
      touched.push(...step.begun)
      if (step.kind !== 'wait') return { end: step, touched, isAlone }
      nodes = step.nodes
    }
    return { end: undefined, touched, isAlone }
  }
})
