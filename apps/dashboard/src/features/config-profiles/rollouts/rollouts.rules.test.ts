import { expect, it } from 'vitest'
import { sampleRollout, sampleRolloutNode } from '../../../../test/samples.ts'
import { awaitsProofOf, isFirstGone, isTold, nodesInMotion, shownState, turnsOver, wavesOf } from './rollouts.rules.ts'

const early = { updatedAt: '2026-01-01T00:00:00.000Z' }
const late = { updatedAt: '2026-03-01T00:00:00.000Z' }
const endedAt = '2026-02-01T00:00:00.000Z'

it.each([
  ['running', late, true],
  ['failed', early, true],
  ['failed', late, false],
  ['takenBack', early, true],
  ['done', early, true],
  // Its own end saves the profile.
  ['done', { updatedAt: endedAt }, true],
  ['done', late, false],
] as const)('a roll-out that is %s is told of as long as it matters', (state, profile, isSo) => {
  expect(isTold(sampleRollout({ state, endedAt: state === 'running' ? null : endedAt }), profile)).toBe(isSo)
})

it('what was ahead is put back when it does not end well', () => {
  const good = sampleRolloutNode({ state: 'good' })
  expect(shownState(sampleRollout({ state: 'running' }), good)).toBe('good')
  expect(shownState(sampleRollout({ state: 'failed' }), good)).toBe('putBack')
  expect(shownState(sampleRollout({ state: 'failed' }), sampleRolloutNode({ state: 'failed' }))).toBe('failed')
  expect(shownState(sampleRollout({ state: 'takenBack' }), sampleRolloutNode({ state: 'waiting' }))).toBe('untouched')
  expect(shownState(sampleRollout({ state: 'failed' }), sampleRolloutNode({ state: 'skipped' }))).toBe('left')
})

it.each([
  ['was moved', [sampleRolloutNode({ state: 'skipped' }), sampleRolloutNode({ wave: 2 })], true],
  ['was deleted', [sampleRolloutNode({ wave: 2 })], true],
  ['failed', [sampleRolloutNode({ state: 'failed' }), sampleRolloutNode({ wave: 2 })], false],
  ['has not begun', [sampleRolloutNode(), sampleRolloutNode({ wave: 2 })], false],
])('of a roll-out that failed it is told whether its first node was there no more: one that %s', (_, nodes, isSo) => {
  expect(isFirstGone(sampleRollout({ state: 'failed', nodes }))).toBe(isSo)
})

it('a roll-out waits for proof while all that had their turn were used by nobody, until that is waived', () => {
  const [unproven, good] = [sampleRolloutNode({ state: 'unproven' }), sampleRolloutNode({ state: 'good' })]
  const waiting = sampleRolloutNode({ wave: 2 })
  expect(awaitsProofOf(sampleRollout({ nodes: [unproven, waiting] }))).toEqual([unproven])
  expect(awaitsProofOf(sampleRollout({ nodes: [unproven, good] }))).toEqual([])
  expect(awaitsProofOf(sampleRollout({ nodes: [unproven, sampleRolloutNode({ state: 'watched' })] }))).toEqual([])
  for (const given of [{ isProofWaived: true }, { isPaused: true }, { state: 'done' }] as const)
    expect(awaitsProofOf(sampleRollout({ nodes: [unproven, waiting], ...given }))).toEqual([])
})

it('turns are counted, and nodes stand in their waves', () => {
  const nodes = [
    sampleRolloutNode({ name: 'a', wave: 1, state: 'good' }),
    sampleRolloutNode({ name: 'b', wave: 2, state: 'skipped' }),
    sampleRolloutNode({ name: 'c', wave: 2, state: 'watched' }),
    sampleRolloutNode({ name: 'd', wave: 2, state: 'unproven' }),
  ]
  expect(turnsOver(sampleRollout({ nodes }))).toEqual({ over: 3, all: 4 })
  expect(wavesOf(sampleRollout({ nodes })).map((wave) => wave.map(({ name }) => name))).toEqual([['a'], ['b', 'c', 'd']])
})

it('of many nodes those that failed come first, then those at work; of a few all are shown', () => {
  const many = (states: Record<number, 'failed' | 'watched'>) =>
    sampleRollout({
      nodes: Array.from({ length: 500 }, (_, turn) => sampleRolloutNode({ name: `${turn}`, state: states[turn] ?? 'good' })),
    })
  expect(nodesInMotion(many({ 7: 'watched', 300: 'failed', 400: 'watched' })).map(({ name }) => name)).toEqual([
    '300',
    '7',
    '400',
  ])
  expect(nodesInMotion(many({}))).toHaveLength(24)
  const few = sampleRollout({ nodes: [sampleRolloutNode({ state: 'good' }), sampleRolloutNode({ state: 'failed' })] })
  expect(nodesInMotion(few)).toEqual(few.nodes)
})
