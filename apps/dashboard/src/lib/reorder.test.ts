import { expect, it } from 'vitest'
import { moveItem, positions } from './reorder.ts'

const items = ['a', 'b', 'c', 'd'].map((uuid) => ({ uuid }))
const order = (list: { uuid: string }[]) => list.map(({ uuid }) => uuid).join('')

it('NODE-044 a position is the index in the list', () => {
  expect(positions(items.slice(0, 2))).toEqual([
    { uuid: 'a', viewPosition: 0 },
    { uuid: 'b', viewPosition: 1 },
  ])
})

it('moving takes the place of the other, forward and back', () => {
  expect(order(moveItem(items, 'a', 'c'))).toBe('bcad')
  expect(order(moveItem(items, 'd', 'b'))).toBe('adbc')
  expect(order(moveItem(items, 'a', 'gone'))).toBe('abcd')
})
