import { describe, expect, it } from 'vitest'
import { deliveryHold, isTrafficToldOf, resetDue } from './nodes.rules.ts'

const local = (text: string) => new Date(`${text}Z`)
const longAgo = new Date(0)

describe('the reset of traffic', () => {
  it.each([
    ['on its day from one in the morning', 15, '2026-05-15T01:00', null, true],
    ['not earlier', 15, '2026-05-15T00:59', '2026-04-15T01:00', false],
    ['once', 15, '2026-05-15T09:00', '2026-05-15T01:00', false],
    ['also a day late', 15, '2026-05-16T09:00', '2026-04-15T01:00', true],
    ['not a week late', 15, '2026-05-23T09:00', '2026-04-15T01:00', false],
    ['on the last day of a month that is too short', 31, '2026-02-28T02:00', '2026-01-31T01:00', true],
    ['not before that', 31, '2026-02-27T02:00', '2026-01-31T01:00', false],
    ['over the turn of the year', 31, '2027-01-01T02:00', '2026-11-30T01:00', true],
  ])('comes %s', (_, trafficResetDay, now, last, expected) => {
    const lastResetAt = last === null ? null : local(last)
    const node = { trafficResetDay, lastResetAt, lastResetDay: null, createdAt: longAgo }
    expect(resetDue(node, local(now), 'UTC') !== undefined).toBe(expected)
  })

  it('leaves a node alone that was made after its day', () => {
    const node = { trafficResetDay: 15, lastResetAt: null, lastResetDay: null, createdAt: local('2026-05-15T08:00') }
    expect(resetDue(node, local('2026-05-15T09:00'), 'UTC')).toBeUndefined()
  })

  it.each([
    ['in Berlin an hour or two before that of UTC', 'Europe/Berlin', 15, '2026-05-14T23:00', '2026-05-15'],
    ['not earlier there', 'Europe/Berlin', 15, '2026-05-14T22:59', undefined],
    ['when clocks pass over one in the morning, at two', 'Europe/London', 29, '2026-03-29T01:00', '2026-03-29'],
    ['not before they do', 'Europe/London', 29, '2026-03-29T00:59', undefined],
    ['on a day that begins at one', 'Africa/Cairo', 24, '2026-04-23T22:00', '2026-04-24'],
  ])('comes %s', (_, zone, trafficResetDay, now, day) => {
    const node = { trafficResetDay, lastResetAt: local('2026-02-25T00:00'), lastResetDay: null, createdAt: longAgo }
    expect(resetDue(node, local(now), zone)).toBe(day)
  })

  it('does not come a second time for a day that begins again in another zone', () => {
    const node = { trafficResetDay: 15, lastResetAt: local('2026-05-15T01:00'), lastResetDay: '2026-05-15', createdAt: longAgo }
    expect(resetDue(node, local('2026-05-15T09:00'), 'America/New_York')).toBeUndefined()
    // Without the day it would: in New York one in the morning was after the last reset.
    expect(resetDue({ ...node, lastResetDay: null }, local('2026-05-15T09:00'), 'America/New_York')).toBe('2026-05-15')
    expect(resetDue(node, local('2026-06-15T05:00'), 'America/New_York')).toBe('2026-06-15')
  })
})

it.each([
  [null, { isAnythingDue: false, isNodeOnline: false }],
  ['disabled', { isDisabled: true, isNodeOnline: false }],
  ['agentAway', { isNodeOnline: false, isXrayRunning: false, isConnecting: true }],
  ['starting', { isXrayRunning: false, isConnecting: true }],
  ['coreDown', { isXrayRunning: false, isAnythingRefused: true }],
  ['refused', { isAnythingRefused: true }],
  ['underWay', {}],
])('a delivery is held up by the nearest obstacle: %s', (hold, facts) => {
  const well = { isDisabled: false, isNodeOnline: true, isXrayRunning: true, isConnecting: false }
  expect(deliveryHold({ ...well, isAnythingDue: true, isAnythingRefused: false, ...facts })).toBe(hold)
})

it.each([
  [80, 100, 80, true],
  [79, 100, 80, false],
  [500, 100, 0, false],
  [500, 0, 80, false],
])('%d of %d bytes at %d percent: told %s', (trafficUsedBytes, trafficLimitBytes, notifyPercent, expected) => {
  expect(isTrafficToldOf({ trafficUsedBytes, trafficLimitBytes, notifyPercent })).toBe(expected)
})
