import { expect, test } from 'vitest'
import { afterLoss, afterReturn, judgeTrouble, SETTLED_MS, type Trouble, type Verdict } from './troubles.rules.ts'

const START = new Date('2026-11-26T12:00:00Z').getTime()
const at = (seconds: number) => new Date(START + seconds * 1000)

/** Plays losses (true) and returns (false) by second, looking every five seconds; gives what was told and when. */
function play(moments: ReadonlyMap<number, boolean>, afterMinutes: number, seconds: number): [number, Verdict][] {
  let trouble: Trouble | undefined
  const told: [number, Verdict][] = []
  for (let second = 0; second <= seconds; second++) {
    const moment = moments.get(second)
    if (moment === true) trouble = afterLoss(trouble, at(second))
    if (moment === false && trouble) trouble = afterReturn(trouble, at(second))
    if (second % 5 !== 0 || !trouble) continue
    const verdict = judgeTrouble(trouble, afterMinutes, at(second))
    if (verdict === 'tell') trouble = { ...trouble, toldAt: at(second) }
    if (verdict === 'clear' || verdict === 'drop') trouble = undefined
    if (verdict === 'tell' || verdict === 'clear') told.push([second, verdict])
  }
  return told
}

test.each([0, 1, 3, 15, 60])(
  'NOTE-004 a node that flaps forty times in ten minutes is one notice and one all-clear, with %i minutes of patience',
  (afterMinutes) => {
    const moments = new Map<number, boolean>()
    for (let flap = 0; flap < 40; flap++) moments.set(flap * 15, true).set(flap * 15 + 7, false)
    const told = play(moments, afterMinutes, 3600)
    expect(told.map(([, verdict]) => verdict)).toEqual(['tell', 'clear'])
    expect(told[1]?.[0]).toBeGreaterThanOrEqual(39 * 15 + 7 + SETTLED_MS / 1000)
  },
)

test('NOTE-004 a loss shorter than asked for is told nothing of, and a long one is told once until it is over', () => {
  expect(play(new Map([[0, true], [60, false]]), 3, 3600)).toEqual([]) // prettier-ignore
  const long = play(new Map([[0, true], [1800, false]]), 3, 7200) // prettier-ignore
  expect(long).toEqual([
    [180, 'tell'],
    [1800 + SETTLED_MS / 1000, 'clear'],
  ])
})

test('NOTE-004 a trouble after the all-clear is another one', () => {
  const moments = new Map([[0, true], [600, false], [3000, true], [3600, false]]) // prettier-ignore
  expect(play(moments, 1, 7200).map(([, verdict]) => verdict)).toEqual(['tell', 'clear', 'tell', 'clear'])
})
