import { expect, it } from 'vitest'
import { MOST_HUES } from '../chart/chart-series.ts'
import { busiestOf, daysOf, differenceOf, idsOf, isComparable, MOST_COMPARED } from './compare.rules.ts'

const id = (number: number) => `00000000-0000-4000-8000-00000000000${number}`

it('an address names each thing once, six at most, and nothing else', () => {
  expect(idsOf(`${id(2)},x,${id(1)},${id(2).toUpperCase()}`)).toEqual([id(2), id(1)])
  expect(idsOf([1, 2, 3, 4, 5, 6, 7].map(id).join())).toEqual([1, 2, 3, 4, 5, 6].map(id))
  expect([idsOf(undefined), idsOf('')]).toEqual([[], []])
  expect(MOST_COMPARED).toBe(MOST_HUES)
  expect([0, 1, 2, 6, 7].filter(isComparable)).toEqual([2, 6])
  expect([daysOf('30', [7, 30], 7), daysOf('31', [7, 30], 7), daysOf(undefined, [7, 30], 30)]).toEqual([30, 7, 30])
})

it.each([
  [5, 5, { is: 'same' }],
  [0, 0, { is: 'same' }],
  [5, 0, { is: 'only' }],
  [1004, 1000, { is: 'nearlySame' }],
  [1250, 1000, { is: 'more', part: 0.25 }],
  [250, 1000, { is: 'less', part: 0.75 }],
  [0, 1000, { is: 'less', part: 1 }],
  [1999, 1000, { is: 'more', part: 0.999 }],
  [2000, 1000, { is: 'times', times: 2 }],
])('%i beside %i', (figure, base, difference) => {
  expect(differenceOf(figure, base)).toEqual(difference)
})

it('the busiest day is the first of the largest, and no day where nothing moved', () => {
  expect([busiestOf([1, 3, 3]), busiestOf([0, 0]), busiestOf([])]).toEqual([1, undefined, undefined])
})
