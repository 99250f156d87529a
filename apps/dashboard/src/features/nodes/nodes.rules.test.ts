import type { Node } from '@causeway/contract'
import { describe, expect, it } from 'vitest'
import { moveNode, nodeState, positions, realtimeTotals, shownUptime, stateColors } from './nodes.rules.ts'

const flags = (isConnected: boolean, isConnecting: boolean, isDisabled: boolean) => ({ isConnected, isConnecting, isDisabled })
// The rules below read only the uuid.
const nodes = ['a', 'b', 'c', 'd'].map((uuid) => ({ uuid }) as Node)
const order = (list: readonly Node[]) => list.map(({ uuid }) => uuid).join('')

describe('nodes', () => {
  it.each([
    [flags(true, true, true), 'connected'],
    [flags(false, true, true), 'connecting'],
    [flags(false, false, true), 'disabled'],
    [flags(false, false, false), 'disconnected'],
  ])('NODE-047 %o is %s', (given, state) => {
    expect(nodeState(given)).toBe(state)
  })

  it('connected is teal, connecting yellow, disabled gray, disconnected red', () => {
    expect(stateColors).toEqual({ connected: 'teal', connecting: 'yellow', disabled: 'gray', disconnected: 'red' })
  })

  it('NODE-043 the uptime is text of seconds, and 0 means not running', () => {
    expect(shownUptime({ isConnected: true, xrayUptime: '61' })).toBe(61)
    expect(shownUptime({ isConnected: true, xrayUptime: '0' })).toBeUndefined()
    expect(shownUptime({ isConnected: false, xrayUptime: '61' })).toBeUndefined()
  })

  it('NODE-044 a position is the index in the list', () => {
    expect(positions(nodes.slice(0, 2))).toEqual([
      { uuid: 'a', viewPosition: 0 },
      { uuid: 'b', viewPosition: 1 },
    ])
  })

  it('moving takes the place of the other, forward and back', () => {
    expect(order(moveNode(nodes, 'a', 'c'))).toBe('bcad')
    expect(order(moveNode(nodes, 'd', 'b'))).toBe('adbc')
    expect(order(moveNode(nodes, 'a', 'gone'))).toBe('abcd')
  })

  it('the tiles add up all nodes that report', () => {
    const usage = [
      { uploadBytes: 1, downloadBytes: 10, totalSpeedBps: 100 },
      { uploadBytes: 2, downloadBytes: 20, totalSpeedBps: 200 },
    ]
    expect(realtimeTotals(usage)).toEqual({ uploadBytes: 3, downloadBytes: 30, speedBps: 300, activeNodes: 2 })
  })
})
