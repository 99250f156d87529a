import { expect, it } from 'vitest'
import { sampleNode } from '../../../test/samples.ts'
import { fleetCells } from './fleet-grid.rules.ts'
import { comparedWith, servingNodes } from './summary.rules.ts'

const off = { isConnected: false, isConnecting: false, isNodeOnline: false }
const up = sampleNode({ uuid: '1' })
const busy = sampleNode({ uuid: '2' })
const down = sampleNode({ uuid: '3', ...off, lastStatusMessage: 'refused' })
const switchedOff = sampleNode({ uuid: '4', ...off, isDisabled: true })

it('counts nodes that should serve: not those that are switched off', () => {
  expect(servingNodes([up, busy, down, switchedOff])).toEqual({ all: 3, serving: 2, down: 1 })
  expect(servingNodes([switchedOff])).toEqual({ all: 0, serving: 0, down: 0 })
})

it('compares with an earlier figure only where it is known and large enough for percent', () => {
  expect(comparedWith(118, 100)).toEqual({ share: 0.18, direction: 'more' })
  expect(comparedWith(50, 100)).toEqual({ share: 0.5, direction: 'less' })
  expect(comparedWith(1002, 1000)).toEqual({ share: 0, direction: 'same' })
  for (const earlier of [undefined, null, 0, 9]) expect(comparedWith(100, earlier)).toBeUndefined()
})

it('the grid shows what is down first, then what carries most, and what is switched off last', () => {
  const moved = (uuid: string, bytes: number[]) => ({ uuid, name: uuid, countryCode: 'XX', bytes })
  const cells = fleetCells([switchedOff, up, busy, down], { nodes: [moved('1', [1, 2, 3]), moved('2', [10, 20, 30])] })
  expect(cells.map(({ node, bytes, total }) => [node.uuid, bytes, total])).toEqual([
    ['3', [], 0],
    ['2', [10, 20], 60],
    ['1', [1, 2], 6],
    ['4', [], 0],
  ])
})
