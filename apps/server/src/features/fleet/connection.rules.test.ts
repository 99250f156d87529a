import { describe, expect, it } from 'vitest'
import {
  fromWire,
  hasChanged,
  nextConnection,
  retryPauseMs,
  toWire,
  type ConnectionEvent,
  type Phase,
} from './connection.rules.ts'

const events: Record<string, ConnectionEvent> = {
  startBegun: { kind: 'startBegun' },
  running: { kind: 'running' },
  notRunning: { kind: 'notRunning', reason: 'core' },
  unreachable: { kind: 'unreachable', reason: 'net' },
  disabled: { kind: 'disabled' },
}

describe('the connection of a node', () => {
  it.each<[Phase, Record<keyof typeof events, Phase>]>([
    [
      'disabled',
      { startBegun: 'connecting', running: 'disabled', notRunning: 'disabled', unreachable: 'disabled', disabled: 'disabled' },
    ],
    [
      'connecting',
      { startBegun: 'connecting', running: 'connected', notRunning: 'coreDown', unreachable: 'agentAway', disabled: 'disabled' },
    ],
    [
      'restarting',
      { startBegun: 'restarting', running: 'connected', notRunning: 'coreDown', unreachable: 'agentAway', disabled: 'disabled' },
    ],
    [
      'connected',
      { startBegun: 'restarting', running: 'connected', notRunning: 'coreDown', unreachable: 'agentAway', disabled: 'disabled' },
    ],
    [
      'agentAway',
      { startBegun: 'connecting', running: 'connected', notRunning: 'coreDown', unreachable: 'agentAway', disabled: 'disabled' },
    ],
    [
      'coreDown',
      { startBegun: 'connecting', running: 'connected', notRunning: 'coreDown', unreachable: 'agentAway', disabled: 'disabled' },
    ],
  ])('from %s', (phase, expected) => {
    const reached = Object.entries(events).map(([name, event]) => [
      name,
      nextConnection({ phase, reason: 'before' }, event).phase,
    ])
    expect(Object.fromEntries(reached)).toEqual(expected)
  })

  it('gives a reason whenever the node does not serve, and none when it does', () => {
    expect(nextConnection({ phase: 'connected', reason: null }, { kind: 'unreachable', reason: 'net' }).reason).toBe('net')
    expect(nextConnection({ phase: 'connecting', reason: 'net' }, { kind: 'notRunning', reason: 'core' }).reason).toBe('core')
    expect(nextConnection({ phase: 'agentAway', reason: 'net' }, { kind: 'startBegun' }).reason).toBe('net')
    expect(nextConnection({ phase: 'connecting', reason: 'net' }, { kind: 'running' }).reason).toBeNull()
  })

  it.each<[Phase, boolean, boolean, boolean]>([
    ['disabled', false, false, false],
    ['connecting', false, true, false],
    ['restarting', true, true, true],
    ['connected', true, false, true],
    ['agentAway', false, false, false],
    ['coreDown', false, false, true],
  ])('%s is shown as connected %s, connecting %s, online %s', (phase, isConnected, isConnecting, isNodeOnline) => {
    const wire = toWire({ phase, reason: null })
    expect(wire).toMatchObject({ isConnected, isConnecting, isNodeOnline, isXrayRunning: isConnected })
    // A server that takes over does not know of the start that was under way.
    expect(fromWire(phase === 'disabled', wire).phase).toBe(phase === 'restarting' ? 'connected' : phase)
  })

  it('takes no message and an empty one as the same, so that nothing seems to have changed', () => {
    const wire = toWire({ phase: 'connected', reason: null })
    expect(hasChanged(wire, { ...wire, lastStatusMessage: '' })).toBe(false)
    expect(hasChanged(wire, { ...wire, lastStatusMessage: 'x' })).toBe(true)
    expect(hasChanged(wire, { ...wire, isConnecting: true })).toBe(true)
  })

  it('has been down since it went down, not since the last attempt that ended the same way', () => {
    const reason = 'The core ended.'
    const [down, trying] = [toWire({ phase: 'coreDown', reason }), toWire({ phase: 'connecting', reason })]
    expect([hasChanged(down, trying), hasChanged(trying, down)]).toEqual([false, false])
    expect(hasChanged(trying, toWire({ phase: 'agentAway', reason: 'It refused the connection.' }))).toBe(true)
    expect(hasChanged(trying, toWire({ phase: 'connected', reason: null }))).toBe(true)
    expect(hasChanged(toWire({ phase: 'connecting', reason: null }), down)).toBe(true)
    expect(hasChanged(down, toWire({ phase: 'disabled', reason: null }))).toBe(true)
  })

  it.each([
    [1, 1_000],
    [2, 2_000],
    [4, 8_000],
    [9, 30_000],
  ])('waits after %d failures %d ms', (failures, pause) => {
    expect(retryPauseMs(failures)).toBe(pause)
  })
})
