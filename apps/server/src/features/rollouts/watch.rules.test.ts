import { describe, expect, it, test } from 'vitest'
import { at, seen, WATCH_MS, watchedNode as node } from '../../../test/rollouts.ts'
import { assess, usersAwaited, type RolloutNode, type NodeSight } from './watch.rules.ts'

describe('a node that has the new revision', () => {
  it.each<[string, RolloutNode, NodeSight, number, Partial<RolloutNode>]>([
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
    ['is not proven when no user was on it and none came', node(), seen(), 60, { state: 'unproven', since: at(60) }],
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
    [
      'failed when the only user came while it was watched, and received nothing',
      node(),
      seen({ usersOnline: 1 }),
      60,
      { state: 'failed', failure: 'bytes', usersBack: 1 },
    ],
    [
      'is good when a user came while it was watched and received something',
      node(),
      seen({ usersOnline: 1, downloadBytes: 101 }),
      60,
      { state: 'good', usersBack: 1 },
    ],
    ['stays unproven while no user comes', node({ state: 'unproven' }), seen({ reading: 9 }), 5000, { state: 'unproven' }],
    [
      'is good as soon as a user receives something on it',
      node({ state: 'unproven' }),
      seen({ reading: 9, usersOnline: 2, downloadBytes: 900 }),
      5000,
      { state: 'good', usersBack: 2, since: at(5000) },
    ],
    [
      'is watched once more when a user comes to it and has received nothing yet',
      node({ state: 'unproven' }),
      seen({ reading: 9, usersOnline: 2 }),
      5000,
      { state: 'watched', usersBack: 2, since: at(5000), lastReading: null },
    ],
    [
      'failed when its core ends before any user came',
      node({ state: 'unproven' }),
      seen({ isConnected: false }),
      5000,
      { state: 'failed', failure: 'core' },
    ],
    [
      'failed when its core ended and came up by itself before any user came',
      node({ state: 'unproven' }),
      seen({ coreEpoch: 'third' }),
      5000,
      { state: 'failed', failure: 'restarted' },
    ],
    [
      'waits for a node that is away before any user came',
      node({ state: 'unproven' }),
      seen({ isConnected: false, isNodeOnline: false }),
      5000,
      { state: 'unproven' },
    ],
    [
      'is watched anew when it is started before any user came',
      node({ state: 'unproven' }),
      seen({ startsAsked: 4, coreEpoch: 'third' }),
      5000,
      { state: 'starting', since: at(5000), baseReading: null, startsAsked: 4 },
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
    expect(assess(before, what, at(second), WATCH_MS)).toMatchObject(after)
  })
})

test('half of the users are waited for, and of one that one', () => {
  expect([1, 2, 3, 10].map(usersAwaited)).toEqual([1, 1, 2, 5])
})
