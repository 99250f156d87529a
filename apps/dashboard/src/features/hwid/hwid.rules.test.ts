import { expect, it } from 'vitest'
import { topShares } from './hwid.rules.ts'

const counts = [
  { name: 'iOS', count: 10 },
  { name: 'Android', count: 40 },
  { name: 'Windows', count: 6 },
  { name: 'Linux', count: 4 },
]

it('the most frequent come first, each against the largest, and the rest is one', () => {
  expect(topShares(counts, 2)).toEqual([
    { name: 'Android', count: 40, part: 1 },
    { name: 'iOS', count: 10, part: 0.25 },
    { name: undefined, count: 10, part: 0.25 },
  ])
})

it('a rest of one keeps its name, a rest that is the largest is the measure, and nothing is nothing', () => {
  expect(topShares(counts, 3).map(({ name }) => name)).toEqual(['Android', 'iOS', 'Windows', 'Linux'])
  const even = Array.from({ length: 5 }, (_, index) => ({ name: String(index), count: 1 }))
  expect(topShares(even, 1)).toEqual([
    { name: '0', count: 1, part: 0.25 },
    { name: undefined, count: 4, part: 1 },
  ])
  expect(topShares([], 5)).toEqual([])
})
