import { expect, it } from 'vitest'
import type { Wall, WallNode } from '@causeway/contract'
import { isOutdated, needsOf, tokenIn, totalsByHour, wallCells, wallLink } from './wall.rules.ts'

const node = (name: string, given: Partial<WallNode> = {}): WallNode => ({
  uuid: name,
  name,
  countryCode: 'DE',
  isConnected: true,
  isConnecting: false,
  isDisabled: false,
  isNodeOnline: true,
  xrayVersion: '25.1.1',
  nodeVersion: '0.2.0',
  lastStatusChange: null,
  usersOnline: 0,
  isTrafficTrackingActive: false,
  trafficLimitBytes: null,
  trafficUsedBytes: null,
  ...given,
})
const down = { isConnected: false, isNodeOnline: false }
const calm: Wall['needs'] = { usersNearLimit: 0, usersExpiring: 0, billsDue: 0, failedRollouts: 0, isBackupFailed: false }

it('the token is taken from the fragment of the link and from nothing else', () => {
  const link = wallLink('https://panel.example', 'abc.def')
  expect(link).toBe('https://panel.example/wall#token=abc.def')
  expect(new URL(link).search).toBe('')
  expect(tokenIn(new URL(link).hash)).toBe('abc.def')
  expect(tokenIn('token=abc')).toBe('abc')
  for (const other of ['', '#', '#token=', '#key=abc']) expect(tokenIn(other)).toBeUndefined()
})

it('what is broken comes first, nodes by name and users by number', () => {
  const nodes = [
    node('well'),
    node('new', { ...down, xrayVersion: null, nodeVersion: null }),
    node('full', { isTrafficTrackingActive: true, trafficLimitBytes: 100, trafficUsedBytes: 99 }),
    node('dead', down),
    node('off', { ...down, isDisabled: true }),
  ]
  const needs = { usersNearLimit: 2, usersExpiring: 3, billsDue: 1, failedRollouts: 1, isBackupFailed: true }
  const said = needsOf({ nodes, needs }).map((need) => ('node' in need ? `${need.kind} ${need.node.name}` : need.kind))
  expect(said).toEqual([
    'down dead',
    'rollout',
    'backup',
    'nearlyFull full',
    'usersNearLimit',
    'bills',
    'usersExpiring',
    'waiting new',
  ])
  expect(needsOf({ nodes: [node('well')], needs: calm })).toEqual([])
})

it('cells begin with what is down, then with what carries most; the running hour is not drawn', () => {
  const history: Wall['history'] = {
    timeZone: 'UTC',
    step: 'hour',
    starts: ['2026-01-01T00:00:00.000Z', '2026-01-01T01:00:00.000Z', '2026-01-01T02:00:00.000Z'],
    nodes: ['a', 'b'].map((name, at) => ({ uuid: name, name, countryCode: 'DE', bytes: [at + 1, at + 2, at + 3] })),
    usersOnline: [1, 2, 3],
  }
  const cells = wallCells({
    nodes: [node('a'), node('b'), node('dead', down), node('off', { isDisabled: true, ...down })],
    history,
  })
  expect(cells.map(({ node: { name }, bytes, total }) => [name, bytes, total])).toEqual([
    ['dead', [], 0],
    ['b', [2, 3], 9],
    ['a', [1, 2], 6],
    ['off', [], 0],
  ])
  expect(totalsByHour(history)).toEqual([3, 5, 7])
})

it('a newer release loads the page anew, though not at once', () => {
  expect(isOutdated('one', 'one', 3_600_000)).toBe(false)
  expect(isOutdated('one', 'two', 3_600_000)).toBe(true)
  expect(isOutdated('one', 'two', 1000)).toBe(false)
})
