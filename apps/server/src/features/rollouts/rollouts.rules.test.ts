import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { inTurn, lookAt, nextStep, usersAwaited, waveOf, whyFailed, type RolloutNode, type Seen } from './rollouts.rules.ts'

const WATCH_MS = 60_000
const at = (second: number) => new Date(1_000_000_000_000 + second * 1000)
const node = (more: Partial<RolloutNode> = {}): RolloutNode => ({
  nodeId: 1,
  name: 'Oslo',
  wave: 1,
  state: 'watched',
  since: at(0),
  usersBefore: 0,
  usersBack: 0,
  firstReading: null,
  baseReading: 6,
  lastReading: 6,
  coreEpoch: 'new',
  startsAsked: 3,
  downloadBytes: 100,
  failure: null,
  said: null,
  ...more,
})
const seen = (more: Partial<Seen> = {}): Seen => ({
  isOfProfile: true,
  isConnected: true,
  isConnecting: false,
  isNodeOnline: true,
  isStartAsked: false,
  startsAsked: 3,
  message: null,
  usersOnline: 0,
  reading: 7,
  coreEpoch: 'new',
  downloadBytes: 100,
  ...more,
})
const look = (one: RolloutNode, what: Seen, second: number) => lookAt(one, what, at(second), WATCH_MS)

test('whom fewest would miss comes first, then as the list stands', () => {
  const nodes = [
    { name: 'a', usersOnline: 3 },
    { name: 'b', usersOnline: 0 },
    { name: 'c', usersOnline: 3 },
  ]
  expect(inTurn(nodes).map(({ name }) => name)).toEqual(['b', 'a', 'c'])
})

test('waves have one node, then two, four and eight', () => {
  const waves = Array.from({ length: 15 }, (_, turn) => waveOf(turn))
  expect(waves).toEqual([1, 2, 2, 3, 3, 3, 3, ...Array.from({ length: 8 }, () => 4)])
})

describe('a node that has the new revision', () => {
  it.each<[string, RolloutNode, Seen, number, Partial<RolloutNode>]>([
    ['waits for its start', node({ state: 'starting' }), seen({ isStartAsked: true }), 30, { state: 'starting' }],
    [
      'is watched once its core runs',
      node({ state: 'starting', coreEpoch: null, baseReading: null, lastReading: null }),
      seen({ startsAsked: 4, downloadBytes: 500 }),
      30,
      { state: 'watched', since: at(30), coreEpoch: 'new', startsAsked: 4, baseReading: 7, downloadBytes: 500, usersBack: 0 },
    ],
    [
      'failed when its agent says that the core does not run',
      node({ state: 'starting' }),
      seen({ isConnected: false, message: 'no such protocol' }),
      1,
      { state: 'failed', failure: 'core', said: 'no such protocol' },
    ],
    [
      'failed when its core ends later, also after it was found good',
      node({ state: 'good' }),
      seen({ isConnected: false, message: 'Xray is not running on the node.' }),
      500,
      { state: 'failed', failure: 'core' },
    ],
    ['is given time when it is away', node(), seen({ isConnected: false, isNodeOnline: false }), 59, { state: 'watched' }],
    [
      'failed when it stays away',
      node(),
      seen({ isConnected: false, isNodeOnline: false, message: 'no answer' }),
      61,
      { state: 'failed', failure: 'away', said: 'no answer' },
    ],
    ['may take minutes to start', node({ state: 'starting' }), seen({ isConnecting: true }), 300, { state: 'starting' }],
    ['does not start for ever', node({ state: 'starting' }), seen({ isConnecting: true }), 700, { failure: 'away' }],
    [
      'is watched anew when somebody starts it anew',
      node(),
      seen({ isStartAsked: true }),
      20,
      { state: 'starting', baseReading: null },
    ],
    [
      'is watched anew when somebody has started it anew between two looks',
      node(),
      seen({ startsAsked: 4, coreEpoch: 'third' }),
      20,
      { state: 'starting', since: at(20), baseReading: null, startsAsked: 4 },
    ],
    ['failed when its core was another one in between', node(), seen({ coreEpoch: 'third' }), 20, { failure: 'restarted' }],
    [
      'is not watched anew while its core that ended is started again',
      node(),
      seen({ isConnected: false, isConnecting: true, coreEpoch: null }),
      20,
      { state: 'watched', since: at(0), coreEpoch: 'new' },
    ],
    [
      'failed when its core was another one while later nodes were watched',
      node({ state: 'good' }),
      seen({ coreEpoch: 'third' }),
      500,
      { state: 'failed', failure: 'restarted' },
    ],
    [
      'stays good with the core that somebody asked for later',
      node({ state: 'good' }),
      seen({ isConnecting: true, isStartAsked: true, startsAsked: 4 }),
      500,
      { state: 'good', coreEpoch: null, startsAsked: 4 },
    ],
    [
      'is good with whatever core ran first after that',
      node({ state: 'good', coreEpoch: null, firstReading: 6 }),
      seen({ coreEpoch: 'third' }),
      500,
      { state: 'good', coreEpoch: 'third' },
    ],
    ['is not judged before its time', node({ usersBefore: 4 }), seen(), 59, { state: 'watched' }],
    ['is good when nobody was on it and its core ran to the end', node(), seen(), 60, { state: 'good' }],
    [
      'is not good before its core has been read after the whole time',
      node({ usersBefore: 4, lastReading: null }),
      seen({ usersOnline: 4, downloadBytes: 101 }),
      60,
      { state: 'watched', usersBack: 4, lastReading: 7 },
    ],
    [
      'is good when half of its users are back and bytes flow',
      node({ usersBefore: 4 }),
      seen({ usersOnline: 2, downloadBytes: 101 }),
      60,
      { state: 'good', usersBack: 2 },
    ],
    [
      'remembers the most that were back at a time',
      node({ usersBefore: 4, usersBack: 3 }),
      seen({ usersOnline: 1, downloadBytes: 101 }),
      60,
      { state: 'good', usersBack: 3 },
    ],
    [
      'failed when too few came back',
      node({ usersBefore: 4 }),
      seen({ usersOnline: 1, downloadBytes: 101 }),
      60,
      { failure: 'users', usersBack: 1 },
    ],
    ['failed when nothing is received through it', node({ usersBefore: 4 }), seen({ usersOnline: 4 }), 60, { failure: 'bytes' }],
    [
      'takes the first reading of its core only to count from',
      node({ usersBefore: 4, coreEpoch: null, firstReading: 6 }),
      seen({ usersOnline: 4, downloadBytes: 500 }),
      20,
      { state: 'watched', coreEpoch: 'new', baseReading: 7, downloadBytes: 500, usersBack: 0 },
    ],
    ['waits for a reading that tells something', node({ usersBefore: 4 }), seen({ reading: 6 }), 100, { state: 'watched' }],
    ['failed when no reading comes', node({ usersBefore: 4 }), seen({ reading: 6 }), 121, { failure: 'away' }],
    [
      'is passed over when it is switched off or runs something else',
      node(),
      seen({ isOfProfile: false }),
      20,
      { state: 'skipped' },
    ],
  ])('%s', (_, before, what, second, after) => {
    expect(look(before, what, second)).toMatchObject(after)
  })
})

