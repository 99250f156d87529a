import fc from 'fast-check'
import { expect, it } from 'vitest'
import { pixelSize, stepOnBoard, toBoard, viewFor } from './view.ts'

it('GAME-061 the board is 950 x 400, and on a narrow screen the same turned', () => {
  expect(pixelSize(viewFor(950, false, 1))).toEqual({ width: 950, height: 400 })
  expect(pixelSize(viewFor(475, false, 2))).toEqual({ width: 950, height: 400 })
  expect(pixelSize(viewFor(200, true, 2))).toEqual({ width: 400, height: 950 })
})

it('the servers are to the right, and below when turned', () => {
  expect(toBoard(viewFor(475, false, 1), 475, 100)).toEqual({ x: 950, y: 200 })
  expect(toBoard(viewFor(200, true, 1), 0, 475)).toEqual({ x: 950, y: 400 })
})

it('a step on the screen is the same step on the board, however it lies', () => {
  const coordinate = fc.integer({ min: 0, max: 400 })
  fc.assert(
    fc.property(fc.boolean(), coordinate, coordinate, coordinate, coordinate, (isTall, x, y, right, down) => {
      const view = viewFor(isTall ? 400 : 950, isTall, 1)
      const from = toBoard(view, x, y)
      const by = stepOnBoard(view, right, down)
      expect({ x: from.x + by.x, y: from.y + by.y }).toEqual(toBoard(view, x + right, y + down))
    }),
  )
})
