import { expect, test } from 'vitest'
import { isFresh, lagMs, orderOfReads, type LeaderState, type ReplicaState } from './replicas.rules.ts'

const replica = (given: Partial<ReplicaState> = {}): ReplicaState => ({
  isUp: true,
  isStandby: true,
  timeline: 1,
  position: 300,
  ...given,
})
const leader: LeaderState = {
  isAway: false,
  timeline: 1,
  seen: [
    { position: 100, at: 0 },
    { position: 200, at: 1000 },
    { position: 300, at: 2000 },
  ],
}
const usual = { atLeast: 0, mostLagMs: 1000, turn: 0 }

test('SCALE-002 a replica lags by the age of the newest position of the leader that it has reached', () => {
  expect([300, 299, 150, 99].map((position) => lagMs(replica({ position }), leader))).toEqual([0, 1000, 2000, Infinity])
  expect(lagMs(replica(), { ...leader, seen: [] })).toBe(0)
})

test('SCALE-002 a replica that lags beyond the bound, or does not answer, is left out', () => {
  expect([300, 200, 199].map((position) => isFresh(replica({ position }), leader, 1000))).toEqual([true, true, false])
  expect(orderOfReads([replica({ position: 150 }), replica()], leader, usual)).toEqual([1, 'leader', 0])
  expect(orderOfReads([replica({ isUp: false }), replica()], leader, usual)).toEqual([1, 'leader'])
})

test('SCALE-002 reads take turns over the replicas', () => {
  const three = [replica(), replica(), replica()]
  expect([0, 1, 2, 3].map((turn) => orderOfReads(three, leader, { ...usual, turn })[0])).toEqual([0, 1, 2, 0])
})

test('SCALE-002 what a caller has written is read by that caller, from a replica that has it or from the leader', () => {
  const two = [replica({ position: 290 }), replica({ position: 300 })]
  expect(orderOfReads(two, leader, { ...usual, atLeast: 300 })).toEqual([1, 'leader', 0])
  expect(orderOfReads(two, leader, { ...usual, atLeast: 301 })[0]).toBe('leader')
})

test('SCALE-001 while the leader is away, the replica that has most answers first, however late it is', () => {
  const away = { ...leader, isAway: true }
  expect(orderOfReads([replica({ position: 100 }), replica({ position: 150 })], away, usual)).toEqual([1, 0, 'leader'])
})

test('SCALE-001 a replica that has become the leader answers at once, and a former leader does not', () => {
  const away = { ...leader, isAway: true, timeline: 3 }
  const promoted = replica({ isStandby: false, timeline: 4, position: 400 })
  expect(orderOfReads([replica(), promoted], away, usual)).toEqual([1, 0, 'leader'])
  const former = replica({ isStandby: false, timeline: 2, position: 900 })
  expect(orderOfReads([former, replica()], away, usual)).toEqual([1, 'leader'])
  expect(orderOfReads([former, replica()], { ...leader, timeline: 3 }, usual)).toEqual([1, 'leader'])
})