describe('what comes next', () => {
  const step = (nodes: [Partial<RolloutNode>, Partial<Seen>?][], isPaused = false, now = at(10), lastLookAt = at(8)) =>
    nextStep(
      nodes.map(([one, what], index) => ({ node: node({ nodeId: index + 1, ...one }), seen: seen(what) })),
      { now, lastLookAt, watchMs: WATCH_MS, isPaused },
    )
  const waiting = (wave: number) => ({ state: 'waiting', wave }) as const

  it('begins with the first wave, and notes who is online then', () => {
    const { kind, begun, nodes } = step([[waiting(1), { usersOnline: 9 }], [waiting(2)]])
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
  it('finishes when all have had their turn, unless nobody tried it', () => {
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
    })
    fc.assert(
      fc.property(fc.array(fc.infiniteStream(what), { minLength: 1, maxLength: 12 }), (streams) => {
        const { end, touched, isAlone } = rollOut(streams.map((stream) => () => stream.next().value))
        expect(new Set(touched).size).toBe(touched.length)
        expect(isAlone).toBe(true)
        expect(['fail', 'finish']).toContain(end?.kind)
        const states = end?.kind === 'finish' ? end.nodes.map(({ state }) => state) : ['good']
        expect(states).toContain('good')
        expect(states.filter((state) => state !== 'good' && state !== 'skipped')).toEqual([])
      }),
      { numRuns: 200 },
    )
  })

  /** Steps until it ends, two minutes apart, with what each node is asked for what is seen of it. */
  function rollOut(nodesSeen: (() => Partial<Seen>)[]) {
    let nodes = nodesSeen.map((_, turn) => node({ nodeId: turn, wave: waveOf(turn), state: 'waiting' }))
    const touched: number[] = []
    let isAlone = true
    for (let look = 0; look < 200; look++) {
      const turns = nodes.map((one, turn) => ({
        node: one,
        seen: seen({ ...nodesSeen[turn]?.(), reading: look, startsAsked: 4, downloadBytes: look }),
      }))
      const step = nextStep(turns, { now: at(look * 120), lastLookAt: at(look * 120 - 2), watchMs: WATCH_MS, isPaused: false })
      const busy = step.nodes.filter(({ state }) => state === 'starting' || state === 'watched')
      isAlone &&= step.begun.length === 0 || busy.length === step.begun.length
      touched.push(...step.begun)
      if (step.kind !== 'wait') return { end: step, touched, isAlone }
      nodes = step.nodes
    }
    return { end: undefined, touched, isAlone }
  }
})

test('half of the users are waited for, and of one that one', () => {
  expect([1, 2, 3, 10].map(usersAwaited)).toEqual([1, 1, 2, 5])
})
