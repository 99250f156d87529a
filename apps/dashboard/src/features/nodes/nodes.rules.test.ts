import { describe, expect, it } from 'vitest'
import {
  downFirst,
  isDown,
  matches,
  noNodeFilters,
  nodeState,
  orderAfterMove,
  realtimeTotals,
  shownUptime,
  stateColors,
  withoutAddress,
} from './nodes.rules.ts'

const flags = (isConnected: boolean, isConnecting: boolean, isDisabled: boolean, version: string | null = '2.1.0') => ({
  isConnected,
  isConnecting,
  isNodeOnline: isConnected,
  isDisabled,
  xrayVersion: version,
  nodeVersion: version,
})

describe('nodes', () => {
  it.each([
    [flags(true, false, true), 'connected'],
    // Its core serves on while it is told something.
    [flags(true, true, false), 'applying'],
    [flags(false, true, true), 'connecting'],
    [flags(false, false, true), 'disabled'],
    [flags(false, false, false), 'disconnected'],
    // One whose agent has never answered waits for it, however often it is tried.
    [flags(false, false, false, null), 'waiting'],
    [flags(false, true, false, null), 'waiting'],
    [flags(false, false, true, null), 'disabled'],
    // An agent that answers is waited for no more, though no core has started yet.
    [{ ...flags(false, false, false, null), isNodeOnline: true }, 'disconnected'],
    [flags(true, false, false, null), 'connected'],
  ])('NODE-047 %o is %s', (given, state) => {
    expect(nodeState(given)).toBe(state)
  })

  it('connected is teal, connecting yellow, disabled and waiting gray, disconnected red', () => {
    expect(stateColors).toEqual({
      connected: 'teal',
      applying: 'yellow',
      waiting: 'gray',
      connecting: 'yellow',
      disabled: 'gray',
      disconnected: 'red',
    })
  })

  it.each([
    ['oslo:2222 refused the connection.', 'Refused the connection.'],
    ['oslo:2222 отказал в соединении.', 'Отказал в соединении.'],
    ['oslo:22 refused the connection.', 'oslo:22 refused the connection.'],
    ['The agent at oslo:2222 closed the connection.', 'The agent at oslo:2222 closed the connection.'],
  ])('beside its address a row says of %s: %s', (said, shown) => {
    expect(withoutAddress(said, { address: 'oslo', port: 2222 })).toBe(shown)
  })

  it('NODE-043 the uptime is text of seconds, and 0 means not running', () => {
    expect(shownUptime({ isConnected: true, xrayUptime: '61' })).toBe(61)
    expect(shownUptime({ isConnected: true, xrayUptime: '0' })).toBeUndefined()
    expect(shownUptime({ isConnected: false, xrayUptime: '61' })).toBeUndefined()
  })

  it('a node is found by part of its name, its address with the port, or its provider, in either case of letters', () => {
    const signs = flags(true, false, false)
    const node = {
      ...signs,
      countryCode: 'DE',
      name: 'Frankfurt 1',
      address: '10.0.0.7',
      port: 2222,
      provider: { name: 'Meridian' },
    }
    const found = (search: string) => matches(node, { ...noNodeFilters, search })
    expect(['FRANK', '0.7:22', 'meri', '  furt 1 ', ''].map(found)).toEqual([true, true, true, true, true])
    expect(['Berlin', '10.0.0.8'].map(found)).toEqual([false, false])
    expect(matches({ ...node, provider: null, port: null }, { ...noNodeFilters, search: 'meri' })).toBe(false)
  })

  it('the tiles add up all nodes that report', () => {
    const usage = [
      { uploadBytes: 1, downloadBytes: 10, totalSpeedBps: 100 },
      { uploadBytes: 2, downloadBytes: 20, totalSpeedBps: 200 },
    ]
    expect(realtimeTotals(usage)).toEqual({ uploadBytes: 3, downloadBytes: 30, speedBps: 300, activeNodes: 2 })
  })

  const named = (name: string, signs: ReturnType<typeof flags>, lastStatusMessage: string | null = null) => ({
    ...signs,
    name,
    lastStatusMessage,
  })
  const up = (name: string) => named(name, flags(true, false, false))
  const down = (name: string) => named(name, flags(false, false, false), 'It refused the connection.')
  const names = (list: { name: string }[]) => list.map(({ name }) => name).join(' ')

  it('those that are down come first, whether they are being tried again or not; new and disabled ones do not', () => {
    const retried = named('retried', flags(false, true, false), 'It refused the connection.')
    const fresh = named('fresh', flags(false, false, false, null), 'It refused the connection.')
    const others = [named('begins', flags(false, true, false)), named('off', flags(false, false, true)), fresh]
    expect([down('down'), retried].map((node) => isDown(node))).toEqual([true, true])
    expect(others.map((node) => isDown(node))).toEqual([false, false, false])
    expect(names(downFirst([up('a'), down('b'), ...others, retried]))).toBe('b retried a begins off fresh')
  })

  it('moving one changes the order of those that work, and leaves the others in their places', () => {
    const nodes = [up('a'), down('b'), up('c'), up('d')]
    const [b, a, c, d] = downFirst(nodes)
    if (!a || !b || !c || !d) throw new Error('four were given')
    expect(names(orderAfterMove(nodes, [b, d, a, c]))).toBe('d b a c')
    // Even before one that is down.
    expect(names(orderAfterMove(nodes, [c, b, a, d]))).toBe('c b a d')
  })
})
